#include "lib/packer/code_packer.hpp"

#include <algorithm>
#include <type_traits>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/packer/pack_kernel.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/twobit_file.hpp"

namespace basesweep {

BASESWEEP_PER_ISA(std::remove_pointer_t<CodesFunction>, pack_codes)

CodesFunction codes_function(Isa isa) { return pack_codes_for(isa); }

namespace {

constexpr std::size_t kReadable = 16;  // bytes behind the codes, see CodesFunction

// Calls use(interval) for each of the sorted intervals that reach into the stretch, cut to it and moved to where it
// begins in the block.
template <class Use>
void for_inside(const std::vector<Interval>& intervals, const TwoBitStretch& stretch, std::uint32_t position, Use use) {
  auto next = std::partition_point(intervals.begin(), intervals.end(),
                                   [&](const Interval& one) { return one.end <= stretch.begin; });
  for (; next != intervals.end() && next->begin < stretch.end; ++next) {
    use(Interval{position + std::max(next->begin, stretch.begin) - stretch.begin,
                 position + std::min(next->end, stretch.end) - stretch.begin});
  }
}

// Adds an interval behind the others; one that touches the last is joined with it.
void add(std::vector<Interval>& intervals, const Interval& one) {
  if (!intervals.empty() && intervals.back().end == one.begin) {
    intervals.back().end = one.end;
  } else {
    intervals.push_back(one);
  }
}

// Sets the bits of positions [begin, end).
void set_bits(std::vector<std::uint64_t>& plane, const Interval& interval) {
  for (std::uint32_t at = interval.begin; at < interval.end;) {
    const std::uint32_t count = std::min(64 - at % 64, interval.end - at);
    const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    plane[at / 64] |= bits << at % 64;
    at += count;
  }
}

void read_codes(const RawBlock& raw, const TwoBitStretch& stretch, std::vector<char>& bytes) {
  const std::size_t size = (stretch.end - stretch.begin + 3) / 4;
  bytes.resize(size + kReadable);
  if (raw.file->read_at(bytes.data(), size, stretch.record->codes + stretch.begin / 4) != size)
    throw IoError(raw.file->path(), "the file became shorter while it was read");
}

// Memory that a thread keeps from one block to the next.
struct Scratch {
  std::vector<char> codes;
};

}  // namespace

PackedBlock pack_stretches(const RawBlock& raw, const PackerOptions& options) {
  auto& bytes = per_thread<Scratch>().codes;
  PackedBlock block;
  block.number = raw.number;
  block.source = raw.source;
  block.format = raw.format;
  block.resume = raw.resume;
  std::size_t positions = 0;
  for (const TwoBitStretch& stretch : raw.stretches) positions += stretch.end - stretch.begin;
  block.lo.resize(positions / 64 + 2);
  block.hi.resize(positions / 64 + 2);
  PackTarget target{block.lo.data(), block.hi.data(), 0, 0, 0, nullptr, nullptr};
  const CodesFunction pack_codes = codes_function(options.isa);
  for (const TwoBitStretch& stretch : raw.stretches) {
    const std::uint32_t position = target.positions;
    if (stretch.starts) block.add_start(position, stretch.record->name, 0);
    read_codes(raw, stretch, bytes);
    pack_codes(bytes.data(), stretch.end - stretch.begin, target);
    for_inside(stretch.record->unknown, stretch, position, [&](const Interval& one) {
      add(block.not_acgt, one);
      if (options.letters) block.letters.push_back({one.begin, one.end, 'N'});
    });
    if (options.soft_masked) {
      for_inside(stretch.record->masked, stretch, position, [&](const Interval& one) { add(block.soft_masked, one); });
    }
  }
  block.lo[target.positions / 64] = target.lo_partial;
  block.hi[target.positions / 64] = target.hi_partial;
  // N has the bits that its letter would get, so that the planes do not depend on the form of the input.
  for (const Interval& one : block.not_acgt) {
    set_bits(block.lo, one);
    set_bits(block.hi, one);
  }
  block.positions = block.nucleotides = target.positions;
  return block;
}

}  // namespace basesweep
