// Text as kernels see it: two bit-planes, the positions that no hit may touch, and the record that each position is
// from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/host_device.hpp"

namespace basesweep {

// Positions [begin, end) of a block or batch, 0-based.
struct Interval {
  std::uint32_t begin;
  std::uint32_t end;
};

// A batch as kernels take it, by value. Owns nothing: the pointers are those of a PackedBatch, or of its copy on a GPU.
//
// Each position has a base code of two bits (lib/base/dna.hpp). The low bit of position i is bit i % 64 of lo[i / 64],
// the high bit is bit i % 64 of hi[i / 64]. N, other letters and filler have some code too, so the planes alone cannot
// tell them from bases: `blocked` lists them.
//
//     position    0 1 2 3 4 5 6 7 ...  63   64 65 ...        A = 00, C = 01, T = 10, G = 11
//     text        A C G T N . G A       C    T  A
//     lo          0 1 1 0 * * 1 0       1    0  0            *: any bit
//     hi          0 0 1 1 * * 1 0       0    1  0
//                 bits 0 ... 63 of      |    bits 0 ... of
//                 lo[0] and hi[0]       |    lo[1] and hi[1]
//     blocked             [4, 6)
//
// A batch holds segments of records, with a filler position (.) or another blocked one between two of them. The
// positions it owns have a halo on either side, where the records go on: text that a hit, or its alignment, may reach
// into.
//
//     0            own_begin                            own_end         positions
//     | left halo  | own: a hit that starts here counts | right halo    | 0 bits: padding
//     |ACGTACGTACGT|ACGTACGT.ACGTAC.TTACGATTACGATTACGAT.|TTACGATTACGATTA|
struct PackedView {
  // The planes. kPlanePadWords + (longest pattern / 64) words past the last position can be read; they are 0.
  const std::uint64_t* lo;
  const std::uint64_t* hi;
  // Positions that no exact hit may touch, sorted and disjoint. The last interval is open-ended, [positions, 2^32 - 1),
  // so that a search for the next interval always finds one. In approximate search only fillers and the open-ended
  // interval.
  const Interval* blocked;
  std::uint32_t blocked_count;  // at least 1
  std::uint32_t positions;      // in all, halos included
  std::uint32_t own_begin;      // the batch owns positions [own_begin, own_end)
  std::uint32_t own_end;
};

inline constexpr std::uint32_t kPlanePadWords = 32;

// 64 positions of a plane from `position` on.
BASESWEEP_HD std::uint64_t positions_at(const std::uint64_t* plane, std::uint32_t position) {
  const std::uint64_t* words = plane + position / 64;
  const unsigned shift = position % 64;
  return words[0] >> shift | words[1] << 1 << (63 - shift);  // in two steps, since a shift by 64 is undefined
}

// Positions [begin, end) of a block or batch hold this letter, upper case, which is not A, C, G or T.
struct LetterRun {
  std::uint32_t begin;
  std::uint32_t end;
  char letter;
};

// Positions [position, end) of a batch are bases of one record, from base `offset` on. Positions from there up to the
// next segment are filler. Parts of the record before and after the segment are in other segments, in other batches or
// left out: long runs of N, and bases out of reach of the regions.
struct Segment {
  std::uint32_t position;  // first in the batch, 0-based
  std::uint32_t end;       // past its last
  // The record's name is bytes [name_begin, name_begin + name_size) of the batch's names, see PackedBatch::name().
  std::uint32_t name_begin;
  std::uint32_t name_size;
  std::int64_t record;     // number among all records of the input that came, from 0
  std::int64_t offset;     // of the first position in the record, 0-based
  std::int64_t reference;  // number among the records that have bases, from 0
  std::uint32_t source;    // index of the record's file among the paths
  // The record's length if it is circular; 0: it is not, or no position of the segment is outside [0, length).
  // Positions before 0 and from the length on repeat the record, so that hits over its origin are found whole; no hit
  // starts there.
  std::int64_t circular_length;
  bool ends_record = false;  // the record is known to end here
};

// The place of a batch among those of the input: the number of the batch and, if that batch was cut into parts, where
// this part begins among the positions that the whole batch owned.
using BatchPlace = std::pair<std::uint64_t, std::uint32_t>;

// Owns a batch: planes and lists. Built from left to right by the functions up to finish(), read after that by those
// below it. The planes lie in memory of the matcher (pinned, for a GPU).
class PackedBatch {
 public:
  // Room for `capacity` positions, and for kernels to read `pad_positions` and kPlanePadWords words past them. `memory`
  // must outlive the batch.
  PackedBatch(std::uint32_t capacity, std::uint32_t pad_positions, std::pmr::memory_resource* memory);
  ~PackedBatch();
  PackedBatch(const PackedBatch&) = delete;
  PackedBatch& operator=(const PackedBatch&) = delete;

