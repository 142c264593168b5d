// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/hmm/scan.hpp"

#include "kernels/hmm/step.hpp"
#include "kernels/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using hmm::padded_rows;

using Cells = std::int16_t __attribute__((vector_size(kWordBytes)));
constexpr std::uint32_t kCells = kWordBytes / 2;
static_assert(hmm::kRowAlign % kCells == 0);

template <class T>
Cells load(const T* p) {
  Cells cells;
  __builtin_memcpy(&cells, p, sizeof cells);
  return cells;
}

// The columns of a piece, last one first, so that a diagonal reads pattern and text upwards: the set of one base a
// lane, of none outside the text.
struct PieceText {
  const std::uint16_t* column_0;  // where the piece's first column lies; column j lies at column_0 - j
  std::int64_t begin;             // its first column in the text, negative where the text begins inside the overlap
  std::int64_t end;               // past its last
};

PieceText reverse(const PackedView& text, std::int64_t begin, std::int64_t end, std::uint32_t most_rows,
                  std::uint16_t* lanes) {
  std::uint16_t* lane = lanes;
  const auto none = [&lane](std::int64_t count) {
    for (; count > 0; --count) *lane++ = 0;
  };
  none(most_rows);
  for (std::int64_t column = end - 1; column >= begin && column >= 0; --column) {
    const auto lo = static_cast<unsigned>(text.lo[column / 64] >> (column % 64)) & 1;
    const auto hi = static_cast<unsigned>(text.hi[column / 64] >> (column % 64)) & 1;
    *lane++ = static_cast<std::uint16_t>(1U << (lo | hi << 1));
  }
  none(begin < 0 ? -begin : 0);
  const std::uint16_t* column_0 = lane - 1;
  none(most_rows);
  return {column_0, begin, end};
}

// Three diagonals, each from row 1 on at a multiple of a word, with row 0 before that.
struct Diagonals {
  std::int16_t* here;
  std::int16_t* last;
  std::int16_t* before_last;
};

Diagonals start(std::int16_t* lanes, std::uint32_t rows) {
  const std::uint32_t stride = rows + hmm::kRowAlign;
  for (std::uint32_t i = 0; i < 3 * stride; ++i) lanes[i] = 0;
  return {lanes + hmm::kRowAlign, lanes + stride + hmm::kRowAlign, lanes + 2 * stride + hmm::kRowAlign};
}

// Cells (i + 1, j - i) for all i: a diagonal of the matrix. `text`: where column j of the text lies.
void step(const Diagonals& d, const std::uint16_t* rows, const std::uint16_t* text, std::uint32_t count) {
  const Cells one = Cells{} + 1;
  const auto max = [](Cells a, Cells b, Cells c) {
    const Cells ab = a > b ? a : b;
    return ab > c ? ab : c;
  };
  for (std::uint32_t i = 0; i < count; i += kCells) {
    const Cells gain = one + ((load(rows + i) & load(text + i)) == 0);
    const Cells cells = hmm::cell(load(d.last + i) - one, load(d.last + i - 1), load(d.before_last + i - 1), gain, max);
    __builtin_memcpy(d.here + i, &cells, sizeof cells);
  }
}

// All ends of an entry in the last `own` columns of a piece.
void scan_piece(const hmm::ScanEntry& entry, const std::uint16_t* rows, const PieceText& piece, std::int64_t own,
                std::int16_t* lanes, HitSink& sink) {
  const std::uint32_t count = padded_rows(entry.length);
  Diagonals d = start(lanes, count);
  const auto length = static_cast<std::int64_t>(entry.length);
  const std::int64_t columns = piece.end - piece.begin;
  const auto least = static_cast<std::int16_t>(entry.length - entry.edits);
  const std::int64_t context = length + entry.edits;
  for (std::int64_t j = columns - own - context < 0 ? 0 : columns - own - context; j < columns + length - 1; ++j) {
    step(d, rows, piece.column_0 - j, count);
    const std::int64_t end = j - (length - 1);
    if (d.here[length - 1] >= least && end >= columns - own) {
      sink.hit(static_cast<std::uint32_t>(piece.begin + end), entry.entry);
    }
    d = {d.before_last, d.here, d.last};
  }
}

}  // namespace

void hmm_scan(const hmm::ScanIndex& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink) {
  auto* diagonals = reinterpret_cast<std::int16_t*>(scratch);
  auto* lanes = reinterpret_cast<std::uint16_t*>(diagonals + 3 * (std::size_t{index.most_rows} + hmm::kRowAlign));
  for (std::int64_t own = text.own_begin; own < text.own_end; own += hmm::kPieceColumns) {
    const std::int64_t left = text.own_end - own;
    const std::int64_t columns = left < hmm::kPieceColumns ? left : hmm::kPieceColumns;
    const PieceText piece = reverse(text, own - index.most_overlap, own + columns, index.most_rows, lanes);
    for (std::uint32_t e = 0; e < index.entry_count; ++e) {
      const hmm::ScanEntry& entry = index.entries[e];
      scan_piece(entry, index.rows + entry.first_row, piece, columns, diagonals, sink);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
