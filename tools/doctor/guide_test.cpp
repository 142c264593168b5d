#include "tools/doctor/guide_test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/base/fields.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "tools/doctor/questions.hpp"

namespace basesweep {
namespace {

// All that is summed up of a guide.
std::string print(const GuideTotals& totals) {
  std::string text =
      fmt::format("{} mit {} cfd {} exact {}", fmt::join(totals.counts, " "), totals.mit, totals.cfd, totals.exact_cfd);
  for (const NearPlace& place : totals.nearest) {
    text += fmt::format(" {}+{} {}:{}-{}{}", place.bulge_size, place.mismatches, place.record_name, place.start,
                        place.end, strand_letter(place.strand));
  }
  return text;
}

using trial::Random;

// Text in memory, cut into blocks.
class Blocks final : public BlockSource {
 public:
  Blocks(const std::vector<std::string>& records, const trial::Cuts& cuts)
      : blocks_(trial::cut_blocks(trial::fasta_text(records, cuts), cuts)) {}

  std::optional<RawBlock> next() override {
    if (given_ == blocks_.size()) return std::nullopt;
    return std::move(blocks_[given_++]);
  }
  const std::vector<std::string>& paths() const override { return paths_; }
  const std::vector<SourceInfo>& sources() const override { return sources_; }

 private:
  std::vector<RawBlock> blocks_;
  std::size_t given_ = 0;
  std::vector<std::string> paths_{"<text>"};
  std::vector<SourceInfo> sources_{{"<text>", Compression::none, Format::fasta}};
};

std::string line_of(std::string_view record, std::int64_t start, char strand, std::size_t guide, char bulge,
                    std::size_t size, std::size_t mismatches) {
  return fmt::format("{} {} {} g{} {} {} {}\n", record, start, strand, guide, bulge, size, mismatches);
}

class Lines final : public Formatter {
 public:
  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return 0; }
  void append(const Row& row, RowText& text) const override {
    const auto& placed = static_cast<const PlacedGuide&>(row);
    const GuideShape& shape = placed.place.shape;
    const char bulge = shape.bulge == Bulge::dna ? 'D' : shape.bulge == Bulge::rna ? 'R' : 'X';
    text.append(line_of(placed.record_name, placed.start, strand_letter(placed.place.strand), placed.place.guide, bulge,
                        shape.size, shape.mismatches));
  }
};

struct Collector final : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

std::string drawn_pam(Random& random, const std::string& pam) {
  std::string text;
  for (const char letter : pam) text += random.pick(oracle::members(letter));
  return text;
}

void plant(Random& random, oracle::GuideQuestion& question) {
  for (int i = 0; i < 60; ++i) {
    const std::string guide = trial::mutate(random, random.pick(question.guides), random.below(4));
    const std::string pam = drawn_pam(random, random.pick(question.pams));
    std::string place = question.pam_5prime ? pam + guide : guide + pam;
    if (random.chance(50)) place = oracle::reverse_complement(place);
    std::string& record = question.records[random.below(question.records.size())];
    if (record.size() < place.size()) continue;
    record.replace(random.below(record.size() - place.size() + 1), place.size(), place);
  }
}

GuideTexts make_texts(Random& random, const char* name, oracle::GuideQuestion question, std::size_t shortest,
                      std::size_t longest) {
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < 12; ++i) {
    question.guides.push_back(trial::random_letters(random, random.between(shortest, longest), "ACGT"));
    patterns.push_back({fmt::format("g{}", i), question.guides.back()});
  }
  question.records = records_of_all_shapes(random);
  plant(random, question);
  const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  GuideSet guides(patterns,
                  {question.pams, question.pam_5prime ? PamSide::five_prime : PamSide::three_prime, PamInGuide::no},
                  {number(question.mismatches), number(question.dna_bulges), number(question.rna_bulges), 0, 0});
  std::string expected;
  for (const oracle::GuideHit& hit : oracle::search(question)) {
    expected += line_of(trial::record_name(static_cast<std::size_t>(hit.record)), hit.start, hit.strand, hit.guide,
                        hit.bulge, hit.size, hit.mismatches);
  }
  const std::size_t bases = std::accumulate(question.records.begin(), question.records.end(), std::size_t{0},
                                            [](std::size_t sum, const std::string& r) { return sum + r.size(); });
  return {name, std::move(guides), std::move(question), std::move(expected), trial::random_cuts(random, bases)};
}

}  // namespace

std::vector<GuideTexts> guide_texts(Random& random) {
  oracle::GuideQuestion cas9;
  cas9.pams = {"NGG", "NAG"};
  cas9.mismatches = 4;
  oracle::GuideQuestion cas12;
  cas12.pams = {"TTTV"};
  cas12.pam_5prime = true;
  cas12.mismatches = 2;
  cas12.dna_bulges = cas12.rna_bulges = 1;
  std::vector<GuideTexts> all;
  all.push_back(make_texts(random, "guides of 20, 4 mismatches", std::move(cas9), 20, 20));
  all.push_back(make_texts(random, "guides of 15 to 30, 2 mismatches and a bulge", std::move(cas12), kMinGuideLength,
                           kMaxGuideLength));
  return all;
}

std::string try_guides(const GuideTexts& texts, const GuideFinder& finder) {
  for (const trial::Cuts& cut : {trial::Cuts(), texts.cut}) {
    Blocks blocks(texts.question.records, cut);
    const Lines lines;
    Collector found;
    GuidePipelineOptions options;
    options.batch_positions = cut.batch_positions;
    GuideTable table(texts.guides);
    run_guide_pipeline(options, blocks, texts.guides, finder, table, {&lines, &found});
    std::string_view left = found.text;
    std::string_view wanted = texts.expected;
    while (!left.empty() || !wanted.empty()) {
      const std::string_view one = take_to(left, '\n');
      const std::string_view other = take_to(wanted, '\n');
      if (one != other) return fmt::format("found '{}', expected '{}' (record, start, strand, guide, ...)", one, other);
    }
    Blocks again(texts.question.records, cut);
    GuideTable sums(texts.guides);
    run_guide_pipeline(options, again, texts.guides, finder, sums, {});
    for (std::size_t guide = 0; guide < texts.guides.guides().size(); ++guide) {
      const std::string one = print(sums.totals(guide));
      const std::string other = print(table.totals(guide));
      if (one != other) return fmt::format("guide {}: added up '{}', its places give '{}'", guide, one, other);
    }
  }
  return "";
}

const char* to_string(GuideWay way) {
  switch (way) {
    case GuideWay::words: return "words";
    case GuideWay::sites: return "sites";
    case GuideWay::patterns: return "patterns";
    default: return "auto";
  }
}

}  // namespace basesweep
