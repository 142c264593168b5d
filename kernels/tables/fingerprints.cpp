#include "kernels/tables/fingerprints.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "kernels/tables/starts.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// Enough for about two slots per item.
std::uint32_t slot_bits(std::size_t items) {
  constexpr unsigned kMaxSlotBits = 24;
  return std::min(static_cast<unsigned>(std::bit_width(items)) + 1, kMaxSlotBits);
}

}  // namespace

Fingerprints::Fingerprints(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Make& make) {
  const auto length_of = [&patterns](std::uint32_t e) {
    return static_cast<std::uint32_t>(patterns.queries()[e].sets.size());
  };
  std::vector<std::uint32_t> by_length = queries;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return length_of(a) < length_of(b); });
  for (std::size_t begin = 0; begin < by_length.size();) {
    const std::uint32_t length = length_of(by_length[begin]);
    std::size_t end = begin;
    while (end < by_length.size() && length_of(by_length[end]) == length) ++end;

    FingerprintGroup group{};
    group.length = length;
    group.block_count = (length + kPatternBlockPositions - 1) / kPatternBlockPositions;
    group.begin = static_cast<std::uint32_t>(begin);
    group.end = static_cast<std::uint32_t>(end);
    group.first_slot = static_cast<std::uint32_t>(slot_begin.size());
    const std::uint32_t bits = slot_bits(end - begin);
    group.slot_shift = 32 - bits;
    const auto slot_of = [&group](const FingerprintItem& item) {
      return fingerprint_slot(item.fingerprint, group.slot_shift);
    };
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first_block = pattern_blocks.size();
      add_blocks(patterns.queries()[by_length[i]], pattern_blocks);
      items.push_back(
          {make({pattern_blocks.data() + first_block}, length), by_length[i], static_cast<std::uint32_t>(first_block)});
    }
    std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin), items.end(),
              [&](const FingerprintItem& a, const FingerprintItem& b) {
                return std::tuple(slot_of(a), a.fingerprint, a.query) < std::tuple(slot_of(b), b.fingerprint, b.query);
              });
    for (std::size_t i = 0; i < std::size(group.first); ++i) {
      group.first[i] = items[std::min(begin + i, end - 1)].fingerprint;
    }
    std::size_t next = begin;
    for (std::uint32_t slot = 0; slot <= 1U << bits; ++slot) {
      while (next < end && slot_of(items[next]) < slot) ++next;
      slot_begin.push_back(static_cast<std::uint32_t>(next));
    }
    groups.push_back(group);
    begin = end;
  }
}

}  // namespace basesweep
