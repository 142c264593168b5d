// Calls of samples: those of full matrices and of the rules in plain code; turned reads, exchanged mates, permuted
// sheets.
#include "lib/demux/barcode_caller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/demux/rare_edits.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/unit/naive_barcode_caller.hpp"

namespace basesweep::test_barcode_caller {

namespace {

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

std::unique_ptr<BarcodeSet> set_of(const std::vector<Barcode>& barcodes, std::uint32_t context) {
  if (barcodes.empty()) return nullptr;
  return std::make_unique<BarcodeSet>(barcodes, context,
                                      [](const FlankedBarcodes& patterns) { return make_barcode_scorer(patterns); });
}

std::vector<SampleCall> calls_of(const Sheet& sheet, const SampleCallOptions& options,
                                 const std::vector<std::string>& reads, bool paired) {
  const auto first = set_of(sheet.first, sheet.context), second = set_of(sheet.second, sheet.context);
  const BarcodeCaller caller(*first, second.get(), sheet.samples, options);
  const std::vector<std::string_view> views(reads.begin(), reads.end());
  return paired ? caller.call_pairs(views) : caller.call_reads(views);
}

}  // namespace

TEST_CASE("rare edits are those that one in a hundred random texts has") {
  const std::vector<Barcode> barcodes = {
      {"", "ACGTACGTACGT", ""}, {"", "GATTACAG", ""}, {"ACGGTTAGCC", "TTGACCAT", "GGATTC"}, {"", "NNNN", ""}};
  const auto set = set_of(barcodes, 20);
  const RareEdits rare(150);
  // Other texts than those that it looks at.
  trial::Random random(support::test_seed());
  for (const std::size_t bases : {30, 60, 150, 400}) {
    std::vector<std::string> texts;
    for (int i = 0; i < 1500; ++i) texts.push_back(trial::random_letters(random, bases, "ACGT"));
    for (std::size_t i = 0; i < barcodes.size(); ++i) {
      std::vector<int> with(32);
      for (const std::string& text : texts) ++with[std::min(edits_in(pattern_of(barcodes[i], 20), text), 31U)];
      double part = 0;
      for (std::uint32_t edits = 0; edits < 12; ++edits) {
        part += with[edits] / static_cast<double>(texts.size());
        CAPTURE(bases, i, edits, part);
        const bool is_rare = rare.are_rare(*set, i, edits, bases);
        if (part > 0.03) CHECK_FALSE(is_rare);
        if (part < 0.002) CHECK(is_rare);
      }
    }
  }
  CHECK_FALSE(rare.are_rare(*set, 3, 0, 150));
}

TEST_CASE("calls of samples follow the rules") {
  trial::Random random(support::test_seed());
  constexpr std::uint64_t kRoundsForAllReasons = 60;
  const auto rounds = static_cast<int>(std::max(support::test_cases(300), kRoundsForAllReasons));
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

    const auto first = set_of(all.sheet.first, all.sheet.context), second = set_of(all.sheet.second, all.sheet.context);
    const BarcodeCaller::Rare rare(all.options.ends);
    const NaiveCaller naive(all.sheet, all.options,
                            [&](bool is_first, std::uint32_t barcode, std::uint32_t edits, std::size_t bases) {
                              return is_first ? rare.first.are_rare(*first, barcode, edits, bases)
                                              : rare.second.are_rare(*second, barcode, edits, bases);
                            });
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
