// Primers of a scheme in reads and in alignments, compared with plain rules that look at one base at a time.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/cigar_codes.hpp"
#include "lib/base/error.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/trim/bam_fields.hpp"
#include "lib/trim/primer_finder.hpp"
#include "lib/trim/primer_places.hpp"
#include "lib/trim/primer_scheme.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_trim_primers {

namespace {

std::string random_letters(trial::Random& random, std::size_t count) {
  std::string letters;
  while (count-- > 0) letters += "ACGT"[random.below(4)];
  return letters;
}

// A base of an alignment: its operation, and where it is on the reference.
struct Column {
  char op;
  std::int64_t at;
};

std::vector<Column> columns_of(const AlignedPart& part) {
  std::vector<Column> columns;
  std::int64_t at = part.begin;
  for (const std::uint32_t code : part.cigar) {
    for (std::uint32_t i = 0; i < length_of(code); ++i) {
      columns.push_back({op_of(code), at});
      at += takes_reference(op_of(code)) ? 1 : 0;
    }
  }
  return columns;
}

std::vector<std::uint32_t> cigar_of(const std::vector<Column>& columns) {
  std::vector<std::uint32_t> cigar;
  for (const Column& column : columns) {
    if (!cigar.empty() && op_of(cigar.back()) == column.op) {
      cigar.back() = cigar_code_of(length_of(cigar.back()) + 1, column.op);
    } else {
      cigar.push_back(cigar_code_of(1, column.op));
    }
  }
  return cigar;
}

// Which bases an alignment keeps, one at a time: those from the first to the last that is aligned outside of the
// primers at its ends.
AlignedPart naive_clip(const PrimerScheme& scheme, std::int64_t tolerance, const AlignedPart& part) {
  std::int64_t from = part.begin;
  std::int64_t to = part.end();
  for (const SchemePrimer& primer : scheme.primers) {
    if (primer.forward && part.begin >= primer.begin - tolerance && part.begin < primer.end)
      from = std::max(from, primer.end);
    if (!primer.forward && part.end() <= primer.end + tolerance && part.end() > primer.begin)
      to = std::min(to, primer.begin);
  }
  std::vector<Column> columns = columns_of(part);
  const auto keeps = [&](const Column& column) {
    return is_aligned_op(column.op) && column.at >= from && column.at < to;
  };
  const auto first = std::find_if(columns.begin(), columns.end(), keeps);
  const auto last = std::find_if(columns.rbegin(), columns.rend(), keeps).base();
  AlignedPart left;
  left.begin = first == columns.end() ? -1 : first->at;
  const bool clips_front = from != part.begin;
  const bool clips_back = to != part.end();
  std::vector<Column> clipped;
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    const bool outside = (clips_front && column < first) || (clips_back && column >= last);
    if (!outside) {
      clipped.push_back(*column);
    } else if (column->op == 'H') {
      clipped.push_back(*column);
    } else if (is_aligned_op(column->op) || column->op == 'I' || column->op == 'S') {
      clipped.push_back({'S', 0});
    }
  }
  left.cigar = cigar_of(clipped);
  return left;
}

PrimerScheme random_scheme(trial::Random& random) {
  PrimerScheme scheme;
  scheme.path = "scheme";
  for (std::size_t i = 0; i < 12; ++i) {
    SchemePrimer primer;
    primer.name = "p" + std::to_string(i);
    primer.record = random.below(8) == 0 ? "other" : "virus";
    primer.begin = static_cast<std::int64_t>(random.below(170));
    primer.end = primer.begin + 1 + static_cast<std::int64_t>(random.below(30));
    primer.forward = random.below(2) == 0;
    scheme.primers.push_back(primer);
  }
  scheme.primers.front().record = "virus";
  return scheme;
}

AlignedPart random_alignment(trial::Random& random) {
  std::vector<Column> columns;
  const auto add = [&](char op, std::size_t count) { columns.insert(columns.end(), count, {op, 0}); };
  if (random.below(4) == 0) add('H', 1 + random.below(3));
  if (random.below(3) == 0) add('S', 1 + random.below(5));
  for (std::size_t runs = 1 + random.below(7); runs-- > 0;) {
    add("M=X"[random.below(3)], 1 + random.below(25));
    if (runs > 0) add("IDN"[random.below(3)], 1 + random.below(4));
  }
  if (random.below(3) == 0) add('S', 1 + random.below(5));
  if (random.below(4) == 0) add('H', 1 + random.below(3));
  return {static_cast<std::int64_t>(random.below(150)), cigar_of(columns)};
}

