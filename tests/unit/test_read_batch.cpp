// Parsing of reads with every instruction set, compared with a parser that works letter by letter.
#include "lib/reads/read_batch.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/search/packed_batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_read_batch {
namespace {

struct Given {
  std::string name, letters, quality;  // as in the file, without line breaks; quality is empty in FASTA
};

std::string file_of(const std::vector<Given>& reads, bool fastq, std::size_t width = 100000,
                    const std::string& end = "\n") {
  std::string text;
  for (const Given& read : reads) {
    text += (fastq ? "@" : ">") + read.name + end + support::in_lines(read.letters, width, end);
    if (fastq) text += "+" + end + support::in_lines(read.quality, width, end);
  }
  return text;
}

// Returns the batch that holds all reads of the texts.
ReadBatch parse(const support::ScratchFolder& scratch, const std::string& text, const ReadOptions& options,
                const std::string* mates = nullptr) {
  support::write_file(scratch.path("in"), text);
  if (mates != nullptr) support::write_file(scratch.path("mates"), *mates);
  ReadSource source({.paths = {scratch.path("in")},
                     .mate_paths = mates == nullptr ? std::vector<std::string>{} : std::vector{scratch.path("mates")},
                     .interleaved = options.paired && mates == nullptr,
                     .block_bytes = std::size_t{1} << 26});
  auto raw = source.next();
  REQUIRE(raw);
  return parse_reads(std::move(*raw), options);
}

std::string error_of(const ReadBatch& batch) {
  if (!batch.error) return "";
  try {
    std::rethrow_exception(batch.error);
  } catch (const DataError& error) {
    return error.what();
  }
}

// Replaces each letter of `from` by the letter of `to` at its place, and every other byte by `other`.
std::string replaced(std::string letters, std::string_view from, std::string_view to, char other) {
  std::array<char, 256> table{};
  table.fill(other);
  for (std::size_t i = 0; i < from.size(); ++i) table[static_cast<unsigned char>(from[i])] = to[i];
  for (char& c : letters) c = table[static_cast<unsigned char>(c)];
  return letters;
}

// A read's letters as they are printed.
std::string printed(const std::string& letters) {
  return replaced(letters, "ACMGRSVTWYHKDBNUacmgrsvtwyhkdbnu", "ACMGRSVTWYHKDBNTACMGRSVTWYHKDBNT", 'N');
}

std::string reverse_complement(const std::string& letters) {
  return replaced({letters.rbegin(), letters.rend()}, "ACGTRYKMBVDHSWN", "TGCAYRMKVBHDSWN", '!');
}

// Letters as the planes hold them: '?' where no base is known.
std::string bases(const std::string& letters) { return replaced(letters, "ACGT", "ACGT", '?'); }

// The letters that the planes hold for a query; "-" when it is not searched for.
std::string query_of(const ReadBatch& batch, std::size_t index) {
  const ReadQueryView view = batch.view();
  const ReadQuery& query = view.queries[index];
  if (query.length == 0) return "-";
  const std::uint32_t spare = 64 * query.words() - query.length;
  REQUIRE(query.first_word + query.words() < view.word_count);  // one more word can be read
  for (const std::uint64_t* plane : {view.lo, view.hi, view.known})
    if (spare != 0) REQUIRE(plane[query.first_word] << (64 - spare) == 0);
  std::string letters;
  letters.reserve(query.length);
  for (std::uint32_t i = 0; i < query.length; ++i) {
    const auto bit = [&](const std::uint64_t* plane) {
      return static_cast<unsigned>(plane[query.first_word + (spare + i) / 64] >> ((spare + i) % 64) & 1);
    };
    const bool known = bit(view.known) != 0;
    if (!known) REQUIRE((bit(view.lo) | bit(view.hi)) == 0);
    letters += known ? base_letter(bit(view.hi) << 1 | bit(view.lo)) : '?';
  }
  return letters;
}

struct Expected {
  Skipped skipped;
  std::string plus, minus;  // "-": not searched for
  std::uint32_t edits;
};

Expected expected_of(const std::string& letters, const ReadOptions& options) {
  const auto edits =
      options.edits
          ? *options.edits
          : static_cast<std::uint32_t>(std::floor(*options.rate * static_cast<double>(letters.size()) + 1e-9));
  const std::string plus = bases(letters), minus = bases(reverse_complement(letters));
  const auto unknown = static_cast<std::size_t>(std::count(plus.begin(), plus.end(), '?'));
  if (letters.size() > kMaxReadLength) return {Skipped::too_long, "-", "-", 0};
  if (letters.size() <= edits) return {Skipped::too_short, "-", "-", 0};
  if (unknown == letters.size()) return {Skipped::no_bases, "-", "-", 0};
  if (unknown > edits) return {Skipped::none, "-", "-", 0};
  const bool palindrome = letters == reverse_complement(letters);
  switch (options.strands) {
    case StrandChoice::plus: return {Skipped::none, plus, "-", edits};
    case StrandChoice::minus: return {Skipped::none, "-", minus, edits};
    default: return {Skipped::none, plus, palindrome ? "-" : minus, edits};
  }
}

// Returns the first fault of a batch of these reads, or "". `names`: the reads' names as they are printed.
std::string fault_of(const ReadBatch& batch, const std::vector<Given>& reads, const std::vector<std::string>& names,
                     const ReadOptions& options) {
  if (batch.reads.size() != reads.size()) return "number of reads: " + std::to_string(batch.reads.size());
  if (batch.queries.size() != 2 * reads.size()) return "number of queries";
  if (batch.hi.size() != batch.lo.size() || batch.known.size() != batch.lo.size()) return "sizes of planes";
  if (batch.lo.empty() || batch.lo.back() != 0 || batch.hi.back() != 0 || batch.known.back() != 0) return "pad";
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Read& read = batch.reads[i];
    const std::string letters = printed(reads[i].letters), where = "read " + std::to_string(i) + ": ";
    const Expected expected = expected_of(letters, options);
    if (read.name != names[i]) return where + "name";
    if (read.letters != letters) return where + "letters";
    if (read.quality != reads[i].quality) return where + "quality";
    if (read.skipped != expected.skipped) return where + "skipped";
    if (query_of(batch, 2 * i) != expected.plus) return where + "strand +: " + query_of(batch, 2 * i);
    if (query_of(batch, 2 * i + 1) != expected.minus) return where + "strand -: " + query_of(batch, 2 * i + 1);
    for (const std::size_t query : {2 * i, 2 * i + 1})
      if (batch.queries[query].length != 0 && batch.queries[query].edits != expected.edits) return where + "edits";
  }
  return "";
}

