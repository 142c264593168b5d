// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/drk2s/scan.hpp"

#include "kernels/drk2s/step.hpp"
#include "kernels/survivors.hpp"
#include "kernels/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using drk2s::kBlockColumns;
using drk2s::kBlockWords;
using drk2s::kRowLanes;
using drk2s::kRows;
using drk2s::SubPattern;

// A lane of 16 bits is the fingerprint of one window, or 16 columns of one plane.
using Lanes = std::uint16_t __attribute__((vector_size(kWordBytes)));
using Bytes = std::uint8_t __attribute__((vector_size(kWordBytes / 2)));
constexpr std::uint32_t kVectorLanes = kWordBytes / 2;
constexpr std::uint32_t kBlockLanes = kBlockColumns / kRows;
constexpr std::uint32_t kVectors = kBlockLanes / kVectorLanes;  // that a block's part of a row fills

// Lanes of a row that windows are needed for.
constexpr std::uint32_t used_lanes(std::uint32_t max_offset) {
  return (kBlockColumns + max_offset + kRows - 1) / kRows;
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

// Lane i: the 16 columns from 8 i on of a plane.
Lanes load_columns(const char* plane) { return widen(plane) | widen(plane + 1) << 8; }

Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

// The first stage's text side: fingerprints of the windows at columns [0, kBlockColumns + max_offset].
void make_windows(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t max_offset, std::uint16_t* windows) {
  const char* lo_bytes = reinterpret_cast<const char*>(lo);
  const char* hi_bytes = reinterpret_cast<const char*>(hi);
  const std::uint32_t lanes = used_lanes(max_offset);
  for (std::uint32_t i = 0; i < lanes; i += kVectorLanes) {
    const Lanes lo_columns = load_columns(lo_bytes + i);
    const Lanes hi_columns = load_columns(hi_bytes + i);
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < kRows; ++k) {
      const Lanes window = drk2s::window_fingerprint<drk2s::kCpuWindow>(lo_columns >> k, hi_columns >> k);
      __builtin_memcpy(windows + k * kRowLanes + i, &window, sizeof window);
    }
  }
}

// Whether the sub-pattern is anywhere in the block. Differences are 0 where it is; their minimum tells for many at
// once, at two instructions for a vector of windows. Out of line: else the compiler makes the differences before it
// knows which of the two forms will need them, and runs out of registers.
template <bool kMasked>
[[gnu::noinline]] bool skim(const SubPattern& sub, const std::uint16_t* windows) {
  const Lanes fingerprint = Lanes{} + static_cast<std::uint16_t>(sub.fingerprint);
  const Lanes mask = Lanes{} + static_cast<std::uint16_t>(sub.mask);
  Lanes least[] = {~Lanes{}, ~Lanes{}, ~Lanes{}, ~Lanes{}};  // several, so that none waits for the one before
#pragma GCC unroll 8
  for (std::uint32_t r = 0; r < kRows; ++r) {
    const std::uint16_t* window = windows + r * kRowLanes + sub.offset / kRows + (r < sub.offset % kRows ? 1 : 0);
    for (std::uint32_t v = 0; v < kVectors; ++v) {
      Lanes difference = load_lanes(window + v * kVectorLanes) ^ fingerprint;
      if (kMasked) difference &= mask;
      least[v % 4] = smaller(least[v % 4], difference);
    }
  }
  const Lanes all = smaller(smaller(least[0], least[1]), smaller(least[2], least[3]));
  return any(reinterpret_cast<Word>(all == 0));
}

// Bit i of `bits`: the sub-pattern is where an entry at column i of the block would have it.
void locate(const SubPattern& sub, const std::uint16_t* windows, std::uint64_t* bits) {
  const Lanes fingerprint = Lanes{} + static_cast<std::uint16_t>(sub.fingerprint);
  const Lanes mask = Lanes{} + static_cast<std::uint16_t>(sub.mask);
  const Lanes one = Lanes{} + std::uint16_t{1};
  for (std::uint32_t v = 0; v < kVectors; ++v) {
    Lanes columns{};  // lane i: a bit for each of the columns 8 i to 8 i + 7
    for (std::uint32_t k = 0; k < kRows; ++k) {
      const std::uint32_t at = sub.offset + k;
      const std::uint16_t* window = windows + at % kRows * kRowLanes + at / kRows;
      const Lanes difference = (load_lanes(window + v * kVectorLanes) ^ fingerprint) & mask;
      columns |= reinterpret_cast<Lanes>(difference == 0) & (one << k);
    }
    const Bytes narrow = __builtin_convertvector(columns, Bytes);
    __builtin_memcpy(reinterpret_cast<char*>(bits) + v * sizeof narrow, &narrow, sizeof narrow);
  }
}

// The second stage: drops candidates that the rest of the entry does not bear out. False when none is left.
bool verify(const SubPattern& sub, const Chunk* chunks, const std::uint64_t* lo, const std::uint64_t* hi,
            std::uint64_t* bits) {
  std::uint64_t left = 0;
  for (std::uint32_t w = 0; w < kBlockWords; ++w) {
    for (std::uint64_t candidates = bits[w]; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(candidates));
      if (!chunks_match(chunks + sub.first_chunk, sub.chunk_count, PlanesText{lo, hi}, w * 64 + i)) {
        bits[w] &= ~(std::uint64_t{1} << i);
      }
    }
    left |= bits[w];
  }
  return left != 0;
}

}  // namespace

void drk2s_scan(const drk2s::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink) {
  auto* windows = reinterpret_cast<std::uint16_t*>(scratch);
  std::uint64_t* survivors = scratch + kRows * kRowLanes / 4;
  std::uint64_t* survivor_entry = survivors + std::size_t{index.count} * kBlockWords;

  for (std::uint64_t column = text.own_begin / 64 * 64; column < text.own_end; column += kBlockColumns) {
    const std::uint64_t* lo = text.lo + column / 64;
    const std::uint64_t* hi = text.hi + column / 64;
    make_windows(lo, hi, index.max_offset, windows);
    std::uint32_t count = 0;
    for (std::uint32_t s = 0; s < index.count; ++s) {
      const SubPattern& sub = index.subpatterns[s];
      const bool whole = sub.mask == (1U << 2 * drk2s::kCpuWindow) - 1;
      if (!(whole ? skim<false>(sub, windows) : skim<true>(sub, windows))) continue;
      std::uint64_t* bits = survivors + std::size_t{count} * kBlockWords;
      locate(sub, windows, bits);
      if (sub.chunk_count != 0 && !verify(sub, index.chunks, lo, hi, bits)) continue;
      survivor_entry[count++] = sub.entry;
    }
    send_survivors(survivors, survivor_entry, count, kBlockWords, column, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
