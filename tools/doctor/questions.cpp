#include "tools/doctor/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/oracle/trial/compare_hits.hpp"
#include "lib/oracle/trial/mutate.hpp"

namespace basesweep {
namespace {

using trial::Random;

std::vector<std::string> words(Random& random, std::size_t count, std::size_t min_length, std::size_t max_length) {
  std::vector<std::string> words = {"ACACACACAC", "GAATTC"};  // a repeat, a palindrome
  while (words.size() < count) {
    words.push_back(trial::random_letters(random, random.between(min_length, max_length), "ACGT"));
  }
  return words;
}

// A text that contains most of the patterns several times.
MotifText motif_text(Random& random, oracle::Question question) {
  question.records = records_of_all_shapes(random);
  for (int round = 0; round < 10; ++round) trial::plant(random, question.patterns, question.records);
  const std::size_t bases = std::accumulate(question.records.begin(), question.records.end(), std::size_t{0},
                                            [](std::size_t sum, const std::string& r) { return sum + r.size(); });
  std::vector<oracle::Hit> hits = oracle::search(question);
  return {std::move(question), std::move(hits), trial::random_cuts(random, bases)};
}

std::vector<MotifSet> motif_sets(Random& random) {
  constexpr int kTexts = 3;  // making a matcher is expensive on a GPU, so each searches several texts
  const std::vector<std::string> letters = records_of_all_shapes(random);
  std::vector<std::string> with_sets = trial::random_patterns(random, trial::PatternKind::iupac, letters);
  with_sets.emplace_back("GANTC");
  const std::pair<const char*, std::vector<std::string>> all[] = {
      {"motifs with IUPAC codes", with_sets},
      {"100 motifs of 6 to 16", words(random, 100, 6, 16)},
      {"motifs of 16 and more", trial::random_patterns(random, trial::PatternKind::long_acgt, letters)}};
  std::vector<MotifSet> sets;
  for (const auto& [name, patterns] : all) {
    oracle::Question question;
    question.patterns = patterns;
    question.palindromes_twice = sets.size() == 1;
    MotifSet set{name, trial::pattern_set(question), {}};
    for (int text = 0; text < kTexts; ++text) {
      question.skip_soft_masked = text == 1;
      set.texts.push_back(motif_text(random, question));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

EditSet edit_set(Random& random, const std::string& name, std::size_t count, std::size_t min_length,
                 std::size_t max_length, const EditOptions& edits, bool iupac) {
  constexpr std::size_t kPositions = 6000;
  std::string text = trial::random_letters(random, kPositions, "ACGT");
  text.replace(kPositions / 2, 500, trial::random_letters(random, 500, "AC"));
  std::vector<Pattern> patterns;
  while (patterns.size() < count) {
    std::string letters = trial::random_letters(random, random.between(min_length, max_length), "ACGT");
    for (int copies = 0; copies < 3; ++copies) {
      std::string planted = trial::mutate(random, letters, random.below(*edits.edits + 2));
      if (copies == 1) planted = oracle::reverse_complement(planted);
      const std::size_t last = kPositions - planted.size();
      text.replace(random.chance(20) ? last : random.below(last) / 64 * 64, planted.size(), planted);
    }
    if (iupac) letters[random.below(letters.size())] = random.pick(std::string("RYSWKMBDHVN"));
    patterns.push_back({fmt::format("p{}", patterns.size()), std::move(letters)});
  }
  PatternSet set(std::move(patterns), StrandChoice::both, PalindromeChoice::once, edits);
  trial::Ends expected = trial::expected_ends(set, text);
  return {name, std::move(text), std::move(set), std::move(expected)};
}

std::vector<EditSet> edit_sets(Random& random) {
  std::vector<EditSet> sets;
  sets.push_back(edit_set(random, "primers, 2 edits", 8, 21, 32, within(2), true));
  sets.push_back(edit_set(random, "guides, 3 mismatches", 12, 24, 24, within(3, 0), false));
  sets.push_back(edit_set(random, "patterns of 60 to 150, 6 edits", 4, 60, 150, within(6), false));
  return sets;
}

ReadSet read_set(Random& random) {
  ReadSet set;
  set.name = "reads of 20 to 300, an edit in 20 bases";
  const std::string first = trial::random_letters(random, 3000, "ACGT");
  const std::string repeats = trial::random_letters(random, 500, "AC");
  set.records = {first, repeats + std::string(9, 'N') + first.substr(100, 700), "ACGTN"};
  constexpr std::size_t kReads = 24;
  while (set.reads.size() < 2 * kReads) {
    const std::size_t length = set.reads.empty() ? 300 : random.between(20, 160);
    const auto edits = static_cast<std::uint32_t>(length / 20);
    const std::string& record = set.records[random.below(2)];
    std::string letters = record.substr(random.below(record.size() - length), length);
    std::replace(letters.begin(), letters.end(), 'N', 'G');
    letters = trial::mutate(random, letters, random.below(edits + 2));
    if (random.chance(20)) letters[random.below(letters.size())] = 'N';
    set.reads.push_back({letters, edits});
    set.reads.push_back({oracle::reverse_complement(letters), edits});
  }
  set.expected = trial::expected_read_ends(set.records, set.reads);
  return set;
}

// Matrices of all widths, with thresholds that few and many places reach.
std::vector<MatrixTexts> matrix_texts(Random& random) {
  std::vector<MatrixTexts> texts;
  for (const auto& [name, p] : {std::pair("matrices, p-value 0.001", 1e-3), {"matrices, p-value 0.1", 0.1}}) {
    std::vector<FileMatrix> files;
    for (std::size_t i = 0; i < 12; ++i) {
      files.push_back(trial::random_matrix(random, i, i < 8 ? 6 + i : random.between(1, kMaxMatrixWidth)));
    }
    MatrixSet::Options options;
    options.threshold = {Threshold::Kind::p_value, p};
    MatrixSet matrices(files, options);
    std::vector<std::string> records = records_of_all_shapes(random);
    const bool skip = random.chance(50);
    oracle::MatrixQuestion question = trial::matrix_question(matrices, records, StrandChoice::both, skip);
    std::size_t bases = 0;
    for (const std::string& record : records) bases += record.size();
    std::vector<oracle::Hit> expected = oracle::search(question);
    texts.push_back(
        {name, std::move(matrices), std::move(question), std::move(expected), trial::random_cuts(random, bases)});
  }
  return texts;
}

}  // namespace

EditOptions within(std::uint32_t edits, std::optional<std::uint32_t> indels) {
  EditOptions options;
  options.edits = edits;
  options.max_indels = indels;
  return options;
}

std::vector<std::string> records_of_all_shapes(trial::Random& random) {
  std::vector<std::string> records;
  for (int shape = 0; shape < trial::kTextShapes; ++shape) {
    for (std::string& record : trial::random_records(random, static_cast<trial::TextShape>(shape))) {
      records.push_back(std::move(record));
    }
  }
  return records;
}

Questions::Questions(Random& random)
    : motifs(motif_sets(random)),
      edits(edit_sets(random)),
      reads{read_set(random)},
      matrices(matrix_texts(random)),
      guides(guide_texts(random)),
      barcodes(barcode_texts(random)),
      adapters(adapter_texts(random)),
      counts(count_texts(random)) {}

}  // namespace basesweep
