#include "lib/demux/chance_calls.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/demux/rare_edits.hpp"

namespace basesweep {

RandomReads random_reads(bool paired, bool anywhere, std::uint32_t window) {
  const std::size_t ends = (paired ? 1 : 2) * std::size_t{window};
  return {paired, anywhere ? kMostRandomBases : std::min(ends, kMostRandomBases)};
}

ChanceCalls call_random_reads(const BarcodeCaller& caller, const RandomReads& wanted, const SheetBarcodes& sheet) {
  constexpr std::size_t kMostReads = 1000, kLeastReads = 50, kScoredBases = 300'000'000, kUsualBases = 300;
  const std::size_t barcodes = sheet.first.size() + sheet.second.size();
  const std::size_t each = std::max<std::size_t>(barcodes, 1) * std::max(kUsualBases, wanted.bases);
  const std::size_t reads = std::clamp(kScoredBases / each, kLeastReads, kMostReads);
  const std::vector<std::string> texts = random_texts(wanted.paired ? 2 * reads : reads, wanted.bases);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  ChanceCalls chance{.reads = reads};
  for (const SampleCall& call : wanted.paired ? caller.call_pairs(views) : caller.call_reads(views)) {
    chance.assigned += call.reason == NoSample::assigned;
    chance.within += call.reason == NoSample::assigned || call.reason == NoSample::ambiguous ||
                     call.reason == NoSample::two_barcodes;
  }
  return chance;
}

ChanceCalls lower_error_rate(SampleSheet& sheet, SheetSearch& search, SheetBarcodes& barcodes, const RandomReads& reads,
                             const std::function<const BarcodeCaller&()>& make) {
  constexpr int kStep = 5;  // percent
  double& rate = search.patterns.error_rate;
  ChanceCalls calls = call_random_reads(make(), reads, barcodes);
  for (long percent = std::lround(100 * rate) - kStep; !calls.few_within() && percent >= 0; percent -= kStep) {
    rate = static_cast<double>(percent) / 100;
    SheetBarcodes stricter = barcodes_of(sheet, search);
    if (stricter.first == barcodes.first && stricter.second == barcodes.second) continue;
    barcodes = std::move(stricter);
    calls = call_random_reads(make(), reads, barcodes);
  }
  return calls;
}

}  // namespace basesweep