// A folder that is removed with its files.
class Folder {
 public:
  Folder() { std::filesystem::create_directory(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("basesweep_test_primers_" + std::to_string(getpid()));
};

std::vector<LetterSet> sets_of(const std::string& read) {
  std::vector<LetterSet> sets;
  append_read_sets(read, false, sets);
  return sets;
}

}  // namespace

TEST_CASE("alignments lose the primers at their ends, as a look at each base says") {
  const std::vector<RecordInfo> references{{"first", 10}, {"virus", 200}, {"other", 300}};
  std::uint64_t clipped = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(20000); ++seed) {
    trial::Random random(seed);
    PrimerScheme scheme = random_scheme(random);
    const auto tolerance = static_cast<std::uint32_t>(random.below(8));
    const PrimerPlaces places(scheme, references, tolerance);
    const AlignedPart before = random_alignment(random);
    std::erase_if(scheme.primers, [](const SchemePrimer& primer) { return primer.record != "virus"; });
    const AlignedPart expected = naive_clip(scheme, tolerance, before);
    AlignedPart found = before;
    const LostPrimers lost = places.clip(1, found);
    CAPTURE(seed, cigar_text(before.cigar), before.begin, cigar_text(found.cigar), cigar_text(expected.cigar));
    REQUIRE(lost.any() == (found.cigar != before.cigar));
    REQUIRE(found.has_bases() == (expected.begin >= 0));
    if (!found.has_bases()) continue;
    REQUIRE(found.cigar == expected.cigar);
    if (found.begin != before.begin || lost.left) REQUIRE(found.begin == expected.begin);
    clipped += lost.any() ? 1 : 0;
    AlignedPart untouched = before;
    REQUIRE(!places.clip(0, untouched).any());
  }
  CHECK(clipped > support::test_cases(20000) / 5);
}

TEST_CASE("reads without errors lose the primer that they begin with, and its partner") {
  std::uint64_t cut = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(5000); ++seed) {
    trial::Random random(seed);
    PrimerScheme scheme;
    for (std::size_t i = 0; i < 4 + random.below(8); ++i) {
      SchemePrimer primer;
      primer.name = "p" + std::to_string(i);
      primer.amplicon = i / 3;
      primer.forward = i % 3 == 0;
      primer.sequence = random_letters(random, 14 + random.below(12));
      scheme.primers.push_back(primer);
    }
    scheme.amplicons.resize(4);
    const auto tolerance = static_cast<std::uint32_t>(random.below(6));
    const PrimerFinder finder(scheme,
                              {.max_errors = 0, .first_overlap = 100, .last_overlap = 100, .tolerance = tolerance});
    const SchemePrimer& first = scheme.primers[random.below(scheme.primers.size())];
    const SchemePrimer& other = scheme.primers[random.below(scheme.primers.size())];
    const std::string read = random_letters(random, random.below(8)) + first.sequence +
                             random_letters(random, random.below(40)) + reverse_complement(other.sequence) +
                             random_letters(random, random.below(10));
    // The longest primer that lies whole in the first bases; of equal ones the first.
    const SchemePrimer* expected = nullptr;
    std::size_t begin = 0;
    for (const SchemePrimer& primer : scheme.primers) {
      const std::size_t at = read.substr(0, primer.sequence.size() + tolerance).find(primer.sequence);
      if (at == std::string::npos || (expected != nullptr && primer.sequence.size() <= expected->sequence.size()))
        continue;
      expected = &primer;
      begin = at + primer.sequence.size();
    }
    const std::optional<FoundPrimers> found = finder.find(sets_of(read));
    CAPTURE(seed, read, tolerance);
    REQUIRE(found.has_value() == (expected != nullptr));
    if (!found) continue;
    REQUIRE(finder.names()[found->first] == expected->name);
    REQUIRE(found->kept.begin == begin);
    const bool partners = other.amplicon == expected->amplicon && other.forward != expected->forward;
    REQUIRE(found->last.has_value() == partners);
    REQUIRE(found->kept.end == (partners ? read.find(reverse_complement(other.sequence), begin) : read.size()));
    ++cut;
  }
  CHECK(cut > support::test_cases(5000) / 4);
}

