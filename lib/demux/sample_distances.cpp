#include "lib/demux/sample_distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/reverse_complement.hpp"

namespace basesweep {
namespace {

using Pattern = std::vector<BaseSet>;

Pattern sets_of(std::string_view letters) {
  Pattern sets(letters.size());
  std::transform(letters.begin(), letters.end(), sets.begin(), pattern_letter_set);
  return sets;
}

// The whole matrix, a row for each letter of `one`, given up when no cell of a row is at most `most`.
std::uint32_t edits_between(const Pattern& one, const Pattern& other, std::uint32_t most) {
  const std::size_t gap = one.size() > other.size() ? one.size() - other.size() : other.size() - one.size();
  if (gap > most) return most + 1;
  std::vector<std::uint32_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::uint32_t diagonal = row[0];
    std::uint32_t least = row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::uint32_t matched = diagonal + ((one[i - 1] & other[j - 1]) == 0 ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({matched, row[j] + 1, row[j - 1] + 1});
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
  }
  return std::min(row.back(), most + 1);
}

// Whether some word of `part` is in some word of `whole`.
bool may_be_in(const Pattern& part, const Pattern& whole) {
  for (std::size_t at = 0; at + part.size() <= whole.size(); ++at) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::equal(part.begin(), part.end(), begin, [](BaseSet a, BaseSet b) { return (a & b) != 0; })) return true;
  }
  return false;
}

// A barcode that is near another one.
struct Neighbor {
  std::uint32_t barcode;
  std::uint32_t edits;
  bool inside;  // the pattern of one of both may be in that of the other
};

// For each barcode of a side those that come after it, are near it or cannot be told from it; and itself.
using Neighbors = std::vector<std::vector<Neighbor>>;

Neighbors neighbors_of(const std::vector<Barcode>& barcodes, std::uint32_t context, std::uint32_t most) {
  Neighbors near(barcodes.size());
  std::vector<Pattern> patterns;
  std::unordered_map<std::string, std::uint32_t> first_with;  // this pattern
  for (std::uint32_t i = 0; i < barcodes.size(); ++i) {
    const std::string pattern = pattern_of(barcodes[i], context);
    patterns.push_back(sets_of(pattern));
    near[i].push_back({i, 0, true});
    const auto [known, is_new] = first_with.try_emplace(pattern, i);
    if (!is_new && barcodes.size() > kMaxComparedBarcodes) near[known->second].push_back({i, 0, true});
  }
  if (barcodes.size() > kMaxComparedBarcodes) return near;
  for (std::uint32_t i = 0; i < barcodes.size(); ++i) {
    for (std::uint32_t j = i + 1; j < barcodes.size(); ++j) {
      const bool inside = may_be_in(patterns[i], patterns[j]) || may_be_in(patterns[j], patterns[i]);
      const std::uint32_t edits = edits_between(patterns[i], patterns[j], most);
      if (inside || edits <= most) near[i].push_back({j, edits, inside});
    }
  }
  return near;
}

// Barcodes of samples as one number.
std::uint64_t key_of(std::uint32_t first, std::uint32_t second) { return std::uint64_t{first} << 32U | second; }

class DistanceCheck {
 public:
  DistanceCheck(SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes)
      : sheet_(sheet), search_(search), barcodes_(barcodes), most_(2 * search.margin - 1) {}

  void run() {
    const Neighbors first = neighbors_of(barcodes_.first, search_.patterns.context, most_);
    const Neighbors second = neighbors_of(barcodes_.second, search_.patterns.context, most_);
    if (search_.either_end) {
      compare_side(first, &SampleBarcodes::first);
      compare_side(second, &SampleBarcodes::second);
    } else {
      compare_pairs(first, second);
      compare_with_single(first);
    }
    warn_of_near_samples(sheet_, search_.margin, std::move(near_));
  }

