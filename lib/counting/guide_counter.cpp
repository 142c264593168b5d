#include "lib/counting/guide_counter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace basesweep {
namespace {

// The reads of a batch that are in one sample.
struct BatchSample {
  std::uint32_t sample = 0;
  SampleCounts counts{};
  std::vector<std::uint32_t> guides{};  // one for each read that is counted
};

struct BatchCounts final : ReadCounts {
  std::vector<BatchSample> samples;
};

void add(const GuideCall& call, BatchSample& sample) {
  SampleCounts& counts = sample.counts;
  ++counts.reads;
  if (call.guide == GuideCall::kNone) return;
  if (call.guide == GuideCall::kSeveral) {
    ++counts.ambiguous;
    return;
  }
  ++(call.edits == 0 ? counts.exact : counts.edited);
  sample.guides.push_back(call.guide);
}

}  // namespace

std::size_t SampleCounts::guides_without_reads() const {
  return static_cast<std::size_t>(std::count(guides.begin(), guides.end(), 0));
}

double SampleCounts::gini() const {
  std::vector<std::uint64_t> sorted = guides;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  double ranked = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double value = std::log1p(static_cast<double>(sorted[i]));
    sum += value;
    ranked += static_cast<double>(i + 1) * value;
  }
  const auto count = static_cast<double>(sorted.size());
  return sum == 0 || sorted.size() < 2 ? 0 : 1 - 2 * (count - ranked / sum) / (count - 1);
}

SampleCounts& SampleCounts::operator+=(const SampleCounts& other) {
  reads += other.reads;
  exact += other.exact;
  edited += other.edited;
  ambiguous += other.ambiguous;
  return *this;
}

GuideCounter::GuideCounter(const GuideLookup& lookup, std::size_t guides, std::vector<std::string> samples,
                           std::vector<CountedInput> inputs, GuideCounterOptions options)
    : lookup_(lookup), inputs_(std::move(inputs)), options_(options) {
  for (std::string& name : samples) {
    SampleCounts& sample = samples_.emplace_back();
    sample.name = std::move(name);
    sample.guides.assign(guides, 0);
  }
}

ProcessedReads GuideCounter::process(const ReadList& list) const {
  auto counts = std::make_unique<BatchCounts>();
  const std::size_t step = options_.paired ? 2 : 1;
  for (std::size_t i = 0; i < list.reads.size(); i += step) {
    const CountedInput& input = inputs_[list.reads[i].block->source];
    if (counts->samples.empty() || counts->samples.back().sample != input.sample) {
      counts->samples.push_back({input.sample});
    }
    const InputRead& read = list.reads[i + (options_.paired && options_.second_mates ? 1 : 0)];
    add(lookup_.find(read.bases, input.windows), counts->samples.back());
  }
  ProcessedReads processed;
  processed.counts = std::move(counts);
  return processed;
}

void GuideCounter::take(const ReadCounts& counts) {
  for (const BatchSample& one : static_cast<const BatchCounts&>(counts).samples) {
    SampleCounts& sample = samples_[one.sample];
    sample += one.counts;
    for (const std::uint32_t guide : one.guides) ++sample.guides[guide];
  }
}

}  // namespace basesweep