std::vector<std::string> names_of(const std::vector<Given>& reads) {
  std::vector<std::string> names;
  for (const Given& read : reads) names.push_back(read.name);
  return names;
}

std::string random_quality(trial::Random& random, std::size_t length) {
  std::string quality(length, ' ');
  for (char& c : quality) c = static_cast<char>(random.between('!', '~'));
  return quality;
}

}  // namespace

TEST_CASE("Planes of both strands for every length", "[reads]") {
  const support::ScratchFolder scratch;
  trial::Random random(support::test_seed());
  INFO("BASESWEEP_TEST_SEED=" << support::test_seed());
  std::vector<Given> reads;
  for (std::size_t length = 0; length <= 2050; length += length < 260 || length > 2040 ? 1 : 7) {
    for (const char* alphabet : {"ACGT", "ACGTacgtuU", "ACGTACGTACGTACGTACGTN-r"}) {
      const std::string letters = trial::random_letters(random, length, alphabet);
      reads.push_back({"r" + std::to_string(reads.size()), letters, random_quality(random, length)});
    }
  }
  for (const Isa isa : available_isas()) {
    for (const bool fastq : {false, true}) {
      auto truth = reads;
      if (!fastq)
        for (Given& read : truth) read.quality.clear();
      for (const std::size_t width : {1U, 60U, 100000U}) {
        for (const StrandChoice strands : {StrandChoice::both, StrandChoice::plus, StrandChoice::minus}) {
          const ReadOptions options{.edits = 40, .strands = strands, .isa = isa};
          const ReadBatch batch = parse(scratch, file_of(reads, fastq, width), options);
          INFO(to_string(isa) << ", lines of " << width << (fastq ? ", FASTQ" : ", FASTA"));
          CHECK(error_of(batch) == "");
          CHECK(fault_of(batch, truth, names_of(reads), options) == "");
        }
      }
    }
  }
}

