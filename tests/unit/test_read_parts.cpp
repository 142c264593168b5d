// Reads and totals of chunks: what their parts hold is what one run has, and what no chunk writes is refused.
#include "lib/pipeline/read_parts.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/pipeline/read_totals.hpp"
#include "lib/report/chunk_summary.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_read_parts {

using Catch::Matchers::ContainsSubstring;

namespace {

struct TextSink final : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

// A text of a file: destination, mate, text.
using Piece = std::tuple<std::uint32_t, std::uint32_t, std::string>;

// Writes the part of a chunk, with blocks of so many texts; returns its path.
std::string write_part(const support::ScratchFolder& folder, const std::vector<Piece>& texts, std::size_t at_once,
                       std::uint32_t chunk, std::uint32_t chunks) {
  TextSink sink;
  PartWriter writer(sink);
  write_head({.label = {"1", "command=trim", "plan", chunk, chunks}, .inputs = {"x.fq"}}, writer);
  for (std::size_t i = 0; i < texts.size();) {
    ReadPieces pieces;
    for (const std::size_t end = std::min(texts.size(), i + at_once); i < end; ++i) {
      const auto& [file, mate, text] = texts[i];
      pieces.add(file, mate, text);
    }
    for (const CompressedBlock& block : pieces.take()) writer.add_rows(block);
  }
  writer.add_section(kPartSummary, "{}");
  writer.finish();
  std::string path = folder.path("part" + std::to_string(chunk) + ".bsp");
  support::write_file(path, sink.text);
  return path;
}

constexpr std::uint64_t kSome = 1000;
constexpr std::size_t kLists = 2;

DemuxTotals random_demux(trial::Random& random) {
  DemuxTotals totals;
  totals.samples.resize(4);
  for (DemuxTotals::Sample& sample : totals.samples) {
    sample = {random.below(kSome), random.below(kSome), random.below(kSome), random.below(kSome)};
  }
  for (std::uint64_t& reads : totals.reasons) reads = random.below(kSome);
  for (std::size_t i = random.below(5); i > 0; --i) {
    totals.pairs[{static_cast<std::uint32_t>(random.below(3)), static_cast<std::uint32_t>(random.below(2))}] = 1 + i;
  }
  totals.fits.resize(kLists);
  for (FitCounts& fits : totals.fits) {
    for (std::uint64_t& reads : fits) reads = random.below(kSome);
  }
  return totals;
}

void fill(trial::Random& random, TrimCounts& counts) {
  for (std::uint64_t* number : {&counts.reads, &counts.turned, &counts.by_both, &counts.by_overlap, &counts.by_adapter,
                                &counts.differing, &counts.dimers}) {
    *number = random.below(kSome);
  }
  for (std::uint64_t& reads : counts.reasons) reads = random.below(kSome);
  for (std::size_t mate = 0; mate < 2; ++mate) {
    TrimCounts::Mate& own = counts.mates[mate];
    for (std::uint64_t* number : {&own.with_adapter, &own.bases, &own.quality_bases, &own.adapter_bases,
                                  &own.poly_a_bases, &own.written_bases}) {
      *number = random.below(kSome);
    }
    own.adapters.assign(3 - mate, 0);
    for (std::uint64_t& places : own.adapters) places = random.below(kSome);
  }
}

void size(TrimCounts& counts) {
  for (std::size_t mate = 0; mate < 2; ++mate) counts.mates[mate].adapters.assign(3 - mate, 0);
}

std::vector<SampleCounts> random_samples(trial::Random& random) {
  std::vector<SampleCounts> samples(3);
  for (SampleCounts& sample : samples) {
    for (std::uint64_t* number :
         {&sample.reads, &sample.exact, &sample.edited, &sample.ambiguous, &sample.unread_umis}) {
      *number = random.below(kSome);
    }
    for (int i = 0; i < 7; ++i) sample.guides.push_back(random.below(kSome));
  }
  return samples;
}

std::vector<SampleCounts> no_samples() {
  std::vector<SampleCounts> samples(3);
  for (SampleCounts& sample : samples) sample.guides.assign(7, 0);
  return samples;
}

// Checks that all that begins as the bytes do, and the bytes with one more, is refused.
void check_refused(const std::string& bytes, const std::function<void(std::string_view)>& add) {
  for (std::size_t size = 0; size < bytes.size(); size += 7) CHECK_THROWS_AS(add(bytes.substr(0, size)), DataError);
  CHECK_THROWS_WITH(add(bytes + "x"), ContainsSubstring("p.bsp: the part is damaged"));
}

}  // namespace

