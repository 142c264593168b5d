// Text as kernels see it: two bit-planes, what may not be hit, and where each column came from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// Columns [begin, end) of a block or batch.
struct Interval {
  std::uint32_t begin;
  std::uint32_t end;
};

// A batch as kernels take it, by value. Base i has its low code bit in bit i % 64 of lo[i / 64], its high bit in hi.
// kPlanePadWords + longest pattern / 64 words past the last column can be read; they hold no bases.
struct PackedView {
  const std::uint64_t* lo;
  const std::uint64_t* hi;
  const Interval* blocked;      // sorted, disjoint: columns no exact hit may touch; the last one is [columns, 2^32 - 1)
  std::uint32_t blocked_count;  // at least 1
  std::uint32_t columns;
  std::uint32_t own_begin;  // hits that start in [own_begin, own_end) are this batch's
  std::uint32_t own_end;
};

inline constexpr std::uint32_t kPlanePadWords = 32;

// Columns [begin, end) hold this letter, upper case, which is not A, C, G or T.
struct LetterRun {
  std::uint32_t begin;
  std::uint32_t end;
  char letter;
};

// Columns [column, end) of a batch are bases of one record from `offset` on; what follows up to the next piece is
// filler. What a piece leaves out of its record on either side is another batch's, or N and the like.
struct Piece {
  std::uint32_t column;
  std::uint32_t end;
  std::uint32_t name_begin;  // in PackedBatch::names
  std::uint32_t name_size;
  std::int64_t record;     // counted over what comes of the input, from 0
  std::int64_t offset;     // in the record, 0-based
  std::int64_t reference;  // the record, counted among those that have bases
};

// Owns the planes of a batch. Their memory comes from a resource of the matcher (pinned, for a GPU).
class PackedBatch {
 public:
  // Room for `capacity` columns, and for kernels to read `pad_columns` past them.
  PackedBatch(std::uint32_t capacity, std::uint32_t pad_columns, std::pmr::memory_resource* memory);
  ~PackedBatch();
  PackedBatch(const PackedBatch&) = delete;
  PackedBatch& operator=(const PackedBatch&) = delete;

  std::uint32_t columns() const { return columns_; }
  // Words in each plane that hold columns or padding a kernel may read.
  std::size_t plane_words() const;

  // Appends columns [from, from + count) of the given planes to the last piece.
  void append(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t from, std::uint32_t count);
  // Appends columns that match nothing.
  void append_filler(std::uint32_t count);
  // No exact hit may touch columns [begin, end); begins must not decrease.
  void block(std::uint32_t begin, std::uint32_t end);
  // For approximate search: columns that hold a letter of their own, or lower case. Begins must not decrease.
  void add_letters(const LetterRun& run) { letters_.push_back(run); }
  void add_soft_masked(Interval interval) { soft_masked_.push_back(interval); }
  // Only hits that start in columns [begin, end), or others told so, count. Begins must not decrease.
  void ask(Interval columns);
  // As if columns had been told, but none is.
  void ask_for_none() { asked_.emplace(); }
  // The columns appended from now on belong to this place of this record.
  void begin_piece(std::string_view name, std::int64_t record, std::int64_t offset, std::int64_t reference);
  // The last piece's bases end here; what was appended after that is filler.
  void trim_piece(std::uint32_t end) { pieces_.back().end = std::min(pieces_.back().end, end); }
  // Ends building: closes the interval list, clears the padding.
  void finish(std::uint32_t own_begin, std::uint32_t own_end);

  PackedView view() const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<Interval>& blocked() const { return blocked_; }
  std::string_view name(const Piece& piece) const {
    return std::string_view(names_).substr(piece.name_begin, piece.name_size);
  }
  // Of all pieces so far.
  std::size_t name_bytes() const { return names_.size(); }
  const std::vector<LetterRun>& letters() const { return letters_; }
  const std::vector<Interval>& soft_masked() const { return soft_masked_; }
  // The columns whose starts count, sorted and disjoint; nothing: all of them.
  const std::optional<std::vector<Interval>>& asked() const { return asked_; }
  // Index of the piece that a column lies in.
  std::size_t piece_at(std::uint32_t column) const;
  // Upper-case letters of columns [begin, end), on the forward strand.
  void copy_letters(std::uint32_t begin, std::uint32_t end, char* out) const;
  bool touches_soft_masked(std::uint32_t begin, std::uint32_t end) const;
  // The base code at a column.
  unsigned code(std::uint32_t column) const;

  std::uint64_t number = 0;  // place in the order of the input
  int tokens = 0;            // blocks of text this batch is the last to hold

 private:
  std::size_t bytes() const;

  std::pmr::memory_resource* memory_;
  std::uint32_t capacity_;
  std::uint32_t pad_words_;
  std::uint32_t columns_ = 0;
  std::uint32_t own_begin_ = 0;
  std::uint32_t own_end_ = 0;
  std::uint64_t* lo_;
  std::uint64_t* hi_;
  std::vector<Interval> blocked_;
  std::vector<LetterRun> letters_;
  std::vector<Interval> soft_masked_;
  std::optional<std::vector<Interval>> asked_;
  std::vector<Piece> pieces_;
  std::string names_;
};

}  // namespace basesweep