TEST_CASE("Reads of random letters, lines, edits and strands", "[reads]") {
  const support::ScratchFolder scratch;
  trial::Random random(support::test_seed() + 1);
  INFO("BASESWEEP_TEST_SEED=" << support::test_seed());
  const std::vector<std::string> alphabets = {"ACGT", "AT", "ACGTacgtN", "N", "RYSWKMBDHVNryswkmbdhvn", "-*.xZeACGTUu"};
  for (std::uint64_t round = 0; round < support::test_cases(400); ++round) {
    std::vector<Given> reads;
    const bool fastq = random.chance(70);
    for (std::size_t i = random.between(1, 12); i-- > 0;) {
      std::string letters =
          trial::random_letters(random, random.below(random.chance(50) ? 9 : 200), random.pick(alphabets));
      if (random.chance(20)) letters += reverse_complement(printed(letters));
      const std::string quality = fastq ? random_quality(random, letters.size()) : "";
      reads.push_back({"r" + std::to_string(i), letters, quality});
    }
    // A quality line that looks like a title is never taken for one.
    const std::string text =
        file_of(reads, fastq, random.chance(50) ? 100000 : random.between(1, 90), random.chance(30) ? "\r\n" : "\n");
    ReadOptions options;
    if (random.chance(50)) {
      options.edits = static_cast<std::uint32_t>(random.below(12));
    } else {
      options.rate = static_cast<double>(random.below(60)) / 100;
    }
    options.strands = random.chance(60)   ? StrandChoice::both
                      : random.chance(50) ? StrandChoice::plus
                                          : StrandChoice::minus;
    options.isa = random.pick(available_isas());
    const ReadBatch batch = parse(scratch, text, options);
    INFO("round " << round << "\n" << text);
    REQUIRE(error_of(batch) == "");
    REQUIRE(fault_of(batch, reads, names_of(reads), options) == "");
  }
}

TEST_CASE("Why reads are not searched for", "[reads]") {
  const support::ScratchFolder scratch;
  const std::string long_read(kMaxReadLength, 'A');
  const auto skipped = [&](const std::string& letters, const ReadOptions& options) {
    const ReadBatch batch = parse(scratch, ">r\n" + letters + "\n", options);
    CHECK(error_of(batch) == "");
    REQUIRE(batch.reads.size() == 1);
    if (batch.reads[0].skipped != Skipped::none) CHECK(query_of(batch, 0) + query_of(batch, 1) == "--");
    return batch.reads[0].skipped;
  };
  CHECK(skipped(long_read, {.edits = 8}) == Skipped::none);
  CHECK(skipped(long_read + "A", {.edits = 8}) == Skipped::too_long);
  CHECK(skipped(std::string(100000, 'N'), {.edits = 8}) == Skipped::too_long);
  CHECK(skipped(long_read, {.edits = 4000000000}) == Skipped::too_short);
  CHECK(skipped("ACGTA", {.edits = 5}) == Skipped::too_short);
  CHECK(skipped("ACGTAC", {.edits = 5}) == Skipped::none);
  CHECK(skipped("", {.edits = 0}) == Skipped::too_short);
  CHECK(skipped("", {.rate = 0.1}) == Skipped::too_short);
  CHECK(skipped("NNNN", {.edits = 4}) == Skipped::too_short);
  CHECK(skipped("NNNNN", {.edits = 4}) == Skipped::no_bases);
  CHECK(skipped("NRY-*", {.rate = 0.5}) == Skipped::no_bases);
  CHECK(skipped("NNNNA", {.edits = 0}) == Skipped::none);
}

TEST_CASE("A rate gives the edits of each read's length", "[reads]") {
  const support::ScratchFolder scratch;
  const std::vector<Given> reads = {{"a", std::string(100, 'A'), ""}, {"b", std::string(99, 'A'), ""}, {"c", "A", ""}};
  const ReadBatch batch = parse(scratch, file_of(reads, false), {.rate = 0.29});
  REQUIRE(batch.queries.size() == 6);
  CHECK(batch.queries[0].edits == 29);  // not 28
  CHECK(batch.queries[3].edits == 28);
  CHECK(batch.queries[4].edits == 0);
}

TEST_CASE("Palindromic reads are searched for once", "[reads]") {
  const support::ScratchFolder scratch;
  const auto strands = [&](const std::string& letters, StrandChoice choice) {
    const ReadBatch batch = parse(scratch, ">r\n" + letters + "\n", {.edits = 2, .strands = choice});
    REQUIRE(batch.queries.size() == 2);
    return std::string(batch.queries[0].length != 0 ? "+" : "") + (batch.queries[1].length != 0 ? "-" : "");
  };
  for (const char* palindrome : {"ACGT", "acgu", "AANTT", "ARYT", "A-.T", "ASST"}) {
    INFO(palindrome);
    CHECK(strands(palindrome, StrandChoice::both) == "+");
    CHECK(strands(palindrome, StrandChoice::plus) == "+");
    CHECK(strands(palindrome, StrandChoice::minus) == "-");
  }
  for (const char* other : {"ACGA", "ACG", "ARRT", "ANRT"}) {
    INFO(other);
    CHECK(strands(other, StrandChoice::both) == "+-");
    CHECK(strands(other, StrandChoice::plus) == "+");
    CHECK(strands(other, StrandChoice::minus) == "-");
  }
}

