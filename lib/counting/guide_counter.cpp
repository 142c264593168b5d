#include "lib/counting/guide_counter.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "lib/base/per_thread.hpp"

namespace basesweep {

// The reads of a batch that are in one sample.
struct GuideCounter::BatchSample {
  std::uint32_t sample = 0;
  SampleCounts counts{};
  std::vector<std::uint32_t> guides{};  // one for each read that is counted
  std::vector<Molecule> molecules{};    // in place of them, if molecules are counted
};

struct GuideCounter::BatchCounts final : ReadCounts {
  std::vector<BatchSample> samples;
};

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
  unread_umis += other.unread_umis;
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
  if (options_.layout != nullptr) packer_.emplace(*options_.layout);
  if (counts_molecules()) molecules_.resize(samples_.size());
}

ProcessedReads GuideCounter::process(const ReadList& list) const {
  auto counts = std::make_unique<BatchCounts>();
  const std::size_t step = options_.paired ? 2 : 1;
  for (std::size_t i = 0; i < list.reads.size(); i += step) {
    const CountedInput& input = inputs_[list.reads[i].block->source];
    if (counts->samples.empty() || counts->samples.back().sample != input.sample) {
      counts->samples.push_back({input.sample});
    }
    std::array<std::string_view, 2> mates{};
    for (std::size_t mate = 0; mate < step; ++mate) mates[mate] = list.reads[i + mate].bases;
    add(std::span<const std::string_view>(mates).first(step), input.windows, counts->samples.back());
  }
  ProcessedReads processed;
  processed.counts = std::move(counts);
  return processed;
}

void GuideCounter::add(std::span<const std::string_view> mates, const StrandWindows& windows,
                       BatchSample& sample) const {
  SampleCounts& counts = sample.counts;
  ++counts.reads;
  const std::size_t mate = options_.paired && options_.second_mates ? 1 : 0;
  std::string_view bases = mates[mate];
  PlacedMates& places = per_thread<PlacedMates>();
  if (options_.layout != nullptr) {
    if (options_.layout->place(mates, places) != LayoutFit::fits) return;
    bases = part_of(bases, places[mate][*options_.layout->insert(mate)]);
  }
  const GuideCall call = lookup_.find(bases, windows);
  if (call.guide == GuideCall::kNone) return;
  if (call.guide == GuideCall::kSeveral) {
    ++counts.ambiguous;
    return;
  }
  if (counts_molecules()) {
    std::optional<Molecule> molecule = packer_->pack(mates, places);
    if (!molecule) {
      ++counts.unread_umis;
      return;
    }
    molecule->guide = call.guide;
    sample.molecules.push_back(*molecule);
  } else {
    sample.guides.push_back(call.guide);
  }
  ++(call.edits == 0 ? counts.exact : counts.edited);
}

void GuideCounter::take(const ReadCounts& counts) {
  for (const BatchSample& one : static_cast<const BatchCounts&>(counts).samples) {
    SampleCounts& sample = samples_[one.sample];
    sample += one.counts;
    for (const std::uint32_t guide : one.guides) ++sample.guides[guide];
    for (const Molecule& molecule : one.molecules) molecules_[one.sample].add(molecule);
  }
}

void GuideCounter::finish() {
  for (std::size_t i = 0; i < molecules_.size(); ++i) molecules_[i].count(samples_[i].guides);
}

}  // namespace basesweep