 private:
  // Compares samples by one side alone.
  void compare_side(const Neighbors& near, std::uint32_t SampleBarcodes::*side) {
    std::vector<std::vector<std::size_t>> samples(near.size());
    for (std::size_t s = 0; s < barcodes_.samples.size(); ++s) {
      if (barcodes_.samples[s].*side != SampleBarcodes::kNoBarcode) samples[barcodes_.samples[s].*side].push_back(s);
    }
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (const Neighbor& one : near[i]) {
        for (const std::size_t s : samples[i]) {
          for (const std::size_t t : samples[one.barcode]) {
            if (one.barcode != i || s < t) add(s, t, one.edits, one.inside);
          }
        }
      }
    }
  }

  // Compares samples that both have a second barcode, or both none.
  void compare_pairs(const Neighbors& first, const Neighbors& second) {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> samples;
    for (std::size_t s = 0; s < barcodes_.samples.size(); ++s)
      samples[key_of(barcodes_.samples[s].first, barcodes_.samples[s].second)].push_back(s);
    // Neighbors of a barcode are listed once, so those of a pair are looked for in both directions.
    const Neighbors both = in_both_directions(second);
    const std::vector<Neighbor> none{{SampleBarcodes::kNoBarcode, 0, true}};
    for (std::size_t s = 0; s < barcodes_.samples.size(); ++s) {
      const SampleBarcodes& sample = barcodes_.samples[s];
      for (const Neighbor& one : first[sample.first]) {
        for (const Neighbor& two : sample.second == SampleBarcodes::kNoBarcode ? none : both[sample.second]) {
          const auto found = samples.find(key_of(one.barcode, two.barcode));
          if (found == samples.end()) continue;
          for (const std::size_t t : found->second) {
            if (one.barcode != sample.first || s < t) add(s, t, one.edits + two.edits, one.inside && two.inside);
          }
        }
      }
    }
  }

  // Compares samples without a second barcode with those that have one: both find the first barcode of the other.
  void compare_with_single(const Neighbors& first) {
    std::vector<std::vector<std::size_t>> single(first.size()), dual(first.size());
    for (std::size_t s = 0; s < barcodes_.samples.size(); ++s) {
      const SampleBarcodes& sample = barcodes_.samples[s];
      (sample.second == SampleBarcodes::kNoBarcode ? single : dual)[sample.first].push_back(s);
    }
    const Neighbors both = in_both_directions(first);
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (const Neighbor& one : both[i]) {
        if (one.inside && !single[i].empty() && !dual[one.barcode].empty())
          add(single[i].front(), dual[one.barcode].front(), one.edits, true);
      }
    }
  }

  static Neighbors in_both_directions(const Neighbors& near) {
    Neighbors both = near;
    for (std::uint32_t i = 0; i < near.size(); ++i) {
      for (const Neighbor& one : near[i]) {
        if (one.barcode != i) both[one.barcode].push_back({i, one.edits, one.inside});
      }
    }
    return both;
  }

  void add(std::size_t one, std::size_t other, std::uint32_t edits, bool inside) {
    if (inside) {
      const SheetSample& a = sheet_.samples[std::min(one, other)];
      const SheetSample& b = sheet_.samples[std::max(one, other)];
      refuse_samples(
          sheet_, one, other,
          search_.either_end && a.first.letters + a.second.letters != b.first.letters + b.second.letters
              ? "with --either-end no barcode may be of two samples, or be in the barcode of another"
          : a.first.letters == b.first.letters && a.second.letters == b.second.letters
              ? "they have the same barcode"
              : "one barcode, with its flanks, is part of the other, or codes of several bases let both be the same");
    }
    if (edits <= most_) near_.push_back({std::min(one, other), std::max(one, other), edits});
  }

  SampleSheet& sheet_;
  const SheetSearch& search_;
  const SheetBarcodes& barcodes_;
  const std::uint32_t most_;
  std::vector<NearSamples> near_;
};

// Samples whose reads look like those of others when they are turned, or when their mates are exchanged.
class OtherWayCheck {
 public:
  OtherWayCheck(const SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes, bool pairs)
      : sheet_(sheet), search_(search), barcodes_(barcodes), pairs_(pairs) {}

  void run() const {
    const auto [first_of, second_of] = alike_at_other_end();
    std::vector<std::vector<std::size_t>> with_first(barcodes_.first.size());
    for (std::size_t s = 0; s < barcodes_.samples.size(); ++s) with_first[barcodes_.samples[s].first].push_back(s);
    for (std::size_t t = 0; t < barcodes_.samples.size(); ++t) {
      const SampleBarcodes& sample = barcodes_.samples[t];
      if (sample.second == SampleBarcodes::kNoBarcode) continue;
      const std::vector<std::uint32_t>& seconds = second_of[sample.first];
      for (const std::uint32_t first : first_of[sample.second]) {
        for (const std::size_t s : with_first[first]) {
          const std::uint32_t second = barcodes_.samples[s].second;
          const bool alike = search_.either_end || second == SampleBarcodes::kNoBarcode ||
                             std::find(seconds.begin(), seconds.end(), second) != seconds.end();
          if (s != t && alike)
            refuse_samples(
                sheet_, s, t,
                pairs_ ? "with mates exchanged, pairs of one look like pairs of the other: use --strand plus"
                       : "the reverse complement of a read of one looks like a read of the other: use --strand plus");
        }
      }
    }
  }