TEST_CASE("a primer that the start of a read cuts off, with errors, and beyond the tolerance") {
  PrimerScheme scheme{"scheme", {{"a_LEFT", "v", 0, 20, true, 0, "ACGTTGCATTGACCGTAGCA", 1}}, {"a"}};
  const PrimerFinder finder(scheme, {});
  const std::string insert = "TTTTCCCCTTTTCCCC";
  const auto begin_of = [&](const std::string& read) -> std::optional<std::uint32_t> {
    const std::optional<FoundPrimers> found = finder.find(sets_of(read));
    return found ? std::optional(found->kept.begin) : std::nullopt;
  };
  CHECK(begin_of("ACGTTGCATTGACCGTAGCA" + insert) == 20);
  CHECK(begin_of("TTGCATTGACCGTAGCA" + insert) == 17);
  CHECK(begin_of("ACCGTAGCA" + insert) == std::nullopt);
  CHECK(begin_of("ACGTTGCATAGACCGTAGCA" + insert) == 20);
  CHECK(begin_of("ACGTTGCATGACCGTAGCA" + insert) == 19);
  CHECK(begin_of("GGGGGACGTTGCATTGACCGTAGCA" + insert) == 25);
  CHECK(begin_of("GGGGGGGGGGACGTTGCATTGACCGTAGCA" + insert) == std::nullopt);
  CHECK(begin_of("") == std::nullopt);
}

TEST_CASE("schemes are read, and faults name file and line") {
  const Folder folder;
  const std::string path = folder.file(
      "a.bed",
      "# comment\nv\t2\t8\tx_1_LEFT\t1\t+\tACGTTG\r\nv\t20\t26\tx_1_RIGHT\t1\t-\nv\t1\t5\tx_1_LEFT_alt1\t1\t+\n");
  PrimerScheme scheme = read_primer_scheme(path);
  REQUIRE(scheme.primers.size() == 3);
  CHECK(scheme.amplicons == std::vector<std::string>{"x_1"});
  CHECK(scheme.primers[0].sequence == "ACGTTG");
  CHECK(scheme.primers[0].line == 2);
  CHECK(!scheme.primers[1].forward);
  add_sequences(folder.file("r.fa", ">v x\nAAACCCGGGT\nTTacgTTTAC\nGGATCC\n"), scheme);
  CHECK(scheme.primers[1].sequence == "GGATCC");
  CHECK(scheme.primers[2].sequence == "AACC");
  const auto refuses = [&](const std::string& text, const std::string& says) {
    CHECK_THROWS_WITH(read_primer_scheme(folder.file("bad.bed", text)), Catch::Matchers::ContainsSubstring(says));
  };
  refuses("", "has no primers");
  refuses("v\t1\n", "line 1: expected a primer of BED");
  refuses("v\t1\t5\tx\t1\t.\n", "primer 'x': expected a name that ends in _LEFT or _RIGHT, or + or - in column 6");
  refuses("v\t1\t5\tx_LEFT\t1\t-\n", "on strand -, but its name says that it is a left primer");
  refuses("v\t5\t5\tx_LEFT\n", "ends before it begins");
  refuses("v\t1\t5\tx_LEFT\nv\t2\t5\tx_LEFT\n", "line 2: primer 'x_LEFT' comes twice");
  refuses("v\t1\t5\tx_LEFT\t1\t+\tAC5T\n", "'5' is not an IUPAC letter");
  PrimerScheme more = read_primer_scheme(folder.file("b.bed", "w\t2\t8\tx_1_LEFT\n"));
  CHECK_THROWS_WITH(add_sequences(folder.file("r.fa", ">v\nACGT\n"), more),
                    Catch::Matchers::ContainsSubstring("it has no record 'w', but primer 'x_1_LEFT'"));
  CHECK_THROWS_WITH(add_sequences(folder.file("r.fa", ">w\nACGT\n"), more),
                    Catch::Matchers::ContainsSubstring("record 'w' has 4 bases, fewer than 8"));
}

}  // namespace basesweep::test_trim_primers
