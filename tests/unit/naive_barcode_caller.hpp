// The rules by which reads get samples, in plain code over full matrices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/demux/barcode_caller.hpp"
#include "tests/unit/full_matrix.hpp"

namespace basesweep::test_barcode_caller {

struct Sheet {
  std::vector<Barcode> first, second;
  std::vector<SampleBarcodes> samples;
  std::uint32_t context = 20;
};

// The rules in plain code.
class NaiveCaller {
 public:
  // Whether a random text of `bases` bases rarely has this barcode, first or second, with `edits` edits.
  using IsRare = std::function<bool(bool is_first, std::uint32_t barcode, std::uint32_t edits, std::size_t bases)>;

  NaiveCaller(const Sheet& sheet, const SampleCallOptions& options, IsRare is_rare)
      : sheet_(sheet), options_(options), is_rare_(std::move(is_rare)) {}

  SampleCall call(const std::vector<std::string>& reads) const {
    const bool paired = reads.size() == 2;
    SampleCall result;
    for (std::size_t mate = 0; mate < reads.size(); ++mate)
      result.kept[mate] = {0, static_cast<std::uint32_t>(reads[mate].size())};
    std::size_t longest = 0;
    for (const std::string& read : reads) longest = std::max(longest, read.size());
    std::size_t shortest = std::numeric_limits<std::size_t>::max();
    for (const Barcode& one : sheet_.first) {
      const std::size_t letters = pattern_of(one, sheet_.context).size();
      shortest = std::min(shortest, letters - std::min<std::size_t>(letters, one.limit));
    }
    if (longest < shortest) {
      result.reason = NoSample::too_short;
      return result;
    }
    std::vector<Orientation> all;
    if (options_.ends.strands != StrandChoice::minus) all.push_back(orientation(reads, '+'));
    if (options_.ends.strands != StrandChoice::plus) all.push_back(orientation(reads, '-'));

    std::vector<std::uint32_t> costs(sheet_.samples.size(), kNever);
    for (const Orientation& one : all) {
      for (std::size_t s = 0; s < costs.size(); ++s) costs[s] = std::min(costs[s], one.costs[s]);
    }
    const std::uint32_t least = *std::min_element(costs.begin(), costs.end());
    // Of the samples with the fewest edits, the one within its limits and with the highest limit.
    std::optional<std::size_t> best;
    std::uint32_t next = kNever;
    for (std::size_t s = 0; s < costs.size(); ++s) {
      if (costs[s] == least &&
          (!best || std::pair(within(all, s, least), limit(s)) > std::pair(within(all, *best, least), limit(*best))))
        best = s;
    }
    for (std::size_t s = 0; s < costs.size(); ++s) {
      if (s != *best) next = std::min(next, costs[s]);
    }
    if (least <= limit(*best)) result.edits = least;
    if (next <= limit(*best) + options_.margin - 1) result.second = next;

    std::vector<std::size_t> clear;
    for (const Orientation& one : all) {
      for (std::size_t s = 0; s < costs.size(); ++s) {
        bool alone = one.within[s];
        for (std::size_t other = 0; other < costs.size(); ++other)
          alone = alone && (other == s || one.costs[other] >= one.costs[s] + options_.margin);
        if (alone) clear.push_back(s);
      }
    }
    if (options_.either_end ? two_ends(all) : clear.size() == 2 && clear[0] != clear[1]) {
      result.reason = NoSample::two_barcodes;
      return result;
    }
    if (unexpected(all, least)) {
      result.reason = NoSample::unexpected_pair;
    } else if (!within(all, *best, least)) {
      result.reason = NoSample::none;
    } else if (next < least + options_.margin) {
      const bool stretches = options_.ends.anywhere && two_stretches(all, reads, least);
      result.reason = stretches ? NoSample::two_barcodes : NoSample::ambiguous;
    } else if (!holds(all, *best, least)) {
      result.reason = NoSample::none;
    } else {
      assign(all, *best, least, paired, result);
    }
    return result;
  }

 private:
  struct Orientation {
    char strand;
    std::string first_text, second_text;
    std::vector<std::uint32_t> first, second;  // edits of barcodes
    std::vector<std::uint32_t> costs;          // of samples
    std::vector<bool> within;                  // of samples
  };

