// A second oracle: SeqAn3's FM-index finds what `planes` finds, on texts too long for the naive search; its alignment
// of a pattern to a text has as many edits as ours.
#include <seqan3/alignment/configuration/all.hpp>
#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alphabet/nucleotide/dna5.hpp>
#include <seqan3/search/configuration/all.hpp>
#include <seqan3/search/fm_index/fm_index.hpp>
#include <seqan3/search/search.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "lib/matcher.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/tally.hpp"
#include "tests/support/trace.hpp"

namespace {

using namespace basesweep;

// Entry of the pattern set, record, start.
using Found = std::tuple<std::uint32_t, std::size_t, std::int64_t>;

seqan3::dna5_vector dna5(const std::string& letters) {
  seqan3::dna5_vector result;
  for (const char c : letters) result.push_back(seqan3::dna5{}.assign_char(c));
  return result;
}

// The letters searched for on the forward strand.
std::string letters_of(const Entry& entry) {
  std::string letters;
  for (const BaseSet set : entry.columns) letters += base_letter(single_base(set));
  return letters;
}

std::vector<Found> with_fm_index(const std::vector<std::string>& records, const PatternSet& set) {
  std::vector<seqan3::dna5_vector> texts;
  for (const std::string& record : records) texts.push_back(dna5(record));
  const seqan3::fm_index index{texts};
  std::vector<seqan3::dna5_vector> queries;
  for (const Entry& entry : set.entries()) queries.push_back(dna5(letters_of(entry)));
  const seqan3::configuration exact =
      seqan3::search_cfg::max_error_total{seqan3::search_cfg::error_count{0}} | seqan3::search_cfg::hit_all{};
  std::vector<Found> found;
  for (auto&& hit : seqan3::search(queries, index, exact)) {
    found.emplace_back(static_cast<std::uint32_t>(hit.query_id()), hit.reference_id(),
                       static_cast<std::int64_t>(hit.reference_begin_position()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Found> with_basesweep(const std::vector<std::string>& records, const PatternSet& set,
                                  const support::Target& target) {
  const auto matcher = conformance::make_matcher(target, set, false, Output::hits);
  support::Chunking chunking;
  chunking.batch_columns = 50'000;
  chunking.most_block_bytes = 100'000;
  const auto batches =
      support::make_batches(records, chunking, {.isa = target.isa}, set.max_length(), matcher->memory());
  const std::vector<MatchResult> results = support::match_all(*matcher, batches);
  std::vector<Found> found;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (const BatchHit hit : results[b].hits) {
      const auto& pieces = batches[b]->pieces();
      const auto after = std::upper_bound(pieces.begin(), pieces.end(), hit_column(hit),
                                          [](std::uint32_t column, const Piece& p) { return column < p.column; });
      const Piece& piece = *std::prev(after);
      found.emplace_back(hit_entry(hit), static_cast<std::size_t>(piece.record),
                         piece.offset + hit_column(hit) - piece.column);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void compare(const std::vector<std::string>& records, const std::vector<std::string>& patterns) {
  const PatternSet set = conformance::pattern_set({.records = {}, .patterns = patterns});
  const std::vector<Found> expected = with_fm_index(records, set);
  REQUIRE_FALSE(expected.empty());
  for (const support::Target& target : support::targets()) {
    if (conformance::may_decline(target, patterns)) continue;
    INFO(target.name);
    const bool same = with_basesweep(records, set, target) == expected;
    CHECK(same);
    support::tally().ran(target.name);
  }
}

// Parts of the records, both strands, and letters by chance.
std::vector<std::string> some_patterns(support::Random& random, const std::vector<std::string>& records) {
  std::vector<std::string> patterns{"A", "CG", "GAATTC"};
  for (const std::size_t length : {3, 5, 8, 9, 12, 16, 21, 31, 32, 33, 64, 65, 100}) {
    const std::string& record = random.pick(records);
    std::string part = record.substr(random.below(record.size() - length + 1), length);
    if (part.find('N') == std::string::npos) {
      patterns.push_back(random.chance(50) ? oracle::reverse_complement(part) : part);
    }
    patterns.push_back(support::random_letters(random, std::min<std::size_t>(length, 11), "ACGT"));
  }
  return patterns;
}

// All of the patterns, and those that every algorithm takes.
void compare_all(const std::vector<std::string>& records, std::vector<std::string> patterns) {
  compare(records, patterns);
  std::erase_if(patterns, [](const std::string& pattern) { return pattern.size() > 16; });
  compare(records, patterns);
}

int edits_by_seqan3(const std::string& pattern, const std::string& text) {
  const seqan3::dna5_vector columns = dna5(pattern);
  const seqan3::dna5_vector letters = dna5(text);
  const auto config =
      seqan3::align_cfg::method_global{} | seqan3::align_cfg::edit_scheme | seqan3::align_cfg::output_score{};
  for (const auto& alignment : seqan3::align_pairwise(std::tie(columns, letters), config)) return -alignment.score();
  return -1;
}

// X, I and D; -1 where the runs do not take the whole pattern to the whole text or call a mismatch a match.
int edits_of(const std::vector<CigarRun>& runs, const std::string& pattern, const std::string& text) {
  std::size_t column = 0;
  std::size_t letter = 0;
  int edits = 0;
  for (const CigarRun& run : runs) {
    if (run.op != '=') edits += static_cast<int>(run.length);
    for (std::uint32_t i = 0; i < run.length; ++i) {
      if (run.op == '=' || run.op == 'X') {
        if (column == pattern.size() || letter == text.size()) return -1;
        if ((pattern[column] == text[letter]) != (run.op == '=')) return -1;
      }
      column += run.op == 'D' ? 0 : 1;
      letter += run.op == 'I' ? 0 : 1;
    }
  }
  return column == pattern.size() && letter == text.size() ? edits : -1;
}

// A pattern of 1 to `most` columns and a window of text that is it but for some edits, seldom another altogether.
std::pair<std::string, std::string> some_pair(support::Random& random, std::size_t most) {
  const std::string alphabet = random.chance(30) ? "AC" : "ACGT";
  const std::string pattern = support::random_letters(random, random.between(1, most), alphabet);
  std::string text = random.chance(10) ? support::random_letters(random, random.between(1, most), alphabet)
                                       : support::mutate(random, pattern, random.below(pattern.size() / 3 + 2));
  if (text.empty()) text = "A";
  return {pattern, text};
}

}  // namespace

TEST_CASE("random text: the FM-index's hits", "[seqan3]") {
  support::Random random(support::test_seed());
  std::vector<std::string> records;
  for (const std::size_t length : {150'000, 50'000, 100, 1000}) {
    records.push_back(support::random_letters(random, length, "ACGT"));
  }
  for (int i = 0; i < 20; ++i) {
    const std::size_t run = random.between(1, 600);
    records[0].replace(random.below(records[0].size() - run), run, run, 'N');
  }
  compare_all(records, some_patterns(random, records));
}

TEST_CASE("lambda: the FM-index's hits", "[seqan3]") {
  const std::string path = BASESWEEP_TEST_DATA "/lambda.fa.gz";
  if (!std::filesystem::exists(path)) return;
  std::istringstream text(support::read_unpacked(path));
  std::string record;
  for (std::string line; std::getline(text, line);) {
    if (line.front() != '>') record += line;
  }
  REQUIRE(record.size() > 48'000);
  support::Random random(support::test_seed());
  compare({record}, some_patterns(random, {record}));
}

TEST_CASE("an alignment has as many edits as SeqAn3's", "[seqan3]") {
  const std::uint64_t cases = support::test_cases(4000);
  std::uint64_t aligned = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    support::Random random(seed);
    const auto [pattern, text] = some_pair(random, 200);
    EditOptions options;
    options.edits = static_cast<std::uint32_t>(pattern.size() - 1);  // the most there can be
    const PatternSet set({{"p", pattern}}, StrandChoice::plus, PalindromeChoice::once, options);
    const std::vector<CigarRun> runs = support::trace(set.entries().front(), text);
    const int expected = edits_by_seqan3(pattern, text);
    const bool within_limits = expected < static_cast<int>(pattern.size());
    if (within_limits ? edits_of(runs, pattern, text) == expected : runs.empty()) {
      aligned += within_limits ? 1 : 0;
      continue;
    }
    FAIL("pattern = \"" << pattern << "\"; text = \"" << text << "\"; SeqAn3: " << expected
                        << " edits, ours: " << edits_of(runs, pattern, text)
                        << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
  if (cases > 50) CHECK(aligned > cases / 2);
}
