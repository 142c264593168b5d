#include "lib/demux/demux_processor.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace basesweep {

struct DemuxProcessor::Counts final : ReadCounts {
  DemuxCalls calls;
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
    counts->calls.add(call, std::span(reads.reads).subspan(i * mates, mates), std::span(results.written).last(mates));
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
    if (options_.rows) append_demux_row(read, assigned ? names_[call.sample] : "", call, mate, to.rows);
  }
}

void DemuxProcessor::take(const ReadCounts& counts) { totals_.add(static_cast<const Counts&>(counts).calls); }

}  // namespace basesweep