  std::string head(const std::string& read) const {
    return options_.ends.anywhere ? read : read.substr(0, options_.ends.window);
  }
  std::string tail(const std::string& read) const {
    return options_.ends.anywhere || read.size() <= options_.ends.window
               ? read
               : read.substr(read.size() - options_.ends.window);
  }

  Orientation orientation(const std::vector<std::string>& reads, char strand) const {
    Orientation one;
    one.strand = strand;
    if (reads.size() == 2) {
      one.first_text = head(reads[strand == '+' ? 0 : 1]);
      one.second_text = head(reads[strand == '+' ? 1 : 0]);
    } else {
      const std::string read = strand == '+' ? reads[0] : turn(reads[0]);
      one.first_text = head(read);
      one.second_text = tail(read);
    }
    for (const Barcode& barcode : sheet_.first)
      one.first.push_back(edits_in(pattern_of(barcode, sheet_.context), one.first_text));
    for (const Barcode& barcode : sheet_.second)
      one.second.push_back(edits_in(pattern_of(barcode, sheet_.context), one.second_text));
    for (const SampleBarcodes& sample : sheet_.samples) {
      const std::uint32_t first = one.first[sample.first];
      const bool first_within = first <= sheet_.first[sample.first].limit;
      if (sample.second == SampleBarcodes::kNoBarcode) {
        one.costs.push_back(first);
        one.within.push_back(first_within);
        continue;
      }
      const std::uint32_t second = one.second[sample.second];
      const bool second_within = second <= sheet_.second[sample.second].limit;
      one.costs.push_back(options_.either_end ? std::min(first, second) : first + second);
      one.within.push_back(options_.either_end ? first_within || second_within : first_within && second_within);
    }
    return one;
  }

  std::uint32_t limit(std::size_t s) const {
    const std::uint32_t first = sheet_.first[sheet_.samples[s].first].limit;
    if (sheet_.samples[s].second == SampleBarcodes::kNoBarcode) return first;
    const std::uint32_t second = sheet_.second[sheet_.samples[s].second].limit;
    return options_.either_end ? std::max(first, second) : first + second;
  }

