#include "lib/counting/guide_counter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

// Memory for the reads, or pairs, of one file in a batch; used again and again.
struct GuideCounter::SearchedReads {
  std::vector<std::string_view> bases;
  std::vector<GuideCall> calls;
  std::vector<std::optional<Molecule>> molecules;  // without their guides, see BarcodePacker; empty if not counted
  PlacedMates places;                              // of the last read
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
  std::span<const InputRead> reads = list.reads;
  while (!reads.empty()) {
    const std::uint32_t source = reads.front().block->source;
    std::size_t of_source = step;
    while (of_source < reads.size() && reads[of_source].block->source == source) of_source += step;
    const CountedInput& input = inputs_[source];
    if (counts->samples.empty() || counts->samples.back().sample != input.sample) {
      counts->samples.push_back({input.sample});
    }
    add(reads.first(of_source), input.windows, counts->samples.back());
    reads = reads.subspan(of_source);
  }
  ProcessedReads processed;
  processed.counts = std::move(counts);
  return processed;
}

// Adds reads of one file.
void GuideCounter::add(std::span<const InputRead> reads, const StrandWindows& windows, BatchSample& sample) const {
  auto& searched = per_thread<SearchedReads>();
  search_in(reads, searched);
  searched.calls.resize(searched.bases.size());
  lookup_.find(searched.bases, windows, searched.calls);
  SampleCounts& counts = sample.counts;
  counts.reads += searched.calls.size();
  for (std::size_t i = 0; i < searched.calls.size(); ++i) {
    const GuideCall& call = searched.calls[i];
    if (call.guide == GuideCall::kNone) continue;
    if (call.guide == GuideCall::kSeveral) {
      ++counts.ambiguous;
      continue;
    }
    if (counts_molecules()) {
      std::optional<Molecule>& molecule = searched.molecules[i];
      if (!molecule) {
        ++counts.unread_umis;
        continue;
      }
      molecule->guide = call.guide;
      sample.molecules.push_back(*molecule);
    } else {
      sample.guides.push_back(call.guide);
    }
    ++(call.edits == 0 ? counts.exact : counts.edited);
  }
}

// Sets the bases in which guides are looked for, and the molecules if they are counted. A read that does not fit its
// structure has no bases, so no guide.
void GuideCounter::search_in(std::span<const InputRead> reads, SearchedReads& searched) const {
  searched.bases.clear();
  searched.molecules.clear();
  const std::size_t step = options_.paired ? 2 : 1;
  const std::size_t mate = options_.paired && options_.second_mates ? 1 : 0;
  for (std::size_t i = 0; i < reads.size(); i += step) {
    if (options_.layout == nullptr) {
      searched.bases.push_back(reads[i + mate].bases);
      continue;
    }
    std::array<std::string_view, 2> both{reads[i].bases, reads[i + step - 1].bases};
    const auto mates = std::span<const std::string_view>(both).first(step);
    const bool fits = options_.layout->place(mates, searched.places) == LayoutFit::fits;
    searched.bases.push_back(fits ? part_of(mates[mate], searched.places[mate][*options_.layout->insert(mate)])
                                  : std::string_view());
    if (counts_molecules()) searched.molecules.push_back(fits ? packer_->pack(mates, searched.places) : std::nullopt);
  }
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
