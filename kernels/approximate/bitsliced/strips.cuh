// The text in the form that the GPU search reads: 32 texts side by side, one bit of a word each. Included by cuda.cu
// only.
#pragma once

#include <cstdint>

#include "lib/search/packed_batch.hpp"

namespace basesweep::bitsliced {
namespace {

constexpr std::uint32_t kTexts = 32;  // in a strip
constexpr std::uint32_t kMaxTextPositions = 1024;

// The transposed planes of a range of positions. Text t of strip s holds positions [origin + (32 s + t) positions, +
// positions); bit t of word [c * stride + s] belongs to its position c.
struct Strips {
  std::uint32_t* lo;
  std::uint32_t* hi;
  std::uint32_t count;
  std::uint32_t stride;  // in words
  std::uint32_t origin;
  std::uint32_t positions;  // in a text; a multiple of 32
};

// Swaps bit c of word t with bit t of word c (Warren, Hacker's Delight, 2nd edition, section 7-3).
__device__ __forceinline__ void transpose(std::uint32_t (&word)[32]) {
#pragma unroll
  for (int level = 0; level < 5; ++level) {
    const unsigned half = 16U >> level;
    const std::uint32_t low = ~0U / ((1U << half) + 1);
#pragma unroll
    for (unsigned w = 0; w < 32; ++w) {
      if ((w & half) != 0) continue;
      const std::uint32_t a = word[w];
      const std::uint32_t b = word[w + half];
      word[w] = (a & low) | ((b & low) << half);
      word[w + half] = ((a >> half) & low) | (b & ~low);
    }
  }
}

// Transposes both planes; blockIdx.z picks the plane. A block takes 8 words, 256 positions, of all texts of 32 strips.
// Past the plane's words there are zeros.
__global__ void __launch_bounds__(256) transpose_strips(PackedView text, Strips strips) {
  constexpr unsigned kWords = 8;
  __shared__ std::uint32_t tile[kTexts * kWords][33];  // [text and word][strip]
  const auto* plane = reinterpret_cast<const std::uint32_t*>(blockIdx.z == 0 ? text.lo : text.hi);
  std::uint32_t* out = blockIdx.z == 0 ? strips.lo : strips.hi;
  const std::uint32_t plane_words = (text.positions + 31) / 32;
  const std::uint32_t text_words = strips.positions / 32;
  const std::uint32_t first_strip = blockIdx.y * 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t g = blockIdx.x * kWords + lane % kWords;
#pragma unroll 8
  for (std::uint32_t i = warp; i < kTexts * kWords; i += 8) {  // 4 texts of a strip a warp
    const std::uint32_t strip = i / kWords;
    const std::uint32_t t = i % kWords * 4 + lane / kWords;
    const std::uint64_t at = strips.origin / 32 + (std::uint64_t{first_strip + strip} * kTexts + t) * text_words + g;
    tile[t * kWords + lane % kWords][strip] = g < text_words && at < plane_words ? plane[at] : 0;
  }
  __syncthreads();
  const std::uint32_t own_g = blockIdx.x * kWords + warp;
  if (own_g >= text_words || first_strip + lane >= strips.count) return;
  std::uint32_t word[32];
#pragma unroll
  for (unsigned t = 0; t < 32; ++t) word[t] = tile[t * kWords + warp][lane];
  transpose(word);
#pragma unroll
  for (unsigned c = 0; c < 32; ++c) out[std::uint64_t{own_g * 32 + c} * strips.stride + first_strip + lane] = word[c];
}

}  // namespace
}  // namespace basesweep::bitsliced
