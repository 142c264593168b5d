// SeqAn3 as a second oracle: its FM-index finds the same hits as exact matchers, on texts that are too long for the
// naive search, and the same ends as approximate ones; its alignments have as many edits as ours.
#include <seqan3/alignment/configuration/all.hpp>
#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alphabet/nucleotide/dna5.hpp>
#include <seqan3/search/configuration/all.hpp>
#include <seqan3/search/fm_index/fm_index.hpp>
#include <seqan3/search/search.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "lib/oracle/trial/compare_ends.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "tests/support/tally.hpp"
#include "tests/support/trace.hpp"

namespace {

using namespace basesweep;

// Query of the pattern set, record, start.
using Found = std::tuple<std::uint32_t, std::size_t, std::int64_t>;

seqan3::dna5_vector dna5(const std::string& letters) {
  seqan3::dna5_vector result;
  for (const char c : letters) result.push_back(seqan3::dna5{}.assign_char(c));
  return result;
}

// The letters searched for on the forward strand.
std::string letters_of(const Query& query) {
  std::string letters;
  for (const BaseSet set : query.sets) letters += base_letter(single_base(set));
  return letters;
}

std::vector<Found> with_fm_index(const std::vector<std::string>& records, const PatternSet& set) {
  std::vector<seqan3::dna5_vector> texts;
  for (const std::string& record : records) texts.push_back(dna5(record));
  const seqan3::fm_index index{texts};
  std::vector<seqan3::dna5_vector> queries;
  for (const Query& query : set.queries()) queries.push_back(dna5(letters_of(query)));
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
  const auto matcher = conformance::make_matcher(target, set, false, Output::occurrences);
  trial::Cuts cuts;
  cuts.batch_positions = 50'000;
  cuts.max_block_bytes = 100'000;
  const auto batches = trial::make_batches(records, cuts, {.isa = target.isa}, set.max_length(), matcher->memory());
  const std::vector<MatchResult> results = trial::match_all(*matcher, batches);
  std::vector<Found> found;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (const Occurrence hit : results[b].occurrences) {
      const auto& segments = batches[b]->segments();
      const auto after =
          std::upper_bound(segments.begin(), segments.end(), occurrence_position(hit),
                           [](std::uint32_t position, const Segment& p) { return position < p.position; });
      const Segment& segment = *std::prev(after);
      found.emplace_back(occurrence_query(hit), static_cast<std::size_t>(segment.record),
                         segment.offset + occurrence_position(hit) - segment.position);
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

// Returns parts of the records, on both strands, and random letters.
std::vector<std::string> some_patterns(trial::Random& random, const std::vector<std::string>& records) {
  std::vector<std::string> patterns{"A", "CG", "GAATTC"};
  for (const std::size_t length : {3, 5, 8, 9, 12, 16, 21, 31, 32, 33, 64, 65, 100}) {
    const std::string& record = random.pick(records);
    std::string part = record.substr(random.below(record.size() - length + 1), length);
    if (part.find('N') == std::string::npos) {
      patterns.push_back(random.chance(50) ? oracle::reverse_complement(part) : part);
    }
    patterns.push_back(trial::random_letters(random, std::min<std::size_t>(length, 11), "ACGT"));
  }
  return patterns;
}

// Compares with all patterns, then with those that every algorithm takes.
void compare_all(const std::vector<std::string>& records, std::vector<std::string> patterns) {
  compare(records, patterns);
  std::erase_if(patterns, [](const std::string& pattern) { return pattern.size() > 16; });
  compare(records, patterns);
}

// The sequence that SeqAn3 searches for each query of a set: its letters backwards, since it reports where hits start,
// but ends are needed.
std::vector<seqan3::dna5_vector> reversed_queries(const PatternSet& set) {
  std::vector<seqan3::dna5_vector> queries;
  for (const Query& query : set.queries()) {
    std::string letters = letters_of(query);
    std::reverse(letters.begin(), letters.end());
    queries.push_back(dna5(letters));
  }
  return queries;
}

using EndSets = std::vector<std::set<std::uint32_t>>;  // one for each query

// Adds the positions of the text where hits of the queries end, and `after` positions after each of them. `index`: of
// the text backwards.
template <class Index>
void add_ends(EndSets& ends, const Index& index, std::uint32_t text_size,
              const std::vector<seqan3::dna5_vector>& queries, std::uint8_t edits, std::uint8_t indels,
              std::uint32_t after) {
  const seqan3::configuration options =
      seqan3::search_cfg::max_error_total{seqan3::search_cfg::error_count{edits}} |
      seqan3::search_cfg::max_error_substitution{seqan3::search_cfg::error_count{edits}} |
      seqan3::search_cfg::max_error_insertion{seqan3::search_cfg::error_count{indels}} |
      seqan3::search_cfg::max_error_deletion{seqan3::search_cfg::error_count{indels}} | seqan3::search_cfg::hit_all{};
  for (auto&& hit : seqan3::search(queries, index, options)) {
    const std::uint32_t end = text_size - 1 - static_cast<std::uint32_t>(hit.reference_begin_position());
    for (std::uint32_t more = 0; more <= after && end + more < text_size; ++more) {
      ends[static_cast<std::size_t>(hit.query_id())].insert(end + more);
    }
  }
}

// The ends of alignments with at most `edits` edits. Those of SeqAn3 end in no letter of the text alone, which is an
// edit: `more` such letters may follow an alignment with `edits - more`.
trial::Ends ends_by_seqan3(const PatternSet& set, const std::string& text, std::uint8_t edits) {
  std::vector<seqan3::dna5_vector> texts{dna5(std::string(text.rbegin(), text.rend()))};
  const seqan3::bi_fm_index index{texts};
  const std::vector<seqan3::dna5_vector> queries = reversed_queries(set);
  const auto size = static_cast<std::uint32_t>(text.size());
  EndSets with_edits(queries.size());
  for (std::uint8_t more = 0; more <= edits; ++more) {
    const auto left = static_cast<std::uint8_t>(edits - more);
    add_ends(with_edits, index, size, queries, left, left, more);
  }
  EndSets with_mismatches(queries.size());
  add_ends(with_mismatches, index, size, queries, edits, 0, 0);
  trial::Ends ends;
  for (const auto& found : with_edits) ends.with_edits.emplace_back(found.begin(), found.end());
  for (const auto& found : with_mismatches) ends.with_mismatches.emplace_back(found.begin(), found.end());
  ends.with_clamps = ends.with_mismatches;  // no pattern here has clamps
  return ends;
}

int edits_by_seqan3(const std::string& pattern, const std::string& text) {
  const seqan3::dna5_vector positions = dna5(pattern);
  const seqan3::dna5_vector letters = dna5(text);
  const auto config =
      seqan3::align_cfg::method_global{} | seqan3::align_cfg::edit_scheme | seqan3::align_cfg::output_score{};
  for (const auto& alignment : seqan3::align_pairwise(std::tie(positions, letters), config)) return -alignment.score();
  return -1;
}

// Returns how many edits (X, I, D) the runs have, or -1 if they do not align the whole pattern to the whole text or
// take a mismatch for a match.
int edits_of(const std::vector<CigarRun>& runs, const std::string& pattern, const std::string& text) {
  std::size_t position = 0;
  std::size_t letter = 0;
  int edits = 0;
  for (const CigarRun& run : runs) {
    if (run.op != '=') edits += static_cast<int>(run.length);
    for (std::uint32_t i = 0; i < run.length; ++i) {
      if (run.op == '=' || run.op == 'X') {
        if (position == pattern.size() || letter == text.size()) return -1;
        if ((pattern[position] == text[letter]) != (run.op == '=')) return -1;
      }
      position += run.op == 'D' ? 0 : 1;
      letter += run.op == 'I' ? 0 : 1;
    }
  }
  return position == pattern.size() && letter == text.size() ? edits : -1;
}

// Returns a pattern of 1 to `most` letters and a text: mostly the pattern with a few edits, sometimes an unrelated one.
std::pair<std::string, std::string> some_pair(trial::Random& random, std::size_t most) {
  const std::string alphabet = random.chance(30) ? "AC" : "ACGT";
  const std::string pattern = trial::random_letters(random, random.between(1, most), alphabet);
  std::string text = random.chance(10) ? trial::random_letters(random, random.between(1, most), alphabet)
                                       : trial::mutate(random, pattern, random.below(pattern.size() / 3 + 2));
  if (text.empty()) text = "A";
  return {pattern, text};
}

}  // namespace

TEST_CASE("random text: the same hits as the FM-index", "[seqan3]") {
  trial::Random random(support::test_seed());
  std::vector<std::string> records;
  for (const std::size_t length : {150'000, 50'000, 100, 1000}) {
    records.push_back(trial::random_letters(random, length, "ACGT"));
  }
  for (int i = 0; i < 20; ++i) {
    const std::size_t run = random.between(1, 600);
    records[0].replace(random.below(records[0].size() - run), run, run, 'N');
  }
  compare_all(records, some_patterns(random, records));
}

TEST_CASE("lambda: the same hits as the FM-index", "[seqan3]") {
  const std::string path = BASESWEEP_TEST_DATA "/lambda.fa.gz";
  if (!std::filesystem::exists(path)) return;
  std::istringstream text(support::read_unpacked(path));
  std::string record;
  for (std::string line; std::getline(text, line);) {
    if (line.front() != '>') record += line;
  }
  REQUIRE(record.size() > 48'000);
  trial::Random random(support::test_seed());
  compare({record}, some_patterns(random, {record}));
}

TEST_CASE("random text: the same ends with edits as the FM-index", "[seqan3]") {
  const std::uint64_t cases = support::test_cases(100);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    std::string text = trial::random_letters(random, random.between(100, 20'000), random.chance(20) ? "ACG" : "ACGT");
    EditOptions options;
    options.edits = static_cast<std::uint32_t>(random.below(4));
    if (random.chance(40)) options.max_indels = 0;
    std::vector<Pattern> patterns;
    for (std::size_t count = random.between(1, 10); patterns.size() < count;) {
      const std::string pattern = trial::random_letters(random, random.between(12, 40), "ACGT");
      for (int copies = 0; copies < 3; ++copies) {
        const std::string copy = trial::mutate(random, pattern, random.below(*options.edits + 2));
        text.replace(random.below(text.size() - copy.size() + 1), copy.size(), copy);
      }
      patterns.push_back({"p" + std::to_string(patterns.size()), pattern});
    }
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, options);
    const trial::Ends expected = ends_by_seqan3(set, text, static_cast<std::uint8_t>(*options.edits));
    for (const support::Target& target : support::approximate_targets()) {
      INFO(target.name << "; repeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
      const auto matcher =
          conformance::make_matcher(target, set, conformance::may_decline(target, options), Output::occurrences);
      if (matcher == nullptr) continue;
      const auto batch = trial::text_batch(text, set, matcher->memory());
      REQUIRE(trial::compare_ends(*matcher, target.algorithm, *batch, set, expected) == "");
      support::tally().ran(target.name);
    }
  }
}

TEST_CASE("alignments have as many edits as those of SeqAn3", "[seqan3]") {
  const std::uint64_t cases = support::test_cases(4000);
  std::uint64_t aligned = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    const auto [pattern, text] = some_pair(random, 200);
    EditOptions options;
    options.edits = static_cast<std::uint32_t>(pattern.size() - 1);  // the maximum
    const PatternSet set({{"p", pattern}}, StrandChoice::plus, PalindromeChoice::once, options);
    const std::vector<CigarRun> runs = support::trace(set.queries().front(), text);
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
