// Finders on single references find the same ends as the full dynamic programming matrix.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/seeds/candidates.hpp"
#include "kernels/reads/seeds/choices.hpp"
#include "kernels/reads/seeds/index.hpp"
#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/trial/compare_read_ends.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/search/finder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_finder {

namespace {

using trial::is_base;
using trial::join;
using trial::make_reads;
using trial::Random;
using trial::TestRead;

struct Case {
  std::vector<std::string> records;
  std::vector<TestRead> reads;  // one query each
};

std::string literal(const Case& c) {
  std::string text = "records = {";
  for (const std::string& record : c.records) text += fmt::format("\"{}\", ", record);
  text += "}; reads = {";
  for (const TestRead& read : c.reads) text += fmt::format("{{\"{}\", {}}}, ", read.letters, read.edits);
  return text + "}";
}

std::string repeat(const std::string& unit, std::size_t length, Random& random, unsigned noise_percent) {
  std::string text;
  while (text.size() < length) text += random.chance(noise_percent) ? trial::random_letters(random, 1, "ACGT") : unit;
  return text.substr(0, length);
}

std::string random_record(Random& random, std::size_t length) {
  switch (random.below(6)) {
    case 0: return repeat(trial::random_letters(random, random.between(1, 6), "ACGT"), length, random, 3);
    case 1: return repeat("A", length, random, random.chance(50) ? 0 : 2);
    case 2: return trial::random_letters(random, length, "AC");
    default: return trial::random_letters(random, length, "ACGT");
  }
}

std::vector<std::string> random_records(Random& random) {
  std::vector<std::string> records;
  if (random.chance(25)) {
    for (std::size_t n = random.between(2, 40); n-- != 0;) {
      records.push_back(random_record(random, random.between(1, 60)));
    }
  } else {
    const std::size_t length = random.chance(15)  ? random.between(1, 40)
                               : random.chance(4) ? random.between(20'000, 60'000)
                                                  : random.between(1, 4000);
    records.push_back(random_record(random, length));
    if (random.chance(30)) records.push_back(random_record(random, random.between(1, 500)));
  }
  if (random.chance(30)) {
    for (std::string& record : records) {
      for (std::size_t runs = random.below(4); runs-- != 0;) {
        const std::size_t begin = random.below(record.size());
        const std::size_t count = std::min<std::size_t>(record.size() - begin, random.between(1, 30));
        record.replace(begin, count, count, random.chance(70) ? 'N' : random.pick(std::string("RYKMSWBDHV")));
      }
    }
  }
  return records;
}

std::size_t random_length(Random& random, std::size_t positions) {
  if (positions < 5000 && random.below(40) == 0) return random.between(300, kMaxReadLength);
  if (random.chance(25)) {
    return random.pick(std::vector<std::size_t>{1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 150});
  }
  return random.chance(60) ? random.between(1, 80) : random.between(80, positions > 10'000 ? 120 : 300);
}

std::string reverse_complement(const std::string& letters) {
  std::string reversed(letters.rbegin(), letters.rend());
  for (char& c : reversed) {
    if (is_base(c)) c = base_letter(complement(base_code(c)));
  }
  return reversed;
}

TestRead random_read(Random& random, const std::string& text, std::size_t length) {
  std::uint32_t edits = 0;
  if (random.chance(85)) {
    edits = static_cast<std::uint32_t>(random.below(std::min<std::size_t>(length, length / 8 + 2)));
  } else {
    edits = static_cast<std::uint32_t>(random.below(length));
  }
  std::string letters;
  if (random.chance(70)) {
    letters = text.substr(random.below(text.size()), length);
    for (char& c : letters) {
      if (!is_base(c)) c = "ACGT"[random.below(4)];
    }
    letters = trial::mutate(random, letters, random.below(edits + 2));
    letters.resize(std::min(letters.size(), length));
  }
  if (letters.size() < length) letters += trial::random_letters(random, length - letters.size(), "ACGT");
  if (random.chance(15)) letters = repeat("A", length, random, 2);
  for (std::size_t n = random.chance(20) ? random.between(1, 4) : 0; n-- != 0;) {
    letters[random.below(length)] = random.chance(80) ? 'N' : 'R';
  }
  return {std::move(letters), edits};
}

constexpr std::uint64_t kMaxCells = 6'000'000;  // in all matrices of a case

Case random_case(Random& random) {
  Case c;
  c.records = random_records(random);
  const std::string text = join(c.records);
  const std::size_t wanted = random.chance(20) ? random.between(100, 700) : random.between(1, 30);
  const std::size_t one_length = random.chance(40) ? random_length(random, text.size()) : 0;
  std::uint64_t cells = 0;
  while (c.reads.size() < wanted && cells < kMaxCells) {
    const std::size_t length = one_length != 0 ? one_length : random_length(random, text.size());
    cells += 2 * length * text.size();
    if (random.chance(3)) c.reads.push_back({"", 0});
    c.reads.push_back(random_read(random, text, length));
    c.reads.push_back({reverse_complement(c.reads.back().letters), c.reads.back().edits});
  }
  return c;
}

const char* to_string(Candidates candidates) {
  switch (candidates) {
    case Candidates::automatic: return "auto";
    case Candidates::index: return "index";
    case Candidates::few_seeds: return "few seeds";
    case Candidates::sweep: return "sweep";
  }
  return "";
}

bool for_reads(Algorithm algorithm) {
  const std::vector<Algorithm>& all = read_algorithms();
  return algorithm == Algorithm::automatic || std::find(all.begin(), all.end(), algorithm) != all.end();
}

std::string check_target(const Case& c, const PackedBatch& reference, const trial::ReadEnds& expected,
                         const support::Target& target, Candidates candidates, std::size_t cut) {
  FinderOptions options;
  options.algorithm = target.algorithm;
  options.candidates = candidates;
  options.device = target.device;
  options.isa = target.isa;
  options.threads = static_cast<int>(cut % 3) + 1;
  if (cut % 4 == 0) options.max_ends = cut;
  const auto finder = make_finder(reference, options);
  std::vector<ReadBatch> batches;
  batches.push_back(make_reads({c.reads.begin(), c.reads.begin() + static_cast<std::ptrdiff_t>(cut)}));
  batches.push_back(make_reads({c.reads.begin() + static_cast<std::ptrdiff_t>(cut), c.reads.end()}));
  const std::vector<std::vector<ReadEnd>> found = trial::find_all(*finder, batches);
  const bool exactly = !expected.letters || candidates == Candidates::sweep;
  const std::string fault = trial::compare_read_ends(found[0], expected, 0, cut, exactly);
  return fault.empty() ? trial::compare_read_ends(found[1], expected, cut, c.reads.size() - cut, exactly) : fault;
}

std::string check_case(std::uint64_t seed) {
  Random random(seed);
  const Case c = random_case(random);
  const trial::ReadEnds expected = trial::expected_read_ends(c.records, c.reads);
  const auto reference = trial::reads_reference(c.records);
  const std::size_t cut = random.below(c.reads.size() + 1);
  for (const support::Target& target : support::approximate_targets()) {
    if (!for_reads(target.algorithm)) continue;
    for (const Candidates candidates :
         {Candidates::automatic, Candidates::index, Candidates::few_seeds, Candidates::sweep}) {
      std::string fault;
      try {
        fault = check_target(c, *reference, expected, target, candidates, cut);
      } catch (const std::exception& error) {
        fault = std::string("exception: ") + error.what();
      }
      const std::string name = fmt::format("{}, {}", target.name, to_string(candidates));
      if (!fault.empty()) return fmt::format("{}: {}\n{}", name, fault, literal(c));
      support::tally().ran(name);
    }
  }
  return "";
}

// Returns the q-grams of the reference's positions that hold a base, sorted by key and position.
std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_grams(const std::string& text, std::uint32_t gram) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> grams;
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (!is_base(text[position])) continue;
    std::uint32_t key = 0;
    for (std::size_t i = position; i < position + gram; ++i)
      key = 4 * key + (i < text.size() ? (text[i] == '.' ? 0 : base_code(text[i])) : 0);
    grams.emplace_back(key, position);
  }
  std::sort(grams.begin(), grams.end());
  return grams;
}

