#include "lib/demux/chance_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

ChanceCalls call_random_reads(const BarcodeCaller& caller, bool paired, std::size_t bases, std::size_t barcodes) {
  constexpr std::size_t kMostReads = 1000, kLeastReads = 50, kScores = 1'000'000;
  const std::size_t reads = std::clamp(kScores / std::max<std::size_t>(barcodes, 1), kLeastReads, kMostReads);
  std::mt19937_64 random(1);  // the standard says which numbers it makes
  std::vector<std::string> texts(paired ? 2 * reads : reads);
  for (std::string& text : texts) {
    text.reserve(bases);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bases; ++i) {
      if (i % 32 == 0) bits = random();
      text += "ACGT"[bits & 3U];
      bits >>= 2U;
    }
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  ChanceCalls chance{.reads = reads};
  for (const SampleCall& call : paired ? caller.call_pairs(views) : caller.call_reads(views))
    chance.assigned += call.reason == NoSample::assigned;
  return chance;
}

}  // namespace basesweep
