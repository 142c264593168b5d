#include "lib/demux/demux_totals.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "lib/base/count_lists.hpp"

namespace basesweep {

void append_demux_row(const InputRead& read, std::string_view sample, const SampleCall& call, std::size_t mate,
                      std::string& rows) {
  const auto number = [](const std::optional<std::uint32_t>& edits) {
    return edits ? fmt::format_int(*edits).str() : std::string(".");
  };
  fmt::format_to(std::back_inserter(rows), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", read.name,
                 sample.empty() ? std::string_view(".") : sample, number(call.edits), number(call.second), call.strand,
                 call.kept[mate].begin, call.kept[mate].end, word_of(call.reason));
}

void DemuxCalls::add(const SampleCall& call, std::span<const InputRead> reads, std::span<const WrittenRead> written) {
  std::uint64_t bases = 0;
  std::uint32_t count = 0;
  for (const InputRead& read : reads) lengths_before_.add(read.bases.size());
  for (const WrittenRead& read : written) {
    if (call.sample != SampleCall::kNoSample && read.file == WrittenRead::kNowhere) continue;
    ++count;
    bases += read.end - read.begin;
    lengths_after_.add(read.end - read.begin);
  }
  calls_.push_back({call.sample, call.edits.value_or(0), static_cast<std::uint32_t>(written.size()), count, call.reason,
                    bases, call.pair});
}

void DemuxTotals::add(const DemuxCalls& calls) {
  for (const DemuxCalls::Call& call : calls.calls_) {
    Sample& sample = call.sample == SampleCall::kNoSample ? samples.back() : samples[call.sample];
    sample.reads += call.reads;
    sample.written += call.written;
    sample.bases += call.bases;
    if (call.sample != SampleCall::kNoSample) {
      sample.edits += std::uint64_t{call.edits} * call.reads;
      add_count(call.edits, edits, call.reads);
    }
    reasons[static_cast<std::size_t>(call.reason)] += call.reads;
    if (call.reason == NoSample::unexpected_pair) pairs[{call.pair.first, call.pair.second}] += call.reads;
  }
  lengths_before.add(calls.lengths_before_);
  lengths_after.add(calls.lengths_after_);
}

}  // namespace basesweep