std::string index_fault(const seeds::IndexView& index, const std::string& text) {
  const auto grams = sorted_grams(text, index.gram);
  const std::uint32_t keys = 1U << 2 * index.gram;
  if (index.starts[0] != 0 || index.starts[keys] != grams.size()) return "number of positions";
  std::size_t at = 0;
  for (std::uint32_t key = 0; key < keys; ++key) {
    for (std::uint32_t i = index.starts[key]; i < index.starts[key + 1]; ++i, ++at) {
      if (grams[at] != std::pair(key, index.positions[i])) return fmt::format("key {}", key);
    }
    if (index.starts[key + 1] != at) return fmt::format("begin of key {}", key + 1);
  }
  return "";
}

}  // namespace

TEST_CASE("random references and reads: the same ends as the full matrix", "[finder]") {
  const std::uint64_t cases = support::test_cases(400);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    const std::string fault = check_case(seed);
    if (fault.empty()) continue;
    FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

TEST_CASE("a read is found where the text has letters in place of the first bases of all its seeds", "[finder]") {
  for (const auto& [length, edits, errors] : {std::tuple(24U, 3U, 1U), {20U, 7U, 1U}, {30U, 5U, 2U}, {60U, 8U, 2U}}) {
    const ReadQuery query{0, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(edits)};
    REQUIRE(seeds::errors_of(query, 0, seeds::seeds_for(query, 2000, Candidates::few_seeds)) == errors);
    Random random(length);
    const std::string read = trial::random_letters(random, length, "ACGT");
    for (std::uint32_t cut_into = (edits + 3) / 3; cut_into <= edits; ++cut_into) {
      std::string place = read;
      for (std::uint32_t i = 0; i < cut_into; ++i) {
        const std::uint32_t begin = seeds::seed_of(query, i, cut_into).begin;
        for (std::uint32_t n = 0; n < seeds::errors_of(query, i, cut_into); ++n) place[begin + n] = 'N';
      }
      const std::string record =
          trial::random_letters(random, 900, "ACGT") + place + trial::random_letters(random, 900, "ACGT");
      const auto reference = trial::reads_reference({record});
      const trial::ReadEnds expected = trial::expected_read_ends({record}, {{read, edits}, {"", 0}});
      REQUIRE(expected.needed[0].count(900 + length - 1) == 1);
      std::vector<ReadBatch> batches;
      batches.push_back(make_reads({{read, edits}, {"", 0}}));
      for (const Candidates candidates : {Candidates::index, Candidates::few_seeds, Candidates::sweep}) {
        FinderOptions options;
        options.device = Device::cpu;
        options.candidates = candidates;
        const std::vector<std::vector<ReadEnd>> found = trial::find_all(*make_finder(*reference, options), batches);
        INFO(length << " bases, " << edits << " edits, " << cut_into << " seeds, " << to_string(candidates));
        CHECK(trial::compare_read_ends(found[0], expected, 0, 2, false) == "");
      }
    }
  }
}

TEST_CASE("blocks of seeds leave out no end of reads with edits in up to a fourth of their bases", "[finder]") {
  const std::uint64_t cases = support::test_cases(60);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    const std::size_t length = random.between(120, 900);
    const auto edits = static_cast<std::uint32_t>(length * random.between(10, 26) / 100);
    const std::string alphabet = random.chance(20) ? "AC" : "ACGT";
    const std::string read = trial::random_letters(random, length, random.chance(20) ? alphabet + "N" : alphabet);
    std::string record = trial::random_letters(random, random.below(2500), alphabet);
    for (int copies = 0; copies < 3; ++copies) {
      record += trial::mutate(random, read, random.between(edits / 2, edits + 3), random.chance(20) ? "ACGTN" : "ACGT");
      record += trial::random_letters(random, random.below(800), alphabet);
    }
    std::vector<TestRead> both{{read, edits}, {reverse_complement(read), edits}};
    const auto reference = trial::reads_reference({record});
    const trial::ReadEnds expected = trial::expected_read_ends({record}, both);
    std::vector<ReadBatch> batches;
    batches.push_back(make_reads(both));
    for (const Candidates candidates : {Candidates::index, Candidates::few_seeds}) {
      const ReadQuery query{0, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(edits)};
      const std::uint32_t count = seeds::seeds_for(query, reference->positions(), candidates);
      support::tally().ran(seeds::has_blocks(query, count) ? "blocks of seeds" : "seeds alone");
      FinderOptions options;
      options.device = Device::cpu;
      options.candidates = candidates;
      const std::vector<std::vector<ReadEnd>> found = trial::find_all(*make_finder(*reference, options), batches);
      INFO("seed " << seed << ", " << length << " bases, " << edits << " edits, " << to_string(candidates));
      REQUIRE(trial::compare_read_ends(found[0], expected, 0, 2, false) == "");
    }
  }
  CHECK(support::tally().ran_by("blocks of seeds") != 0);
}

