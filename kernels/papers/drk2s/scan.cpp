// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/papers/drk2s/scan.hpp"

#include "kernels/cpu/survivors.hpp"
#include "kernels/cpu/word.hpp"
#include "kernels/papers/drk2s/step.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using drk2s::kBlockPositions;
using drk2s::kBlockWords;
using drk2s::kRowLanes;
using drk2s::kRows;
using drk2s::SubPattern;

// A lane of 16 bits holds the fingerprint of one q-gram, or 16 positions of one plane.
using Lanes = std::uint16_t __attribute__((vector_size(kWordBytes)));
using Bytes = std::uint8_t __attribute__((vector_size(kWordBytes / 2)));
constexpr std::uint32_t kVectorLanes = kWordBytes / 2;
constexpr std::uint32_t kBlockLanes = kBlockPositions / kRows;
constexpr std::uint32_t kVectors = kBlockLanes / kVectorLanes;  // of a block's part of a row

// The lanes of a row whose q-grams are needed.
constexpr std::uint32_t used_lanes(std::uint32_t max_offset) {
  return (kBlockPositions + max_offset + kRows - 1) / kRows;
}

static_assert((used_lanes(drk2s::kMaxOffset) + kVectorLanes - 1) / kVectorLanes * kVectorLanes <= kRowLanes);

Lanes load_lanes(const std::uint16_t* p) {
  Lanes lanes;
  __builtin_memcpy(&lanes, p, sizeof lanes);
  return lanes;
}

Lanes widen(const char* bytes) {
  Bytes narrow;
  __builtin_memcpy(&narrow, bytes, sizeof narrow);
  return __builtin_convertvector(narrow, Lanes);
}

// Lane i gets the 16 positions of a plane from 8 i on.
Lanes load_positions(const char* plane) { return widen(plane) | widen(plane + 1) << 8; }

Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

// First stage, text: the fingerprints of the q-grams at positions [0, kBlockPositions + max_offset].
void make_grams(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t max_offset, std::uint16_t* grams) {
  const char* lo_bytes = reinterpret_cast<const char*>(lo);
  const char* hi_bytes = reinterpret_cast<const char*>(hi);
  const std::uint32_t lanes = used_lanes(max_offset);
  for (std::uint32_t i = 0; i < lanes; i += kVectorLanes) {
    const Lanes lo_positions = load_positions(lo_bytes + i);
    const Lanes hi_positions = load_positions(hi_bytes + i);
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < kRows; ++k) {
      const Lanes gram = drk2s::gram_fingerprint<drk2s::kCpuGram>(lo_positions >> k, hi_positions >> k);
      __builtin_memcpy(grams + k * kRowLanes + i, &gram, sizeof gram);
    }
  }
}

// Whether the sub-pattern is anywhere in the block. A difference is 0 where it is, and the minimum of the differences
// covers many q-grams at two instructions a vector. The function is out of line because the compiler otherwise computes
// the differences before it knows which of the two forms needs them, and runs out of registers.
template <bool kMasked>
[[gnu::noinline]] bool skim(const SubPattern& sub, const std::uint16_t* grams) {
  const Lanes fingerprint = Lanes{} + static_cast<std::uint16_t>(sub.fingerprint);
  const Lanes mask = Lanes{} + static_cast<std::uint16_t>(sub.mask);
  Lanes least[] = {~Lanes{}, ~Lanes{}, ~Lanes{}, ~Lanes{}};  // several, so that no minimum waits for the one before
#pragma GCC unroll 8
  for (std::uint32_t r = 0; r < kRows; ++r) {
    const std::uint16_t* gram = grams + r * kRowLanes + sub.offset / kRows + (r < sub.offset % kRows ? 1 : 0);
    for (std::uint32_t v = 0; v < kVectors; ++v) {
      Lanes difference = load_lanes(gram + v * kVectorLanes) ^ fingerprint;
      if (kMasked) difference &= mask;
      least[v % 4] = smaller(least[v % 4], difference);
    }
  }
  const Lanes all = smaller(smaller(least[0], least[1]), smaller(least[2], least[3]));
  return any(reinterpret_cast<Word>(all == 0));
}

// Sets bit i of `bits` where the sub-pattern is at the place that a query starting at position i of the block has it.
void locate(const SubPattern& sub, const std::uint16_t* grams, std::uint64_t* bits) {
  const Lanes fingerprint = Lanes{} + static_cast<std::uint16_t>(sub.fingerprint);
  const Lanes mask = Lanes{} + static_cast<std::uint16_t>(sub.mask);
  const Lanes one = Lanes{} + std::uint16_t{1};
  for (std::uint32_t v = 0; v < kVectors; ++v) {
    Lanes positions{};  // lane i: a bit for each of the positions 8 i to 8 i + 7
    for (std::uint32_t k = 0; k < kRows; ++k) {
      const std::uint32_t at = sub.offset + k;
      const std::uint16_t* gram = grams + at % kRows * kRowLanes + at / kRows;
      const Lanes difference = (load_lanes(gram + v * kVectorLanes) ^ fingerprint) & mask;
      positions |= reinterpret_cast<Lanes>(difference == 0) & (one << k);
    }
    const Bytes narrow = __builtin_convertvector(positions, Bytes);
    __builtin_memcpy(reinterpret_cast<char*>(bits) + v * sizeof narrow, &narrow, sizeof narrow);
  }
}

// Second stage: drops the candidates where the whole query does not match. Returns false when none is left.
bool verify(const SubPattern& sub, const PatternBlock* pattern_blocks, const std::uint64_t* lo, const std::uint64_t* hi,
            std::uint64_t* bits) {
  std::uint64_t left = 0;
  for (std::uint32_t w = 0; w < kBlockWords; ++w) {
    for (std::uint64_t candidates = bits[w]; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(candidates));
      if (!blocks_match(pattern_blocks + sub.first_block, sub.block_count, PlanesText{lo, hi}, w * 64 + i)) {
        bits[w] &= ~(std::uint64_t{1} << i);
      }
    }
    left |= bits[w];
  }
  return left != 0;
}

}  // namespace

void drk2s_scan(const drk2s::IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  auto* grams = reinterpret_cast<std::uint16_t*>(scratch);
  std::uint64_t* survivors = scratch + kRows * kRowLanes / 4;
  std::uint64_t* survivor_query = survivors + std::size_t{index.count} * kBlockWords;

  for (std::uint64_t position = text.own_begin / 64 * 64; position < text.own_end; position += kBlockPositions) {
    const std::uint64_t* lo = text.lo + position / 64;
    const std::uint64_t* hi = text.hi + position / 64;
    make_grams(lo, hi, index.max_offset, grams);
    std::uint32_t count = 0;
    for (std::uint32_t s = 0; s < index.count; ++s) {
      const SubPattern& sub = index.subpatterns[s];
      const bool whole = sub.mask == (1U << 2 * drk2s::kCpuGram) - 1;
      if (!(whole ? skim<false>(sub, grams) : skim<true>(sub, grams))) continue;
      std::uint64_t* bits = survivors + std::size_t{count} * kBlockWords;
      locate(sub, grams, bits);
      if (sub.block_count != 0 && !verify(sub, index.pattern_blocks, lo, hi, bits)) continue;
      survivor_query[count++] = sub.query;
    }
    send_survivors(survivors, survivor_query, count, kBlockWords, position, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
