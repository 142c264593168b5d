// How many mismatches a guide has with each of 128 sites, bit-parallel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace basesweep::buckets {

// Counts of mismatches with four words of sites, as Count in compare.hpp.
template <unsigned kBits>
struct FourCounts {
  std::uint32_t planes[4][kBits];
  std::uint32_t over[4];

  __device__ __forceinline__ void start(std::uint32_t most) {
    const std::uint32_t begin = (1U << kBits) - 1 - most;
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      over[word] = 0;
#pragma unroll
      for (unsigned bit = 0; bit < kBits; ++bit) planes[word][bit] = 0U - (begin >> bit & 1);
    }
  }
  // Adds the planes of two columns.
  __device__ __forceinline__ void add(const uint4& a, const uint4& b) {
    const std::uint32_t left[4] = {a.x, a.y, a.z, a.w};
    const std::uint32_t right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
    for (int word = 0; word < 4; ++word) carry(word, 1, add_ones(word, left[word], right[word]));
  }
  // Adds the planes of four.
  __device__ __forceinline__ void add(const uint4& a, const uint4& b, const uint4& c, const uint4& d) {
    const std::uint32_t one[4][4] = {
        {a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}, {a.w, b.w, c.w, d.w}};
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      const std::uint32_t two = add_ones(word, one[word][0], one[word][1]);
      const std::uint32_t other_two = add_ones(word, one[word][2], one[word][3]);
      std::uint32_t& plane = planes[word][1];
      const std::uint32_t four = (plane & two) | (plane & other_two) | (two & other_two);
      plane = plane ^ two ^ other_two;
      carry(word, 2, four);
    }
  }
  // The sites whose count is `count` more than the start was for this `most`.
  __device__ __forceinline__ std::uint32_t equal(int word, std::uint32_t most, std::uint32_t count) const {
    const std::uint32_t value = (1U << kBits) - 1 - most + count;
    std::uint32_t all = ~over[word];
#pragma unroll
    for (unsigned bit = 0; bit < kBits; ++bit) all &= planes[word][bit] ^ ((value >> bit & 1) - 1);
    return all;
  }

 private:
  __device__ __forceinline__ std::uint32_t add_ones(int word, std::uint32_t a, std::uint32_t b) {
    std::uint32_t& plane = planes[word][0];
    const std::uint32_t two = (plane & a) | (plane & b) | (a & b);
    plane = plane ^ a ^ b;
    return two;
  }
  __device__ __forceinline__ void carry(int word, unsigned from, std::uint32_t bits) {
#pragma unroll
    for (unsigned bit = 1; bit < kBits; ++bit) {
      if (bit < from) continue;
      const std::uint32_t next = planes[word][bit] & bits;
      planes[word][bit] ^= bits;
      bits = next;
    }
    over[word] |= bits;
  }
};

}  // namespace basesweep::buckets
