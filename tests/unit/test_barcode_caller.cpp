// Calls of samples: those of full matrices and of the rules in plain code; turned reads, exchanged mates, permuted
// sheets.
#include "lib/demux/barcode_caller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/iupac_letters.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_barcode_caller {

namespace {

constexpr std::uint32_t kNever = 1'000'000;

std::string turn(const std::string& bases) {
  std::string turned(bases.rbegin(), bases.rend());
  for (char& letter : turned) letter = complement_letter(letter);
  return turned;
}

// A cell of the matrix: the edits, and where the alignment begins, the last place of those with as few edits.
struct Cell {
  std::uint32_t edits;
  std::size_t begin;
};

// The last row of the matrix of a pattern and a text.
std::vector<Cell> last_row(const std::string& pattern, const std::string& text) {
  const auto better = [](Cell one, Cell other) {
    return one.edits != other.edits ? (one.edits < other.edits ? one : other)
                                    : (one.begin >= other.begin ? one : other);
  };
  std::vector<std::vector<Cell>> cells(pattern.size() + 1, std::vector<Cell>(text.size() + 1));
  for (std::size_t j = 0; j <= text.size(); ++j) cells[0][j] = {0, j};
  for (std::size_t i = 1; i <= pattern.size(); ++i) {
    for (std::size_t j = 0; j <= text.size(); ++j) {
      Cell cell{cells[i - 1][j].edits + 1, cells[i - 1][j].begin};
      if (j > 0) {
        const BaseSet base = iupac_set(text[j - 1]);
        const bool same = is_single_base(base) && (pattern_letter_set(pattern[i - 1]) & base) != 0;
        cell = better(cell, {cells[i][j - 1].edits + 1, cells[i][j - 1].begin});
        cell = better(cell, {cells[i - 1][j - 1].edits + (same ? 0 : 1), cells[i - 1][j - 1].begin});
      }
      cells[i][j] = cell;
    }
  }
  return cells.back();
}

std::uint32_t edits_in(const std::string& pattern, const std::string& text) {
  std::uint32_t least = kNever;
  for (const Cell& cell : last_row(pattern, text)) least = std::min(least, cell.edits);
  return least;
}

struct Interval {
  std::size_t begin, end;
};

Interval place_of(const Barcode& barcode, const std::string& text) {
  const std::vector<Cell> row = last_row(barcode.left + barcode.barcode + barcode.right, text);
  std::size_t end = 0;
  for (std::size_t j = 1; j < row.size(); ++j) {
    if (row[j].edits < row[end].edits) end = j;
  }
  return {row[end].begin, end};
}

struct Sheet {
  std::vector<Barcode> first, second;
  std::vector<SampleBarcodes> samples;
  std::uint32_t context = 20;
};

// The rules in plain code.
class NaiveCaller {
 public:
  NaiveCaller(const Sheet& sheet, const SampleCallOptions& options) : sheet_(sheet), options_(options) {}

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
    } else if (!holds(all, *best)) {
      result.reason = NoSample::none;
    } else {
      assign(all, *best, paired, result);
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

  bool holds(const std::vector<Orientation>& all, std::size_t s) const {
    const SampleBarcodes& sample = sheet_.samples[s];
    return std::any_of(all.begin(), all.end(), [&](const Orientation& one) {
      const bool first = holds(sheet_.first[sample.first], one.first[sample.first], one.first_text);
      if (sample.second == SampleBarcodes::kNoBarcode) return first;
      const bool second = holds(sheet_.second[sample.second], one.second[sample.second], one.second_text);
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

  void assign(const std::vector<Orientation>& all, std::size_t best, bool paired, SampleCall& result) const {
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
      if (one.first[sample.first] <= sheet_.first[sample.first].limit) {
        if (paired || plus_strand) {
          cut_before(place.end, result.kept[paired && !plus_strand ? 1 : 0]);
        } else {
          cut_after(whole[0].end - place.end, result.kept[0]);
        }
      }
      if (sample.second == SampleBarcodes::kNoBarcode || one.second[sample.second] > sheet_.second[sample.second].limit)
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
};

std::string print(const SampleCall& call, std::size_t mates) {
  const auto number = [](const std::optional<std::uint32_t>& edits) { return edits ? fmt::format("{}", *edits) : "."; };
  std::string text = fmt::format("sample {} {} strand {} edits {} second {}", call.sample, word_of(call.reason),
                                 call.strand, number(call.edits), number(call.second));
  for (std::size_t mate = 0; mate < mates; ++mate) {
    const SampleCall::Stretch& kept = call.kept[mate];
    text += kept.begin == kept.end ? " nothing" : fmt::format(" {}-{}", kept.begin, kept.end);
  }
  return text;
}

// The call for the read turned, or for the pair with its mates exchanged.
SampleCall turned(SampleCall call, const std::vector<std::string>& reads) {
  call.strand = call.strand == '+' ? '-' : call.strand == '-' ? '+' : '.';
  if (reads.size() == 2) {
    std::swap(call.kept[0], call.kept[1]);
  } else {
    const auto letters = static_cast<std::uint32_t>(reads[0].size());
    call.kept[0] = {letters - call.kept[0].end, letters - call.kept[0].begin};
  }
  return call;
}

struct Trial {
  Sheet sheet;
  SampleCallOptions options;
  bool paired = false;
};

std::vector<Barcode> random_barcodes(trial::Random& random, std::size_t count) {
  const std::string letters = random.chance(20) ? "ACGTN" : "ACGT";
  const std::size_t flank = random.chance(30) ? 0 : random.below(30);
  const std::string left = trial::random_letters(random, flank, "ACGT");
  const std::string right = trial::random_letters(random, random.chance(30) ? 0 : random.below(30), "ACGT");
  const std::size_t length = 4 + random.below(12);
  std::vector<Barcode> barcodes;
  while (barcodes.size() < count) {
    Barcode one{random.chance(10) ? left.substr(0, left.size() / 2) : left,
                trial::random_letters(random, random.chance(20) ? length + 1 : length, letters), right};
    one.limit =
        static_cast<std::uint32_t>(random.below(1 + (one.left.size() + one.barcode.size() + one.right.size()) / 3));
    if (random.chance(50)) one.own_limit = static_cast<std::uint32_t>(random.below(1 + one.barcode.size() / 2));
    if (std::find(barcodes.begin(), barcodes.end(), one) == barcodes.end()) barcodes.push_back(std::move(one));
  }
  return barcodes;
}

Trial random_trial(trial::Random& random) {
  Trial all;
  all.sheet.context = static_cast<std::uint32_t>(random.below(25));
  all.sheet.first = random_barcodes(random, 1 + random.below(9));
  const bool dual = random.chance(60);
  if (dual) all.sheet.second = random_barcodes(random, 1 + random.below(6));
  for (std::uint32_t first = 0; first < all.sheet.first.size(); ++first) {
    if (!dual || random.chance(10)) {
      all.sheet.samples.push_back({first, SampleBarcodes::kNoBarcode});
    } else {
      for (std::uint32_t second = 0; second < all.sheet.second.size(); ++second) {
        if (random.chance(40)) all.sheet.samples.push_back({first, second});
      }
    }
  }
  if (all.sheet.samples.empty()) all.sheet.samples.push_back({0, dual ? 0 : SampleBarcodes::kNoBarcode});
  all.options.margin = static_cast<std::uint32_t>(1 + random.below(3));
  all.options.ends.window = static_cast<std::uint32_t>(20 + random.below(100));
  all.options.ends.anywhere = random.chance(25);
  all.options.either_end = dual && random.chance(30);
  all.options.ends.strands = random.chance(60)   ? StrandChoice::both
                             : random.chance(50) ? StrandChoice::plus
                                                 : StrandChoice::minus;
  all.paired = random.chance(40);
  return all;
}

std::string with_edits(trial::Random& random, std::string text) {
  for (std::size_t edits = random.below(5); edits-- > 0 && !text.empty();) {
    const std::size_t at = random.below(text.size());
    switch (random.below(3)) {
      case 0: text[at] = random.chance(20) ? 'N' : "ACGT"[random.below(4)]; break;
      case 1: text.erase(at, 1); break;
      default: text.insert(at, 1, "ACGT"[random.below(4)]);
    }
  }
  return text;
}

std::string word_of_pattern(const Barcode& barcode) {
  std::string word = barcode.left + barcode.barcode + barcode.right;
  std::replace(word.begin(), word.end(), 'N', 'C');
  return word;
}

std::vector<std::string> random_reads(trial::Random& random, const Trial& all) {
  const auto filling = [&random](std::size_t most) {
    return trial::random_letters(random, random.below(most), "ACGT");
  };
  const Sheet& sheet = all.sheet;
  std::string first = random.chance(85) ? with_edits(random, word_of_pattern(random.pick(sheet.first))) : "";
  std::string second =
      !sheet.second.empty() && random.chance(85) ? with_edits(random, word_of_pattern(random.pick(sheet.second))) : "";
  if (random.chance(70)) {  // those of a sample
    const SampleBarcodes& sample = random.pick(sheet.samples);
    first = with_edits(random, word_of_pattern(sheet.first[sample.first]));
    if (sample.second != SampleBarcodes::kNoBarcode)
      second = with_edits(random, word_of_pattern(sheet.second[sample.second]));
  }
  std::vector<std::string> reads;
  if (all.paired) {
    reads = {filling(8) + first + filling(80), filling(8) + second + filling(80)};
    if (random.chance(40)) std::swap(reads[0], reads[1]);
  } else {
    reads = {filling(8) + first + filling(120) + second + filling(8)};
    if (random.chance(15)) reads[0] += turn(with_edits(random, word_of_pattern(random.pick(sheet.first)))) + filling(8);
    if (random.chance(50)) reads[0] = turn(reads[0]);
  }
  if (random.chance(5)) reads[0].resize(random.below(reads[0].size() + 1));
  return reads;
}

std::vector<SampleCall> calls_of(const Sheet& sheet, const SampleCallOptions& options,
                                 const std::vector<std::string>& reads, bool paired) {
  const auto make = [](const FlankedBarcodes& patterns) { return make_barcode_scorer(patterns); };
  const BarcodeSet first(sheet.first, sheet.context, make);
  std::optional<BarcodeSet> second;
  if (!sheet.second.empty()) second.emplace(sheet.second, sheet.context, make);
  const BarcodeCaller caller(first, second ? &*second : nullptr, sheet.samples, options);
  const std::vector<std::string_view> views(reads.begin(), reads.end());
  return paired ? caller.call_pairs(views) : caller.call_reads(views);
}

}  // namespace

TEST_CASE("calls of samples follow the rules") {
  trial::Random random(support::test_seed());
  const auto rounds = static_cast<int>(support::test_cases(300));
  std::vector<std::size_t> seen(kNoSampleReasons);
  for (int round = 0; round < rounds; ++round) {
    const Trial all = random_trial(random);
    std::vector<std::vector<std::string>> given;
    std::vector<std::string> reads, mirrored;
    for (int i = 0; i < 30; ++i) {
      given.push_back(random_reads(random, all));
      reads.insert(reads.end(), given.back().begin(), given.back().end());
      if (all.paired) {
        mirrored.insert(mirrored.end(), given.back().rbegin(), given.back().rend());
      } else {
        mirrored.push_back(turn(given.back()[0]));
      }
    }
    const std::vector<SampleCall> calls = calls_of(all.sheet, all.options, reads, all.paired);
    SampleCallOptions other_way = all.options;
    if (other_way.ends.strands != StrandChoice::both)
      other_way.ends.strands = other_way.ends.strands == StrandChoice::plus ? StrandChoice::minus : StrandChoice::plus;
    const std::vector<SampleCall> mirrored_calls = calls_of(all.sheet, other_way, mirrored, all.paired);
    // The sheet the other way round.
    Sheet permuted = all.sheet;
    std::reverse(permuted.first.begin(), permuted.first.end());
    std::reverse(permuted.samples.begin(), permuted.samples.end());
    for (SampleBarcodes& sample : permuted.samples)
      sample.first = static_cast<std::uint32_t>(permuted.first.size()) - 1 - sample.first;
    std::vector<SampleCall> permuted_calls = calls_of(permuted, all.options, reads, all.paired);
    for (SampleCall& call : permuted_calls) {
      if (call.sample != SampleCall::kNoSample)
        call.sample = static_cast<std::uint32_t>(permuted.samples.size()) - 1 - call.sample;
    }

    const NaiveCaller naive(all.sheet, all.options);
    for (std::size_t i = 0; i < given.size(); ++i) {
      CAPTURE(round, i, given[i], all.sheet.context, all.options.margin, all.options.ends.window,
              all.options.ends.anywhere, all.options.either_end, all.paired);
      ++seen[static_cast<std::size_t>(calls[i].reason)];
      const std::size_t mates = given[i].size();
      REQUIRE(print(calls[i], mates) == print(naive.call(given[i]), mates));
      REQUIRE(print(mirrored_calls[i], mates) == print(turned(calls[i], given[i]), mates));
      REQUIRE(print(permuted_calls[i], mates) == print(calls[i], mates));
    }
  }
  for (const std::size_t reason : seen) CHECK(reason != 0);
}

}  // namespace basesweep::test_barcode_caller
