// Hand-made cases, each shifted across the borders of words, vectors, blocks and batches.
#include <fmt/format.h>

#include <map>

#include "lib/oracle/trial/generate.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_shifted {

namespace {

using trial::Cuts;

// A fixed text without structure. Long patterns are parts of it.
const std::string& noise() {
  static const std::string letters = [] {
    trial::Random random(7);
    return trial::random_letters(random, 700, "ACGT");
  }();
  return letters;
}

std::string replaced(std::string letters, std::size_t at) {
  letters[at] = letters[at] == 'A' ? 'C' : 'A';
  return letters;
}

struct HandMade {
  const char* what;
  std::vector<std::string> records;  // the first is shifted
};

std::vector<HandMade> acgt_texts() {
  const std::string& n = noise();
  return {
      {"a palindrome", {"GAATTC"}},
      {"its reverse complement differs", {"GATTACAtgtaatc"}},
      {"one letter off, at either end", {"AAATTCGAATTA"}},
      {"runs of one base", {"AAAAAAAAAAAAACCCCCCCCC"}},
      {"a repeat of two", {"ACACACACACACAC"}},
      {"tandem repeats", {"GATGATGATGATCATCATC"}},
      {"N in the midst", {"GAANTTCGAATTCNGAATTC"}},
      {"N at both ends", {"NGAATTCN"}},
      {"other letters", {"GAATTCRGAATTC-GAATTC*GAATTC.xGAATTC"}},
      {"lower case and U", {"gaauucGAAuucGaaTTcGAUUACA"}},
      {"across a record border", {"GAA", "TTC", "GATTA", "CA"}},
      {"whole records", {"GAATTC", "GAATTC", "GATTACA"}},
      {"empty records between", {"GAA", "", "", "TTC", "", "GAATTC", ""}},
      {"no record", {""}},
      {"skipped run, just", {"GAATTC" + std::string(256, 'N') + "GAATTC"}},
      {"skipped run, not quite", {"GAATTC" + std::string(255, 'N') + "GAATTC"}},
      {"two skipped runs", {"GAA" + std::string(257, 'n') + "TTC" + std::string(600, 'N') + "GAATTC"}},
      {"a record of N", {std::string(300, 'N'), "GAATTC"}},
      {"63, 64, 65 letters", {n.substr(10, 66)}},
      {"128 letters", {n.substr(100, 129)}},
      {"128 letters, the last one off", {replaced(n.substr(100, 128), 127)}},
      {"64 letters, the first one off", {replaced(n.substr(10, 64), 0)}},
      {"300 letters", {n.substr(300, 300)}},
      {"300 letters, on the other strand", {oracle::reverse_complement(n.substr(300, 300))}},
  };
}

std::vector<std::string> acgt_patterns() {
  const std::string& n = noise();
  return {"GAATTC",
          "GATTACA",
          "A",
          "CC",
          "AAAAAAAA",
          "ACAC",
          "CACAC",
          "GAT",
          "GATGAT",
          "ATC",
          "TTC",
          "GAAUUC",
          n.substr(10, 63),
          n.substr(10, 64),
          n.substr(10, 65),
          n.substr(100, 128),
          n.substr(300, 300)};
}

std::vector<HandMade> iupac_texts() {
  return {
      {"sets", {"GACTCGAATCGATTCGAGTC"}},
      {"N in the text is no base", {"GANTCGACNCNGACTC"}},
      {"codes in the text are no bases", {"GARTCRYKMGAATC"}},
      {"purines and pyrimidines", {"AGAGCTCTUCAG"}},
      {"gap", {"ACGTTTTTTTTACGT"}},
      {"across a record border", {"GAC", "TC", "", "G", "ACGTC"}},
      {"skipped run", {"GAATC" + std::string(256, 'N') + "GATTC"}},
      {"70 of any", {noise().substr(0, 75)}},
      {"lower case", {"gaatcGAATCgaATC"}},
  };
}

std::vector<std::string> iupac_patterns() {
  return {"GANTC",
          "N",
          "NN",
          "RYN",
          "ACGTNNNNNNNNACGT",
          "SWS",
          "BDHV",
          "GAATC",
          "ACGT",
          std::string(70, 'N'),
          noise().substr(0, 30) + "RN" + std::string(20, 'N') + "W"};
}

// Checks all shifts of one case, with noise before or after it.
std::string check_shifts(conformance::Searchers& searchers, oracle::Question question, const HandMade& made) {
  const auto check = [&](std::size_t shift, std::uint32_t batch_positions) -> std::string {
    question.records = made.records;
    std::string front;
    while (front.size() < shift) front += noise().substr(0, shift - front.size());
    const bool own_record = shift % 2 == 1;  // shifted by a record before it, or by letters of its own record
    if (own_record) {
      question.records.insert(question.records.begin(), front);
    } else {
      question.records.front().insert(0, front);
    }
    question.records.back() += shift % 3 == 0 ? "" : noise().substr(40, 20);
    question.skip_soft_masked = shift % 5 == 0;
    Cuts cuts;
    cuts.batch_positions = batch_positions;
    cuts.max_block_bytes = shift % 4 == 0 ? 50 : 1U << 20;
    const std::string fault = searchers.check(question, 0, &cuts);
    return fault.empty() ? "" : fmt::format("'{}' moved by {}: {}", made.what, shift, fault);
  };
  const std::size_t stride = support::test_stride();
  for (std::size_t shift = 0; shift <= 130; shift += stride * (support::on_gpu() ? 2 : 1)) {
    for (const std::uint32_t batch_positions : {1U << 20, shift % 3 == 0 ? 100U : 64U}) {
      if (std::string fault = check(shift, batch_positions); !fault.empty()) return fault;
    }
  }
  const std::size_t length = std::min<std::size_t>(made.records.front().size(), 70);
  for (const std::uint32_t border : {1024U, 4096U}) {
    for (std::size_t shift = border - length - 2; shift <= border + 2; shift += stride * (border == 1024 ? 1 : 4)) {
      for (const std::uint32_t batch_positions : {1U << 20, border}) {
        if (std::string fault = check(shift, batch_positions); !fault.empty()) return fault;
      }
    }
  }
  return "";
}

// How many cases each target had compared before the first hand-made one of this run. Empty before that.
std::map<std::string, std::uint64_t>& ran_before() {
  static std::map<std::string, std::uint64_t> ran;
  return ran;
}

void check_all(const std::vector<HandMade>& cases, const oracle::Question& question) {
  if (ran_before().empty()) {
    for (const support::Target& target : support::targets()) {
      ran_before()[target.name] = support::tally().ran_by(target.name);
    }
  }
  conformance::Searchers searchers(question);
  for (const HandMade& made : cases) {
    const std::string fault = check_shifts(searchers, question, made);
    if (!fault.empty()) FAIL(fault);
  }
}

}  // namespace