TEST_CASE("texts of chunks become the files of the run", "[reads]") {
  const support::ScratchFolder folder;
  trial::Random random(support::test_seed());
  const ReadFiles files{.mates_apart = {true, false, true}, .table = true};
  for (std::uint64_t round = 0; round < support::test_cases(30); ++round) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> expected;
    std::vector<std::string> paths;
    const auto chunks = static_cast<std::uint32_t>(1 + random.below(4));
    for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
      std::vector<Piece> texts;
      for (std::size_t i = random.below(60); i > 0; --i) {
        const std::size_t letters = random.chance(2) ? 700'000 : random.below(50);
        const auto file = static_cast<std::uint32_t>(random.below(4));
        const bool table = file == files.mates_apart.size();
        const auto mate = static_cast<std::uint32_t>(!table && files.mates_apart[file] ? random.below(2) : 0);
        texts.emplace_back(table ? ReadPiece::kTable : file, mate, trial::random_letters(random, letters, "ACGT\n"));
        expected[{table ? ReadPiece::kTable : file, mate}] += std::get<2>(texts.back());
      }
      paths.push_back(write_part(folder, texts, 1 + random.below(9), chunk, chunks));
    }
    for (const int threads : {1, 3}) {
      for (const std::size_t written : {std::size_t{3}, std::size_t{2}}) {  // destinations; others are left out
        std::array<TextSink, 6> sinks;
        TextSink table;
        ReadTargets targets{{}, written == 3 ? &table : nullptr};
        for (std::size_t i = 0; i < written; ++i) targets.files.push_back({&sinks[2 * i], &sinks[2 * i + 1]});
        PartSet parts(paths);
        write_read_parts(parts, files, targets, threads);
        for (std::uint32_t file = 0; file < 3; ++file) {
          for (const std::uint32_t mate : {0U, 1U}) {
            REQUIRE(sinks[2 * file + mate].text == (file < written ? expected[{file, mate}] : ""));
          }
        }
        CHECK(table.text == (written == 3 ? expected[{ReadPiece::kTable, 0}] : ""));
      }
    }
  }
}

TEST_CASE("texts of no file of the run are refused", "[reads]") {
  const support::ScratchFolder folder;
  const std::vector<Piece> wrong{{3, 0, "x"}, {1, 1, "x"}, {0, 2, "x"}, {ReadPiece::kTable, 0, "x"}};
  for (const Piece& piece : wrong) {
    PartSet parts({write_part(folder, {{0, 0, "good"}, piece}, 1, 1, 1)});
    CHECK_THROWS_WITH(write_read_parts(parts, {.mates_apart = {true, false, true}}, {}, 2),
                      ContainsSubstring("part1.bsp: the part is damaged: it has a row that cannot be"));
  }
}

