// `guides`, from files to bytes, against the oracle: for any limits, PAMs, threads, cuts and ways to search.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "kernels/guides/buckets/finder.hpp"
#include "lib/base/fields.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/oracle/guides.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/pipeline/guide_totals.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/regions.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_guides {

namespace {

using trial::Random;

// A sequence that the letters may stand for.
std::string drawn(Random& random, const std::string& letters) {
  std::string text;
  for (const char letter : letters) {
    std::string bases;
    for (const char base : std::string("ACGT")) {
      if ((iupac_set(letter) & iupac_set(base)) != 0) bases += base;
    }
    text += bases[random.below(bases.size())];
  }
  return text;
}

std::string random_guide(Random& random, const std::vector<std::string>& records) {
  const std::size_t length = random.chance(50) ? 20 : random.between(kMinGuideLength, kMaxGuideLength);
  std::string guide = trial::random_letters(random, length, random.chance(20) ? "AG" : "ACGT");
  const std::string& record = random.pick(records);
  if (random.chance(50) && record.size() > length) {
    const std::string cut = record.substr(random.below(record.size() - length), length);
    if (cut.find_first_not_of("ACGT") == std::string::npos) guide = cut;
  }
  for (std::size_t i = random.chance(25) ? random.between(1, 3) : 0; i > 0; --i) {
    guide[random.below(length)] = random.pick(std::string("NRYSWKMBDHV"));
  }
  return guide;
}

// Changes the guide: up to 5 mismatches and a bulge, or less.
std::string changed(Random& random, std::string guide) {
  for (std::size_t i = random.below(6); i > 0; --i)
    guide[random.below(guide.size())] = random.pick(std::string("ACGTN"));
  if (random.chance(50)) {
    const std::size_t size = random.between(1, 3);
    const std::size_t at = random.below(guide.size() - size);
    if (random.chance(50)) {
      guide.erase(at, size);
    } else {
      guide.insert(at, trial::random_letters(random, size, "ACGT"));
    }
  }
  return guide;
}

void plant(Random& random, const oracle::GuideQuestion& question, std::vector<std::string>& records) {
  for (std::size_t i = random.below(30); i > 0; --i) {
    const std::string guide = changed(random, drawn(random, random.pick(question.guides)));
    const std::string pam = drawn(random, random.pick(question.pams));
    std::string place = question.pam_5prime ? pam + guide : guide + pam;
    if (random.chance(50)) place = oracle::reverse_complement(place);
    auto& record = records[random.below(records.size())];
    if (record.size() < place.size()) continue;
    const std::size_t free = record.size() - place.size();
    // Often at an end of the record, sometimes a little past it.
    if (random.chance(20)) {
      record = place.substr(random.below(3)) + record;
    } else if (random.chance(20)) {
      record += place.substr(0, place.size() - random.below(3));
    } else {
      record.replace(random.below(free + 1), place.size(), place);
    }
  }
}

oracle::GuideQuestion random_question(Random& random) {
  oracle::GuideQuestion question;
  question.records = trial::random_records(random, static_cast<trial::TextShape>(random.below(trial::kTextShapes)));
  if (question.records.empty()) question.records.emplace_back("ACGT");
  const std::uint64_t most = random.chance(2) ? 1500 : random.chance(10) ? 80 : 4;
  for (std::size_t i = random.between(1, most); i > 0; --i) {
    question.guides.push_back(random_guide(random, question.records));
  }
  if (random.chance(15)) question.guides.push_back(random.pick(question.guides));  // which is searched once
  question.pam_5prime = random.chance(40);
  const std::vector<std::string> pams =
      question.pam_5prime ? std::vector<std::string>{"TTTV", "TTN", "N", "TTTN", "YTN"}
                          : std::vector<std::string>{"NGG", "NAG", "NRG", "NNGRRT", "NG", "N", "NGGNN", "TGG"};
  for (std::size_t i = random.chance(60) ? 1 : random.between(2, 3); i > 0; --i)
    question.pams.push_back(random.pick(pams));
  question.mismatches = random.chance(10) ? random.between(6, 9) : random.below(6);
  if (random.chance(70)) {
    if (random.chance(70)) question.dna_bulges = random.below(4);
    if (random.chance(70)) question.rna_bulges = random.below(4);
  }
  if (random.chance(30)) {
    question.seed = random.between(1, kMinGuideLength);
    question.seed_mismatches = random.below(3);
  }
  question.skip_soft_masked = random.chance(20);
  question.by_bulge = random.chance(30);
  plant(random, question, question.records);
  return question;
}

GuideSet guide_set(const oracle::GuideQuestion& question) {
  std::vector<Pattern> patterns;
  for (const std::string& guide : question.guides) patterns.push_back({fmt::format("g{}", patterns.size()), guide});
  const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  return {patterns,
          {question.pams, question.pam_5prime ? PamSide::five_prime : PamSide::three_prime, PamInGuide::no},
          {number(question.mismatches), number(question.dna_bulges), number(question.rna_bulges), number(question.seed),
           number(question.seed_mismatches)}};
}

std::string expected_line(const oracle::GuideQuestion& question, const oracle::GuideHit& hit) {
  const auto index = static_cast<std::size_t>(hit.record);
  std::string dna = hit.text_letters;
  for (std::size_t i = 0; i < dna.size(); ++i) {
    const bool gap = dna[i] == '-' || hit.guide_letters[i] == '-';
    if (!gap && oracle::members(hit.guide_letters[i]).find(dna[i]) == std::string::npos) {
      dna[i] = static_cast<char>(dna[i] | 0x20);
    }
  }
  const std::string& pam = question.pams[hit.pam];
  const auto pam_size = static_cast<std::int64_t>(pam.size());
  const bool pam_left = question.pam_5prime == (hit.strand == '+');
  const std::int64_t pam_begin = pam_left ? hit.start : hit.end - pam_size;
  oracle::Question text;
  text.records = question.records;
  const std::string pam_text = oracle::matched_text(text, hit.record, pam_begin, pam_begin + pam_size, hit.strand);
  const bool before = question.pam_5prime;
  const char* const bulge = hit.bulge == 'D' ? "DNA" : hit.bulge == 'R' ? "RNA" : "X";
  return fmt::format("g{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", hit.guide, bulge,
                     before ? pam + hit.guide_letters : hit.guide_letters + pam,
                     before ? pam_text + dna : dna + pam_text, trial::record_name(index), hit.start, hit.strand,
                     hit.mismatches, hit.size);
}

// Takes the output as it comes.
struct Bytes final : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

std::string literal(const oracle::GuideQuestion& question) {
  return fmt::format("records {}\nguides {}\npams {} at {}\nmismatches {} DNA {} RNA {} seed {} with {}{}",
                     question.records, question.guides, question.pams, question.pam_5prime ? "5'" : "3'",
                     question.mismatches, question.dna_bulges, question.rna_bulges, question.seed,
                     question.seed_mismatches,
                     std::string(question.skip_soft_masked ? ", lower case skipped" : "") +
                         (question.by_bulge ? ", a row for each bulge" : ""));
}

// The lines without the header and the last two columns.
std::string without_scores(std::string_view text) {
  std::string rest;
  take_to(text, '\n');
  while (!text.empty()) {
    std::string_view line = take_to(text, '\n');
    for (int column = 0; column < 2; ++column) line = line.substr(0, line.rfind('\t'));
    rest += line;
    rest += '\n';
  }
  return rest;
}

struct How {
  GuideWay way;
  Device device;
  Isa isa;
  int threads;
  std::size_t block_bytes;
  std::uint32_t batch_positions;
  std::optional<buckets::Settings> buckets{};  // of its finder, whatever the way
};

// The output, and then the counts of the table. Throws if a run that only adds up gives another table.
std::string run(const oracle::GuideQuestion& question, const GuideSet& guides, const std::string& path,
                const support::Regions& regions, bool planned, const How& how) {
  ReaderOptions reading;
  reading.paths = {path};
  reading.block_bytes = how.block_bytes;
  reading.threads = how.threads;
  GuidePipelineOptions options;
  options.packer.soft_masked = question.skip_soft_masked;
  const RegionSet requested = support::region_set(regions, question.records, planned);
  if (!regions.empty()) options.regions = &requested;
  options.threads = how.threads;
  options.batch_positions = how.batch_positions;
  GuideFinderOptions finding;
  finding.way = how.way;
  finding.device = how.device;
  finding.isa = how.isa;
  const auto finder =
      how.buckets ? buckets::make_cpu_finder(guides, *how.buckets, how.isa) : make_guide_finder(guides, finding);
  const auto formatter = make_line_formatter(std::make_shared<PlaceRows>(guides), OutputFormat::tsv);
  GuideTable table(guides);
  Bytes bytes;
  RowTarget output{formatter.get(), &bytes};
  options.row = question.by_bulge ? GuideRowOf::bulge : GuideRowOf::place;
  Reader reader(reading);
  run_guide_pipeline(options, reader, guides, *finder, table, output);
  GuideTable sums(guides);
  Reader again(reading);
  run_guide_pipeline(options, again, guides, *finder, sums, {});
  if (print_totals(sums, guides) != print_totals(table, guides)) {
    throw std::runtime_error("totals that are added up differ from those of places");
  }
  return without_scores(bytes.text) + fmt::format("{}\n", table.counts());
}

// The rows, and the counts of places.
std::string expected_output(const oracle::GuideQuestion& question, const support::Regions& regions) {
  const auto is_inside = [&](const oracle::GuideHit& hit) {
    return regions.empty() || support::is_inside(regions, hit.record, hit.start);
  };
  const std::vector<oracle::GuideHit> hits = oracle::search(question);
  std::string text;
  for (const oracle::GuideHit& hit : hits) {
    if (is_inside(hit)) text += expected_line(question, hit);
  }
  std::vector<std::uint64_t> counts((std::max(question.dna_bulges, question.rna_bulges) + 1) *
                                    (question.mismatches + 1));
  oracle::GuideQuestion of_places = question;
  of_places.by_bulge = false;
  for (const oracle::GuideHit& hit : question.by_bulge ? oracle::search(of_places) : hits) {
    if (is_inside(hit)) ++counts[hit.size * (question.mismatches + 1) + hit.mismatches];
  }
  return text + fmt::format("{}\n", counts);
}

std::string check(std::uint64_t seed, const support::ScratchFolder& folder) {
  Random random(seed);
  const oracle::GuideQuestion question = random_question(random);
  const GuideSet guides = guide_set(question);
  const std::string path = folder.path("in.fa");
  support::write_file(path, trial::fasta_text(question.records, trial::random_cuts(random, 0)),
                      support::Packing::plain);
  const support::Regions regions =
      random.chance(25) ? support::random_regions(random, question.records) : support::Regions();
  const bool planned = random.chance(50);
  const std::string expected = expected_output(question, regions);
  const std::vector<support::TestedDevice> devices = support::tested_devices();
  const auto fault_of = [&](const How& how, std::string_view name) -> std::string {
    std::string found;
    try {
      found = run(question, guides, path, regions, planned, how);
    } catch (const std::exception& error) {
      found = std::string("exception: ") + error.what();
    }
    support::tally().ran(fmt::format("guides, {}", name));
    if (found == expected) return "";
    return fmt::format("way {}, {}: {} threads, blocks of {} bytes, batches of {}{}\nfound:\n{}\nexpected:\n{}\n{}",
                       static_cast<int>(how.way), name, how.threads, how.block_bytes, how.batch_positions,
                       support::literal(regions), found, expected, literal(question));
  };
  const auto random_how = [&](GuideWay way, const support::TestedDevice& where) {
    return How{way,
               where.device,
               where.isa,
               static_cast<int>(random.between(1, 3)),
               random.between(1, random.chance(70) ? 3000 : 60),
               random.chance(30) ? 0 : static_cast<std::uint32_t>(random.between(1, random.chance(80) ? 2000 : 100))};
  };
  for (const GuideWay way : {GuideWay::automatic, GuideWay::words, GuideWay::sites, GuideWay::patterns}) {
    const support::TestedDevice& where = random.pick(devices);
    const std::string fault = fault_of(random_how(way, where), where.name);
    if (!fault.empty()) return fault;
  }
  if (guides.limits().max_bulge() == 0) {
    How how = random_how(GuideWay::words, random.pick(devices));
    const auto bases = static_cast<std::uint32_t>(random.below(11));
    how.buckets = buckets::Settings{.least_word = bases, .most_word = bases};
    if (random.chance(50)) {
      how.buckets->usual_candidates = static_cast<double>(random.between(1, 50));
      how.buckets->most_candidates = random.between(1, 100);
      how.buckets->fewest_guides = random.between(1, 3);
    }
    if (bases > 6) how.batch_positions = 0;  // each batch takes a while
    const std::string fault = fault_of(how, fmt::format("words of {} bases", bases));
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

TEST_CASE("the places of guides are those of the oracle, however they are found", "[guides]") {
  const support::ScratchFolder folder;
  const std::uint64_t cases = support::test_cases(600);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::uint64_t seed = support::test_seed() + i;
    const std::string fault = check(seed, folder);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

}  // namespace basesweep::test_guides