TEST_CASE("hand-made cases of A, C, G, T at every offset", "[shifted]") {
  check_all(acgt_texts(), {.records = {}, .patterns = acgt_patterns()});
}

// Tests the algorithms that take patterns of certain lengths only.
TEST_CASE("hand-made cases of one length at every offset", "[shifted]") {
  const std::string& n = noise();
  const auto parts = [&n](std::size_t length) {
    return std::vector<std::string>{n.substr(10, length), n.substr(11, length), n.substr(100, length),
                                    n.substr(300, length), std::string(length, 'A')};
  };
  const auto lengths = [](const std::vector<std::size_t>& all, const std::vector<std::size_t>& few) {
    return support::on_gpu() ? few : all;  // cases on a GPU are slow
  };
  for (const std::size_t length : lengths({6, 8, 12, 16}, {8}))
    check_all(acgt_texts(), {.records = {}, .patterns = parts(length)});
  for (const std::size_t length : lengths({17, 32, 64}, {32})) {
    std::vector<HandMade> texts = acgt_texts();
    texts.erase(texts.begin(), texts.begin() + 18);  // keeps those with long patterns
    check_all(texts, {.records = {}, .patterns = parts(length)});
  }
}

// Looks at the test cases above: it runs after them, and fails when it runs alone.
TEST_CASE("every target was compared with the hand-made cases", "[shifted]") {
  REQUIRE_FALSE(ran_before().empty());
  for (const support::Target& target : support::targets()) {
    INFO(target.name);
    CHECK(support::tally().ran_by(target.name) > ran_before().at(target.name));
  }
}

TEST_CASE("hand-made cases, palindromes on both strands", "[shifted]") {
  oracle::Question question{.records = {}, .patterns = {"GAATTC", "TTC", "GATTACA"}};
  question.palindromes_twice = true;
  check_all(acgt_texts(), question);
}

TEST_CASE("hand-made cases, minus strand only", "[shifted]") {
  oracle::Question question{.records = {}, .patterns = {"GAATTC", "TTC", "GATTACA"}};
  question.strands = oracle::Strands::minus;
  check_all({acgt_texts().front(), acgt_texts()[1], acgt_texts()[10]}, question);
}

TEST_CASE("hand-made cases with IUPAC codes at every offset", "[shifted]") {
  check_all(iupac_texts(), {.records = {}, .patterns = iupac_patterns()});
}

}  // namespace basesweep::test_shifted