TEST_CASE("the index lists the positions of each q-gram in order, for any number of threads", "[finder]") {
  const std::uint64_t cases = support::test_cases(100);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    Random random(seed);
    std::vector<std::string> records = random_records(random);
    if (seed % 20 == 0) records.push_back(random_record(random, random.between(300'000, 1'500'000)));
    const auto reference = trial::reads_reference(records);
    for (const int threads : {1, 2, 5}) {
      const seeds::Index index(*reference, threads);
      REQUIRE(index.view().gram == seeds::gram_for(reference->positions()));
      const std::string fault = index_fault(index.view(), join(records));
      INFO("seed " << seed << ", threads " << threads);
      REQUIRE(fault == "");
    }
  }
}

TEST_CASE("q-grams are the shortest that have at most four positions each", "[finder]") {
  CHECK(seeds::gram_for(1) == seeds::kMinGram);
  CHECK(seeds::gram_for(1024) == 4);
  CHECK(seeds::gram_for(1025) == 5);
  CHECK(seeds::gram_for(5'000'000) == 11);
  CHECK(seeds::gram_for(100'000'000) == 13);
  CHECK(seeds::gram_for(4'000'000'000) == seeds::kMaxGram);
}

TEST_CASE("a repeat makes one window, however many seeds occur in it", "[finder]") {
  const auto reference = trial::reads_reference({std::string(1'000'000, 'A')});
  const ReadBatch reads = make_reads({{std::string(150, 'A'), 8}});
  const seeds::Index index(*reference, 1);
  seeds::CandidateFinder candidates(reads.view(), 0, reference->view(), index.view(), Candidates::index);
  std::vector<QueryWindow> windows;
  CHECK_FALSE(candidates.next(windows, 1000));
  REQUIRE(windows.size() == 1);
  CHECK(windows[0].first == 8);  // end of the last seed, of 17 bases, at position 0, minus 8 edits
  CHECK(windows[0].end == 1'000'000);
}

TEST_CASE("a finder takes read algorithms only, on devices that exist", "[finder]") {
  const auto reference = trial::reads_reference({"ACGTACGTAA"});
  FinderOptions options;
  options.device = Device::cpu;
  options.algorithm = Algorithm::planes;
  CHECK_THROWS_AS(make_finder(*reference, options), UsageError);
  options.algorithm = Algorithm::hmm;
  options.isa = kIsas.front();
  CHECK(make_finder(*reference, options)->describe() ==
        fmt::format("index of 4-grams, hmm on cpu ({})", to_string(options.isa)));
  options.candidates = Candidates::sweep;
  CHECK(make_finder(*reference, options)->describe() == fmt::format("sweep, hmm on cpu ({})", to_string(options.isa)));
  options.device = Device::gpu;
  if (cuda::unusable_reason(0)) CHECK_THROWS_AS(make_finder(*reference, options), DeviceError);
  std::string told;
  options.device = Device::automatic;
  options.log = [&](const std::string& line) { told = line; };
  make_finder(*reference, options);
  CHECK(told == "device: cpu, since the size of the input is not known");
}

}  // namespace basesweep::test_finder
