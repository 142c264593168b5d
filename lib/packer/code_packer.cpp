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

constexpr std::size_t kReadable = 16;  // bytes after the codes, see CodesFunction

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

// Adds an interval after the others; one that touches the last is joined with it.
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

// The bytes of the file that hold the codes of a stretch.
std::int64_t codes_begin(const TwoBitStretch& stretch) { return stretch.record->codes + stretch.begin / 4; }
std::int64_t codes_end(const TwoBitStretch& stretch) {
  return codes_begin(stretch) + (stretch.end - stretch.begin + 3) / 4;
}

// Memory that a thread keeps from one block to the next.
struct Scratch {
  std::vector<char> bytes;
};

// Reads the codes of a block's stretches. Stretches of short records are close together and read many at a time.
class CodeReader {
 public:
  CodeReader(const RawBlock& raw, std::vector<char>& bytes) : raw_(raw), bytes_(bytes) {}

  // The codes of stretch `number`; to be called for one after another.
  const char* codes(std::size_t number) {
    const TwoBitStretch& stretch = raw_.stretches[number];
    if (number >= end_stretch_) read_from(number);
    return bytes_.data() + (codes_begin(stretch) - begin_);
  }

 private:
  void read_from(std::size_t number) {
    constexpr std::int64_t kGap = 1 << 10;   // bytes between codes that are read and not used
    constexpr std::int64_t kMost = 1 << 18;  // read at a time, unless one stretch has more
    begin_ = codes_begin(raw_.stretches[number]);
    std::int64_t end = codes_end(raw_.stretches[number]);
    for (end_stretch_ = number + 1; end_stretch_ != raw_.stretches.size(); ++end_stretch_) {
      const TwoBitStretch& next = raw_.stretches[end_stretch_];
      const std::int64_t next_begin = codes_begin(next), next_end = codes_end(next);
      if (next_begin < end || next_begin - end > kGap || next_end - begin_ > kMost) break;
      end = next_end;
    }
    const auto size = static_cast<std::size_t>(end - begin_);
    bytes_.resize(size + kReadable);
    if (raw_.file->read_at(bytes_.data(), size, begin_) != size)
      throw IoError(raw_.file->path(), "the file became shorter while it was read");
  }

  const RawBlock& raw_;
  std::vector<char>& bytes_;
  std::int64_t begin_ = 0;       // offset of the bytes in the file
  std::size_t end_stretch_ = 0;  // the bytes hold the codes of the stretches before this one, from the one asked for on
};

}  // namespace

PackedBlock pack_stretches(const RawBlock& raw, const PackerOptions& options) {
  CodeReader reader(raw, per_thread<Scratch>().bytes);
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
  for (std::size_t i = 0; i < raw.stretches.size(); ++i) {
    const TwoBitStretch& stretch = raw.stretches[i];
    const std::uint32_t position = target.positions;
    if (stretch.starts) block.add_start(position, stretch.record->name, 0, raw.source);
    pack_codes(reader.codes(i), stretch.end - stretch.begin, target);
    for_inside(stretch.record->unknown, stretch, position, [&](const Interval& one) {
      add(block.not_acgt, one);
      if (options.letters) block.letters.push_back({one.begin, one.end, 'N'});
    });
    if (looks_at_case(options)) {
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
