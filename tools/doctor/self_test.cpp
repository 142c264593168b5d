#include "tools/doctor/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <optional>
#include <utility>

#include "lib/error.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/read_ends.hpp"
#include "tools/doctor/file_test.hpp"

namespace basesweep {
namespace {

using support::Random;

// What comes of one set of patterns or reads.
struct Outcome {
  std::optional<std::string> declined;
  std::string fault;
};

// "algorithm planes cannot take pattern 'p0': WHY" without whom and what it speaks of.
std::string bare(const std::string& declined) {
  const std::size_t colon = declined.find(": ");
  return colon == std::string::npos ? declined : declined.substr(colon + 2);
}

std::string repeat_command(const SelfTest& test, const TestedDevice& where) {
  const bool cpu = where.device == Device::cpu;
  return fmt::format("{}basesweep doctor --device {} --seed {}",
                     cpu ? fmt::format("BASESWEEP_ISA={} ", to_string(where.isa)) : "",
                     cpu ? "cpu" : fmt::format("gpu:{}", where.gpu), test.seed);
}

// Fills in a row by trying all sets, of which `names` has the names, up to the first fault.
TestRow try_sets(TestRow row, const std::vector<std::string>& names, const std::function<Outcome(std::size_t)>& attempt,
                 const std::string& repeat) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    Outcome outcome;
    try {
      outcome = attempt(i);
    } catch (const std::exception& error) {
      outcome.fault = std::string("exception: ") + error.what();
    }
    if (outcome.declined) {
      row.reason = bare(*outcome.declined);
      continue;
    }
    ++row.sets;
    if (outcome.fault.empty()) continue;
    row.verdict = Verdict::failed;
    row.reason = fmt::format("{}: {}", names[i], outcome.fault);
    row.repeat = repeat;
    return row;
  }
  row.verdict = row.sets == 0 ? Verdict::declined : Verdict::ok;
  return row;
}

struct MadeMatcher {
  std::unique_ptr<Matcher> matcher;
  std::optional<std::string> declined;
};

MadeMatcher make(const SelfTest& test, const PatternSet& set, Algorithm algorithm, const TestedDevice& where,
                 Output output) {
  MatcherOptions options;
  options.algorithm = algorithm;
  options.device = where.device;
  options.gpu = where.gpu;
  options.isa = where.isa;
  options.output = output;
  try {
    return {test.matcher(set, options), std::nullopt};
  } catch (const UsageError& declined) {
    return {nullptr, declined.what()};
  }
}

std::vector<Algorithm> with_automatic(std::vector<Algorithm> algorithms) {
  algorithms.insert(algorithms.begin(), Algorithm::automatic);
  return algorithms;
}

template <class Set>
std::vector<std::string> names_of(const std::vector<Set>& sets) {
  std::vector<std::string> names;
  for (const Set& set : sets) names.push_back(set.name);
  return names;
}

struct MotifText {
  oracle::Question question;
  std::vector<oracle::Hit> expected;
  support::Chunking cut;
};

struct MotifSet {
  std::string name;
  PatternSet patterns;
  std::vector<MotifText> texts;
};

