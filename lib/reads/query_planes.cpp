#include "lib/reads/query_planes.hpp"

#include <algorithm>
#include <bit>

namespace basesweep {
namespace {

class UnknownMarks final : public PositionMarks {
 public:
  explicit UnknownMarks(QueryPlanes& planes) : planes_(planes) {}

  void add(std::uint32_t position, std::uint64_t bits) override {
    const std::uint32_t word = position / 64, bit = position % 64;
    planes_.known[word] &= ~(bits << bit);
    if (bit != 0 && word + 1 < planes_.words) planes_.known[word + 1] &= ~(bits >> (64 - bit));
  }

 private:
  QueryPlanes& planes_;
};

std::uint64_t reverse_bits(std::uint64_t x) {
  const auto swap = [&x](unsigned distance, std::uint64_t mask) {
    x = (x >> distance & mask) | (x & mask) << distance;
  };
  swap(1, 0x5555555555555555);
  swap(2, 0x3333333333333333);
  swap(4, 0x0F0F0F0F0F0F0F0F);
  return __builtin_bswap64(x);
}

}  // namespace

QueryPlanes QueryPlanes::pack(PackFunction pack, std::string_view letters) {
  QueryPlanes planes;
  planes.words = static_cast<std::uint32_t>((letters.size() + 63) / 64);
  planes.spare = static_cast<std::uint32_t>(64 * planes.words - letters.size());
  std::fill_n(planes.known.begin(), planes.words, ~std::uint64_t{0});
  planes.known[0] <<= planes.spare;
  UnknownMarks marks(planes);
  PackTarget target{planes.lo.data(), planes.hi.data(), planes.spare, 0, 0, &marks, nullptr};
  const char* end = letters.data() + letters.size();
  pack(letters.data(), end, end + kReadableBytes, target);
  for (std::uint32_t w = 0; w < planes.words; ++w) {
    planes.lo[w] &= planes.known[w];
    planes.hi[w] &= planes.known[w];
  }
  return planes;
}

QueryPlanes QueryPlanes::reverse_complement() const {
  QueryPlanes reversed;
  reversed.words = words;
  reversed.spare = spare;
  // The reversed positions lie at the low end; they are shifted up as they are stored.
  const auto reverse = [this](const auto& from, auto& to) {
    std::uint64_t below = 0;
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t word = reverse_bits(from[words - 1 - w]);
      to[w] = spare == 0 ? word : word << spare | below >> (64 - spare);
      below = word;
    }
  };
  reverse(lo, reversed.lo);
  reverse(hi, reversed.hi);
  reverse(known, reversed.known);
  for (std::uint32_t w = 0; w < words; ++w) reversed.hi[w] = ~reversed.hi[w] & reversed.known[w];
  return reversed;
}

std::size_t QueryPlanes::known_positions() const {
  std::size_t positions = 0;
  for (std::uint32_t w = 0; w < words; ++w) positions += static_cast<std::size_t>(std::popcount(known[w]));
  return positions;
}

bool QueryPlanes::operator==(const QueryPlanes& other) const {
  const auto same = [this](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.begin() + words, b.begin());
  };
  return words == other.words && spare == other.spare && same(lo, other.lo) && same(hi, other.hi) &&
         same(known, other.known);
}

}  // namespace basesweep
