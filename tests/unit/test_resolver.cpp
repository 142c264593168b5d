// Resolver: from ends to the hits of the brute-force search, however the text is cut.
#include "lib/align/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "lib/oracle/approximate.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_resolver {

using trial::Random;

namespace {

struct Case {
  oracle::ApproximateQuestion question;
  trial::Cuts cuts;
  std::uint64_t ends_seed;  // seed of the extra ends that a matcher may report
};

PatternSet pattern_set(const oracle::ApproximateQuestion& question) {
  std::vector<Pattern> patterns;
  for (const std::string& p : question.exact.patterns) patterns.push_back({fmt::format("p{}", patterns.size()), p});
  EditOptions options;
  options.edits = static_cast<std::uint32_t>(question.edits.empty() ? 0 : question.edits.front());
  const auto limit = [](std::size_t most) {
    return most > 1000 ? std::optional<std::uint32_t>() : static_cast<std::uint32_t>(most);
  };
  options.max_mismatches = limit(question.max_mismatches);
  options.max_indels = limit(question.max_indels);
  options.max_dna_bulges = limit(question.max_dna_bulges);
  options.max_rna_bulges = limit(question.max_rna_bulges);
  options.clamp_5prime = static_cast<std::uint32_t>(question.clamp_5prime);
  options.clamp_3prime = static_cast<std::uint32_t>(question.clamp_3prime);
  const StrandChoice strands[] = {StrandChoice::both, StrandChoice::plus, StrandChoice::minus};
  return {patterns, strands[static_cast<int>(question.exact.strands)],
          question.exact.palindromes_twice ? PalindromeChoice::both : PalindromeChoice::once, options};
}

trial::Batches make_batches(const Case& c, const PatternSet& set, Report report) {
  trial::Batches batches;
  const std::uint32_t halo = halo_positions(set, report);
  Batcher batcher({.batch = {.batch_positions = c.cuts.batch_positions,
                             .max_length = set.max_length(),
                             .halo_left = halo,
                             .halo_right = halo,
                             .approximate = true,
                             .run_margin = set.max_edits()}},
                  {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  const std::string text = trial::fasta_text(c.question.exact.records, c.cuts);
  for (const RawBlock& raw : trial::cut_blocks(text, c.cuts)) {
    batcher.add(pack(raw, {.soft_masked = c.question.exact.skip_soft_masked, .letters = true}));
  }
  batcher.finish();
  return batches;
}

// Returns all ends, from Sellers' matrix over the planes, whether positions hold bases, N or filler.
void add_ends(const PackedBatch& batch, const PatternSet& set, std::uint32_t query, std::vector<Occurrence>& ends) {
  const Query& e = set.queries()[query];
  std::vector<std::uint32_t> left(e.sets.size() + 1);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<std::uint32_t>(i);
  for (std::uint32_t position = 0; position < batch.positions(); ++position) {
    std::vector<std::uint32_t> here(left.size());
    for (std::size_t i = 1; i < left.size(); ++i) {
      const bool match = (e.sets[i - 1] >> batch.code(position) & 1) != 0;
      here[i] = std::min({left[i - 1] + (match ? 0 : 1), left[i] + 1, here[i - 1] + 1});
    }
    if (here.back() <= e.limits.edits) ends.push_back(make_occurrence(position, query));
    left = here;
  }
}

// Returns the ends that `hamming` finds.
void add_mismatch_ends(const PackedBatch& batch, const PatternSet& set, std::uint32_t query,
                       std::vector<Occurrence>& ends) {
  const Query& e = set.queries()[query];
  for (auto end = static_cast<std::uint32_t>(e.sets.size()); end <= batch.positions(); ++end) {
    const auto start = end - static_cast<std::uint32_t>(e.sets.size());
    std::uint32_t mismatches = 0;
    for (std::uint32_t i = 0; start + i < end; ++i) {
      mismatches += (e.sets[i] >> batch.code(start + i) & 1) != 0 ? 0 : 1;
    }
    if (mismatches <= e.limits.edits) ends.push_back(make_occurrence(end - 1, query));
  }
}

std::vector<Occurrence> ends_of(const PackedBatch& batch, const PatternSet& set, Random& random) {
  std::vector<Occurrence> ends;
  const bool narrow = random.chance(50);
  for (std::uint32_t query = 0; query < set.queries().size(); ++query) {
    narrow&& set.queries()[query].limits.indels == 0 ? add_mismatch_ends(batch, set, query, ends)
                                                     : add_ends(batch, set, query, ends);
    for (std::size_t more = random.chance(20) ? 5 : 0; more > 0; --more) {
      ends.push_back(make_occurrence(static_cast<std::uint32_t>(random.below(batch.positions())), query));
    }
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

void keep_best(std::vector<oracle::ApproximateHit>& hits) {
  std::map<std::size_t, std::size_t> least;
  for (const auto& hit : hits) {
    const auto known = least.emplace(hit.pattern, hit.edits).first;
    known->second = std::min(known->second, hit.edits);
  }
  std::erase_if(hits, [&](const auto& hit) { return hit.edits != least[hit.pattern]; });
}

// Goes the whole way from text to hits. Returns them in the order of the batches.
std::vector<oracle::ApproximateHit> resolved(const Case& c) {
  const PatternSet set = pattern_set(c.question);
  const Report reports[] = {Report::sites, Report::minima, Report::best, Report::all};
  const Report report = reports[static_cast<int>(c.question.report)];
  const Resolver resolver(set, report, c.question.exact.skip_soft_masked);
  Random random(c.ends_seed);
  std::vector<oracle::ApproximateHit> hits;
  for (const auto& batch : make_batches(c, set, report)) {
    for (const Hit& hit : resolver.resolve(*batch, ends_of(*batch, set, random))) {
      const Segment& segment = batch->segments()[batch->segment_at(hit.position)];
      const Query& query = set.queries()[hit.query];
      const std::int64_t start = segment.offset + hit.position - segment.position;
      hits.push_back({segment.record, start, start + hit.length, strand_letter(query.strand), query.pattern, hit.edits,
                      hit.indels});
    }
  }
  if (report == Report::best) keep_best(hits);
  return hits;
}

std::string literal(const Case& c) {
  const char* reports[] = {"sites", "minima", "best", "all"};
  const auto& q = c.question;
  return fmt::format("exact = {}; edits = {}; limits {} {}; clamps {} {}; report {}; {}", trial::literal(q.exact),
                     q.edits.empty() ? 0 : q.edits.front(), q.max_mismatches, q.max_indels, q.clamp_5prime,
                     q.clamp_3prime, reports[static_cast<int>(q.report)], trial::literal(c.cuts));
}

std::string literal(const std::vector<oracle::ApproximateHit>& hits) {
  std::string text;
  for (const auto& h : hits) {
    text += fmt::format("\n  r{} [{}, {}) {} p{} {} edits, {} indels", h.record, h.start, h.end, h.strand, h.pattern,
                        h.edits, h.indels);
  }
  return text;
}

std::string some_text(Random& random, std::size_t length) {
  std::string text;
  if (random.chance(40)) {
    const std::string unit = trial::random_letters(random, random.between(1, 5), random.chance(50) ? "AC" : "ACGT");
    while (text.size() < length) text += random.chance(5) ? trial::random_letters(random, 1, "ACGT") : unit;
    text.resize(length);
  } else {
    text = trial::random_letters(random, length, random.chance(30) ? "AC" : "ACGT");
  }
  if (random.chance(25)) {
    const auto percent = static_cast<unsigned>(random.between(1, 20));
    for (char& letter : text) {
      if (random.chance(percent)) letter = random.pick(std::string("NNNNNRn-"));
    }
  }
  if (random.chance(10)) {
    const std::size_t run = random.chance(50) ? random.between(250, 290) : random.between(1, 40);
    text.insert(random.below(text.size() + 1), run, random.chance(80) ? 'N' : 'Y');
  }
  if (random.chance(30)) {
    for (std::size_t i = random.below(30); i < text.size(); i += random.between(1, 60)) {
      for (const std::size_t end = std::min(text.size(), i + random.between(1, 20)); i < end; ++i) {
        text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
      }
    }
  }
  return text;
}

std::string mutated(Random& random, std::string word, std::size_t edits) {
  for (; edits != 0 && !word.empty(); --edits) {
    const std::size_t at = random.below(word.size());
    switch (random.below(3)) {
      case 0: word[at] = random.pick(std::string("ACGTN")); break;
      case 1: word.erase(at, 1); break;
      default: word.insert(at, 1, random.pick(std::string("ACGT"))); break;
    }
  }
  return word;
}

// Returns a case with about `most` bases in total.
Case random_case(Random& random, std::size_t most) {
  Case c;
  oracle::ApproximateQuestion& q = c.question;
  const std::size_t edits = random.chance(80) ? random.below(4) : random.below(7);
  for (std::size_t left = random.between(1, most); left != 0;) {
    const std::size_t length =
        random.chance(30) ? random.below(std::min<std::size_t>(left, 12) + 1) : random.below(left + 1);
    q.exact.records.push_back(some_text(random, length));
    left -= std::max<std::size_t>(std::min(left, length), 1);
    if (random.chance(20)) break;
  }
  for (std::size_t i = random.between(1, 3); i-- > 0;) {
    const std::size_t length = std::max(edits + 1, random.chance(70) ? random.between(1, 12) : random.between(1, 24));
    std::string pattern = some_text(random, length).substr(0, length);
    for (char& letter : pattern) letter = iupac_set(letter) == 0 ? 'G' : static_cast<char>(letter & ~0x20);
    std::string& record = q.exact.records[random.below(q.exact.records.size())];
    for (std::size_t copies = random.below(4); copies-- > 0;) {
      const std::string planted = mutated(random, pattern, random.below(edits + 2));
      if (planted.size() > record.size()) continue;
      record.replace(random.below(record.size() - planted.size() + 1), planted.size(), planted);
    }
    if (random.chance(25)) pattern[random.below(length)] = random.pick(std::string("NRYSWKMBDHV"));
    if (random.chance(10)) {
      pattern = pattern.substr(0, length / 2);
      pattern += oracle::reverse_complement(pattern);
      while (pattern.size() <= edits) pattern.insert(pattern.size() / 2, "AT");
    }
    q.exact.patterns.push_back(pattern);
    q.edits.push_back(edits);
  }
  std::size_t shortest = q.exact.patterns.front().size();
  for (const std::string& pattern : q.exact.patterns) shortest = std::min(shortest, pattern.size());
  if (random.chance(25)) q.max_mismatches = random.below(edits + 2);
  if (random.chance(30)) q.max_indels = random.below(edits + 2);
  if (random.chance(20)) q.max_dna_bulges = random.below(edits + 1);
  if (random.chance(20)) q.max_rna_bulges = random.below(edits + 1);
  if (random.chance(20))
    q.clamp_5prime = random.below(random.chance(20) ? shortest + 1 : std::min<std::size_t>(shortest, 5));
  if (random.chance(20)) q.clamp_3prime = random.below(std::min<std::size_t>(shortest - q.clamp_5prime + 1, 6));
  q.exact.strands = random.chance(70) ? oracle::Strands::both
                                      : random.pick(std::vector{oracle::Strands::plus, oracle::Strands::minus});
  q.exact.palindromes_twice = random.chance(20);
  q.exact.skip_soft_masked = random.chance(30);
  q.report = static_cast<oracle::Report>(random.below(4));
  c.cuts = trial::random_cuts(random, most);
  if (random.chance(50)) c.cuts.batch_positions = static_cast<std::uint32_t>(random.between(1, 40));
  c.ends_seed = random.bits();
  return c;
}

void fail(const Case& c, const std::vector<oracle::ApproximateHit>& found,
          const std::vector<oracle::ApproximateHit>& expected, std::uint64_t seed) {
  FAIL("found:" << literal(found) << "\nexpected:" << literal(expected) << '\n'
                << literal(c) << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
}

Case rotated(const Case& c) {
  Case r = c;
  auto& q = r.question;
  std::reverse(q.exact.records.begin(), q.exact.records.end());
  for (std::string& record : q.exact.records) {
    std::reverse(record.begin(), record.end());
    for (char& letter : record) {
      const auto at = std::string_view("ACGTacgt").find(letter);
      if (at != std::string_view::npos) letter = "TGCAtgca"[at];
    }
  }
  for (std::string& pattern : q.exact.patterns) pattern = oracle::reverse_complement(pattern);
  std::swap(q.clamp_5prime, q.clamp_3prime);
  return r;
}

}  // namespace

TEST_CASE("random texts in random batches: the same hits as the brute-force search") {
  const std::uint64_t cases = support::test_cases(3000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    const Case c = random_case(random, random.chance(80) ? 80 : 200);
    const auto expected = oracle::search(c.question);
    const auto found = resolved(c);
    if (found != expected) fail(c, found, expected, seed);
  }
}

TEST_CASE("any batch size gives the same hits as one batch") {
  const std::uint64_t cases = support::test_cases(3000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    const Case c = random_case(random, 1500);
    Case whole = c;
    whole.cuts.batch_positions = 1U << 20;
    const auto found = resolved(c);
    const auto expected = resolved(whole);
    if (found != expected) fail(c, found, expected, seed);
  }
}

TEST_CASE("reverse complements of text and patterns have mirrored hits") {
  const std::uint64_t cases = support::test_cases(3000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    const Case c = random_case(random, 600);
    const Case turned = rotated(c);
    auto found = resolved(turned);
    const auto& records = c.question.exact.records;
    for (auto& hit : found) {
      hit.record = static_cast<std::int64_t>(records.size()) - 1 - hit.record;
      const auto length = static_cast<std::int64_t>(records[static_cast<std::size_t>(hit.record)].size());
      hit.start = length - std::exchange(hit.end, length - hit.start);
    }
    const auto less = [](const auto& a, const auto& b) {
      return std::tie(a.record, a.start, a.end, a.strand, a.pattern) <
             std::tie(b.record, b.start, b.end, b.strand, b.pattern);
    };
    std::sort(found.begin(), found.end(), less);
    const auto expected = resolved(c);
    if (found != expected) fail(c, found, expected, seed);
  }
}

TEST_CASE("no edits: the exact occurrences") {
  const std::uint64_t cases = support::test_cases(1000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    Case c = random_case(random, 1500);
    std::fill(c.question.edits.begin(), c.question.edits.end(), 0);
    if (c.question.clamp_5prime != c.question.clamp_3prime) continue;  // then palindromes are searched on both strands
    std::vector<oracle::ApproximateHit> expected;
    for (const oracle::Hit& hit : oracle::search(c.question.exact)) {
      expected.push_back({hit.record, hit.start, hit.end, hit.strand, hit.pattern, 0, 0});
    }
    const auto found = resolved(c);
    if (found != expected) fail(c, found, expected, seed);
  }
}

TEST_CASE("which candidates are reported") {
  // ACGT matches exactly at 2, and with an edit around it.
  Case c{{.exact = {.records = {"TTACGTTT"}, .patterns = {"ACGT"}, .strands = oracle::Strands::plus}, .edits = {1}},
         {},
         1};
  using Hits = std::vector<oracle::ApproximateHit>;
  CHECK(resolved(c) == Hits{{0, 2, 6, '+', 0, 0, 0}});
  c.question.report = oracle::Report::all;
  CHECK(resolved(c) == Hits{{0, 1, 6, '+', 0, 1, 1},
                            {0, 2, 5, '+', 0, 1, 1},
                            {0, 2, 6, '+', 0, 0, 0},
                            {0, 2, 7, '+', 0, 1, 1},
                            {0, 3, 6, '+', 0, 1, 1}});
  // A worse site that overlaps a better one.
  c.question.exact.records = {"ACGACGACG"};
  c.question.exact.patterns = {"ACGACG"};
  c.question.edits = {3};
  c.question.report = oracle::Report::minima;
  CHECK(resolved(c) == Hits{{0, 0, 6, '+', 0, 0, 0}, {0, 3, 9, '+', 0, 0, 0}});
}

TEST_CASE("halos") {
  EditOptions options;
  options.edits = 2;
  options.max_indels = 1;
  const PatternSet set({{"a", "ACGTACGT"}, {"b", "ACG"}}, StrandChoice::both, PalindromeChoice::once, options);
  CHECK(halo_positions(set, Report::sites) == 8);
  CHECK(halo_positions(set, Report::all) == 8);
  CHECK(halo_positions(set, Report::minima) == 16);
}

}  // namespace basesweep::test_resolver
