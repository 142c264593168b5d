// The library's calls for reads, compared with plain code.
#include <fmt/format.h>

#include <algorithm>
#include <basesweep/reads.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_read_calls {

using Catch::Matchers::ContainsSubstring;

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

std::vector<NamedRead> views(const std::vector<std::string>& bases) {
  std::vector<NamedRead> reads;
  for (const std::string& one : bases) reads.push_back({"read", one});
  return reads;
}

// The fewest edits that turn the whole pattern into a stretch of the text, by the full matrix.
std::uint32_t least_edits(const std::string& pattern, const std::string& text) {
  std::vector<std::uint32_t> column(pattern.size() + 1);
  for (std::uint32_t i = 0; i <= pattern.size(); ++i) column[i] = i;
  std::uint32_t least = column.back();
  for (const char letter : text) {
    std::uint32_t diagonal = column[0];
    for (std::size_t i = 1; i <= pattern.size(); ++i) {
      const std::uint32_t cost =
          std::min({diagonal + (pattern[i - 1] == letter ? 0 : 1), column[i] + 1, column[i - 1] + 1});
      diagonal = column[i];
      column[i] = cost;
    }
    least = std::min(least, column.back());
  }
  return least;
}

std::string put_edits(std::mt19937& random, std::string text, std::size_t edits) {
  for (std::size_t i = 0; i < edits; ++i) {
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0: text[at] = "ACGT"[random() % 4]; break;
      case 1: text.erase(at, 1); break;
      default: text.insert(at, 1, "ACGT"[random() % 4]);
    }
  }
  return text;
}

bool same(const SortedRead& a, const SortedRead& b) {
  return a.sample == b.sample && a.reason == b.reason && a.strand == b.strand && a.edits == b.edits &&
         a.next_edits == b.next_edits && a.begin == b.begin && a.end == b.end;
}

const std::vector<BarcodedSample> kSamples{{"liver", "ACGTTGCATCAG"}, {"kidney", "TGCAACGTGATC"}};

}  // namespace

TEST_CASE("The library sorts reads by the nearest sample", "[api][demux]") {
  std::mt19937 random(static_cast<std::uint32_t>(support::test_seed()));
  std::vector<BarcodedSample> samples;
  for (int i = 0; i < 12; ++i) samples.push_back({fmt::format("s{}", i), random_bases(random, 16)});
  std::vector<std::string> bases;
  for (std::uint64_t i = 0; i < support::test_cases(20000); ++i) {
    const std::string barcode = put_edits(random, samples[random() % samples.size()].barcode, random() % 6);
    bases.push_back(random_bases(random, random() % 6) + barcode + random_bases(random, random() % 40));
  }
  const std::uint32_t limit = 4, margin = 2, window = 30;
  DemultiplexerOptions options{.edits = limit, .margin = margin, .window = window, .threads = 4};
  options.strands = DemultiplexerOptions::Strands::plus;
  const Demultiplexer demultiplexer(samples, options);
  const std::vector<NamedRead> reads = views(bases);
  const std::vector<SortedRead> sorted = demultiplexer.sort(reads);
  REQUIRE(sorted.size() == reads.size());
  std::size_t assigned = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> costs;
    for (std::uint32_t sample = 0; sample < samples.size(); ++sample)
      costs.emplace_back(least_edits(samples[sample].barcode, bases[i].substr(0, window)), sample);
    std::sort(costs.begin(), costs.end());
    const bool clear = costs[0].first <= limit && costs[1].first >= costs[0].first + margin;
    INFO(bases[i] << " " << sorted[i].reason);
    CHECK(sorted[i].sample.has_value() == clear);
    if (!clear || !sorted[i].sample) continue;
    ++assigned;
    CHECK(*sorted[i].sample == costs[0].second);
    CHECK(sorted[i].edits == costs[0].first);
    CHECK(sorted[i].reason == "assigned");
    CHECK(sorted[i].begin <= sorted[i].end);
  }
  CHECK(assigned > reads.size() / 4);
  // Threads and calls change nothing.
  options.threads = 1;
  const Demultiplexer other(samples, options);
  const std::size_t half = reads.size() / 2;
  std::vector<SortedRead> parts = other.sort(std::span(reads).first(half));
  for (const SortedRead& one : other.sort(std::span(reads).subspan(half))) parts.push_back(one);
  CHECK(std::equal(sorted.begin(), sorted.end(), parts.begin(), parts.end(), same));
}

