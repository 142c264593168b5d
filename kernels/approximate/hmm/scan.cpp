// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/hmm/scan.hpp"

#include "kernels/approximate/hmm/step.hpp"
#include "kernels/cpu/word.hpp"

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

// The positions of a part, last one first, so that a diagonal reads pattern and text in the same direction. Each lane
// has the set of one base, or no base outside the text.
struct PartText {
  const std::uint16_t* position_0;  // the lane of the part's position 0; position j is at position_0 - j
  std::int64_t begin;               // its first position in the text, negative where the text begins inside the overlap
  std::int64_t end;                 // past its last position
};

PartText reverse(const PackedView& text, std::int64_t begin, std::int64_t end, std::uint32_t max_rows,
                 std::uint16_t* lanes) {
  std::uint16_t* lane = lanes;
  const auto none = [&lane](std::int64_t count) {
    for (; count > 0; --count) *lane++ = 0;
  };
  none(max_rows);
  for (std::int64_t position = end - 1; position >= begin && position >= 0; --position) {
    const auto lo = static_cast<unsigned>(text.lo[position / 64] >> (position % 64)) & 1;
    const auto hi = static_cast<unsigned>(text.hi[position / 64] >> (position % 64)) & 1;
    *lane++ = static_cast<std::uint16_t>(1U << (lo | hi << 1));
  }
  none(begin < 0 ? -begin : 0);
  const std::uint16_t* position_0 = lane - 1;
  none(max_rows);
  return {position_0, begin, end};
}

// Three diagonals. Row 1 of each begins at a multiple of a word, with row 0 in front of it.
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

// Computes a diagonal of the matrix: the cells (i + 1, j - i) for all i. `text`: the lane of position j.
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

// Sends all ends of a query at the last `own` positions of a part.
void scan_part(const hmm::ScanQuery& query, const std::uint16_t* rows, const PartText& part, std::int64_t own,
               std::int16_t* lanes, OccurrenceSink& sink) {
  const std::uint32_t count = padded_rows(query.length);
  Diagonals d = start(lanes, count);
  const auto length = static_cast<std::int64_t>(query.length);
  const std::int64_t positions = part.end - part.begin;
  const auto least = static_cast<std::int16_t>(query.length - query.edits);
  const std::int64_t context = length + query.edits;
  for (std::int64_t j = positions - own - context < 0 ? 0 : positions - own - context; j < positions + length - 1;
       ++j) {
    step(d, rows, part.position_0 - j, count);
    const std::int64_t end = j - (length - 1);
    if (d.here[length - 1] >= least && end >= positions - own) {
      sink.send(static_cast<std::uint32_t>(part.begin + end), query.query);
    }
    d = {d.before_last, d.here, d.last};
  }
}

}  // namespace

void hmm_scan(const hmm::ScanIndex& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  auto* diagonals = reinterpret_cast<std::int16_t*>(scratch);
  auto* lanes = reinterpret_cast<std::uint16_t*>(diagonals + 3 * (std::size_t{index.max_rows} + hmm::kRowAlign));
  for (std::int64_t own = text.own_begin; own < text.own_end; own += hmm::kPartPositions) {
    const std::int64_t left = text.own_end - own;
    const std::int64_t positions = left < hmm::kPartPositions ? left : hmm::kPartPositions;
    const PartText part = reverse(text, own - index.max_overlap, own + positions, index.max_rows, lanes);
    for (std::uint32_t e = 0; e < index.query_count; ++e) {
      const hmm::ScanQuery& query = index.queries[e];
      scan_part(query, index.rows + query.first_row, part, positions, diagonals, sink);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
