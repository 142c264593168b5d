#include "lib/demux/demux_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace basesweep {

std::string summary_table(const SampleSheet& sheet, const DemuxTotals& totals) {
  std::uint64_t reads = 0;
  for (const DemuxTotals::Sample& sample : totals.samples) reads += sample.reads;
  std::string table = "sample\treads\tbases\tmean_edits\tshare\n";
  for (std::size_t i = 0; i < totals.samples.size(); ++i) {
    const DemuxTotals::Sample& sample = totals.samples[i];
    const bool assigned = i < sheet.samples.size();
    const auto count = static_cast<double>(sample.reads);
    fmt::format_to(
        std::back_inserter(table), "{}\t{}\t{}\t{}\t{:.6f}\n",
        assigned ? sheet.samples[i].name : std::string(kUnassigned), sample.written, sample.bases,
        assigned && sample.reads != 0 ? fmt::format("{:.3f}", static_cast<double>(sample.edits) / count) : ".",
        reads == 0 ? 0.0 : count / static_cast<double>(reads));
  }
  return table;
}

std::string reasons_table(const SheetBarcodes& barcodes, const DemuxTotals& totals) {
  std::string table = "reason\tbarcode\tbarcode2\treads\n";
  const auto add = [&table](NoSample reason, std::string_view first, std::string_view second, std::uint64_t reads) {
    fmt::format_to(std::back_inserter(table), "{}\t{}\t{}\t{}\n", word_of(reason), first, second, reads);
  };
  for (std::size_t i = 0; i < kNoSampleReasons; ++i) {
    const auto reason = static_cast<NoSample>(i);
    if (reason != NoSample::unexpected_pair || totals.pairs.empty()) {
      add(reason, ".", ".", totals.reasons[i]);
      continue;
    }
    for (const auto& [pair, reads] : totals.pairs)
      add(reason, barcodes.first_names[pair.first], barcodes.second_names[pair.second], reads);
  }
  return table;
}

}  // namespace basesweep
