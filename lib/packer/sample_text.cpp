#include "lib/packer/sample_text.hpp"

#include <algorithm>

#include "lib/packer/packer.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kMaxStretches = 32;
constexpr std::uint32_t kMinStretches = 8;

// Where stretches without other letters than A, C, G, T begin: one after the other, as many as fit.
std::vector<std::uint32_t> stretches_of(const PackedBlock& block) {
  std::vector<std::uint32_t> begins;
  std::size_t next = 0;
  for (std::uint32_t begin = 0; begin + TextSample::kStretch <= block.positions;) {
    skip_before(block.not_acgt, begin, next);
    if (next < block.not_acgt.size() && block.not_acgt[next].begin < begin + TextSample::kStretch) {
      begin = block.not_acgt[next].end;
      continue;
    }
    begins.push_back(begin);
    begin += TextSample::kStretch;
  }
  return begins;
}

}  // namespace

std::optional<TextSample> sample_text(const RawBlock& raw, std::uint32_t max_length) {
  PackedBlock block = pack(raw, {});
  if (block.error) return std::nullopt;
  const std::vector<std::uint32_t> begins = stretches_of(block);
  if (begins.size() < kMinStretches) return std::nullopt;
  const std::size_t count = std::min<std::size_t>(begins.size(), kMaxStretches);
  block.lo.resize(block.positions / 64 + 2);  // positions_at() reads a word more
  block.hi.resize(block.positions / 64 + 2);
  TextSample sample;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t begin = begins[i * begins.size() / count];
    for (std::uint32_t at = begin; at < begin + TextSample::kStretch; at += 64) {
      sample.lo.push_back(positions_at(block.lo.data(), at));
      sample.hi.push_back(positions_at(block.hi.data(), at));
    }
  }
  sample.positions = static_cast<std::uint32_t>(count) * TextSample::kStretch;
  sample.lo.resize(sample.lo.size() + max_length / 64 + 2);
  sample.hi.resize(sample.lo.size());
  return sample;
}

}  // namespace basesweep