 private:
  // For each second barcode the first barcodes, and for each first barcode the second ones, that cannot be told from it
  // where they lie the other way.
  std::pair<std::vector<std::vector<std::uint32_t>>, std::vector<std::vector<std::uint32_t>>> alike_at_other_end()
      const {
    std::vector<std::vector<std::uint32_t>> first_of(barcodes_.second.size()), second_of(barcodes_.first.size());
    const auto add = [&](std::uint32_t first, std::uint32_t second) {
      first_of[second].push_back(first);
      second_of[first].push_back(second);
    };
    std::vector<Pattern> patterns;
    std::unordered_map<std::string, std::uint32_t> with_pattern;  // the last first barcode
    for (std::uint32_t i = 0; i < barcodes_.first.size(); ++i) {
      std::string pattern = pattern_of(barcodes_.first[i], search_.patterns.context);
      patterns.push_back(sets_of(pattern));
      with_pattern[std::move(pattern)] = i;
    }
    const bool compared = std::max(barcodes_.first.size(), barcodes_.second.size()) <= kMaxComparedBarcodes;
    for (std::uint32_t j = 0; j < barcodes_.second.size(); ++j) {
      std::string pattern = pattern_of(barcodes_.second[j], search_.patterns.context);
      if (!pairs_) pattern = reverse_complement(pattern);
      if (const auto same = with_pattern.find(pattern); !compared && same != with_pattern.end()) add(same->second, j);
      if (!compared) continue;
      const Pattern sets = sets_of(pattern);
      for (std::uint32_t i = 0; i < patterns.size(); ++i) {
        if (may_be_in(patterns[i], sets) || may_be_in(sets, patterns[i])) add(i, j);
      }
    }
    return {std::move(first_of), std::move(second_of)};
  }

  const SampleSheet& sheet_;
  const SheetSearch& search_;
  const SheetBarcodes& barcodes_;
  const bool pairs_;
};

// Names a few of the pairs.
std::string list(const SampleSheet& sheet, const std::vector<NearSamples>& pairs) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(pairs.size(), kShown); ++i) {
    text += fmt::format("{}'{}' and '{}' ({} edit{})", i == 0 ? "" : ", ", sheet.samples[pairs[i].one].name,
                        sheet.samples[pairs[i].other].name, pairs[i].edits, pairs[i].edits == 1 ? "" : "s");
  }
  if (pairs.size() > kShown) text += fmt::format(" and {} more", pairs.size() - kShown);
  return text;
}

}  // namespace

void warn_of_near_samples(SampleSheet& sheet, std::uint32_t margin, std::vector<NearSamples> all) {
  std::sort(all.begin(), all.end(), [](const NearSamples& a, const NearSamples& b) {
    return std::pair(a.one, a.other) < std::pair(b.one, b.other);
  });
  std::vector<NearSamples> ambiguous, near;
  for (const NearSamples& pair : all) (pair.edits < margin ? ambiguous : near).push_back(pair);
  if (!ambiguous.empty()) {
    sheet.warnings.push_back(fmt::format(
        "{}: these samples are nearer to each other than --margin {}, so that their reads are ambiguous: {}",
        sheet.path, margin, list(sheet, ambiguous)));
  }
  if (!near.empty()) {
    sheet.warnings.push_back(fmt::format(
        "{}: these samples are so near to each other that reads with few errors are ambiguous: {}; best are {} edits "
        "or more (twice --margin)",
        sheet.path, list(sheet, near), 2 * margin));
  }
}

void refuse_samples(const SampleSheet& sheet, std::size_t one, std::size_t other, const char* why) {
  const SheetSample& a = sheet.samples[std::min(one, other)];
  const SheetSample& b = sheet.samples[std::max(one, other)];
  throw DataError(fmt::format("{}: lines {} and {}: the samples '{}' and '{}' cannot be told apart: {}", sheet.path,
                              a.line, b.line, a.name, b.name, why));
}

void check_distances(SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes) {
  DistanceCheck(sheet, search, barcodes).run();
}

void check_other_way(const SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes, bool pairs) {
  if (!barcodes.second.empty()) OtherWayCheck(sheet, search, barcodes, pairs).run();
}

std::uint32_t edits_between(std::string_view one, std::string_view other, std::uint32_t most) {
  return edits_between(sets_of(one), sets_of(other), most);
}

}  // namespace basesweep
