// The lookup of guides in reads, compared with a plain one that tries every guide at every place.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_guide_lookup {

namespace {

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

std::string turned(const std::string& bases) {
  std::string other(bases.rbegin(), bases.rend());
  for (char& base : other) base = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : base == 'T' ? 'A' : base;
  return other;
}

// Edits between a guide and a part of a read, by the full matrix.
std::uint32_t distance(const std::string& a, const std::string& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  for (std::uint32_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::uint32_t i = 1; i <= a.size(); ++i) {
    std::uint32_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      const std::uint32_t cost = std::min({diagonal + (same ? 0 : 1), row[j] + 1, row[j - 1] + 1});
      diagonal = row[j];
      row[j] = cost;
    }
  }
  return row[b.size()];
}

std::uint32_t mismatches(const std::string& a, const std::string& b) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

GuideCall plain_find(const std::vector<std::string>& guides, const GuideLookupOptions& options, const std::string& read,
                     const StrandWindows& windows) {
  // For each number of edits and length the guides.
  std::map<std::pair<std::uint32_t, long>, std::set<std::uint32_t>> found;
  for (std::uint32_t g = 0; g < guides.size(); ++g) {
    for (const std::size_t strand : {0, 1}) {
      if (options.strands == (strand == 0 ? StrandChoice::minus : StrandChoice::plus)) continue;
      const std::string guide = strand == 0 ? guides[g] : turned(guides[g]);
      for (std::size_t start = windows[strand].first; start <= windows[strand].last && start < read.size(); ++start) {
        for (long change = options.indels ? -1 : 0; change <= (options.indels ? 1 : 0); ++change) {
          const auto bases = static_cast<std::size_t>(static_cast<long>(guide.size()) + change);
          if (start + bases > read.size()) continue;
          const std::string word = read.substr(start, bases);
          const std::uint32_t edits = options.indels ? distance(guide, word) : mismatches(guide, word);
          if (edits <= options.edits) found[{edits, -static_cast<long>(guide.size())}].insert(g);
        }
      }
    }
  }
  if (found.empty()) return {};
  const auto& [key, best] = *found.begin();
  return {best.size() == 1 ? *best.begin() : GuideCall::kSeveral, key.first};
}

// Random guides, some of them alike: with a constant stretch, one edit away from another one, or inside of one.
std::vector<std::string> random_library(std::mt19937& random) {
  std::set<std::string> guides;
  const std::size_t count = 1 + random() % 40;
  const std::size_t length = random() % 4 == 0 ? 31 + random() % 34 : 4 + random() % 20;
  const bool mixed = random() % 3 == 0;
  const std::string constant = random() % 4 == 0 ? random_bases(random, length / 2) : "";
  while (guides.size() < count) {
    std::string guide = random_bases(random, length - (mixed && length > 6 ? random() % 3 : 0));
    if (random() % 2 == 0) guide.replace(0, constant.size(), constant);
    if (!guides.empty() && random() % 3 == 0) {
      guide = *guides.begin();
      const std::size_t at = random() % guide.size();
      if (mixed && random() % 2 == 0 && guide.size() > 5) {
        guide.erase(at, 1);
      } else {
        guide[at] = "ACGT"[random() % 4];
      }
    }
    guides.insert(guide);
    if (length < 5 && guides.size() > 20) break;
  }
  std::vector<std::string> all(guides.begin(), guides.end());
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

std::string random_read(std::mt19937& random, const std::vector<std::string>& guides) {
  std::string read = random_bases(random, random() % 12);
  std::string guide = guides[random() % guides.size()];
  if (random() % 3 == 0) guide = turned(guide);
  for (std::uint32_t edit = random() % 3; edit != 0 && !guide.empty(); --edit) {
    const std::size_t at = random() % guide.size();
    switch (random() % 3) {
      case 0: guide[at] = "ACGTN"[random() % 5]; break;
      case 1: guide.erase(at, 1); break;
      default: guide.insert(at, 1, "ACGT"[random() % 4]);
    }
  }
  read += guide + random_bases(random, random() % 12);
  if (random() % 10 == 0) read.resize(random() % (read.size() + 1));
  return read;
}

}  // namespace

