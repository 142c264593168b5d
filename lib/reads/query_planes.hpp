// The planes of one query of a read, laid out as in ReadQueryView. For lib/reads only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/packer/pack_kernel.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep {

// Only the first `words` words of each plane are set.
struct QueryPlanes {
  static constexpr std::size_t kWords = kMaxReadLength / 64;
  static constexpr std::size_t kReadableBytes = 64;

  // Packs 1 to kMaxReadLength letters. kReadableBytes past their end may be read.
  static QueryPlanes pack(PackFunction pack, std::string_view letters);

  QueryPlanes reverse_complement() const;
  // How many bases are A, C, G or T.
  std::size_t known_positions() const;
  bool operator==(const QueryPlanes& other) const;

  std::array<std::uint64_t, kWords + 1> lo, hi;  // one word more, since the packer writes it
  std::array<std::uint64_t, kWords> known;
  std::uint32_t words;
  std::uint32_t spare;  // bits of the first word below the first base
};

}  // namespace basesweep