TEST_CASE("The library sorts turned reads and pairs", "[api][demux]") {
  const std::string insert = "CCATTTGACCAGGATTTACGGACTAC";
  const std::vector<std::string> bases{kSamples[0].barcode + insert, turned(kSamples[0].barcode + insert), insert,
                                       "AC"};
  const std::vector<SortedRead> sorted = Demultiplexer(kSamples, {.edits = 2}).sort(views(bases));
  CHECK((sorted[0].sample == 0U && sorted[0].strand == '+' && sorted[0].begin == 12 && sorted[0].end == 38));
  CHECK((sorted[1].sample == 0U && sorted[1].strand == '-' && sorted[1].begin == 0 && sorted[1].end == 26));
  CHECK((!sorted[2].sample && sorted[2].reason == "none" && sorted[2].size() == 26));
  CHECK((!sorted[3].sample && sorted[3].reason == "too-short"));

  std::vector<BarcodedSample> both = kSamples;
  both[0].barcode2 = "GATCCTAGAACT";
  both[1].barcode2 = "CCTGTTAAGGCA";
  const Demultiplexer pairs(both, {.edits = 1, .window = 14, .paired = true});
  const std::vector<std::string> mates{both[1].barcode + insert, both[1].barcode2 + insert, both[0].barcode + insert,
                                       both[1].barcode2 + insert};
  const std::vector<SortedRead> of_mates = pairs.sort(views(mates));
  CHECK((of_mates[0].sample == 1U && of_mates[1].sample == 1U && of_mates[1].begin == 12));
  CHECK((of_mates[2].reason == "unexpected-pair" && of_mates[3].reason == "unexpected-pair"));
  CHECK(pairs.samples() == std::vector<std::string>{"liver", "kidney"});
  const std::vector<NamedRead> odd = views({"ACGT"});
  CHECK_THROWS_AS(pairs.sort(odd), UsageError);
}

TEST_CASE("The library refuses samples that demux refuses", "[api][demux]") {
  CHECK_THROWS_WITH(Demultiplexer({{"a", "ACGTACGTAC"}, {"b", "ACGTACGTAC"}}), ContainsSubstring("'b'"));
  CHECK_THROWS_AS(Demultiplexer({{"a", "ACG!"}}), DataError);
  CHECK_THROWS_AS(Demultiplexer({{"a\tb", "ACGT"}}), DataError);
  CHECK_THROWS_AS(Demultiplexer(kSamples, {.edits = 1, .error_rate = 0.1}), UsageError);
  CHECK_THROWS_AS(Demultiplexer(kSamples, {.either_end = true}), UsageError);
  CHECK_THROWS_AS(Demultiplexer(kSamples, {.window = 3}), UsageError);
  CHECK_THROWS_AS(Demultiplexer::load("nowhere.tsv"), IoError);
  CHECK_THROWS_AS(Demultiplexer::load("nowhere.tsv", "no kit"), UsageError);
}

TEST_CASE("The library trims reads", "[api][trim]") {
  std::mt19937 random(static_cast<std::uint32_t>(support::test_seed()));
  const std::string adapter = "AGATCGGAAGAGC";
  std::vector<std::string> bases;
  std::vector<std::size_t> ends;
  for (std::uint64_t i = 0; i < support::test_cases(10000); ++i) {
    // Bases without G hold no adapter, also not at their end.
    std::string insert(random() % 60, 'A');
    for (char& base : insert) base = "CT"[random() % 2];
    ends.push_back(insert.size());
    bases.push_back(insert + adapter + random_bases(random, random() % 10));
  }
  const ReadTrimmer trimmer({.first = {.adapters_3prime = {adapter}, .min_length = 20}, .threads = 3});
  const std::vector<TrimmedRead> trimmed = trimmer.trim(views(bases));
  for (std::size_t i = 0; i < bases.size(); ++i) {
    INFO(bases[i]);
    CHECK(trimmed[i].begin == 0);
    CHECK(trimmed[i].end == ends[i]);
    CHECK(trimmed[i].kept == (ends[i] >= 20));
    CHECK(trimmed[i].reason == (ends[i] >= 20 ? "written" : "too-short"));
  }
}

TEST_CASE("The library trims by quality, and pairs by their overlap", "[api][trim]") {
  const std::vector<NamedRead> reads{{"a", "ACGTACGT", "IIIIII##"}};
  const TrimmedRead one = ReadTrimmer({.first = {.quality_back = 20}}).trim(reads).front();
  CHECK((one.begin == 0 && one.end == 6));
  const std::vector<NamedRead> without{{"a", "ACGTACGT"}}, wrong{{"a", "ACGT", "II"}};
  CHECK_THROWS_WITH(ReadTrimmer({.first = {.quality_back = 20}}).trim(without), ContainsSubstring("record 'a'"));
  CHECK_THROWS_WITH(ReadTrimmer({}).trim(wrong), ContainsSubstring("4 bases and 2 qualities"));

  std::mt19937 random(7);
  const std::string fragment = random_bases(random, 50);
  const std::string first = fragment + "AGATCGGAAGAGCACACGTCTG", second = turned(fragment) + "AGATCGGAAGAGCGTCGTGTAG";
  std::vector<std::string> mates;
  for (int i = 0; i < 200; ++i) {
    mates.push_back(first);
    mates.push_back(second);
  }
  const std::vector<NamedRead> pairs = views(mates);
  for (const TrimmedRead& mate : ReadTrimmer({.paired = true}).trim(pairs)) CHECK((mate.begin == 0 && mate.end == 50));
  const auto [one_adapter, other_adapter] = guess_adapters(pairs);
  CHECK(one_adapter.starts_with("AGATCGGAAGAGC"));
  CHECK(other_adapter.starts_with("AGATCGGAAGAGC"));
  CHECK_THROWS_AS(ReadTrimmer({.first = {.adapters_3prime = {"file:a.fa"}}}), UsageError);
  CHECK_THROWS_AS(ReadTrimmer({.by_overlap = true}), UsageError);
  CHECK_THROWS_AS(ReadTrimmer({.times = 0}), UsageError);
}

