// Placer: from ends of reads to alignments. Checks properties that hold for all reads; tests/conformance/test_map.cpp
// compares the alignments with the oracle.
#include "lib/align/placer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/reads/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_placer {

using trial::Random;

namespace {

// Returns all ends, from Sellers' matrix on the planes.
std::vector<ReadEnd> naive_ends(const ReadBatch& batch, const PackedBatch& text) {
  std::vector<ReadEnd> ends;
  const ReadQueryView sought = batch.view();
  for (std::uint32_t e = 0; e < sought.query_count; ++e) {
    const ReadQuery& query = sought.queries[e];
    if (query.length == 0) continue;
    const std::uint32_t spare = 64 * query.words() - query.length;
    const auto matches = [&](std::uint32_t i, unsigned code) {
      const std::uint32_t word = query.first_word + (spare + i) / 64;
      const unsigned bit = (spare + i) % 64;
      return (sought.known[word] >> bit & 1) != 0 &&
             ((sought.lo[word] >> bit & 1) | (sought.hi[word] >> bit & 1) << 1) == code;
    };
    std::vector<std::uint32_t> left(query.length + 1U);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<std::uint32_t>(i);
    for (std::uint32_t position = 0; position < text.positions(); ++position) {
      std::vector<std::uint32_t> here(left.size());
      for (std::uint32_t i = 1; i < left.size(); ++i) {
        here[i] = std::min({left[i - 1] + (matches(i - 1, text.code(position)) ? 0 : 1), left[i] + 1, here[i - 1] + 1});
      }
      if (here.back() <= query.edits) ends.push_back(make_read_end(e, position, here.back()));
      left = here;
    }
  }
  return ends;
}

struct Alignment {
  std::size_t read;
  std::int64_t record, start, end;
  char strand;
  unsigned edits;
  auto operator<=>(const Alignment&) const = default;
};

struct Found {
  std::set<Alignment> alignments;
  std::vector<unsigned> mapq;
};

Found map_all(const std::vector<std::string>& records, const std::vector<std::string>& reads, std::uint32_t edits,
              Report report) {
  const support::ScratchFolder folder;
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r) text += fmt::format(">r{}\n{}\n", r, records[r]);
  support::write_file(folder.path("reference"), text);
  text.clear();
  for (std::size_t i = 0; i < reads.size(); ++i) text += fmt::format(">q{}\n{}\n", i, reads[i]);
  support::write_file(folder.path("reads"), text);
  const Reference reference = load_reference({.path = folder.path("reference")});
  ReadSource source({.paths = {folder.path("reads")}});
  const ReadBatch batch = parse_reads(*source.next(), {.edits = edits});
  REQUIRE(batch.reads.size() == reads.size());
  Found found;
  const auto placements =
      Placer(*reference.text, report)
          .place(batch, 0, static_cast<std::uint32_t>(batch.reads.size()), naive_ends(batch, *reference.text));
  for (std::size_t i = 0; i < placements.size(); ++i) {
    found.mapq.push_back(placements[i].mapq);
    for (const Hit& hit : placements[i].hits) {
      CHECK(hit.query / 2 == i);
      const Segment& segment = reference.text->segments()[reference.text->segment_at(hit.position)];
      const std::int64_t start = segment.offset + (hit.position - segment.position);
      found.alignments.insert(
          {i, segment.reference, start, start + hit.length, hit.query % 2 == 0 ? '+' : '-', hit.edits});
    }
    CHECK(std::is_sorted(placements[i].hits.begin(), placements[i].hits.end(), [](const Hit& a, const Hit& b) {
      return std::tuple(a.edits, a.position, a.length, a.query) < std::tuple(b.edits, b.position, b.length, b.query);
    }));
  }
  return found;
}

struct Case {
  std::string record;
  std::vector<std::string> reads;
  std::uint32_t edits;
  Report report;
};

Case random_case(Random& random) {
  Case c;
  const std::string alphabet = random.chance(30) ? "AC" : "ACGT";
  c.record = trial::random_letters(random, random.between(60, 400), alphabet);
  if (random.chance(30)) c.record += c.record.substr(0, c.record.size() / 2);
  if (random.chance(20)) c.record.replace(random.below(c.record.size()), 3, "NNN");
  c.edits = static_cast<std::uint32_t>(random.below(5));
  for (int i = 0; i < 4; ++i) {
    const std::size_t length = random.between(10, 50);
    const std::string read = c.record.substr(random.below(c.record.size() - length), length);
    c.reads.push_back(trial::mutate(random, read, random.below(c.edits + 1)));
  }
  c.report = random.pick(std::vector{Report::best, Report::sites, Report::all});
  return c;
}

}  // namespace

