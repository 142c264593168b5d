// Joins bases of records to batches: segments, filler between them, halos, and the cuts from one batch to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "lib/packer/record_cursor.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

// How far hits that start in a circular record may depend on positions before its begin, and behind its end.
struct CircularReach {
  std::int64_t min_length;  // of the record
  std::uint32_t left;
  std::uint32_t right;
};

struct BatchOptions {
  std::uint32_t batch_positions = 1U << 20;  // a batch owns at most this many positions
  // If set, asked for the number above whenever a batch begins.
  std::function<std::uint32_t()> next_positions{};
  std::uint32_t max_length = 1;  // bases of the longest pattern: how far kernels may read past the end
  std::uint32_t halo_left = 0;   // positions before its own that a batch holds too, if the record has them
  std::uint32_t halo_right = 0;  // the same after its own
  // The same for circular records, whose hits are not longer than they are: sorted by length, with growing reaches. The
  // last row that a record is long enough for holds, and where none does, it has no hits. Empty: the two above hold.
  std::vector<CircularReach> circular_reach{};
  // Hits that start up to so far behind the positions owned are needed too. On a circular record at most twice its
  // length: of the copies of a product's right site, the first one counts.
  std::uint32_t product_reach = 0;
  // Approximate search: N and lower case go to PackedBatch::letters() and soft_masked(), not to blocked positions.
  bool approximate = false;
  // Exact search: PackedBatch::letters() is filled too, so that text beside hits can be shown as it is.
  bool letters = false;
  // When a run of N is left out, this many positions at either end of it are kept.
  std::uint32_t run_margin = 0;
  // A batch is cut before a new segment when the names of its records have this many bytes: many short records would
  // otherwise take more memory for names than for bases.
  std::size_t max_name_bytes = std::size_t{1} << 22;
  bool requested_only = false;  // only hits that start in a requested region count, see PackedBatch::requested()
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();  // of the planes
};

// A batch holds segments of one or many records, with a filler position between two of them. A record longer than a
// batch goes on in the next one. Each batch begins with a copy of the last halo_left positions of those that the batch
// before it owns, and ends with the first halo_right positions that the next one owns. Long runs of letters other than
// A, C, G and T are left out. Not thread-safe.
class BatchBuilder {
 public:
  using Emit = std::function<void(std::unique_ptr<PackedBatch>)>;
  // A run of other letters than A, C, G and T is left out when it has this many positions besides its two margins.
  static constexpr std::uint32_t kSkippedRun = 256;

  // `emit` gets each batch when it is complete, with its number set.
  BatchBuilder(BatchOptions options, Emit emit) : options_(std::move(options)), emit_(std::move(emit)) {}

  // How far lists of a block have been used.
  struct BlockPlace {
    std::size_t not_acgt = 0;  // the first interval that reaches beyond the bases added so far
    std::size_t soft_masked = 0;
  };
  // The bases that come next are of another block, or go on at this place in one that was left before.
  // `owner`: of the block; if it is not null, batches get the block's planes only by PackedBatch::fill().
  void enter_block(std::shared_ptr<const void> owner = nullptr) {
    block_place_ = BlockPlace();
    owner_ = std::move(owner);
  }
  void return_to_block(BlockPlace place, std::shared_ptr<const void> owner) {
    block_place_ = place;
    owner_ = std::move(owner);
  }
  BlockPlace block_place() const { return block_place_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }
  // Appends bases, less long runs of N. They continue a segment if they follow, in the record, on those of the call
  // before. `requested`: the regions of the record whose starts count, sorted and disjoint; null without regions.
  void add(const RecordBases& bases, const std::vector<Region>* requested);
  // Appends whole records of the block, from `block.starts[first]` on, and returns how many. Stops before a record that
  // does not fit, has no bases, holds masked bases or others than A, C, G and T, is `end_record`, or is the last one
  // that begins in the block. `before`: the record before them. Appends none if there is no batch yet, or if the block
  // has no owner.
  std::size_t add_records(const PackedBlock& block, std::size_t first, std::size_t end_record,
                          const CurrentRecord& before);
  // The record has no more bases than those added, and regions or runs of N that were left out. Marks the segment that
  // holds its last base, if there is one.
  void end_record(const CurrentRecord& record);
  // Emits what is left. Nothing may be added afterwards.
  void finish();

 private:
  // Appends positions [begin, end) of the block, which are among the bases.
  void append(const RecordBases& bases, std::uint32_t begin, std::uint32_t end, const std::vector<Region>* requested);
  void append_to_segment(const RecordBases& bases, std::uint32_t begin, std::uint32_t end, std::int64_t offset,
                         bool new_segment);
  bool is_simple(const RecordBases& bases) const;
  bool many_names() const;
  bool segment_fits(std::uint32_t bases) const;
  void make_room(bool new_segment);
  void separate();
  void cut();
  std::unique_ptr<PackedBatch> new_batch();
  void request(const RecordBases& bases, const std::vector<Region>& requested);
  void block_positions(const RecordBases& bases);
  void note_letters(const RecordBases& bases) const;
  // Whether base `offset` of the record goes on where the last segment of batch_ ends.
  bool continues(const CurrentRecord& record, std::int64_t offset) const {
    return open_record_ == record.number && open_offset_ == offset;
  }
  std::uint32_t limit() const { return own_begin_ + batch_positions_ + options_.halo_right; }

  const BatchOptions options_;
  const Emit emit_;
  std::unique_ptr<PackedBatch> batch_;  // the batch being built; null before the first base
  std::uint32_t batch_positions_ = 0;   // that it owns at most
  std::uint64_t batches_ = 0;           // emitted so far
  std::uint32_t own_begin_ = 0;         // positions [0, own_begin_) of batch_ are its left halo
  std::size_t halo_name_bytes_ = 0;     // bytes of names that came with the left halo
  std::int64_t open_record_ = -1;       // the last segment of batch_ ends before base open_offset_ of this record;
  std::int64_t open_offset_ = 0;        // -1: no segment goes on
  BlockPlace block_place_;
  std::shared_ptr<const void> owner_;  // see enter_block()
};

}  // namespace basesweep
