// The public library, compared with the parts of the program.
#include <fmt/format.h>
#include <basesweep/basesweep.hpp>

#include <random>
#include <thread>

#include "lib/api/memory_source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_searcher {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;

namespace {

struct Owned {
  std::string name, bases;
};

std::vector<NamedSequence> views_of(const std::vector<Owned>& records) {
  std::vector<NamedSequence> views;
  for (const Owned& record : records) views.push_back({record.name, record.bases});
  return views;
}

std::string random_bases(std::mt19937& random, std::size_t length, std::string_view letters = "ACGT") {
  std::string bases;
  while (bases.size() < length) bases += letters[random() % letters.size()];
  return bases;
}

// Returns a line for each hit with all its fields.
std::string print(const SearchHit& hit, std::int64_t record) {
  return std::to_string(record) + " " + std::string(hit.record_name) + " " + std::to_string(hit.start) + " " +
         std::to_string(hit.end) + " " + std::to_string(hit.pattern) + hit.strand + " " + std::to_string(hit.edits) +
         " " + std::to_string(hit.indels) + " " + std::string(hit.text) + " " + std::string(hit.cigar) + "\n";
}

std::string search(const Searcher& searcher, const std::vector<Owned>& records) {
  std::string lines;
  searcher.search(views_of(records), [&](const SearchHit& hit) { lines += print(hit, hit.record); });
  return lines;
}

std::string as_fasta(const std::vector<Owned>& records) {
  std::string text;
  for (const auto& [name, bases] : records) {
    text += ">" + name + " described\n";
    for (std::size_t at = 0; at < bases.size(); at += 60) text += bases.substr(at, 60) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("library: a motif in a buffer") {
  const Searcher searcher({{"EcoRI", "GAATTC"}, {"start", "atg"}});
  std::vector<std::string> hits;
  for (const SearchHit& hit : searcher.find("CCATGAATTCAT")) {
    CHECK(hit.text.empty());
    hits.push_back(print(hit, hit.record));
  }
  CHECK(hits ==
        std::vector<std::string>{"0  1 4 1- 0 0  \n", "0  2 5 1+ 0 0  \n", "0  4 10 0+ 0 0  \n", "0  9 12 1- 0 0  \n"});
  CHECK(searcher.find("").empty());
  CHECK(searcher.find("A").empty());
  CHECK(searcher.patterns()[1].bases == "atg");
  CHECK_THAT(searcher.method(), ContainsSubstring("cpu"));
  CHECK(std::string(version()) == BASESWEEP_VERSION);
}

TEST_CASE("library: edits, with text and CIGAR") {
  const Searcher searcher({{"p", "ACGTTGCA"}},
                          {.edits = 1, .strands = SearchOptions::Strands::plus, .alignments = true});
  CHECK(search(searcher, {{"a", "TTACGTGCATT"}}) == "0 a 2 9 0+ 1 1 ACGTGCA 3=1I4=\n");
  CHECK(search(searcher, {{"a", "ttacgttgcatt"}}) == "0 a 2 10 0+ 0 0 ACGTTGCA 8=\n");
  const Searcher minus({{"p", "ACGTTGCC"}}, {.alignments = true});
  CHECK(search(minus, {{"a", "TGGCAACGTT"}}) == "0 a 1 9 0- 0 0 ACGTTGCC 8=\n");
}

TEST_CASE("library: hits over the origin of circular records") {
  const std::vector<Owned> records{{"a", "TTCACGTGAA"}, {"b", "TTCACGTGAA"}};
  const auto places = [&](const SearchOptions& options) {
    std::string text;
    Searcher({{"p", "GAATTC"}}, options).search(views_of(records), [&](const SearchHit& hit) {
      text += std::string(hit.record_name) + " " + std::to_string(hit.start) + " " + std::to_string(hit.end) + "\n";
    });
    return text;
  };
  const std::optional<std::uint32_t> edits = GENERATE(std::optional<std::uint32_t>(), 0U);
  CHECK(places({.edits = edits}).empty());
  CHECK(places({.edits = edits, .circular = true}) == "a 7 13\nb 7 13\n");
  CHECK(places({.edits = edits, .circular_records = {"b"}}) == "b 7 13\n");
  CHECK_THROWS_AS(places({.circular = true, .flank = 1}), UsageError);
  CHECK_THROWS_AS(places({.circular_records = {"a"}, .flank = 1}), UsageError);
}

TEST_CASE("library: kinds of edits, drawn alignments and flanks") {
  const Searcher searcher({{"p", "ACGTTGCA"}},
                          {.edits = 2, .report = SearchOptions::Report::minima, .aligned = true, .flank = 3});
  const auto lines = [&](const std::string& bases) {
    std::string text;
    searcher.search(views_of({{"a", bases}}), [&](const SearchHit& hit) {
      CHECK(hit.text.empty());
      CHECK(hit.cigar.empty());
      CHECK(hit.mismatches + hit.insertions + hit.deletions == hit.edits);
      text += std::string(1, hit.strand) + " " + std::to_string(hit.mismatches) + std::to_string(hit.insertions) +
              std::to_string(hit.deletions) + " " + std::string(hit.upstream) + "|" + std::string(hit.aligned_pattern) +
              "/" + std::string(hit.aligned_text) + "|" + std::string(hit.downstream) + "\n";
    });
    return text;
  };
  CHECK(lines("TTACGTGCATTNCC") == "+ 010 TT|ACGTTGCA/ACG-TGCA|TTN\n");
  CHECK(lines("TGCAATCGTG") == "- 001 C|ACG-TTGCA/ACGATTGCA|\n");
  CHECK(lines("cgACGTTGTA") == "+ 100 CG|ACGTTGCA/ACGTTGTA|\n");
  const Searcher exact({{"p", "ACG"}}, {.strands = SearchOptions::Strands::plus, .flank = 2});
  std::string beside;
  exact.search(views_of({{"a", "nACGrT"}}),
               [&](const SearchHit& hit) { beside += std::string(hit.upstream) + "," + std::string(hit.downstream); });
  CHECK(beside == "N,RT");
  CHECK_THROWS_AS(Searcher({{"p", "ACG"}}, {.flank = 10'001}), UsageError);
}

TEST_CASE("library: memory and files give the same hits") {
  std::mt19937 random(7);
  const support::ScratchFolder folder;
  std::vector<Owned> records;
  for (const std::size_t length : {0, 1, 70'000, 0, 300'000, 12, 1'200'000, 0, 5}) {
    records.push_back({"r" + std::to_string(records.size()), random_bases(random, length, "ACGTACGTACGTacgtN")});
  }
  const std::string path = folder.path("a.fa");
  support::write_file(path, as_fasta(records));
  std::vector<NamedPattern> patterns;
  for (int i = 0; i < 5; ++i) patterns.push_back({"p" + std::to_string(i), records[4].bases.substr(i * 1'000, 8 + i)});
  for (NamedPattern& pattern : patterns) std::erase(pattern.bases, 'N');

  SearchOptions options = GENERATE(SearchOptions{}, SearchOptions{.alignments = true}, SearchOptions{.edits = 1},
                                   SearchOptions{.edits = 2, .report = SearchOptions::Report::best, .alignments = true},
                                   SearchOptions{.error_rate = 0.1, .skip_soft_masked = true, .non_overlapping = true},
                                   SearchOptions{.strands = SearchOptions::Strands::minus, .max_hits = 17});
  options.threads = GENERATE(1, 3);
  const Searcher searcher(patterns, options);
  std::string of_files;
  const SearchSummary summary = searcher.search_files({path}, [&](const SearchHit& hit) {
    static constexpr std::int64_t kIndex[] = {1, 2, 4, 5, 6, 8};  // numbers of the records with bases
    of_files += print(hit, kIndex[hit.record]);
  });
  CHECK_FALSE(of_files.empty());
  CHECK(of_files == search(searcher, records));
  CHECK(summary.hits == static_cast<std::uint64_t>(std::count(of_files.begin(), of_files.end(), '\n')));
  CHECK(summary.truncated == options.max_hits.has_value());
  CHECK(summary.warnings.empty());

  const std::vector<HitCount> counts = searcher.count(views_of(records));
  CHECK(counts == searcher.count_files({path}));
  std::uint64_t total = 0;
  for (const HitCount& count : counts) total += count.hits;
  CHECK((options.max_hits ? total > summary.hits : total == summary.hits));
}

TEST_CASE("library: short sequences, many at once and one by one, against plain search") {
  std::mt19937 random(11);
  std::vector<Owned> records;
  for (int i = 0; i < 20'000; ++i) records.push_back({"", random_bases(random, random() % 40)});
  const std::string motif = "ACGW";
  const Searcher searcher({{"m", motif}}, {.strands = SearchOptions::Strands::plus, .threads = 2});
  std::vector<std::pair<std::int64_t, std::int64_t>> expected;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& bases = records[i].bases;
    for (std::size_t at = 0; at + 4 <= bases.size(); ++at) {
      if (bases.compare(at, 3, "ACG") == 0 && (bases[at + 3] == 'A' || bases[at + 3] == 'T')) {
        expected.emplace_back(i, at);
      }
    }
  }
  REQUIRE(expected.size() > 100);
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  searcher.search(views_of(records), [&](const SearchHit& hit) { found.emplace_back(hit.record, hit.start); });
  CHECK(found == expected);
  found.clear();
  for (std::size_t i = 0; i < 500; ++i) {
    for (const SearchHit& hit : searcher.find(records[i].bases)) found.emplace_back(i, hit.start);
  }
  expected.erase(std::find_if(expected.begin(), expected.end(), [](const auto& hit) { return hit.first >= 500; }),
                 expected.end());
  CHECK(found == expected);
}

TEST_CASE("library: blocks of any size hold the same text") {
  const std::vector<Owned> records = {
      {"one two", "ACGTACGTAC"}, {"", ""}, {"three", "A"}, {"four", "TTTTTTTTTTTTTTTT"}};
  const std::vector<NamedSequence> views = views_of(records);
  const std::size_t block_bytes = GENERATE(range(std::size_t{1}, std::size_t{50}));
  MemorySource source(views, block_bytes);
  std::string text;
  std::uint64_t blocks = 0;
  while (const auto block = source.next()) {
    CHECK(block->number == blocks++);
    CHECK(block->file_offset == RawBlock::kNoFile);
    CHECK(block->inside_line == (!text.empty() && text.back() != '\n'));
    CHECK(block->size == block->bytes.size());
    CHECK(block->size <= std::max<std::size_t>(block_bytes, 9) + 8);
    text.append(block->bytes.begin(), block->bytes.end());
  }
  CHECK(text == ">one\nACGTACGTAC\n>\n\n>three\nA\n>four\nTTTTTTTTTTTTTTTT\n");
  CHECK(source.names()(1).number == 2);
}

TEST_CASE("library: hits that hang over, and the best of each record") {
  SearchOptions options{.edits = 1, .alignments = true};
  options.strands = SearchOptions::Strands::plus;
  options.overhang_3prime = 5;
  options.report = SearchOptions::Report::best_per_record;
  const Searcher searcher({{"p", "ACGTACGGTT"}, {"q", "CCCCAAAACCCC"}}, options);
  const std::vector<Owned> records = {{"cut", "TTTTTTTTTTACGTAC"}, {"two", "GGCCCCAAAACCCCGGGGCCCCATAACCCC"}};
  std::vector<std::string> found;
  searcher.search(views_of(records), [&](const SearchHit& hit) {
    const std::string next = hit.next_edits ? std::to_string(*hit.next_edits) : "-";
    found.push_back(fmt::format("{} {} {} {} {} {} {} {} {}", hit.record, hit.start, hit.end, hit.pattern, hit.cigar,
                                hit.pattern_start, hit.pattern_end, hit.best, next));
  });
  CHECK(found == std::vector<std::string>{"0 10 16 0 6=4S 0 6 1 -", "1 2 14 1 12= 0 12 1 1"});
}

TEST_CASE("library: invalid arguments are refused") {
  const auto make = [](const std::string& bases, const SearchOptions& options = {}) {
    return Searcher({{"p", bases}}, options);
  };
  CHECK_THROWS_AS(Searcher(std::vector<NamedPattern>()), UsageError);
  CHECK_THROWS_AS(make(""), UsageError);
  CHECK_THROWS_WITH(make("AC!"), Equals("pattern 'p': position 3: '!' is not a nucleotide or IUPAC code"));
  CHECK_THROWS_AS(Searcher({{"p", "A"}, {"p", "C"}}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.edits = 1, .error_rate = 0.1}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.error_rate = 1.0}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.edits = 4}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.max_indels = 1}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.overhang_3prime = 2}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.edits = 1, .overhang_3prime = 0}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.edits = 1, .best_of_record = true}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.max_hits = 0}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {.threads = -1}), UsageError);
  CHECK_THROWS_WITH(make("ACGT", {.device = "tpu"}),
                    Equals("device 'tpu': expected auto, cpu, gpu, gpu:N, gpu:N,N or gpu:all"));
  CHECK_THROWS_WITH(make("ACGT", {.algorithm = "myers"}),
                    Equals("algorithm 'myers' is not one that searches without edits"));
  CHECK_THROWS_AS(make("ACGT", {.device = "gpu:9999"}), DeviceError);
  const Searcher searcher = make("ACGT");
  const auto ignore = [](const SearchHit&) {};
  CHECK_THROWS_AS(searcher.search_files({}, ignore), UsageError);
  CHECK_THROWS_AS(searcher.search_files({"/nowhere.fa"}, ignore), IoError);
  const std::string what = " is not sequence (expected letters, '-', '*' or '.')";
  CHECK_THROWS_WITH(searcher.find("AC\nGT"), Equals("<memory>: record '', position 3: byte 0x0a" + what));
  CHECK_THROWS_WITH(searcher.find("ACGT\r"), Equals("<memory>: record '', position 5: byte 0x0d" + what));
  CHECK_THROWS_WITH(searcher.find(">ACGT"), Equals("<memory>: record '', position 1: '>'" + what));
  CHECK_THROWS_WITH(searcher.find("AC>GT"), Equals("<memory>: record '', position 3: '>'" + what));
  CHECK_THROWS_WITH(searcher.search({}, Searcher::Take()), Equals("no function to take hits"));
  CHECK_THROWS_AS(make("ACGT", {.text_bases = -1}), UsageError);
}

TEST_CASE("library: hits before an error are passed on, and an exception of the caller ends the search") {
  const Searcher searcher({{"p", "ACGT"}});
  const std::string bad = GENERATE("1", "\n", "\r", ">");
  const std::size_t copies = GENERATE(1, 100, 200'000);
  std::string first;
  for (std::size_t i = 0; i < copies; ++i) first += "ACGTA";
  const std::vector<Owned> records = {{"a", first}, {"b", "ACGTAC" + bad + "GT"}};
  std::size_t hits = 0;
  try {
    searcher.search(views_of(records), [&](const SearchHit&) { ++hits; });
    FAIL("no error");
  } catch (const DataError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("<memory>: record 'b', position 7: "));
    CHECK(error.exit_code() == kExitData);
  }
  CHECK(hits == copies + 1);
  const auto stop = [](const SearchHit&) { throw std::length_error("enough"); };
  CHECK_THROWS_AS(searcher.search(views_of({{"a", "ACGTACGT"}}), stop), std::length_error);
}

TEST_CASE("library: names may be long, have several words, or be missing") {
  const Searcher searcher({{"p", "ACGT"}});
  const std::string name(100'000, 'n');
  std::vector<std::string> names;
  const std::vector<Owned> records = {{name, "ACGT"}, {"two words", "ACGT"}, {"", "ACGT"}};
  searcher.search(views_of(records), [&](const SearchHit& hit) { names.emplace_back(hit.record_name); });
  CHECK(names == std::vector<std::string>{name, "two words", ""});
}

TEST_CASE("library: the summary holds the warnings") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("a.fa"), ">a\nACGT\n>a\nACGT\n");
  support::write_file(folder.path("b.fa"), "");
  support::write_file(folder.path("c.fa"), ">c\nMKVLACGTGLCEFILPQSW\n");
  const Searcher searcher({{"p", "ACGT"}});
  const SearchSummary summary =
      searcher.search_files({folder.path("a.fa"), folder.path("b.fa"), folder.path("c.fa")}, [](const SearchHit&) {});
  CHECK(summary.hits == 3);
  REQUIRE(summary.warnings.size() == 3);
  const std::string all = summary.warnings[0] + summary.warnings[1] + summary.warnings[2];
  CHECK_THAT(all, ContainsSubstring("'a' was used before") && ContainsSubstring("is empty") &&
                      ContainsSubstring("c.fa: only 31 % of the letters"));
}

TEST_CASE("library: one searcher on several threads") {
  std::mt19937 random(3);
  const std::string text = random_bases(random, 400'000);
  const Searcher searcher({{"p", "ACGTA"}, {"q", "GGATC"}}, {.threads = 2});
  const std::size_t expected = searcher.find(text).size();
  std::vector<std::size_t> found(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t& size : found) threads.emplace_back([&] { size = searcher.find(text).size(); });
  }
  CHECK(found == std::vector<std::size_t>(4, expected));
  std::vector<std::vector<HitCount>> counts(4);
  {
    std::vector<std::jthread> threads;
    const NamedSequence record{"t", text};
    for (auto& count : counts) threads.emplace_back([&] { count = searcher.count({&record, 1}); });
  }
  for (const auto& count : counts) CHECK(count == counts.front());
  CHECK(counts.front().size() == 4);
}

}  // namespace basesweep::test_searcher