TEST_CASE("totals of reads add up", "[reads]") {
  trial::Random random(support::test_seed());
  for (std::uint64_t round = 0; round < support::test_cases(50); ++round) {
    ReadSummary first, second, sum;
    for (std::uint64_t* number : {&first.reads, &first.bases, &second.reads, &second.bases})
      *number = random.below(kSome);

    const DemuxTotals demux[2] = {random_demux(random), random_demux(random)};
    DemuxTotals all;
    all.samples.resize(4);
    all.fits.resize(kLists);
    add_totals(print_totals(first, demux[0]), "p.bsp", 3, 2, sum, all);
    add_totals(print_totals(second, demux[1]), "p.bsp", 3, 2, sum, all);
    CHECK(sum.reads == first.reads + second.reads);
    CHECK(sum.bases == first.bases + second.bases);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(all.samples[i].reads == demux[0].samples[i].reads + demux[1].samples[i].reads);
      CHECK(all.samples[i].written == demux[0].samples[i].written + demux[1].samples[i].written);
      CHECK(all.samples[i].bases == demux[0].samples[i].bases + demux[1].samples[i].bases);
      CHECK(all.samples[i].edits == demux[0].samples[i].edits + demux[1].samples[i].edits);
    }
    for (std::size_t i = 0; i < kNoSampleReasons; ++i)
      CHECK(all.reasons[i] == demux[0].reasons[i] + demux[1].reasons[i]);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs = demux[0].pairs;
    for (const auto& [pair, reads] : demux[1].pairs) pairs[pair] += reads;
    CHECK(all.pairs == pairs);
    for (std::size_t i = 0; i < kLists; ++i) {
      for (std::size_t fit = 0; fit < kBarcodeFits; ++fit)
        CHECK(all.fits[i][fit] == demux[0].fits[i][fit] + demux[1].fits[i][fit]);
    }

    TrimCounts trim[2], expected, counts;
    for (TrimCounts& one : trim) fill(random, one);
    size(expected);
    size(counts);
    for (const TrimCounts& one : trim) {
      expected.add(one);
      add_totals(print_totals(first, one), "p.bsp", sum, counts);
    }
    CHECK(print_totals(first, counts) == print_totals(first, expected));

    const std::vector<SampleCounts> samples[2] = {random_samples(random), random_samples(random)};
    std::vector<SampleCounts> table = no_samples();
    for (const auto& one : samples) add_totals(print_totals(first, one), "p.bsp", sum, table);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(table[i].reads == samples[0][i].reads + samples[1][i].reads);
      CHECK(table[i].exact == samples[0][i].exact + samples[1][i].exact);
      CHECK(table[i].edited == samples[0][i].edited + samples[1][i].edited);
      CHECK(table[i].ambiguous == samples[0][i].ambiguous + samples[1][i].ambiguous);
      CHECK(table[i].unread_umis == samples[0][i].unread_umis + samples[1][i].unread_umis);
      for (std::size_t k = 0; k < 7; ++k)
        CHECK(table[i].guides[k] == samples[0][i].guides[k] + samples[1][i].guides[k]);
    }
  }
}

TEST_CASE("totals that a run cannot have are refused", "[reads]") {
  trial::Random random(support::test_seed());
  const ReadSummary summary;
  DemuxTotals demux = random_demux(random);
  demux.pairs[{2, 1}] = 5;
  const auto add_demux = [](std::string_view bytes, std::size_t first = 3, std::size_t second = 2,
                            std::size_t samples = 4, std::size_t lists = kLists) {
    ReadSummary sum;
    DemuxTotals all;
    all.samples.resize(samples);
    all.fits.resize(lists);
    add_totals(bytes, "p.bsp", first, second, sum, all);
  };
  const std::string bytes = print_totals(summary, demux);
  add_demux(bytes);
  check_refused(bytes, [&](std::string_view part) { add_demux(part); });
  CHECK_THROWS_AS(add_demux(bytes, 2, 2), DataError);
  CHECK_THROWS_AS(add_demux(bytes, 3, 1), DataError);
  CHECK_THROWS_AS(add_demux(bytes, 3, 2, 5), DataError);
  CHECK_THROWS_AS(add_demux(bytes, 3, 2, 4, kLists - 1), DataError);
  CHECK_THROWS_AS(add_demux(bytes, 3, 2, 4, kLists + 1), DataError);

  TrimCounts trim;
  fill(random, trim);
  check_refused(print_totals(summary, trim), [](std::string_view part) {
    ReadSummary sum;
    TrimCounts all;
    size(all);
    add_totals(part, "p.bsp", sum, all);
  });
  check_refused(print_totals(summary, random_samples(random)), [](std::string_view part) {
    ReadSummary sum;
    std::vector<SampleCounts> all = no_samples();
    add_totals(part, "p.bsp", sum, all);
  });
}

}  // namespace basesweep::test_read_parts
