#include "lib/demux/barcode_caller.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace basesweep {
namespace {

std::size_t random_bases(const SearchedEnds& ends) {
  return ends.anywhere ? kMostRandomBases : std::min<std::size_t>(ends.window, kMostRandomBases);
}

std::uint64_t pair_key(const SampleBarcodes& sample) { return std::uint64_t{sample.first} << 32U | sample.second; }

}  // namespace

const char* word_of(NoSample reason) {
  switch (reason) {
    case NoSample::assigned: return "assigned";
    case NoSample::none: return "none";
    case NoSample::ambiguous: return "ambiguous";
    case NoSample::two_barcodes: return "two-barcodes";
    case NoSample::unexpected_pair: return "unexpected-pair";
    case NoSample::too_short: return "too-short";
  }
  return "";
}

BarcodeCaller::Rare::Rare(const SearchedEnds& ends) : first(random_bases(ends)), second(random_bases(ends)) {}

BarcodeCaller::BarcodeCaller(const BarcodeSet& first, const BarcodeSet* second, std::vector<SampleBarcodes> samples,
                             SampleCallOptions options, std::shared_ptr<const Rare> rare)
    : first_(first),
      second_(second),
      samples_(std::move(samples)),
      options_(options),
      rare_(rare != nullptr ? std::move(rare) : std::make_shared<const Rare>(options.ends)) {
  for (const SampleBarcodes& sample : samples_) pairs_.insert(pair_key(sample));
  if (second_ != nullptr || samples_.size() != first_.size()) return;
  sample_of_.resize(first_.size(), SampleCall::kNoSample);
  for (std::size_t i = 0; i < samples_.size(); ++i) sample_of_[samples_[i].first] = static_cast<std::uint32_t>(i);
  if (std::find(sample_of_.begin(), sample_of_.end(), SampleCall::kNoSample) != sample_of_.end()) sample_of_.clear();
}

std::vector<SampleCall> BarcodeCaller::call_reads(std::span<const std::string_view> reads) const {
  std::vector<std::string> turned;
  return call(ends_of_reads(reads, options_.ends, second_ != nullptr, turned));
}

std::vector<SampleCall> BarcodeCaller::call_pairs(std::span<const std::string_view> mates) const {
  return call(ends_of_pairs(mates, options_.ends));
}

std::vector<SampleCall> BarcodeCaller::call(std::vector<ReadEnds> all) const {
  std::vector<std::string_view> first, second;
  for (const ReadEnds& ends : all) {
    for (const auto& one : ends.of) {
      if (!one.searched) continue;
      first.push_back(one.first.text);
      if (second_ != nullptr) second.push_back(one.second.text);
    }
  }
  BarcodeSet::Costs first_costs, second_costs;
  first_.score(first, first_costs);
  if (second_ != nullptr) second_->score(second, second_costs);
  const auto row = [](const BarcodeSet& set, const BarcodeSet::Costs& costs, std::size_t text) {
    return std::span(costs.costs).subspan(std::size_t{costs.rows[text]} * set.size(), set.size());
  };
  std::vector<SampleCall> calls;
  calls.reserve(all.size());
  std::size_t text = 0;
  for (ReadEnds& ends : all) {
    for (auto& one : ends.of) {
      if (!one.searched) continue;
      one.first_costs = row(first_, first_costs, text);
      if (second_ != nullptr) one.second_costs = row(*second_, second_costs, text);
      ++text;
    }
    calls.push_back(judge(ends));
  }
  return calls;
}

// The edits of the sample in this orientation; kNoCost if it cannot be told.
std::uint32_t BarcodeCaller::cost(const ReadEnds& ends, int orientation, std::size_t sample) const {
  const ReadEnds::Orientation& one = ends.of[static_cast<std::size_t>(orientation)];
  if (!one.searched) return kNoCost;
  const SampleBarcodes& barcodes = samples_[sample];
  std::uint32_t sum = one.first_costs[barcodes.first];
  if (barcodes.second == SampleBarcodes::kNoBarcode) return sum;
  const std::uint32_t second = one.second_costs[barcodes.second];
  return options_.either_end ? std::min(sum, second) : sum + second;
}

// The most edits that the sample may have.
std::uint32_t BarcodeCaller::limit(std::size_t sample) const {
  const SampleBarcodes& barcodes = samples_[sample];
  const std::uint32_t first = first_[barcodes.first].limit;
  if (barcodes.second == SampleBarcodes::kNoBarcode) return first;
  const std::uint32_t second = (*second_)[barcodes.second].limit;
  return options_.either_end ? std::max(first, second) : first + second;
}

bool BarcodeCaller::within_limits(const ReadEnds& ends, int orientation, std::size_t sample) const {
  const ReadEnds::Orientation& one = ends.of[static_cast<std::size_t>(orientation)];
  if (!one.searched) return false;
  const SampleBarcodes& barcodes = samples_[sample];
  const bool first = one.first_costs[barcodes.first] <= first_[barcodes.first].limit;
  if (barcodes.second == SampleBarcodes::kNoBarcode) return first;
  const bool second = one.second_costs[barcodes.second] <= (*second_)[barcodes.second].limit;
  return options_.either_end ? first || second : first && second;
}