TEST_CASE("Mates of two files or one", "[reads]") {
  const support::ScratchFolder scratch;
  const std::vector<Given> first = {{"a/1", "ACGTA", "IIIII"}, {"b", "A", "I"}, {"c/1", "ACG", "III"}},
                           second = {{"a/2", "TTGCATG", "!!!!~~~"}, {"b", "ACA", "III"}, {"c", "", ""}};
  std::vector<Given> all;
  for (std::size_t i = 0; i < first.size(); ++i) all.insert(all.end(), {first[i], second[i]});
  const std::vector<std::string> names = {"a", "a", "b", "b", "c", "c"};
  const ReadOptions options{.edits = 1, .paired = true};
  const std::string mates = file_of(second, true);
  const ReadBatch two = parse(scratch, file_of(first, true), options, &mates);
  CHECK(error_of(two) == "");
  CHECK(fault_of(two, all, names, options) == "");
  const ReadBatch one = parse(scratch, file_of(all, true), options);
  CHECK(error_of(one) == "");
  CHECK(fault_of(one, all, names, options) == "");
  // These are not mates, so the names stay as they are.
  const ReadBatch single = parse(scratch, file_of(all, true), {.edits = 1});
  CHECK(single.reads.front().name == "a/1");
}

TEST_CASE("Mates whose names differ end the batch before their pair", "[reads]") {
  const support::ScratchFolder scratch;
  struct Mates {
    std::string first;
    std::string second;
    std::string says;
  };
  const std::string other = "; expected the same, apart from /1 and /2 (or .1 and .2, _1 and _2) at the end";
  const std::string ends = ": first mates end in /1 and second mates in /2, or neither does";
  const std::vector<Mates> cases = {{"b", "c", " has another name, 'c'" + other},
                                    {"b/2", "b/1", " is 'b/1', the first of the pair: exchange the files of -1 and -2"},
                                    {"b.2", "b.1", " is 'b.1', the first of the pair: exchange the files of -1 and -2"},
                                    {"b.1", "b_2", " has another name, 'b_2'" + other},
                                    {"b.1", "b.3", " has another name, 'b.3'" + other},
                                    {"_1", "_2", " has another name, '_2'" + other},
                                    {"b/1", "b/1", " is 'b/1'" + ends},
                                    {"b", "b/1", " is 'b/1'" + ends},
                                    {"b/2", "b", " is 'b'" + ends},
                                    {"B", "b", " has another name, 'b'" + other}};
  for (const auto& [name, mate, says] : cases) {
    const std::string mates = ">a\nACG\n>" + mate + "\nCC\n";
    const ReadBatch two = parse(scratch, ">a\nAC\n>" + name + "\nCC\n", {.edits = 0, .paired = true}, &mates);
    CHECK(fault_of(two, {{"a", "AC", ""}, {"a", "ACG", ""}}, {"a", "a"}, {.edits = 0}) == "");
    CHECK(error_of(two) == scratch.path("in") + ": record '" + name + "': its mate in " + scratch.path("mates") + says);
  }
}

TEST_CASE("Reads may hold what sequence text may", "[reads]") {
  const support::ScratchFolder scratch;
  for (int i = 0; i < 256; ++i) {
    const char byte = static_cast<char>(i);
    INFO("byte " << i);
    const ReadBatch batch = parse(scratch, std::string(">r\nAC") + byte + "GT\n", {.edits = 1});
    REQUIRE(error_of(batch).empty() == (is_sequence_byte(byte) || is_line_end(byte)));
    if (batch.error) continue;
    CHECK(batch.reads.front().letters.size() == (is_line_end(byte) ? 4 : 5));
  }
}

