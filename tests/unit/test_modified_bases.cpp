// Tags of modified bases, when reads are cut and turned: every modification stays at its base with its values.
#include "lib/reads/modified_bases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "lib/base/iupac_letters.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_modified_bases {

namespace {

// A modification at a base of a read: place, base and strand of its list, codes; with its values.
using Modified = std::map<std::tuple<std::size_t, char, char, std::string>, std::vector<int>>;

std::string cut(const std::string& tags, const WrittenBases& written, bool* left_out = nullptr) {
  std::string to;
  const bool left = append_cut_tags(tags, written, to);
  if (left_out != nullptr) *left_out = left;
  return to;
}

std::string value_of(const std::string& tags, const std::string& tag) {
  const std::size_t at = tags.find("\t" + tag + ":");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + tag.size() + 4;
  return tags.substr(begin, tags.find('\t', begin) - begin);
}

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts(1);
  for (const char c : text) c == mark ? static_cast<void>(parts.emplace_back()) : parts.back().push_back(c);
  return parts;
}

// Reads MM and ML in the plainest way.
Modified parse(const std::string& tags, const std::string& bases) {
  Modified all;
  std::vector<int> values;
  const std::vector<std::string> numbers = split(value_of(tags, "ML"), ',');
  for (std::size_t i = 1; i < numbers.size(); ++i) values.push_back(std::stoi(numbers[i]));
  std::size_t used = 0;
  for (const std::string& list : split(value_of(tags, "MM"), ';')) {
    if (list.empty()) continue;
    const std::vector<std::string> fields = split(list, ',');
    std::string codes = fields[0].substr(2);
    const std::size_t each = codes.find_first_of("?.") == std::string::npos ? codes.size() : codes.size() - 1;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < bases.size(); ++i)
      if (list[0] == 'N' || bases[i] == list[0]) places.push_back(i);
    std::size_t next = 0;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      next += std::stoul(fields[i]);
      std::vector<int>& own = all[{places.at(next++), list[0], list[1], codes}];
      for (std::size_t k = 0; k < each; ++k) own.push_back(values.at(used++));
    }
  }
  CHECK(used == values.size());
  return all;
}

char complement_of(char base) { return base == 'N' ? 'N' : complement_letter(base); }

}  // namespace

TEST_CASE("modifications stay at their bases, cut and turned") {
  trial::Random random(support::test_seed());
  const std::vector<std::string> codes{"m", "mh", "h?", "a.", "m?"};
  for (int round = 0; round < 2000; ++round) {
    const std::string bases = trial::random_letters(random, 1 + random.below(60), "ACGT");
    std::string mm, ml;
    for (std::size_t list = random.below(4); list-- > 0;) {
      const char base = "ACGTN"[random.below(5)];
      const std::string code = codes[random.below(codes.size())];
      const std::size_t each = code.find_first_of("?.") == std::string::npos ? code.size() : code.size() - 1;
      mm += fmt::format("{}{}{}", base, random.chance(50) ? '+' : '-', code + std::string(list, 'x'));
      std::size_t skipped = 0;
      for (const char c : bases) {
        if (base != 'N' && c != base) continue;
        if (random.chance(50)) {
          ++skipped;
          continue;
        }
        mm += fmt::format(",{}", skipped);
        skipped = 0;
        for (std::size_t k = 0; k < each + list; ++k) ml += fmt::format(",{}", random.below(256));
      }
      mm += ";";
    }
    // The x after codes that end in ? or . would be no code, so such lists are left out.
    if (mm.find("?x") != std::string::npos || mm.find(".x") != std::string::npos) continue;
    const std::string tags = "\tMM:Z:" + mm + "\tML:B:C" + ml;
    const std::size_t begin = random.below(bases.size() + 1);
    const std::size_t end = begin + random.below(bases.size() - begin + 1);
    std::string masked = bases;
    if (random.chance(50)) std::fill_n(masked.begin(), random.below(bases.size() + 1), 'N');
    for (const bool turned : {false, true}) {
      std::string now = masked.substr(begin, end - begin);
      Modified expected;
      for (const auto& [key, values] : parse(tags, bases)) {
        const auto& [place, base, strand, code] = key;
        if (place < begin || place >= end || masked[place] != bases[place]) continue;
        const std::size_t own = turned ? end - 1 - place : place - begin;
        expected[{own, turned ? complement_of(base) : base, turned ? (strand == '+' ? '-' : '+') : strand, code}] =
            values;
      }
      if (turned) {
        std::reverse(now.begin(), now.end());
        for (char& c : now) c = complement_of(c);
      }
      const bool replaced = masked != bases;
      const std::string result = cut(tags, {bases, begin, end, turned, replaced ? masked : std::string_view()});
      CAPTURE(bases, masked, tags, begin, end, turned, result);
      CHECK(parse(result, now) == expected);
      CHECK(value_of(result, "MN") == std::to_string(end - begin));
    }
  }
}

TEST_CASE("tags that speak of all bases are left out of reads that are cut") {
  bool left_out = false;
  const std::string tags = "\tRG:Z:x\tmv:B:c,5,1,0\tns:i:100\tOQ:Z:ABCD";
  CHECK(cut(tags, {"ACGT", 0, 4, false}, &left_out) == tags);
  CHECK_FALSE(left_out);
  CHECK(cut(tags, {"ACGT", 1, 3, false}, &left_out) == "\tRG:Z:x\tOQ:Z:BC");
  CHECK(left_out);
  CHECK(cut(tags, {"ACGT", 1, 3, true}) == "\tRG:Z:x\tOQ:Z:CB");
}

TEST_CASE("tags of modified bases that cannot be right are errors") {
  const auto fault = [](const std::string& tags) {
    try {
      cut(tags, {"ACGTC", 0, 3, false});
      return std::string("none");
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
  };
  CHECK(fault("\tMM:Z:C+m,0,0;") == "none");
  CHECK(fault("\tMM:Z:C+m,0,1;") == "tag MM: the read has fewer C than it names");
  CHECK(fault("\tMM:Z:C+m,0") == "tag MM: a list does not end with a semicolon");
  CHECK(fault("\tMM:Z:C+m,x;") == "tag MM: expected a number of bases, found 'x'");
  CHECK(fault("\tMM:Z:C*m,0;") == "tag MM: expected a list such as 'C+m,0', found 'C*m,0'");
  CHECK(fault("\tMM:Z:C+m,0;\tML:B:C,1,2") == "tag ML has 2 values, MM names 1");
  CHECK(fault("\tMN:i:4") == "tag MN says that it has 4 bases, but it has 5");
}

}  // namespace basesweep::test_modified_bases
