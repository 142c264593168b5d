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

// Scores the barcodes of Count vectors, which begin at `eq`, each `stride` lanes after the one before, and at `last`.
// Their rows start after the left flank, so the row above them costs what that flank costs; at the end of each column
// the cost of the right flank is added.
template <int Count, class Lane>
void score_lanes(const Lane* eq, std::size_t stride, const Lane* last, const Lane* letters,
                 const barcodes::TextView& text, std::uint8_t* costs) {
  using V = Vector<Lane>;
  using One = std::make_signed_t<Lane>;
  using Cost = typename VectorOf<One>::type;
  constexpr std::size_t kLanesOfVector = sizeof(V) / sizeof(Lane);
  V pv[Count], mv[Count], end[Count];
  Cost cost[Count], best[Count];
  for (int v = 0; v < Count; ++v) {
    pv[v] = ~V{};
    mv[v] = V{};
    end[v] = load(last + static_cast<std::size_t>(v) * kLanesOfVector);
    cost[v] = reinterpret_cast<Cost>(load(letters + static_cast<std::size_t>(v) * kLanesOfVector)) +
              static_cast<One>(text.left_letters);
    best[v] = cost[v] + static_cast<One>(text.before);
  }
  for (std::size_t j = 0; j < text.length; ++j) {
    const Lane* const column = eq + text.codes[j] * kGroup;
    const int top = text.top[j];
    const auto right = static_cast<One>(text.right[j]);
    for (int v = 0; v < Count; ++v) {
      V ph, mh;
      barcodes::step(load(column + static_cast<std::size_t>(v) * stride), top, pv[v], mv[v], ph, mh);
      // A comparison gives -1 where it holds.
      cost[v] -= reinterpret_cast<Cost>((ph & end[v]) != 0U);
      cost[v] += reinterpret_cast<Cost>((mh & end[v]) != 0U);
      const Cost whole = cost[v] + right;
      best[v] = whole < best[v] ? whole : best[v];
    }
  }
  for (int v = 0; v < Count; ++v) {
    for (std::size_t i = 0; i < kLanesOfVector; ++i) {
      const auto one = best[v][i];
      *costs++ = one < BarcodeScorer::kMaxCost ? static_cast<std::uint8_t>(one) : BarcodeScorer::kMaxCost;
    }
  }
}

// Where a vector holds a whole group, groups are scored side by side, up to four.
template <class Lane>
void score_whole_groups(const barcodes::TablesView<Lane>& tables, const barcodes::TextView& text, std::uint8_t* costs) {
  static_assert(sizeof(Vector<Lane>) / sizeof(Lane) == kGroup);
  constexpr std::size_t kStride = kTextCodes * kGroup;
  constexpr std::size_t kMost = 4;
  for (std::size_t g = 0; g < tables.groups; g += kMost) {
    const auto score = [&]<int Count>(std::integral_constant<int, Count>) {
      score_lanes<Count>(tables.eq + g * kStride, kStride, tables.last + g * kGroup, tables.letters + g * kGroup, text,
                         costs + g * kGroup);
    };
    switch (tables.groups - g) {
      case 1: score(std::integral_constant<int, 1>()); break;
      case 2: score(std::integral_constant<int, 2>()); break;
      case 3: score(std::integral_constant<int, 3>()); break;
      default: score(std::integral_constant<int, 4>());
    }
  }
}

template <class Lane>
void score_groups(const barcodes::TablesView<Lane>& tables, const barcodes::TextView& text, std::uint8_t* costs) {
  constexpr std::size_t kLanesOfVector = sizeof(Vector<Lane>) / sizeof(Lane);
  constexpr std::size_t kStep = kVectors * kLanesOfVector;
  if constexpr (kLanesOfVector == kGroup) {
    score_whole_groups(tables, text, costs);
  } else {
    static_assert(kGroup % kStep == 0);
    for (std::size_t g = 0; g < tables.groups; ++g) {
      for (std::size_t b = 0; b < kGroup; b += kStep) {
        score_lanes<kVectors>(tables.eq + g * kTextCodes * kGroup + b, kLanesOfVector, tables.last + g * kGroup + b,
                              tables.letters + g * kGroup + b, text, costs + g * kGroup + b);
      }
    }
  }
}

}  // namespace

void scan_shortest_barcodes(const barcodes::TablesView<std::uint16_t>& tables, const barcodes::TextView& text,
                            std::uint8_t* costs) {
  score_groups(tables, text, costs);
}

void scan_short_barcodes(const barcodes::TablesView<std::uint32_t>& tables, const barcodes::TextView& text,
                         std::uint8_t* costs) {
  score_groups(tables, text, costs);
}

void scan_long_barcodes(const barcodes::TablesView<std::uint64_t>& tables, const barcodes::TextView& text,
                        std::uint8_t* costs) {
  score_groups(tables, text, costs);
}

}  // namespace basesweep::BASESWEEP_ISA