TEST_CASE("The library counts guides", "[api][count]") {
  std::mt19937 random(static_cast<std::uint32_t>(support::test_seed()));
  std::vector<CountedGuide> guides;
  for (int i = 0; i < 50; ++i) guides.push_back({fmt::format("g{}", i), random_bases(random, 20)});
  std::vector<std::string> bases;
  for (std::uint64_t i = 0; i < support::test_cases(10000); ++i) {
    std::string guide = guides[random() % guides.size()].bases;
    for (std::uint64_t edit = random() % 3; edit != 0; --edit) guide[random() % 20] = "ACGT"[random() % 4];
    bases.push_back("CACCG" + guide + "GTTT");
  }
  GuideReads expected;
  expected.guides.assign(guides.size(), 0);
  for (const std::string& read : bases) {
    std::size_t best = 2, found = 0, equal = 0;
    for (std::size_t guide = 0; guide < guides.size(); ++guide) {
      std::size_t mismatches = 0;
      for (std::size_t i = 0; i < 20; ++i) mismatches += read[5 + i] == guides[guide].bases[i] ? 0 : 1;
      if (mismatches == best && best < 2) ++equal;
      if (mismatches >= best) continue;
      best = mismatches;
      found = guide;
      equal = 1;
    }
    ++expected.reads;
    if (best == 2) continue;
    if (equal > 1) {
      ++expected.ambiguous;
      continue;
    }
    ++(best == 0 ? expected.exact : expected.edited);
    ++expected.guides[found];
  }
  const GuideReadCounter counter(guides, {.threads = 2});
  const std::vector<NamedRead> reads = views(bases);
  CHECK(counter.find_starts(reads) == GuideStarts{5, 5});
  const GuideReads counted = counter.count(reads);
  CHECK(counted.guides == expected.guides);
  CHECK(counted.exact == expected.exact);
  CHECK(counted.edited == expected.edited);
  CHECK(counted.ambiguous == expected.ambiguous);
  CHECK(counted.unmatched() == expected.unmatched());
  CHECK(counter.count(reads, GuideStarts{0, 4}).exact == 0);
  CHECK_THROWS_AS(GuideReadCounter({{"a", "ACGTACGT"}, {"b", "ACGTACGT"}}), DataError);
  CHECK_THROWS_AS(GuideReadCounter(guides, {.edits = 2}), UsageError);
}

TEST_CASE("The library reads files of reads", "[api]") {
  const support::ScratchFolder folder;
  const std::string one = folder.path("1.fq"), two = folder.path("2.fq");
  support::write_file(one, "@a/1\nACGT\n+\nIIII\n@b/1\nAC\n+\nI#\n");
  support::write_file(two, "@a/2\nTTTT\n+\nIIII\n@b/2\nGG\n+\n##\n");
  std::string all;
  const auto take = [&all](std::span<const NamedRead> reads) {
    for (const NamedRead& read : reads) all += fmt::format("{} {} {};", read.name, read.bases, read.qualities);
  };
  read_files({one}, take, {.second_paths = {two}});
  CHECK(all == "a/1 ACGT IIII;a/2 TTTT IIII;b/1 AC I#;b/2 GG ##;");
  support::write_file(one, ">x\nAC\nGT\n>y\nA!C\n");
  all.clear();
  CHECK_THROWS_AS(read_files({one}, take), DataError);
  CHECK(all == "x ACGT ;");
  CHECK_THROWS_AS(read_files(std::vector<std::string>{}, take), UsageError);
  CHECK_THROWS_AS(read_files({folder.path("none.fq")}, take), IoError);
}

TEST_CASE("The library reads aligned files of reads only where it is told to", "[api]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("a.sam");
  support::write_file(path,
                      "@SQ\tSN:r\tLN:9\na\t4\t*\t0\t0\t*\t*\t0\t0\tACG\tIII\nb\t16\tr\t2\t9\t3M\t*\t0\t0\tAAC\tI#I\n");
  std::string all;
  const auto take = [&all](std::span<const NamedRead> reads) {
    for (const NamedRead& read : reads) all += fmt::format("{} {} {};", read.name, read.bases, read.qualities);
  };
  CHECK_THROWS_WITH(read_files({path}, take),
                    ContainsSubstring("'b' is aligned: drop_alignment takes it as it came from the sequencer"));
  CHECK(all == "a ACG III;");
  all.clear();
  read_files({path}, take, {.drop_alignment = true});
  CHECK(all == "a ACG III;b GTT I#I;");
}

}  // namespace basesweep::test_read_calls
