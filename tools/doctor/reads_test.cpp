#include "tools/doctor/reads_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/oracle/ends.hpp"
#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/trim/adapter_set.hpp"

namespace basesweep {
namespace {

using trial::Random;

constexpr const char* kBases = "ACGT";

// The fewest edits that turn the whole pattern into a stretch of the text.
std::uint8_t least_edits(const std::string& pattern, const std::string& text) {
  const std::vector<std::size_t> ends = oracle::fewest_edits(pattern, text);
  std::size_t least = pattern.size();  // in no text at all
  for (const std::size_t edits : ends) least = std::min(least, edits);
  return static_cast<std::uint8_t>(std::min<std::size_t>(least, BarcodeScorer::kMaxCost));
}

BarcodeTexts make_barcodes(Random& random, const char* name, std::size_t shortest, std::size_t longest,
                           std::size_t flank) {
  BarcodeTexts texts{
      name, {trial::random_letters(random, flank, kBases), trial::random_letters(random, flank, kBases), {}}, {}, {}};
  std::vector<std::string> patterns;
  for (int i = 0; i < 40; ++i) {
    const std::string barcode =
        trial::random_letters(random, random.between(shortest, longest), i % 8 == 7 ? "ACGTRYN" : kBases);
    texts.barcodes.barcodes.push_back(barcode);
    patterns.push_back(texts.barcodes.left + barcode + texts.barcodes.right);
  }
  for (int i = 0; i < 20; ++i) {
    std::string text = trial::random_letters(random, random.below(70), "ACGTN");
    if (random.chance(70)) {
      std::string planted = random.pick(patterns);
      for (char& letter : planted) letter = random.pick(oracle::members(letter));
      text += trial::mutate(random, planted, random.below(6)) + trial::random_letters(random, random.below(20), kBases);
    }
    for (const std::string& pattern : patterns) texts.expected.push_back(least_edits(pattern, text));
    texts.texts.push_back(std::move(text));
  }
  return texts;
}

// Where a read is cut: at the first whole adapter, else at the longest of its starts that ends the read.
std::size_t cut_of(const std::string& read, const std::string& adapter, std::size_t overlap) {
  const std::size_t whole = read.find(adapter);
  if (whole != std::string::npos) return whole;
  for (std::size_t length = std::min(adapter.size(), read.size()); length >= overlap; --length) {
    if (read.ends_with(std::string_view(adapter).substr(0, length))) return read.size() - length;
  }
  return read.size();
}

GuideCall plain_call(const CountTexts& texts, const std::string& read) {
  GuideCall best;
  std::size_t fewest = texts.options.edits + 1;
  std::optional<std::size_t> found;
  bool several = false;
  const auto look = [&](std::size_t number, const std::string& guide) {
    for (std::size_t start = 0; start + guide.size() <= read.size(); ++start) {
      std::size_t mismatches = 0;
      for (std::size_t i = 0; i < guide.size(); ++i) mismatches += read[start + i] == guide[i] ? 0 : 1;
      if (mismatches > fewest || (mismatches == fewest && !found)) continue;
      several = mismatches == fewest && (several || *found != number);
      fewest = mismatches;
      found = number;
    }
  };
  for (std::size_t i = 0; i < texts.guides.size(); ++i) {
    if (texts.options.strands != StrandChoice::minus) look(i, texts.guides[i]);
    if (texts.options.strands != StrandChoice::plus) look(i, oracle::reverse_complement(texts.guides[i]));
  }
  if (!found) return best;
  best.guide = several ? GuideCall::kSeveral : static_cast<std::uint32_t>(*found);
  best.edits = static_cast<std::uint32_t>(fewest);
  return best;
}

CountTexts make_counts(Random& random, const char* name, GuideLookupOptions options) {
  CountTexts texts{name, {}, options, {}, {}};
  for (int i = 0; i < 30; ++i) {
    std::string guide = trial::random_letters(random, 20, kBases);
    if (i % 5 == 4) {  // near to the one before
      guide = texts.guides.back();
      guide[7] = guide[7] == 'A' ? 'C' : 'A';
    }
    texts.guides.push_back(std::move(guide));
  }
  for (int i = 0; i < 100; ++i) {
    std::string guide = random.pick(texts.guides);
    for (std::uint64_t edits = random.below(3); edits != 0; --edits) guide[random.below(20)] = "ACGTN"[random.below(5)];
    if (random.chance(30)) guide = oracle::reverse_complement(guide);
    texts.reads.push_back(trial::random_letters(random, random.below(9), kBases) + guide +
                          trial::random_letters(random, random.below(9), kBases));
    texts.expected.push_back(plain_call(texts, texts.reads.back()));
  }
  return texts;
}

}  // namespace

std::vector<BarcodeTexts> barcode_texts(Random& random) {
  std::vector<BarcodeTexts> all;
  all.push_back(make_barcodes(random, "barcodes of 24", 24, 24, 0));
  all.push_back(make_barcodes(random, "barcodes of 6 to 64 with flanks of 20", 6, kMaxBarcodeLetters, 20));
  return all;
}

std::vector<AdapterTexts> adapter_texts(Random& random) {
  AdapterTexts texts{"a 3' adapter of 13", "AGATCGGAAGAGC", {}, {}};
  for (int i = 0; i < 200; ++i) {
    std::string read = trial::random_letters(random, random.below(60), "ACGTN");
    if (random.chance(60)) read += texts.adapter.substr(0, random.between(1, texts.adapter.size()));
    if (random.chance(30)) read += trial::random_letters(random, random.below(20), kBases);
    texts.expected.push_back(cut_of(read, texts.adapter, AdapterDefaults().min_overlap));
    texts.reads.push_back(std::move(read));
  }
  return {std::move(texts)};
}

std::vector<CountTexts> count_texts(Random& random) {
  std::vector<CountTexts> all;
  all.push_back(make_counts(random, "guides of 20", {.edits = 0}));
  all.push_back(make_counts(random, "guides of 20, a mismatch", {.edits = 1}));
  all.push_back(
      make_counts(random, "guides of 20, a mismatch, both strands", {.edits = 1, .strands = StrandChoice::both}));
  return all;
}

std::string try_barcodes(const BarcodeTexts& texts, const BarcodeScorer& scorer) {
  const std::vector<std::string_view> views(texts.texts.begin(), texts.texts.end());
  std::vector<std::uint8_t> costs(texts.expected.size());
  scorer.score(views, costs.data());
  const std::size_t count = texts.barcodes.barcodes.size();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (costs[i] == texts.expected[i]) continue;
    return fmt::format("barcode {} in '{}': found {} edits, expected {}", texts.barcodes.barcodes[i % count],
                       texts.texts[i / count], costs[i], texts.expected[i]);
  }
  return "";
}

std::string try_adapters(const AdapterTexts& texts) {
  const AdapterSet adapters({parse_adapter(texts.adapter, AdapterKind::three_prime, {.max_errors = 0})});
  std::vector<LetterSet> sets;
  for (std::size_t i = 0; i < texts.reads.size(); ++i) {
    sets.clear();
    append_read_sets(texts.reads[i], false, sets);
    const std::optional<FoundAdapter> found = adapters.find(sets);
    const std::size_t cut = found ? found->kept.end : texts.reads[i].size();
    if (cut != texts.expected[i])
      return fmt::format("'{}': cut at {}, expected {}", texts.reads[i], cut, texts.expected[i]);
  }
  return "";
}

std::string try_counts(const CountTexts& texts) {
  const GuideLookup lookup(texts.guides, texts.options);
  for (std::size_t i = 0; i < texts.reads.size(); ++i) {
    const GuideCall call = lookup.find(texts.reads[i], {});
    if (call == texts.expected[i]) continue;
    return fmt::format("'{}': found guide {} with {} edits, expected {} with {}", texts.reads[i], call.guide,
                       call.edits, texts.expected[i].guide, texts.expected[i].edits);
  }
  return "";
}

}  // namespace basesweep