// The places of the sample's barcodes that are within their limits, in the orientations that are. A barcode that the
// call does not rest on may be there by chance: it has a place only if its edits are rare in random text.
BarcodeCaller::Places BarcodeCaller::find_places(const ReadEnds& ends, const Best& best) const {
  const SampleBarcodes& barcodes = samples_[best.sample];
  Places places;
  for (std::size_t orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    if (!within_limits(ends, static_cast<int>(orientation), best.sample)) continue;
    const ReadEnds::Orientation& one = ends.of[orientation];
    const bool decides = cost(ends, static_cast<int>(orientation), best.sample) == best.edits;
    const auto place = [&](const BarcodeSet& set, std::uint32_t barcode, std::span<const std::uint8_t> costs,
                           std::string_view text, const RareEdits& rare) -> std::optional<BarcodePlace> {
      const std::uint32_t edits = costs[barcode];
      const bool rests_on = decides && (!options_.either_end || edits == best.edits);
      const bool found = edits <= set[barcode].limit && (rests_on || rare.are_rare(set, barcode, edits, text.size()));
      return found ? std::optional(set.place(barcode, text)) : std::nullopt;
    };
    places[orientation][0] = place(first_, barcodes.first, one.first_costs, one.first.text, rare_->first);
    if (barcodes.second != SampleBarcodes::kNoBarcode)
      places[orientation][1] = place(*second_, barcodes.second, one.second_costs, one.second.text, rare_->second);
  }
  return places;
}

// Whether the barcodes themselves, without their flanks, have few enough edits in an orientation.
bool BarcodeCaller::holds_sample(const ReadEnds& ends, std::size_t sample, const Places& places) const {
  const SampleBarcodes& barcodes = samples_[sample];
  for (std::size_t orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    const auto& [at_first, at_second] = places[orientation];
    const ReadEnds::Orientation& one = ends.of[orientation];
    const bool first = at_first && first_.holds(barcodes.first, one.first.text, *at_first);
    const bool alone = options_.either_end || barcodes.second == SampleBarcodes::kNoBarcode;
    if (first && alone) return true;
    if ((first || alone) && at_second && second_->holds(barcodes.second, one.second.text, *at_second)) return true;
  }
  return false;
}

// The barcodes of this orientation, if both are clear and no sample has them.
std::optional<SampleBarcodes> BarcodeCaller::unexpected_pair(const ReadEnds& ends, int orientation) const {
  const ReadEnds::Orientation& one = ends.of[static_cast<std::size_t>(orientation)];
  if (second_ == nullptr || options_.either_end || !one.searched) return std::nullopt;
  const SampleBarcodes clear{clear_barcode(first_, one.first_costs), clear_barcode(*second_, one.second_costs)};
  if (clear.first == SampleBarcodes::kNoBarcode || clear.second == SampleBarcodes::kNoBarcode ||
      pairs_.contains(pair_key(clear)) || pairs_.contains(pair_key({clear.first, SampleBarcodes::kNoBarcode})))
    return std::nullopt;
  return clear;
}

// find_best() where samples have one barcode each, and one sample has fewer edits than all others; else nothing.
std::optional<BarcodeCaller::Best> BarcodeCaller::find_alone(const ReadEnds& ends) const {
  if (sample_of_.empty()) return std::nullopt;
  constexpr std::uint8_t kMost = 255;
  const std::span<const std::uint8_t> costs[] = {ends.of[0].first_costs, ends.of[1].first_costs};
  Best best;
  for (std::size_t orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    std::uint8_t least = kMost;
    for (const std::uint8_t cost : costs[orientation]) least = std::min(least, cost);
    if (!costs[orientation].empty()) best.of_orientation[orientation] = least;
  }
  best.edits = std::min(best.of_orientation[0], best.of_orientation[1]);
  if (best.edits >= kMost) return std::nullopt;
  const auto edits = static_cast<std::uint8_t>(best.edits);
  std::size_t barcode = sample_of_.size();
  for (const auto& own : costs) {
    const auto* const found =
        static_cast<const std::uint8_t*>(own.empty() ? nullptr : std::memchr(own.data(), edits, own.size()));
    if (found != nullptr) barcode = static_cast<std::size_t>(found - own.data());
  }
  std::uint8_t next = kMost;
  for (const auto& own : costs) {
    if (own.empty()) continue;
    for (const std::uint8_t cost : own.first(barcode)) next = std::min(next, cost);
    for (const std::uint8_t cost : own.subspan(barcode + 1)) next = std::min(next, cost);
  }
  if (next == edits) return std::nullopt;
  if (sample_of_.size() > 1) best.next = next;
  best.sample = sample_of_[barcode];
  best.limit = limit(best.sample);
  best.within = best.edits <= best.limit;
  return best;
}