// Records of every kind.
std::vector<std::string> records_of_all_shapes(Random& random) {
  std::vector<std::string> records;
  for (int shape = 0; shape < support::kTextShapes; ++shape) {
    for (std::string& record : support::random_records(random, static_cast<support::TextShape>(shape))) {
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::vector<std::string> words(Random& random, std::size_t count, std::size_t least, std::size_t most) {
  std::vector<std::string> words = {"ACACACACAC", "GAATTC"};  // a repeat, a palindrome
  while (words.size() < count) words.push_back(support::random_letters(random, random.between(least, most), "ACGT"));
  return words;
}

// A text for the patterns, most of which stand in it several times.
MotifText motif_text(Random& random, oracle::Question question) {
  question.records = records_of_all_shapes(random);
  for (int round = 0; round < 10; ++round) support::plant(random, question.patterns, question.records);
  const std::size_t bases = std::accumulate(question.records.begin(), question.records.end(), std::size_t{0},
                                            [](std::size_t sum, const std::string& r) { return sum + r.size(); });
  std::vector<oracle::Hit> hits = oracle::search(question);
  return {std::move(question), std::move(hits), support::random_chunking(random, bases)};
}

std::vector<MotifSet> motif_sets(Random& random) {
  constexpr int kTexts = 3;  // matchers are dear on a GPU, texts are not
  const std::vector<std::string> letters = records_of_all_shapes(random);
  std::vector<std::string> with_sets = support::random_patterns(random, support::PatternKind::iupac, letters);
  with_sets.emplace_back("GANTC");
  const std::pair<const char*, std::vector<std::string>> all[] = {
      {"motifs with IUPAC codes", with_sets},
      {"100 motifs of 6 to 16", words(random, 100, 6, 16)},
      {"motifs of 16 and more", support::random_patterns(random, support::PatternKind::long_acgt, letters)}};
  std::vector<MotifSet> sets;
  for (const auto& [name, patterns] : all) {
    oracle::Question question;
    question.patterns = patterns;
    question.palindromes_twice = sets.size() == 1;
    MotifSet set{name, support::pattern_set(question), {}};
    for (int text = 0; text < kTexts; ++text) {
      question.skip_soft_masked = text == 1;
      set.texts.push_back(motif_text(random, question));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

Outcome try_motifs(const SelfTest& test, const MotifSet& set, Algorithm algorithm, const TestedDevice& where) {
  const MadeMatcher hits = make(test, set.patterns, algorithm, where, Output::hits);
  if (hits.declined) return {hits.declined, ""};
  const MadeMatcher counts = make(test, set.patterns, algorithm, where, Output::counts);
  if (counts.declined) return {counts.declined, ""};
  for (const MotifText& text : set.texts) {
    const auto batches = [&](const support::Chunking& cut, Matcher& matcher) {
      return support::make_batches(text.question.records, cut,
                                   {.isa = where.isa, .soft_masked = text.question.skip_soft_masked},
                                   set.patterns.max_length(), matcher.memory());
    };
    std::string fault;
    for (const support::Chunking& cut : {support::Chunking(), text.cut}) {
      const support::Batches all = batches(cut, *hits.matcher);
      if (fault.empty()) fault = support::compare_hits(*hits.matcher, all, set.patterns, text.expected);
    }
    const support::Batches all = batches(text.cut, *counts.matcher);
    if (fault.empty()) fault = support::compare_counts(*counts.matcher, all, set.patterns, text.expected);
    if (!fault.empty()) return {std::nullopt, fault};
  }
  return {};
}

struct EditSet {
  std::string name;
  std::string text;
  PatternSet patterns;
  support::Ends expected;
};

EditSet edit_set(Random& random, const std::string& name, std::size_t count, std::size_t least, std::size_t most,
                 const EditOptions& edits, bool iupac) {
  constexpr std::size_t kColumns = 6000;
  std::string text = support::random_letters(random, kColumns, "ACGT");
  text.replace(kColumns / 2, 500, support::random_letters(random, 500, "AC"));
  std::vector<Pattern> patterns;
  while (patterns.size() < count) {
    std::string letters = support::random_letters(random, random.between(least, most), "ACGT");
    for (int copies = 0; copies < 3; ++copies) {
      std::string planted = support::mutate(random, letters, random.below(*edits.edits + 2));
      if (copies == 1) planted = oracle::reverse_complement(planted);
      const std::size_t last = kColumns - planted.size();
      text.replace(random.chance(20) ? last : random.below(last) / 64 * 64, planted.size(), planted);
    }
    if (iupac) letters[random.below(letters.size())] = random.pick(std::string("RYSWKMBDHVN"));
    patterns.push_back({fmt::format("p{}", patterns.size()), std::move(letters)});
  }
  PatternSet set(std::move(patterns), StrandChoice::both, PalindromeChoice::once, edits);
  support::Ends expected = support::expected_ends(set, text);
  return {name, std::move(text), std::move(set), std::move(expected)};
}

std::vector<EditSet> edit_sets(Random& random) {
  const auto within = [](std::uint32_t edits) {
    EditOptions options;
    options.edits = edits;
    return options;
  };
  EditOptions mismatches = within(3);
  mismatches.max_indels = 0;
  std::vector<EditSet> sets;
  sets.push_back(edit_set(random, "primers, 2 edits", 8, 21, 32, within(2), true));
  sets.push_back(edit_set(random, "guides, 3 mismatches", 12, 24, 24, mismatches, false));
  sets.push_back(edit_set(random, "patterns of 60 to 150, 6 edits", 4, 60, 150, within(6), false));
  return sets;
}

Outcome try_edits(const SelfTest& test, const EditSet& set, Algorithm algorithm, const TestedDevice& where) {
  const MadeMatcher made = make(test, set.patterns, algorithm, where, Output::hits);
  if (made.declined) return {made.declined, ""};
  const auto batch = support::text_batch(set.text, set.patterns, made.matcher->memory());
  return {std::nullopt, support::compare_ends(*made.matcher, algorithm, *batch, set.patterns, set.expected)};
}

struct ReadSet {
  std::string name;
  std::vector<std::string> records;
  std::vector<support::SoughtRead> reads;
  support::ReadEnds expected;
};

ReadSet read_set(Random& random) {
  ReadSet set;
  set.name = "reads of 20 to 300, an edit in 20 bases";
  const std::string first = support::random_letters(random, 3000, "ACGT");
  const std::string repeats = support::random_letters(random, 500, "AC");
  set.records = {first, repeats + std::string(9, 'N') + first.substr(100, 700), "ACGTN"};
  constexpr std::size_t kReads = 24;
  while (set.reads.size() < 2 * kReads) {
    const std::size_t length = set.reads.empty() ? 300 : random.between(20, 160);
    const auto edits = static_cast<std::uint32_t>(length / 20);
    const std::string& record = set.records[random.below(2)];
    std::string letters = record.substr(random.below(record.size() - length), length);
    std::replace(letters.begin(), letters.end(), 'N', 'G');
    letters = support::mutate(random, letters, random.below(edits + 2));
    if (random.chance(20)) letters[random.below(letters.size())] = 'N';
    set.reads.push_back({letters, edits});
    set.reads.push_back({oracle::reverse_complement(letters), edits});
  }
  set.expected = support::expected_read_ends(set.records, set.reads);
  return set;
}

Outcome try_reads(const SelfTest& test, const ReadSet& set, Algorithm algorithm, Candidates candidates,
                  const TestedDevice& where) {
  FinderOptions options;
  options.algorithm = algorithm;
  options.candidates = candidates;
  options.device = where.device;
  options.gpu = where.gpu;
  options.isa = where.isa;
  const auto reference = support::reads_reference(set.records);
  const std::unique_ptr<Finder> finder = test.finder(*reference, options);
  std::vector<ReadBatch> batches;
  batches.push_back(support::make_reads(set.reads));
  const std::vector<ReadEnd> found = support::find_all(*finder, batches).front();
  return {std::nullopt,
          support::compare_read_ends(found, set.expected, 0, set.reads.size(), candidates == Candidates::sweep)};
}

}  // namespace

std::string TestedDevice::name() const {
  return device == Device::cpu ? fmt::format("cpu {}", to_string(isa)) : fmt::format("gpu {}", gpu);
}

std::vector<TestRow> run_self_test(const SelfTest& test) {
  Random random(test.seed);
  const std::vector<MotifSet> motifs = motif_sets(random);
  const std::vector<EditSet> edits = edit_sets(random);
  const std::vector<ReadSet> reads = {read_set(random)};
  std::vector<TestRow> rows;
  const auto add = [&](const std::string& command, const std::string& algorithm, const TestedDevice& where,
                       const auto& sets, const std::function<Outcome(std::size_t)>& attempt) {
    rows.push_back(try_sets({command, algorithm, where.name()}, names_of(sets), attempt, repeat_command(test, where)));
  };
  for (const Algorithm algorithm : with_automatic(exact_algorithms())) {
    for (const TestedDevice& where : test.devices) {
      add("motif", to_string(algorithm), where, motifs,
          [&](std::size_t i) { return try_motifs(test, motifs[i], algorithm, where); });
    }
  }
  for (const Algorithm algorithm : with_automatic(approximate_algorithms())) {
    for (const TestedDevice& where : test.devices) {
      add("match", to_string(algorithm), where, edits,
          [&](std::size_t i) { return try_edits(test, edits[i], algorithm, where); });
    }
  }
  for (const Algorithm algorithm : with_automatic(read_algorithms())) {
    for (const auto& [candidates, name] : {std::pair(Candidates::index, "index"), {Candidates::sweep, "sweep"}}) {
      for (const TestedDevice& where : test.devices) {
        add("map", fmt::format("{}, {}", to_string(algorithm), name), where, reads,
            [&, by = candidates](std::size_t i) { return try_reads(test, reads[i], algorithm, by, where); });
      }
    }
  }
  std::optional<FileTest> files;
  std::string no_files;
  try {
    files.emplace(random);
  } catch (const IoError& error) {
    no_files = error.what();
  }
  for (const TestedDevice& where : test.devices) {
    TestRow row{"files", to_string(Algorithm::automatic), where.name()};
    if (files) {
      row = try_sets(
          std::move(row), FileTest::names(),
          [&](std::size_t i) {
            return Outcome{std::nullopt, files->fault(i, test, where)};
          },
          repeat_command(test, where));
    } else {
      row.verdict = Verdict::not_run;
      row.reason = no_files;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace basesweep
