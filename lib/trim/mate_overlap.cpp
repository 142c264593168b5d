#include "lib/trim/mate_overlap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "lib/base/dna.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kWordBits = 64;

// Bases as bits: two planes of codes, and one of those that are known. 64 more bits follow the last base.
struct Planes {
  std::vector<std::uint64_t> low, high, known;

  void resize(std::size_t bases) {
    const std::size_t words = bases / kWordBits + 2;
    for (std::vector<std::uint64_t>* plane : {&low, &high, &known}) plane->assign(words, 0);
  }
  void set(std::size_t i, unsigned code) {
    const std::uint64_t bit = std::uint64_t{1} << (i % kWordBits);
    if ((code & 1) != 0) low[i / kWordBits] |= bit;
    if ((code & 2) != 0) high[i / kWordBits] |= bit;
    known[i / kWordBits] |= bit;
  }
};

// 64 bits from bit `at` on.
std::uint64_t bits_from(const std::vector<std::uint64_t>& plane, std::size_t at) {
  const std::size_t shift = at % kWordBits;
  const std::uint64_t low = plane[at / kWordBits] >> shift;
  return shift == 0 ? low : low | plane[at / kWordBits + 1] << (kWordBits - shift);
}

// How many of `count` bases from a[i] and b[j] on differ; counting stops above `most`.
std::size_t count_differences(const Planes& a, std::size_t i, const Planes& b, std::size_t j, std::size_t count,
                              std::size_t most) {
  std::size_t differences = 0;
  for (std::size_t done = 0; done < count && differences <= most; done += kWordBits) {
    const std::uint64_t equal = ~((bits_from(a.low, i + done) ^ bits_from(b.low, j + done)) |
                                  (bits_from(a.high, i + done) ^ bits_from(b.high, j + done))) &
                                bits_from(a.known, i + done) & bits_from(b.known, j + done);
    const std::size_t bases = std::min(kWordBits, count - done);
    const std::uint64_t mask = bases == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bases) - 1;
    differences += static_cast<std::size_t>(std::popcount(~equal & mask));
  }
  return differences;
}

}  // namespace

std::optional<std::uint32_t> fragment_length(std::string_view first, std::string_view second) {
  struct Scratch {
    Planes first, turned;
  };
  auto& [planes, turned] = per_thread<Scratch>();
  planes.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (is_single_base(iupac_set(first[i]))) planes.set(i, base_code(first[i]));
  }
  turned.resize(second.size());
  for (std::size_t i = 0; i < second.size(); ++i) {
    const char letter = second[second.size() - 1 - i];
    if (is_single_base(iupac_set(letter))) turned.set(i, complement(base_code(letter)));
  }
  std::optional<std::uint32_t> found;
  const std::size_t longest = first.size() + second.size();
  for (std::size_t length = kLeastOverlap; length + kLeastOverlap <= longest; ++length) {
    // Fragment bases [begin, end) are in both mates.
    const std::size_t begin = length > second.size() ? length - second.size() : 0;
    const std::size_t end = std::min(length, first.size());
    if (end < begin + kLeastOverlap) continue;
    const auto most = static_cast<std::size_t>(kMostOverlapDifference * static_cast<double>(end - begin));
    const std::size_t from = begin + second.size() - length;  // in the turned second mate; wraps for short fragments
    if (count_differences(planes, begin, turned, from, end - begin, most) > most) continue;
    if (found) return std::nullopt;
    found = static_cast<std::uint32_t>(length);
  }
  return found;
}

}  // namespace basesweep
