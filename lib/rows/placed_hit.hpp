// Hits as rows.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/align/standings.hpp"
#include "lib/rows/row.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

inline constexpr std::uint32_t kMaxFlank = 10'000;

// A hit with everything that is written about it.
struct PlacedHit : PlacedRow {
  Hit hit{};                 // its position, in the batch, is not used here
  std::string_view left{};   // the text before it, like `letters`; empty unless a flank is wanted
  std::string_view right{};  // the text after it
  Standing standing{};       // of its group, with --report best-per-record
};

// A hit on a record, without letters.
inline PlacedHit place_hit(std::string_view record_name, std::int64_t record, std::int64_t start, const Hit& hit) {
  PlacedHit placed;
  placed.record_name = record_name;
  placed.record = record;
  placed.start = start;
  placed.end = start + hit.length;
  placed.hit = hit;
  return placed;
}

}  // namespace basesweep
