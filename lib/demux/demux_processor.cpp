#include "lib/demux/demux_processor.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string_view>

namespace basesweep {

// The calls of a list, which are few bytes each, since most lists reach few of thousands of samples.
struct DemuxProcessor::Counts final : ReadCounts {
  struct Call {
    std::uint32_t sample;
    std::uint32_t edits;
    std::uint32_t reads;
    NoSample reason;
    std::uint64_t bases;
    SampleBarcodes pair;
  };
  std::vector<Call> calls;
};

DemuxProcessor::DemuxProcessor(const BarcodeCaller& caller, std::vector<std::string> names,
                               std::vector<std::string> tags, DemuxOptions options)
    : caller_(caller), names_(std::move(names)), tags_(std::move(tags)), options_(options) {
  totals_.samples.resize(names_.size() + 1);
}

ProcessedReads DemuxProcessor::process(const ReadList& reads) const {
  std::vector<std::string_view> bases;
  bases.reserve(reads.reads.size());
  for (const InputRead& read : reads.reads) bases.push_back(read.bases);
  const std::vector<SampleCall> calls = reads.paired ? caller_.call_pairs(bases) : caller_.call_reads(bases);
  ProcessedReads results;
  results.written.reserve(reads.reads.size());
  auto counts = std::make_unique<Counts>();
  counts->calls.reserve(calls.size());
  const std::size_t mates = reads.paired ? 2 : 1;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const SampleCall& call = calls[i];
    write(reads, call, i * mates, results);
    std::uint64_t written = 0;
    for (std::size_t mate = 0; mate < mates; ++mate) {
      const WrittenRead& read = results.written[i * mates + mate];
      written += read.end - read.begin;
    }
    counts->calls.push_back(
        {call.sample, call.edits.value_or(0), static_cast<std::uint32_t>(mates), call.reason, written, call.pair});
  }
  results.counts = std::move(counts);
  return results;
}

// Adds the read, or both mates, from number `first` on.
void DemuxProcessor::write(const ReadList& reads, const SampleCall& call, std::size_t first, ProcessedReads& to) const {
  const bool assigned = call.sample != SampleCall::kNoSample;
  const std::size_t mates = reads.paired ? 2 : 1;
  for (std::size_t mate = 0; mate < mates; ++mate) {
    const InputRead& read = reads.reads[first + mate];
    WrittenRead written;
    if (assigned) {
      written.file = call.sample;
    } else if (options_.unassigned) {
      written.file = static_cast<std::uint32_t>(names_.size());
    }
    written.end = static_cast<std::uint32_t>(read.bases.size());
    const SampleCall::Stretch& kept = call.kept[mate];
    if (assigned && options_.trim) {
      written.begin = kept.begin;
      written.end = kept.end;
    }
    if (options_.orient && call.strand == '-') {
      written.turned = !reads.paired;
      written.exchanged = reads.paired;
    }
    if (assigned && !tags_.empty()) written.tags = tags_[call.sample];
    to.written.push_back(written);
    if (!options_.rows) continue;
    const auto number = [](const std::optional<std::uint32_t>& edits) {
      return edits ? fmt::format_int(*edits).str() : std::string(".");
    };
    fmt::format_to(std::back_inserter(to.rows), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", read.name,
                   assigned ? std::string_view(names_[call.sample]) : std::string_view("."), number(call.edits),
                   number(call.second), call.strand, kept.begin, kept.end, word_of(call.reason));
  }
}

void DemuxProcessor::take(const ReadCounts& counts) {
  for (const Counts::Call& call : static_cast<const Counts&>(counts).calls) {
    DemuxTotals::Sample& sample =
        totals_.samples[call.sample == SampleCall::kNoSample ? names_.size() : std::size_t{call.sample}];
    sample.reads += call.reads;
    sample.bases += call.bases;
    if (call.sample != SampleCall::kNoSample) sample.edits += std::uint64_t{call.edits} * call.reads;
    totals_.reasons[static_cast<std::size_t>(call.reason)] += call.reads;
    if (call.reason == NoSample::unexpected_pair) totals_.pairs[{call.pair.first, call.pair.second}] += call.reads;
  }
}

}  // namespace basesweep
