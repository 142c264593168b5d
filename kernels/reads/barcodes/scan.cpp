#include "kernels/reads/barcodes/scan.hpp"

#include <cstddef>
#include <type_traits>

#include "kernels/cpu/lanes.hpp"
#include "kernels/reads/barcodes/step.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using barcodes::kGroup;

template <class Lane>
Vector<Lane> load(const Lane* from) {
  Vector<Lane> vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}

// Scores the barcodes of kVectors vectors, which begin at `eq` and `last`. Their rows start after the left flank, so
// the row above them costs what that flank costs; at the end of each column the cost of the right flank is added.
template <class Lane>
void score_lanes(const Lane* eq, const Lane* last, const Lane* letters, const barcodes::TextView& text,
                 std::uint8_t* costs) {
  using V = Vector<Lane>;
  using Cost = typename VectorOf<std::make_signed_t<Lane>>::type;
  constexpr std::size_t kLanesOfVector = sizeof(V) / sizeof(Lane);
  V pv[kVectors], mv[kVectors], end[kVectors];
  Cost cost[kVectors], best[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    pv[v] = ~V{};
    mv[v] = V{};
    end[v] = load(last + static_cast<std::size_t>(v) * kLanesOfVector);
    cost[v] = reinterpret_cast<Cost>(load(letters + static_cast<std::size_t>(v) * kLanesOfVector)) + text.left_letters;
    best[v] = cost[v] + text.before;
  }
  for (std::size_t j = 0; j < text.length; ++j) {
    const Lane* const column = eq + text.codes[j] * kGroup;
    const int top = text.top[j];
    const std::int32_t right = text.right[j];
    for (int v = 0; v < kVectors; ++v) {
      V ph, mh;
      barcodes::step(load(column + static_cast<std::size_t>(v) * kLanesOfVector), top, pv[v], mv[v], ph, mh);
      // A comparison gives -1 where it holds.
      cost[v] -= reinterpret_cast<Cost>((ph & end[v]) != 0U);
      cost[v] += reinterpret_cast<Cost>((mh & end[v]) != 0U);
      const Cost whole = cost[v] + right;
      best[v] = whole < best[v] ? whole : best[v];
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    for (std::size_t i = 0; i < kLanesOfVector; ++i) {
      const auto one = best[v][i];
      *costs++ = one < BarcodeScorer::kMaxCost ? static_cast<std::uint8_t>(one) : BarcodeScorer::kMaxCost;
    }
  }
}

template <class Lane>
void score_groups(const barcodes::TablesView<Lane>& tables, const barcodes::TextView& text, std::uint8_t* costs) {
  constexpr std::size_t kStep = kVectors * sizeof(Vector<Lane>) / sizeof(Lane);
  static_assert(kGroup % kStep == 0);
  for (std::size_t g = 0; g < tables.groups; ++g) {
    for (std::size_t b = 0; b < kGroup; b += kStep) {
      score_lanes(tables.eq + g * kTextCodes * kGroup + b, tables.last + g * kGroup + b,
                  tables.letters + g * kGroup + b, text, costs + g * kGroup + b);
    }
  }
}

}  // namespace

void scan_short_barcodes(const barcodes::TablesView<std::uint32_t>& tables, const barcodes::TextView& text,
                         std::uint8_t* costs) {
  score_groups(tables, text, costs);
}

void scan_long_barcodes(const barcodes::TablesView<std::uint64_t>& tables, const barcodes::TextView& text,
                        std::uint8_t* costs) {
  score_groups(tables, text, costs);
}

}  // namespace basesweep::BASESWEEP_ISA
