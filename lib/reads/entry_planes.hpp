// The planes of one entry of a batch of reads, see SoughtView. Private to reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/packer/pack_kernel.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep {

// Only the first `words` words are set.
struct EntryPlanes {
  static constexpr std::size_t kWords = kMostReadLength / 64;
  static constexpr std::size_t kReadableBytes = 64;

  // Of 1 to kMostReadLength letters, which may be read kReadableBytes past their end.
  static EntryPlanes pack(PackFunction pack, std::string_view letters);

  EntryPlanes reverse_complement() const;
  std::size_t known_columns() const;
  bool operator==(const EntryPlanes& other) const;

  std::array<std::uint64_t, kWords + 1> lo, hi;  // one for the packer
  std::array<std::uint64_t, kWords> known;
  std::uint32_t words;
  std::uint32_t spare;  // bits below the first column
};

}  // namespace basesweep