  // Whether the sample is within its limits in an orientation in which it has this many edits.
  static bool within(const std::vector<Orientation>& all, std::size_t s, std::uint32_t edits) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Orientation& one) { return one.costs[s] == edits && one.within[s]; });
  }

  // Whether the barcode is within its limits, with its flanks and alone.
  static bool holds(const Barcode& barcode, std::uint32_t edits, const std::string& text) {
    if (edits > barcode.limit) return false;
    const Interval place = place_of(barcode, text);
    return edits_in(barcode.barcode, text.substr(place.begin, place.end - place.begin)) <= barcode.own_limit ||
           barcode.own_limit >= barcode.limit;
  }

  // Whether a barcode of sample `s`, which has `least` edits, counts in an orientation: the call rests on it, or it has
  // edits that are rare in random text.
  bool counts(const Orientation& one, std::size_t s, std::uint32_t least, bool is_first) const {
    const SampleBarcodes& sample = sheet_.samples[s];
    const std::uint32_t edits = is_first ? one.first[sample.first] : one.second[sample.second];
    const std::size_t bases = (is_first ? one.first_text : one.second_text).size();
    const bool rests = one.costs[s] == least && (!options_.either_end || edits == least);
    return rests || is_rare_(is_first, is_first ? sample.first : sample.second, edits, bases);
  }

  bool holds(const std::vector<Orientation>& all, std::size_t s, std::uint32_t least) const {
    const SampleBarcodes& sample = sheet_.samples[s];
    return std::any_of(all.begin(), all.end(), [&](const Orientation& one) {
      const bool first =
          counts(one, s, least, true) && holds(sheet_.first[sample.first], one.first[sample.first], one.first_text);
      if (sample.second == SampleBarcodes::kNoBarcode) return first;
      const bool second = counts(one, s, least, false) &&
                          holds(sheet_.second[sample.second], one.second[sample.second], one.second_text);
      return options_.either_end ? first || second : first && second;
    });
  }

  std::optional<std::uint32_t> clear_barcode(const std::vector<Barcode>& barcodes,
                                             const std::vector<std::uint32_t>& edits) const {
    for (std::uint32_t b = 0; b < edits.size(); ++b) {
      bool alone = edits[b] <= barcodes[b].limit;
      for (std::uint32_t other = 0; other < edits.size(); ++other)
        alone = alone && (other == b || edits[other] >= edits[b] + options_.margin);
      if (alone) return b;
    }
    return std::nullopt;
  }

  // Whether two of the barcodes at the ends clearly say different samples.
  bool two_ends(const std::vector<Orientation>& all) const {
    std::vector<std::size_t> clear;
    for (const Orientation& one : all) {
      for (const bool is_first : {true, false}) {
        const std::vector<Barcode>& barcodes = is_first ? sheet_.first : sheet_.second;
        const std::vector<std::uint32_t>& edits = is_first ? one.first : one.second;
        const auto barcode_of = [&](std::size_t s) {
          return is_first ? sheet_.samples[s].first : sheet_.samples[s].second;
        };
        for (std::size_t s = 0; s < sheet_.samples.size(); ++s) {
          const std::uint32_t own = barcode_of(s);
          if (own == SampleBarcodes::kNoBarcode) continue;
          bool alone = holds(barcodes[own], edits[own], is_first ? one.first_text : one.second_text);
          for (std::size_t t = 0; t < sheet_.samples.size(); ++t) {
            const std::uint32_t other = barcode_of(t);
            alone = alone &&
                    (t == s || other == SampleBarcodes::kNoBarcode || edits[other] >= edits[own] + options_.margin);
          }
          if (alone) clear.push_back(s);
        }
      }
    }
    return std::any_of(clear.begin(), clear.end(), [&](std::size_t s) { return s != clear.front(); });
  }

  // A barcode of a sample near the best that is clear in its own stretch of the read.
  struct Stretch {
    std::size_t sample;
    bool is_first;
    std::uint32_t barcode;
    std::size_t mate, begin, end;  // of the mate as it is
  };

  std::vector<Stretch> stretches_of(const Orientation& one, const std::vector<std::string>& reads,
                                    std::uint32_t least) const {
    std::vector<Stretch> found;
    for (std::size_t s = 0; s < sheet_.samples.size(); ++s) {
      if (one.costs[s] >= least + options_.margin || !one.within[s]) continue;
      for (const bool is_first : {true, false}) {
        const std::vector<Barcode>& barcodes = is_first ? sheet_.first : sheet_.second;
        const std::uint32_t barcode = is_first ? sheet_.samples[s].first : sheet_.samples[s].second;
        if (barcode == SampleBarcodes::kNoBarcode) continue;
        const std::string& text = is_first ? one.first_text : one.second_text;
        const std::uint32_t edits = (is_first ? one.first : one.second)[barcode];
        if (!holds(barcodes[barcode], edits, text)) continue;
        const Interval place = place_of(barcodes[barcode], text);
        const std::string stretch = text.substr(place.begin, place.end - place.begin);
        std::vector<std::uint32_t> own;
        for (const Barcode& other : barcodes) own.push_back(edits_in(pattern_of(other, sheet_.context), stretch));
        if (clear_barcode(barcodes, own) != barcode) continue;
        const bool turned = reads.size() == 1 && one.strand == '-';
        const std::size_t size = text.size();
        const std::size_t mate = reads.size() == 2 && is_first != (one.strand == '+') ? 1 : 0;
        found.push_back({s, is_first, barcode, mate, turned ? size - place.end : place.begin,
                         turned ? size - place.begin : place.end});
      }
    }
    return found;
  }

  bool two_stretches(const std::vector<Orientation>& all, const std::vector<std::string>& reads,
                     std::uint32_t least) const {
    std::vector<Stretch> found;
    for (const Orientation& one : all) {
      const std::vector<Stretch> own = stretches_of(one, reads, least);
      found.insert(found.end(), own.begin(), own.end());
    }
    for (const Stretch& a : found) {
      for (const Stretch& b : found) {
        const bool apart = a.mate != b.mate || a.end <= b.begin || b.end <= a.begin;
        const bool different = a.is_first == b.is_first ? a.barcode != b.barcode : options_.either_end;
        if (a.sample != b.sample && apart && different) return true;
      }
    }
    return false;
  }

  bool unexpected(const std::vector<Orientation>& all, std::uint32_t least) const {
    if (sheet_.second.empty() || options_.either_end) return false;
    for (const Orientation& one : all) {
      if (*std::min_element(one.costs.begin(), one.costs.end()) != least) continue;
      const auto first = clear_barcode(sheet_.first, one.first), second = clear_barcode(sheet_.second, one.second);
      if (!first || !second) continue;
      const bool known = std::any_of(sheet_.samples.begin(), sheet_.samples.end(), [&](const SampleBarcodes& sample) {
        return sample.first == *first && (sample.second == *second || sample.second == SampleBarcodes::kNoBarcode);
      });
      if (!known) return true;
    }
    return false;
  }

  void assign(const std::vector<Orientation>& all, std::size_t best, std::uint32_t least, bool paired,
              SampleCall& result) const {
    const SampleBarcodes& sample = sheet_.samples[best];
    result.sample = static_cast<std::uint32_t>(best);
    result.reason = NoSample::assigned;
    std::uint32_t plus = kNever, minus = kNever;
    for (const Orientation& one : all) (one.strand == '+' ? plus : minus) = one.costs[best];
    result.strand = plus == minus ? '.' : plus < minus ? '+' : '-';
    const SampleCall::Stretch whole[2] = {result.kept[0], result.kept[1]};
    for (const Orientation& one : all) {
      if (!one.within[best]) continue;
      const bool plus_strand = one.strand == '+';
      const Interval place = place_of(sheet_.first[sample.first], one.first_text);
      if (options_.ends.anywhere && other_sample(one, sample.first, place)) {
        result.kept[0] = whole[0];
        result.kept[1] = whole[1];
        result.sample = SampleCall::kNoSample;
        result.reason = NoSample::two_barcodes;
        result.strand = '.';
        return;
      }
      if (one.first[sample.first] <= sheet_.first[sample.first].limit && counts(one, best, least, true)) {
        if (paired || plus_strand) {
          cut_before(place.end, result.kept[paired && !plus_strand ? 1 : 0]);
        } else {
          cut_after(whole[0].end - place.end, result.kept[0]);
        }
      }
      if (sample.second == SampleBarcodes::kNoBarcode ||
          one.second[sample.second] > sheet_.second[sample.second].limit || !counts(one, best, least, false))
        continue;
      const Interval end = place_of(sheet_.second[sample.second], one.second_text);
      if (paired) {
        cut_before(end.end, result.kept[plus_strand ? 1 : 0]);
      } else if (plus_strand) {
        cut_after(whole[0].end - one.second_text.size() + end.begin, result.kept[0]);
      } else {
        cut_before(one.second_text.size() - end.begin, result.kept[0]);
      }
    }
    for (SampleCall::Stretch& kept : result.kept) kept.end = std::max(kept.begin, kept.end);
  }

  bool other_sample(const Orientation& one, std::uint32_t own, Interval place) const {
    for (const std::string& part : {one.first_text.substr(0, place.begin), one.first_text.substr(place.end)}) {
      std::vector<std::uint32_t> edits;
      for (const Barcode& barcode : sheet_.first) edits.push_back(edits_in(pattern_of(barcode, sheet_.context), part));
      const auto clear = clear_barcode(sheet_.first, edits);
      if (clear && *clear != own) return true;
    }
    return false;
  }

  static void cut_before(std::size_t base, SampleCall::Stretch& kept) {
    kept.begin = std::max(kept.begin, static_cast<std::uint32_t>(base));
  }
  static void cut_after(std::size_t base, SampleCall::Stretch& kept) {
    kept.end = std::min(kept.end, static_cast<std::uint32_t>(base));
  }

  const Sheet& sheet_;
  const SampleCallOptions& options_;
  const IsRare is_rare_;
};

}  // namespace basesweep::test_barcode_caller