TEST_CASE("Guides are found as a plain search finds them") {
  constexpr StrandChoice kStrands[] = {StrandChoice::plus, StrandChoice::minus, StrandChoice::both};
  std::size_t found = 0;
  std::size_t several = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(300); ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const std::vector<std::string> guides = random_library(random);
    const GuideLookupOptions options{.edits = static_cast<std::uint32_t>(random() % 4 == 0 ? 0 : 1),
                                     .indels = random() % 2 == 0,
                                     .strands = kStrands[random() % 3]};
    const GuideLookup lookup(guides, options);
    StrandWindows windows{};
    for (StartWindow& window : windows) {
      if (random() % 3 == 0) continue;
      window.first = static_cast<std::uint32_t>(random() % 12);
      if (random() % 3 != 0) window.last = window.first + static_cast<std::uint32_t>(random() % 10);
    }
    std::vector<std::string> reads;
    for (std::size_t r = random() % 80; r-- > 0;) reads.push_back(random_read(random, guides));
    std::vector<GuideCall> calls(reads.size());
    lookup.find(std::vector<std::string_view>(reads.begin(), reads.end()), windows, calls);
    for (std::size_t r = 0; r < reads.size(); ++r) {
      const GuideCall expected = plain_find(guides, options, reads[r], windows);
      INFO(fmt::format("seed {}, read \"{}\", edits {}, indels {}, strands {}, starts {}-{} and {}-{}, guides \"{}\"",
                       seed, reads[r], options.edits, options.indels, static_cast<int>(options.strands),
                       windows[0].first, windows[0].last, windows[1].first, windows[1].last, guides.front()));
      for (const GuideCall& call : {calls[r], lookup.find(reads[r], windows)}) {
        REQUIRE(call.guide == expected.guide);
        if (call.guide != GuideCall::kNone) REQUIRE(call.edits == expected.edits);
      }
      found += expected.guide < GuideCall::kSeveral ? 1 : 0;
      several += expected.guide == GuideCall::kSeveral ? 1 : 0;
    }
  }
  CHECK(found > 0);
  CHECK(several > 0);
}

TEST_CASE("An edit of the guide is found at every place of it, in words of either size") {
  std::mt19937 random(8);
  for (const std::size_t length : {4, 5, 19, 20, 31, 32, 33, 40, 63, 64}) {
    const std::string guide = random_bases(random, length);
    const GuideLookup lookup(std::vector<std::string>{guide}, {.indels = true});
    for (std::size_t before : {0, 1, 31, 32, 33, 150}) {
      const std::string left = std::string(before, 'N');
      const StrandWindows at{StartWindow{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(before)}};
      CHECK(lookup.find(left + guide, at) == GuideCall{0, 0});
      for (std::size_t place = 0; place < length; ++place) {
        std::string read = guide;
        read[place] = read[place] == 'A' ? 'C' : 'A';
        CHECK(lookup.find(left + read, at) == GuideCall{0, 1});
        read[place] = 'N';
        CHECK(lookup.find(left + read, at) == GuideCall{0, 1});
        read = guide;
        read.erase(place, 1);
        CHECK(lookup.find(left + read, at) == GuideCall{0, 1});
        CHECK(lookup.find(left + read + "NNN", at) == GuideCall{0, 1});
        read = guide;
        read.insert(place, 1, 'N');
        CHECK(lookup.find(left + read, at) == GuideCall{0, 1});
      }
    }
  }
}

TEST_CASE("Lower case counts as upper case, U as T, and an empty read holds no guide") {
  const GuideLookup lookup(std::vector<std::string>{"ACGTTGCA"}, {});
  CHECK(lookup.find("acguugca", {}) == GuideCall{0, 0});
  CHECK(lookup.find("", {}).guide == GuideCall::kNone);
  CHECK(lookup.find("ACGTTGC", {}).guide == GuideCall::kNone);
  CHECK(lookup.find("ACGTTGCA", {StartWindow{9, 12}, StartWindow{9, 12}}).guide == GuideCall::kNone);
}

}  // namespace basesweep::test_guide_lookup