TEST_CASE("on the reverse complement of the reference all alignments are mirrored") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(150); ++seed) {
    Random random(seed);
    const Case c = random_case(random);
    CAPTURE(seed, c.record, c.reads, c.edits);
    // A palindromic read is searched on one strand only, and so are its images.
    const Found straight = map_all({c.record}, c.reads, c.edits, c.report);
    const Found turned = map_all({oracle::reverse_complement(c.record)}, c.reads, c.edits, c.report);
    std::set<Alignment> images;
    const auto size = static_cast<std::int64_t>(c.record.size());
    for (Alignment a : turned.alignments) {
      const bool palindrome = oracle::reverse_complement(c.reads[a.read]) == c.reads[a.read];
      images.insert({a.read, a.record, size - a.end, size - a.start,
                     palindrome        ? a.strand
                     : a.strand == '+' ? '-'
                                       : '+',
                     a.edits});
    }
    CHECK(straight.alignments == images);
    CHECK(straight.mapq == turned.mapq);
  }
}

TEST_CASE("cutting a record changes nothing far from the cut") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(150); ++seed) {
    Random random(seed);
    Case c = random_case(random);
    c.report = random.chance(50) ? Report::sites : Report::all;  // not best: it depends on the whole reference
    const std::size_t cut = random.between(1, c.record.size() - 1);
    CAPTURE(seed, c.record, c.reads, c.edits, cut);
    const Found whole = map_all({c.record}, c.reads, c.edits, c.report);
    const Found parts = map_all({c.record.substr(0, cut), c.record.substr(cut)}, c.reads, c.edits, c.report);
    const auto at = static_cast<std::int64_t>(cut);
    const auto far = [&](std::int64_t start, std::int64_t end) { return end < at - 60 || start > at + 60; };
    std::set<Alignment> expected;
    std::set<Alignment> found;
    for (const Alignment& a : whole.alignments) {
      if (far(a.start, a.end)) expected.insert(a);
    }
    for (Alignment a : parts.alignments) {
      if (a.record == 1) a = {a.read, 0, a.start + at, a.end + at, a.strand, a.edits};
      CHECK((a.end <= at || a.start >= at));
      a.record = 0;
      if (far(a.start, a.end)) found.insert(a);
    }
    CHECK(found == expected);
  }
}

TEST_CASE("mapq grows with the distance to the second best place") {
  Random random(11);
  const std::string unit = trial::random_letters(random, 60, "ACGT");
  const auto with_mismatches = [&unit](std::size_t count) {
    std::string copy = unit;
    for (std::size_t i = 0; i < count; ++i) copy[10 + 10 * i] = copy[10 + 10 * i] == 'A' ? 'C' : 'A';
    return copy;
  };
  const auto mapq = [&](const std::vector<std::string>& records, Report report) {
    return map_all(records, {unit}, 4, report).mapq.front();
  };
  for (const Report report : {Report::best, Report::sites, Report::all}) {
    CHECK(mapq({unit}, report) == 60);
    CHECK(mapq({unit, unit}, report) == 0);
    CHECK(mapq({unit, with_mismatches(1)}, report) == 20);
    CHECK(mapq({with_mismatches(2), unit}, report) == 40);
    CHECK(mapq({unit, with_mismatches(3)}, report) == 60);
    CHECK(mapq({unit, with_mismatches(4)}, report) == 60);
    CHECK(mapq({with_mismatches(1), oracle::reverse_complement(with_mismatches(1))}, report) == 0);
    CHECK(mapq({oracle::reverse_complement(with_mismatches(1)), unit}, report) == 20);
    // The read aligns at the repeat, and one unit later without the two letters after the repeat. These two overlap.
    const std::string repeat = "ACACACACACACACACACACACACACACACACACACACAC";
    const std::string flank = "GGTTG";
    const auto found = map_all({"TTGAT" + repeat + flank + "CCATG"}, {repeat + flank}, 4, Report::sites);
    CHECK(found.mapq.front() == 60);
  }
}

}  // namespace basesweep::test_placer
