// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "lib/packer/pack_kernel.hpp"

#include "lib/packer/byte_masks.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Appends the low `count` bits of lo and hi; the bits above must be 0. Works on copies of the target's counters, which
// compilers can keep in registers, until flush().
struct Appender {
  PackTarget& target;
  std::uint32_t positions;
  std::uint64_t lo;
  std::uint64_t hi;

  explicit Appender(PackTarget& t) : target(t), positions(t.positions), lo(t.lo_partial), hi(t.hi_partial) {}
  void flush() {
    target.positions = positions;
    target.lo_partial = lo;
    target.hi_partial = hi;
  }
  void append(std::uint64_t lo_bits, std::uint64_t hi_bits, unsigned count) {
    const unsigned used = positions % 64;
    lo |= lo_bits << used;
    hi |= hi_bits << used;
    if (used + count >= 64) {
      target.lo[positions / 64] = lo;
      target.hi[positions / 64] = hi;
      lo = used == 0 ? 0 : lo_bits >> (64 - used);
      hi = used == 0 ? 0 : hi_bits >> (64 - used);
    }
    positions += count;
  }
};

bool may_stand_in_sequence(char c) {
  const char upper = static_cast<char>(c & ~0x20);
  return (upper >= 'A' && upper <= 'Z') || c == '-' || c == '*' || c == '.';
}

// The bytes among `special` (neither base nor line break) that stand for an unknown base. Sets `stop` to the first byte
// that must not be in sequence, and looks no further.
std::uint64_t unknown_bases(const char* text, std::uint64_t special, unsigned& stop) {
  std::uint64_t unknown = 0;
  for (; special != 0; special &= special - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(special));
    if (!may_stand_in_sequence(text[i])) {
      stop = i;
      return unknown;
    }
    unknown |= std::uint64_t{1} << i;
  }
  return unknown;
}

}  // namespace

const char* pack(const char* text, const char* end, const char* readable, PackTarget& target) {
  Appender out(target);
  char tail[64];
  while (text < end) {
    const auto left = static_cast<std::uint64_t>(end - text);
    const std::uint64_t inside = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const char* bytes = text;
    if (readable - text < 64) {
      __builtin_memset(tail, '\n', sizeof tail);
      __builtin_memcpy(tail, text, left);
      bytes = tail;
    }
    const ByteMasks masks = ByteMasks::from(bytes);
    const std::uint64_t acgt = masks.is_acgtu() & inside;
    const std::uint64_t lo = masks.bit<1>();
    const std::uint64_t hi = masks.bit<2>();
    std::uint64_t keep = acgt;
    unsigned stop = 64;
    if (acgt != ~std::uint64_t{0}) {
      const std::uint64_t breaks = masks.is('\n') | masks.is('\r');
      const std::uint64_t special = inside & ~(acgt | breaks);
      if (special != 0) {
        const std::uint64_t unknown = unknown_bases(bytes, special, stop);
        keep |= unknown;
        if (stop < 64) keep &= (std::uint64_t{1} << stop) - 1;
        if (unknown != 0) {
          target.not_acgt->add(out.positions, compress_bits(unknown, keep));
          const std::uint64_t n = (masks.is('N') | masks.is('n')) & keep;
          target.n_letters += static_cast<std::uint32_t>(__builtin_popcountll(n));
        }
      }
    }
    if (target.soft_masked != nullptr) {
      const std::uint64_t lower = compress_bits(masks.bit<5>() & masks.bit<6>(), keep);  // letters only
      if (lower != 0) target.soft_masked->add(out.positions, lower);
    }
    out.append(compress_bits(lo, keep), compress_bits(hi, keep), static_cast<unsigned>(__builtin_popcountll(keep)));
    if (stop < 64) {
      out.flush();
      return text + stop;
    }
    text += 64;
  }
  out.flush();
  return end;
}

}  // namespace basesweep::BASESWEEP_ISA
