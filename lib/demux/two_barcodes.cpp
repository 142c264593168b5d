// Reads with the barcodes of two samples: the part of BarcodeCaller that finds them.
#include <algorithm>
#include <limits>
#include <utility>

#include "lib/demux/barcode_caller.hpp"

namespace basesweep {

namespace {

// The sample with the fewest edits, and the next fewest of another.
class LeastTwo {
 public:
  void see(std::size_t sample, std::uint32_t edits) {
    if (edits < least_) {
      next_ = std::exchange(least_, edits);
      best_ = static_cast<std::uint32_t>(sample);
    } else {
      next_ = std::min(next_, edits);
    }
  }
  std::uint32_t best() const { return best_; }
  std::uint32_t least() const { return least_; }
  bool is_clear(std::uint32_t margin) const { return least_ != kNone && next_ - least_ >= margin; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t best_ = SampleCall::kNoSample, least_ = kNone, next_ = kNone;
};

}  // namespace

// The barcode with the fewest edits, if it is within its limit and no other is near.
std::uint32_t BarcodeCaller::clear_barcode(const BarcodeSet& set, std::span<const std::uint8_t> costs) const {
  // Loops without branches, since this is done for every read.
  std::uint8_t least = 255;
  for (const std::uint8_t cost : costs) least = std::min(least, cost);
  const auto near = static_cast<std::uint8_t>(std::min<std::uint32_t>(least + options_.margin - 1, 255));
  std::uint32_t count = 0;
  for (const std::uint8_t cost : costs) count += cost <= near;
  if (count != 1) return SampleBarcodes::kNoBarcode;
  const auto best = static_cast<std::size_t>(std::find(costs.begin(), costs.end(), least) - costs.begin());
  return least <= set[best].limit ? static_cast<std::uint32_t>(best) : SampleBarcodes::kNoBarcode;
}

// The sample that this orientation alone is of; kNoSample if that is not clear.
std::uint32_t BarcodeCaller::clear_sample(const ReadEnds& ends, int orientation) const {
  if (!sample_of_.empty()) {
    const std::uint32_t barcode = clear_barcode(first_, ends.of[static_cast<std::size_t>(orientation)].first_costs);
    return barcode == SampleBarcodes::kNoBarcode ? SampleCall::kNoSample : sample_of_[barcode];
  }
  LeastTwo two;
  for (std::size_t sample = 0; sample < samples_.size(); ++sample) two.see(sample, cost(ends, orientation, sample));
  const bool clear = two.is_clear(options_.margin) && within_limits(ends, orientation, two.best());
  return clear ? two.best() : SampleCall::kNoSample;
}

// Whether the two orientations are clearly of different samples.
bool BarcodeCaller::has_two_samples(const ReadEnds& ends) const {
  if (!ends.of[0].searched || !ends.of[1].searched) return false;
  const std::uint32_t one = clear_sample(ends, 0);
  if (one == SampleCall::kNoSample) return false;
  const std::uint32_t other = clear_sample(ends, 1);
  return other != SampleCall::kNoSample && one != other;
}

// Where samples have a barcode at each end and one is enough: whether two ends are clearly of different samples.
bool BarcodeCaller::has_two_ends(const ReadEnds& ends) const {
  std::uint32_t known = SampleCall::kNoSample;
  for (const ReadEnds::Orientation& one : ends.of) {
    if (!one.searched) continue;
    for (const bool is_first : {true, false}) {
      const std::uint32_t sample = clear_end(one, is_first);
      if (sample == SampleCall::kNoSample || sample == known) continue;
      if (known != SampleCall::kNoSample) return true;
      known = sample;
    }
  }
  return false;
}

// The sample that the first or the second barcode alone says; kNoSample if that is not clear.
std::uint32_t BarcodeCaller::clear_end(const ReadEnds::Orientation& one, bool is_first) const {
  const BarcodeSet& set = is_first ? first_ : *second_;
  const std::span<const std::uint8_t> costs = is_first ? one.first_costs : one.second_costs;
  const auto barcode_of = [&](std::size_t sample) {
    return is_first ? samples_[sample].first : samples_[sample].second;
  };
  LeastTwo two;
  for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
    if (const std::uint32_t barcode = barcode_of(sample); barcode != SampleBarcodes::kNoBarcode)
      two.see(sample, costs[barcode]);
  }
  if (!two.is_clear(options_.margin)) return SampleCall::kNoSample;
  const std::uint32_t barcode = barcode_of(two.best());
  const std::string_view text = is_first ? one.first.text : one.second.text;
  const bool holds = two.least() <= set[barcode].limit && set.holds(barcode, text, set.place(barcode, text));
  return holds ? two.best() : SampleCall::kNoSample;
}

// Where whole reads are searched, another sample may be in the bases before or after the barcode that was found.
void BarcodeCaller::find_other_samples(const ReadEnds& ends, const Places& places, SampleCall& call) const {
  const SampleBarcodes& barcodes = samples_[call.sample];
  for (int orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
    if (!within_limits(ends, orientation, call.sample)) continue;
    const std::string_view text = ends.of[static_cast<std::size_t>(orientation)].first.text;
    const std::optional<BarcodePlace>& known = places[static_cast<std::size_t>(orientation)][0];
    const BarcodePlace place = known ? *known : first_.place(barcodes.first, text);
    const std::string_view parts[] = {text.substr(0, place.begin), text.substr(place.end)};
    BarcodeSet::Costs costs;
    first_.score(parts, costs);
    for (std::size_t part = 0; part < 2; ++part) {
      const auto own = std::span(costs.costs).subspan(costs.rows[part] * first_.size(), first_.size());
      const std::uint32_t clear = clear_barcode(first_, own);
      if (clear == SampleBarcodes::kNoBarcode || clear == barcodes.first) continue;
      for (std::size_t mate = 0; mate < 2; ++mate) call.kept[mate] = {0, ends.letters[mate]};
      call.sample = SampleCall::kNoSample;
      call.reason = NoSample::two_barcodes;
      call.strand = '.';
      return;
    }
  }
}

namespace {

// A barcode of a sample in a read: bases [begin, end) of a mate, in the mate's orientation.
struct Site {
  std::size_t sample;
  bool is_first;
  std::uint32_t barcode;
  int mate;
  std::size_t begin, end;
};

void set_place(Site& site, const ReadEnds::EndText& at, BarcodePlace place) {
  site.mate = at.mate;
  site.begin = at.turned ? at.offset - place.end : at.offset + place.begin;
  site.end = at.turned ? at.offset - place.begin : at.offset + place.end;
}

bool are_apart(const Site& one, const Site& other) {
  return one.mate != other.mate || one.end <= other.begin || other.end <= one.begin;
}

}  // namespace

// Where whole reads are searched and several samples are near the best: whether two of them have stretches of their
// own, in which each is clear.
bool BarcodeCaller::has_two_stretches(const ReadEnds& ends, std::uint32_t edits) const {
  std::vector<Site> sites;
  // Adds the barcode where it is, if it is clear there; true if it is apart from that of another sample.
  const auto add = [&](Site site, const BarcodeSet& set, const ReadEnds::EndText& at) {
    const BarcodePlace place = set.place(site.barcode, at.text);
    set_place(site, at, place);
    const std::string_view stretch[] = {at.text.substr(place.begin, place.end - place.begin)};
    BarcodeSet::Costs costs;
    set.score(stretch, costs);
    const auto own = std::span(costs.costs).subspan(std::size_t{costs.rows[0]} * set.size(), set.size());
    if (clear_barcode(set, own) != site.barcode || !set.holds(site.barcode, at.text, place)) return false;
    sites.push_back(site);
    return std::any_of(sites.begin(), sites.end(), [&](const Site& known) {
      const bool same_side = known.is_first == site.is_first;
      return known.sample != site.sample && are_apart(known, site) &&
             (same_side ? known.barcode != site.barcode : options_.either_end);
    });
  };
  for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
    const SampleBarcodes& barcodes = samples_[sample];
    for (int orientation = 0; orientation < ReadEnds::kOrientations; ++orientation) {
      const std::uint32_t own = cost(ends, orientation, sample);
      if (own == kNoCost || own - edits >= options_.margin || !within_limits(ends, orientation, sample)) continue;
      const ReadEnds::Orientation& one = ends.of[static_cast<std::size_t>(orientation)];
      if (one.first_costs[barcodes.first] <= first_[barcodes.first].limit &&
          add({sample, true, barcodes.first, 0, 0, 0}, first_, one.first))
        return true;
      if (barcodes.second != SampleBarcodes::kNoBarcode &&
          one.second_costs[barcodes.second] <= (*second_)[barcodes.second].limit &&
          add({sample, false, barcodes.second, 0, 0, 0}, *second_, one.second))
        return true;
    }
  }
  return false;
}

}  // namespace basesweep
