// Hand-made cases, each moved across the borders of words, vectors, blocks and batches.
#include <fmt/format.h>

#include <map>

#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/tally.hpp"

namespace {

using support::Chunking;

// A fixed text without structure, of which long patterns are parts.
const std::string& noise() {
  static const std::string letters = [] {
    support::Random random(7);
    return support::random_letters(random, 700, "ACGT");
  }();
  return letters;
}

std::string replaced(std::string letters, std::size_t at) {
  letters[at] = letters[at] == 'A' ? 'C' : 'A';
  return letters;
}

struct HandMade {
  const char* what;
  std::vector<std::string> records;  // the first is moved
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

// All shifts of one case, in front of noise and behind noise.
std::string check_shifts(conformance::Searchers& searchers, oracle::Question question, const HandMade& made) {
  const auto check = [&](std::size_t shift, std::uint32_t batch_columns) -> std::string {
    question.records = made.records;
    std::string front;
    while (front.size() < shift) front += noise().substr(0, shift - front.size());
    const bool own_record = shift % 2 == 1;  // moved by letters of its record, or by a record before it
    if (own_record) {
      question.records.insert(question.records.begin(), front);
    } else {
      question.records.front().insert(0, front);
    }
    question.records.back() += shift % 3 == 0 ? "" : noise().substr(40, 20);
    question.skip_soft_masked = shift % 5 == 0;
    Chunking chunking;
    chunking.batch_columns = batch_columns;
    chunking.most_block_bytes = shift % 4 == 0 ? 50 : 1U << 20;
    const std::string fault = searchers.check(question, 0, &chunking);
    return fault.empty() ? "" : fmt::format("'{}' moved by {}: {}", made.what, shift, fault);
  };
  for (std::size_t shift = 0; shift <= 130; shift += support::on_gpu() ? 2 : 1) {
    for (const std::uint32_t batch_columns : {1U << 20, shift % 3 == 0 ? 100U : 64U}) {
      if (const std::string fault = check(shift, batch_columns); !fault.empty()) return fault;
    }
  }
  const std::size_t length = std::min<std::size_t>(made.records.front().size(), 70);
  for (const std::uint32_t border : {1024U, 4096U}) {
    for (std::size_t shift = border - length - 2; shift <= border + 2; shift += border == 1024 ? 1 : 4) {
      for (const std::uint32_t batch_columns : {1U << 20, border}) {
        if (const std::string fault = check(shift, batch_columns); !fault.empty()) return fault;
      }
    }
  }
  return "";
}

// How many cases each target had compared before the first hand-made one of this run; empty until then.
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

TEST_CASE("hand-made cases of A, C, G, T at every offset", "[matcher][shifted]") {
  check_all(acgt_texts(), {.records = {}, .patterns = acgt_patterns()});
}

// For the algorithms that do not take patterns of any length.
TEST_CASE("hand-made cases of one length at every offset", "[matcher][shifted]") {
  const std::string& n = noise();
  const auto parts = [&n](std::size_t length) {
    return std::vector<std::string>{n.substr(10, length), n.substr(11, length), n.substr(100, length),
                                    n.substr(300, length), std::string(length, 'A')};
  };
  const auto lengths = [](std::vector<std::size_t> all, std::vector<std::size_t> few) {
    return support::on_gpu() ? few : all;  // a GPU's cases are dear
  };
  for (const std::size_t length : lengths({6, 8, 12, 16}, {8}))
    check_all(acgt_texts(), {.records = {}, .patterns = parts(length)});
  for (const std::size_t length : lengths({17, 32, 64}, {32})) {
    std::vector<HandMade> texts = acgt_texts();
    texts.erase(texts.begin(), texts.begin() + 18);  // those with long patterns are left
    check_all(texts, {.records = {}, .patterns = parts(length)});
  }
}

// Of those above: it comes after them, and fails where it runs without them.
TEST_CASE("every target was compared with the hand-made cases", "[matcher][shifted]") {
  REQUIRE_FALSE(ran_before().empty());
  for (const support::Target& target : support::targets()) {
    INFO(target.name);
    CHECK(support::tally().ran_by(target.name) > ran_before().at(target.name));
  }
}

TEST_CASE("hand-made cases, palindromes on both strands", "[matcher][shifted]") {
  oracle::Question question{.records = {}, .patterns = {"GAATTC", "TTC", "GATTACA"}};
  question.palindromes_twice = true;
  check_all(acgt_texts(), question);
}

TEST_CASE("hand-made cases, minus strand only", "[matcher][shifted]") {
  oracle::Question question{.records = {}, .patterns = {"GAATTC", "TTC", "GATTACA"}};
  question.strands = oracle::Strands::minus;
  check_all({acgt_texts().front(), acgt_texts()[1], acgt_texts()[10]}, question);
}

TEST_CASE("hand-made cases with IUPAC codes at every offset", "[matcher][shifted]") {
  check_all(iupac_texts(), {.records = {}, .patterns = iupac_patterns()});
}