  // Makes room for about as many segments and names as another batch has.
  void reserve_like(const PackedBatch& other);
  // The positions appended from now on are bases of this record, from base `offset` (0-based) on.
  void begin_segment(std::string_view name, std::int64_t record, std::int64_t offset, std::int64_t reference,
                     std::uint32_t source = 0);
  // The record of the last segment is circular and has this length; 0: nothing changes.
  void mark_circular(std::int64_t length);
  // Appends positions [from, from + count) of the given planes to the last segment. If `owner` is not null, it owns
  // these planes and they are copied only by fill(), so that several threads can fill batches while one makes them.
  void append(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t from, std::uint32_t count,
              const std::shared_ptr<const void>& owner = nullptr);
  // append_owned() appends from these planes until the next call of use_planes(), fill(), or append() without an owner.
  // `owner` is not null.
  void use_planes(const std::uint64_t* lo, const std::uint64_t* hi, const std::shared_ptr<const void>& owner);
  void append_owned(std::uint32_t from, std::uint32_t count);
  // Appends positions [from, from + count) of another batch, which may be filled or not.
  void append(const PackedBatch& other, std::uint32_t from, std::uint32_t count);
  // Appends positions [begin, end) of another batch with its segments and lists. This batch is empty.
  void append_with_lists(const PackedBatch& other, std::uint32_t begin, std::uint32_t end);
  // Ends the last segment at `end`, which is not past its end: what was appended after that is filler.
  void trim_segment(std::uint32_t end) { segments_.back().end = std::min(segments_.back().end, end); }
  // The record of the last segment ends at that segment's end.
  void end_record() { segments_.back().ends_record = true; }
  // Appends blocked positions between segments.
  void append_filler(std::uint32_t count);
  // Exact search: no hit may touch positions [begin, end). Begins must not decrease from call to call.
  void block(std::uint32_t begin, std::uint32_t end);
  // Approximate search: positions that hold another letter than A, C, G, T, or lower case. In order, disjoint.
  void add_letters(const LetterRun& run) { letters_.push_back(run); }
  void add_soft_masked(Interval interval) { soft_masked_.push_back(interval); }
  // From now on only hits that start in positions given to request() count, whichever the batch owns.
  void restrict_to_requested() { requested_.emplace(); }
  // Positions of a requested region. In order, disjoint; only after restrict_to_requested().
  void request(Interval positions);
  // Ends building: closes the list of blocked positions, clears the padding.
  void finish(std::uint32_t own_begin, std::uint32_t own_end);
  // A batch that owns only positions `own` of those that this one owns, with halos of this width. To be called when
  // this batch is filled.
  std::unique_ptr<PackedBatch> part(Interval own, std::uint32_t halo_left, std::uint32_t halo_right) const;
  // Copies the planes of stretches that have an owner. To be called before view() and all that reads bases.
  void fill() noexcept;

  std::uint32_t positions() const { return positions_; }  // halos and filler included
  // Words in each plane that hold positions or padding a kernel may read.
  std::size_t plane_words() const;
  PackedView view() const;
  const std::vector<Segment>& segments() const { return segments_; }  // sorted by position
  // Index of the segment that a position lies in, or follows as filler.
  std::size_t segment_at(std::uint32_t position) const;
  std::string_view name(const Segment& segment) const {
    return std::string_view(names_).substr(segment.name_begin, segment.name_size);
  }
  bool has_circular() const { return has_circular_; }       // whether Segment::circular_length of any is set
  std::size_t name_bytes() const { return names_.size(); }  // of all segments
  // Lists that are sorted and disjoint.
  const std::vector<Interval>& blocked() const { return blocked_; }
  const std::vector<LetterRun>& letters() const { return letters_; }
  const std::vector<Interval>& soft_masked() const { return soft_masked_; }
  // The positions that were requested; nothing: hits count wherever they start.
  const std::optional<std::vector<Interval>>& requested() const { return requested_; }
  // Writes end - begin letters to `out`: positions [begin, end) on the forward strand, upper case. Letters that are not
  // A, C, G or T come out as such only in approximate search.
  void copy_letters(std::uint32_t begin, std::uint32_t end, char* out) const;
  // Whether one of positions [begin, end) is lower case; in approximate search.
  bool touches_soft_masked(std::uint32_t begin, std::uint32_t end) const;
  // The base code at a position.
  unsigned code(std::uint32_t position) const;