// The sample with the fewest edits. Of samples that have as few, one within its limits comes first, then one with
// higher limits, so that the order of the sheet does not show.
BarcodeCaller::Best BarcodeCaller::find_best(const ReadEnds& ends) const {
  if (const std::optional<Best> alone = find_alone(ends)) return *alone;
  Best best;
  for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
    const std::uint32_t edits[] = {cost(ends, 0, sample), cost(ends, 1, sample)};
    for (std::size_t orientation = 0; orientation < ReadEnds::kOrientations; ++orientation)
      best.of_orientation[orientation] = std::min(best.of_orientation[orientation], edits[orientation]);
    const std::uint32_t least = std::min(edits[0], edits[1]);
    if (least > best.edits || least == kNoCost) {
      best.next = std::min(best.next, least);
      continue;
    }
    best.next = best.edits;
    const bool within =
        (edits[0] == least && within_limits(ends, 0, sample)) || (edits[1] == least && within_limits(ends, 1, sample));
    if (least == best.edits && std::pair(within, limit(sample)) <= std::pair(best.within, best.limit)) continue;
    best.sample = static_cast<std::uint32_t>(sample);
    best.edits = least;
    best.within = within;
    best.limit = limit(sample);
  }
  return best;
}

// The unexpected pair of the orientation that samples are in with the fewest edits; of both, where they have as few,
// the pair with fewer edits.
std::optional<SampleBarcodes> BarcodeCaller::unexpected_pair(const ReadEnds& ends, const Best& best) const {
  std::optional<SampleBarcodes> found;
  std::tuple<std::uint32_t, std::string_view, std::string_view> rank;
  for (int orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    if (best.of_orientation[static_cast<std::size_t>(orientation)] != best.edits) continue;
    const std::optional<SampleBarcodes> pair = unexpected_pair(ends, orientation);
    if (!pair) continue;
    const ReadEnds::Orientation& one = ends.of[static_cast<std::size_t>(orientation)];
    const std::tuple own{std::uint32_t{one.first_costs[pair->first]} + one.second_costs[pair->second],
                         std::string_view(first_[pair->first].barcode),
                         std::string_view((*second_)[pair->second].barcode)};
    if (found && rank <= own) continue;
    found = pair;
    rank = own;
  }
  return found;
}

SampleCall BarcodeCaller::judge(const ReadEnds& ends) const {
  SampleCall call;
  for (std::size_t mate = 0; mate < 2; ++mate) call.kept[mate] = {0, ends.letters[mate]};
  if (std::max(ends.letters[0], ends.letters[1]) < first_.least_letters()) {
    call.reason = NoSample::too_short;
    return call;
  }
  const Best best = find_best(ends);
  if (best.sample == SampleCall::kNoSample) return call;
  if (best.edits <= best.limit) call.edits = best.edits;
  if (best.next <= best.limit + options_.margin - 1) call.second = best.next;

  if (options_.either_end ? has_two_ends(ends) : has_two_samples(ends)) {
    call.reason = NoSample::two_barcodes;
  } else if (const auto pair = unexpected_pair(ends, best)) {
    call.reason = NoSample::unexpected_pair;
    call.pair = *pair;
  } else if (!best.within) {
    call.reason = NoSample::none;
  } else if (best.next - best.edits < options_.margin) {
    const bool stretches = options_.ends.anywhere && has_two_stretches(ends, best.edits);
    call.reason = stretches ? NoSample::two_barcodes : NoSample::ambiguous;
  } else if (const Places places = find_places(ends, best); !holds_sample(ends, best.sample, places)) {
    call.reason = NoSample::none;
  } else {
    call.reason = NoSample::assigned;
    call.sample = best.sample;
    const std::uint32_t plus = cost(ends, 0, best.sample), minus = cost(ends, 1, best.sample);
    call.strand = plus == minus ? '.' : plus < minus ? '+' : '-';
    cut(ends, places, call);
    if (options_.ends.anywhere) find_other_samples(ends, places, call);
  }
  return call;
}

// Cuts off the sample's barcodes at their places.
void BarcodeCaller::cut(const ReadEnds& ends, const Places& places, SampleCall& call) {
  const auto cut_at = [&call](const ReadEnds::EndText& at, const BarcodePlace& place, bool is_first) {
    SampleCall::Stretch& kept = call.kept[at.mate];
    const auto inner = static_cast<std::uint32_t>(is_first ? place.end : place.begin);
    const std::uint32_t base = at.turned ? at.offset - inner : at.offset + inner;
    if (is_first != at.turned) {
      kept.begin = std::max(kept.begin, base);
    } else {
      kept.end = std::min(kept.end, base);
    }
  };
  const bool pairs = ends.of[0].first.mate != ends.of[0].second.mate || ends.of[1].first.mate != ends.of[1].second.mate;
  for (std::size_t orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    const auto& [at_first, at_second] = places[orientation];
    if (at_first) cut_at(ends.of[orientation].first, *at_first, true);
    if (at_second) cut_at(ends.of[orientation].second, *at_second, pairs);
  }
  for (SampleCall::Stretch& kept : call.kept) kept.end = std::max(kept.begin, kept.end);
}

}  // namespace basesweep