TEST_CASE("A bad record ends the batch before it, or before its pair", "[reads]") {
  const support::ScratchFolder scratch;
  const std::string good = "@r\nACGT\n+\nIIII\n", name(254, 'n');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"@x y\nAC5T\n+\nIIII\n",
       "record 'x', position 3 (byte 22): '5' is not sequence (expected letters, '-', '*' or '.')"},
      {"@x\nAC\r\nG=\r\n+\nIIII\n", "record 'x', position 4 (byte 23): '=' is not sequence"},
      {"@x\nA T\n+\nIII\n", "record 'x', position 2 (byte 19): a blank is not sequence"},
      {std::string("@x\nA\0\n+\nII\n", 11), "record 'x', position 2 (byte 19): byte 0x00 is not sequence"},
      {"@x\n\xffT\n+\nII\n", "record 'x', position 1 (byte 18): byte 0xff is not sequence"},
      {"@x\n" + std::string(3000, 'A') + "?\n+\n" + std::string(3001, 'I') + "\n", "position 3001 (byte 3018): '?'"},
      {"@x\nACGT\n+\nII I\n", "record 'x', position 3 (byte 27): a blank is not a quality (expected '!' to '~')"},
      {"@x\nACGT\n+\nII\nI\x7f\n", "record 'x', position 4 (byte 29): byte 0x7f is not a quality"},
      {"@x\nACGT\n+\n\x1fIII\n", "record 'x', position 1 (byte 25): byte 0x1f is not a quality"},
      {"@x\nACGT\n+\nIII\x80\n", "record 'x', position 4 (byte 28): byte 0x80 is not a quality"},
      {"@x\nAC\rGT\n+\nIIIII\n", "record 'x': quality has 5 characters, sequence has 4"},
      {"@x\nACGTT\n+\nII\rII\n", "record 'x': quality has 4 characters, sequence has 5"},
      {"@\nA\n+\nI\n", "record '': byte 15: it has no name, which SAM needs"},
      {"@ \t\nA\n+\nI\n", "record '': byte 15: it has no name, which SAM needs"},
      {"@*\nA\n+\nI\n", "record '*': in SAM this name means that there is none"},
      {"@x@y\nA\n+\nI\n", "record 'x@y': SAM does not allow '@' in its name"},
      {"@@\nA\n+\nI\n", "record '@': SAM does not allow '@' in its name"},
      {"@x\xc3\nA\n+\nI\n", "SAM does not allow byte 0xc3 in its name"},
      {"@" + name + "n\nA\n+\nI\n", "the name has 255 letters, SAM allows 254"},
  };
  const std::vector<Given> first = {{"r", "ACGT", "IIII"}};
  for (const auto& [bad, message] : cases) {
    INFO(bad);
    const ReadBatch batch = parse(scratch, good + bad + good, {.edits = 1});
    CHECK(fault_of(batch, first, {"r"}, {.edits = 1}) == "");
    INFO("message: " << error_of(batch) << "\nexpected: " << message);
    CHECK(error_of(batch).find(scratch.path("in") + ": ") == 0);
    CHECK(error_of(batch).find(message) != std::string::npos);

    // The bad read is the first, then the second read of a pair, after a good pair.
    for (const std::string& pair : {bad + good, good + bad}) {
      const ReadBatch pairs = parse(scratch, good + good + pair + good + good, {.edits = 1, .paired = true});
      CHECK(fault_of(pairs, {first[0], first[0]}, {"r", "r"}, {.edits = 1}) == "");
      CHECK(error_of(pairs) != "");
      const std::string mates = good + pair;
      const ReadBatch two = parse(scratch, good + pair, {.edits = 1, .paired = true}, &mates);
      CHECK(two.reads.size() == (pair.ends_with(good) ? 2 : 4));
      CHECK(two.queries.size() == 2 * two.reads.size());
    }
  }
  const ReadBatch longest =
      parse(scratch, "@" + name + "/1\nA\n+\nI\n@" + name + "/2\nA\n+\nI\n", {.edits = 0, .paired = true});
  CHECK(error_of(longest) == "");
  CHECK(longest.reads.at(1).name == name);
}

TEST_CASE("An error in the mates' input names its file", "[reads]") {
  const support::ScratchFolder scratch;
  const std::string mates = ">a\nAC\n>b\nA1\n";
  const ReadBatch batch = parse(scratch, ">a\nAC\n>b\nAC\n", {.edits = 0, .paired = true}, &mates);
  CHECK(batch.reads.size() == 2);
  CHECK(error_of(batch).find(scratch.path("mates") + ": record 'b', position 2 (byte 10): '1'") == 0);
}

}  // namespace basesweep::test_read_batch