  BatchPlace place() const { return {number, part_begin}; }
  BatchPlace next_place() const;  // of the batch or part that comes next

  std::uint64_t number = 0;      // place among the batches of the input, from 0
  std::uint32_t part_begin = 0;  // see BatchPlace
  bool last_part = true;         // of batch `number`
  int tokens = 0;                // tokens of the pipeline that are given back when this batch is written
  // A matcher that finds more occurrences may give up, see MatchResult::too_many.
  std::uint64_t max_occurrences = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t room = 0;  // for hits of this batch, that BatchQueue (lib/pipeline/batch_queue.hpp) keeps

 private:
  // Planes and what owns them.
  struct Planes {
    const std::uint64_t* lo;
    const std::uint64_t* hi;
    std::shared_ptr<const void> owner;
  };
  // Positions [from, from + count) of planes, which fill() copies to `position` of the batch.
  struct Stretch {
    std::uint32_t from;
    std::uint32_t count;
    std::uint32_t position;
    std::uint32_t planes;  // index into planes_
  };
  std::size_t bytes() const;  // size of a plane
  void copy_planes(const std::uint64_t* lo, const std::uint64_t* hi, const Stretch& stretch) noexcept;
  void clear_up_to(std::uint32_t position) noexcept;

  std::pmr::memory_resource* memory_;
  std::uint32_t capacity_;
  std::uint32_t pad_words_;
  std::uint32_t positions_ = 0;
  std::uint32_t own_begin_ = 0;
  std::uint32_t own_end_ = 0;
  std::uint64_t* lo_;
  std::uint64_t* hi_;
  std::vector<Interval> blocked_;
  std::vector<LetterRun> letters_;
  std::vector<Interval> soft_masked_;
  std::optional<std::vector<Interval>> requested_;
  std::vector<Segment> segments_;
  std::string names_;
  bool has_circular_ = false;
  std::uint32_t filled_ = 0;        // positions of the planes that are set
  std::vector<Stretch> stretches_;  // of those behind, all but filler
  std::vector<Planes> planes_;
};

// These are called for each of many short records.

inline void PackedBatch::block(std::uint32_t begin, std::uint32_t end) {
  if (begin >= end) return;
  if (!blocked_.empty() && begin <= blocked_.back().end) {
    blocked_.back().end = std::max(blocked_.back().end, end);
  } else {
    blocked_.push_back({begin, end});
  }
}

inline void PackedBatch::append_filler(std::uint32_t count) {
  block(positions_, positions_ + count);
  positions_ += count;
}

inline void PackedBatch::begin_segment(std::string_view name, std::int64_t record, std::int64_t offset,
                                       std::int64_t reference, std::uint32_t source) {
  const bool same = !segments_.empty() && segments_.back().record == record;
  const std::uint32_t name_begin = same ? segments_.back().name_begin : static_cast<std::uint32_t>(names_.size());
  if (!same) names_ += name;
  // Set in place: a copy would wait for the stores of its parts.
  if (segments_.empty() || segments_.back().position != positions_) segments_.emplace_back();
  Segment& segment = segments_.back();
  segment.position = segment.end = positions_;
  segment.name_begin = name_begin;
  segment.name_size = static_cast<std::uint32_t>(name.size());
  segment.record = record;
  segment.offset = offset;
  segment.reference = reference;
  segment.source = source;
  segment.circular_length = 0;
  segment.ends_record = false;
}

inline void PackedBatch::append_owned(std::uint32_t from, std::uint32_t count) {
  stretches_.push_back({from, count, positions_, static_cast<std::uint32_t>(planes_.size() - 1)});
  positions_ += count;
  if (!segments_.empty()) segments_.back().end = positions_;
}

inline BatchPlace PackedBatch::next_place() const {
  if (last_part) return {number + 1, 0};
  return {number, part_begin + (own_end_ - own_begin_)};
}

inline void PackedBatch::mark_circular(std::int64_t length) {
  if (length == 0) return;
  segments_.back().circular_length = length;
  has_circular_ = true;
}

}  // namespace basesweep
