// Every guide of a text against all of it, against the oracle: for any text, PAMs, lengths, limits, cuts, words and
// devices.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "kernels/cuda/cuda.hpp"
#include "kernels/guides/buckets/join.hpp"
#include "lib/guides/design.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/scores.hpp"
#include "lib/oracle/guides.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/pipeline/site_pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_join {

namespace {

using trial::Random;

struct Question {
  oracle::GuideQuestion of_oracle;  // without guides
  std::size_t length;
  DesignLimits limits;
  std::uint64_t most_scored;
};

// Copies stretches of the text, changed a little, to other places of it, on either strand.
void plant(Random& random, std::size_t length, std::vector<std::string>& records) {
  for (std::size_t i = random.below(40); i > 0; --i) {
    const std::string& from = random.pick(records);
    std::string& to = records[random.below(records.size())];
    const std::size_t size = length + 4;
    if (from.size() < size || to.size() < size) continue;
    std::string copy = from.substr(random.below(from.size() - size + 1), size);
    for (std::size_t changes = random.below(4); changes > 0; --changes) {
      copy[random.below(size)] = random.pick(std::string("ACGTACGTN"));
    }
    if (random.chance(50)) copy = oracle::reverse_complement(copy);
    to.replace(random.below(to.size() - size + 1), size, copy);
  }
}

// Copies of a stretch with changes, so that buckets have hundreds of sites.
std::string long_repeat(Random& random) {
  const std::string unit = trial::random_letters(random, random.between(20, 400), random.chance(30) ? "AGG" : "ACGT");
  std::string text;
  while (text.size() < 6000) {
    text += unit;
    for (std::size_t changes = random.below(4); changes > 0; --changes) {
      text[text.size() - 1 - random.below(unit.size())] = random.pick(std::string("ACGT"));
    }
  }
  return text;
}

Question random_question(Random& random) {
  Question question;
  oracle::GuideQuestion& own = question.of_oracle;
  own.records = trial::random_records(random, static_cast<trial::TextShape>(random.below(trial::kTextShapes)));
  if (own.records.empty()) own.records.emplace_back("ACGT");
  question.length = random.chance(60) ? 20 : random.between(kMinGuideLength, kMaxGuideLength);
  own.pam_5prime = random.chance(30);
  const std::vector<std::string> pams = own.pam_5prime
                                            ? std::vector<std::string>{"TTTV", "TTN", "TTTN", "YTN"}
                                            : std::vector<std::string>{"NGG", "NAG", "NNGRRT", "NG", "NGGNN", "TGG"};
  own.pams.push_back(random.chance(50) && !own.pam_5prime ? "NGG" : random.pick(pams));
  if (random.chance(30)) own.pams.push_back(random.pick(pams));
  own.mismatches = random.chance(20) ? random.between(5, kMostJoinMismatches) : random.below(5);
  own.skip_soft_masked = random.chance(20);
  if (random.chance(4)) own.records.push_back(long_repeat(random));
  plant(random, question.length, own.records);
  question.limits.length = static_cast<std::uint32_t>(question.length);
  if (random.chance(30)) {
    question.limits.min_gc = static_cast<std::uint32_t>(random.below(50));
    question.limits.max_gc = static_cast<std::uint32_t>(random.between(50, 100));
    if (random.chance(50)) question.limits.max_poly_t = static_cast<std::uint32_t>(random.between(1, 4));
  }
  question.most_scored = random.chance(50) ? RowChoice::kMostScored : random.between(0, 6);
  return question;
}

// The limits of designed guides, letter by letter.
bool fits_letters(const std::string& guide, const DesignLimits& limits) {
  const auto gc = static_cast<std::size_t>(
      std::count_if(guide.begin(), guide.end(), [](char letter) { return letter == 'C' || letter == 'G'; }));
  if (100 * gc < limits.min_gc * guide.size() || 100 * gc > limits.max_gc * guide.size()) return false;
  return !limits.max_poly_t || guide.find(std::string(*limits.max_poly_t + 1, 'T')) == std::string::npos;
}

// A guide of the text and its totals, as text.
using Totals = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, char>, std::string>;

std::string print(std::string_view guide, std::span<const std::uint64_t> counts, std::span<const std::string> nearest,
                  std::string_view scores) {
  return fmt::format("{} counts {} nearest {} {}", guide, counts, nearest, scores);
}

GuideWindow window_of(const oracle::GuideHit& place, bool pam_5prime) {
  GuideWindow window{0, 0, 0, 64};
  const std::string& text = place.text_letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = pam_5prime ? text[i] : text[text.size() - 1 - i];
    if (std::string_view("ACGT").find(letter) == std::string_view::npos) {
      window.other |= std::uint64_t{1} << i;
    } else {
      window.lo |= static_cast<std::uint64_t>(base_code(letter) & 1) << i;
      window.hi |= static_cast<std::uint64_t>(base_code(letter) >> 1) << i;
    }
  }
  return window;
}

// The second and third letter of the PAM of a place, as its strand reads them.
std::pair<unsigned, unsigned> pam_codes(const Question& question, const oracle::GuideHit& place) {
  oracle::Question text;
  text.records = question.of_oracle.records;
  const auto size = static_cast<std::int64_t>(question.of_oracle.pams[place.pam].size());
  const bool left = question.of_oracle.pam_5prime == (place.strand == '+');
  const std::int64_t begin = left ? place.start : place.end - size;
  const std::string pam = oracle::matched_text(text, place.record, begin, begin + size, place.strand);
  return {base_code(pam[1]), base_code(pam[2])};
}

std::string expected_scores(const Question& question, const std::string& guide,
                            std::span<const oracle::GuideHit* const> places) {
  const ScoreWeights& weights = score_weights();
  const GuideBits bits = guide_bits({"", guide}, PamSide::three_prime);
  std::uint64_t mit = 0;
  std::uint64_t cfd = 0;
  std::uint64_t exact_cfd = 0;
  for (const oracle::GuideHit* place : places) {
    const GuideWindow window = window_of(*place, false);
    const auto [second, third] = pam_codes(question, *place);
    const std::uint32_t own = cfd_score(weights, bits, window, {}, weights.pam[second][third]);
    mit += mit_score(weights, mismatches_at(bits, window, 0));
    cfd += own;
    if (place->mismatches == 0) exact_cfd = std::max<std::uint64_t>(exact_cfd, own);
  }
  return fmt::format("{} {} {}", mit, cfd, exact_cfd);
}

// The number of a record among those that have bases.
std::int64_t number_of(const Question& question, std::int64_t record) {
  const auto begin = question.of_oracle.records.begin();
  return std::count_if(begin, begin + record, [](const std::string& letters) { return !letters.empty(); });
}

std::string print_place(std::int64_t record, std::int64_t start, std::int64_t end, char strand,
                        std::size_t mismatches) {
  return fmt::format("{}:{}-{}{} {}", record, start, end, strand, mismatches);
}

Totals expected_totals(const Question& question) {
  // A guide of N finds every site.
  oracle::GuideQuestion every = question.of_oracle;
  every.guides = {std::string(question.length, 'N')};
  every.mismatches = 0;
  const std::vector<oracle::GuideHit> sites = oracle::search(every);
  oracle::GuideQuestion search = question.of_oracle;
  std::map<std::string, std::size_t> index;
  for (const oracle::GuideHit& site : sites) {
    if (fits_letters(site.text_letters, question.limits) &&
        index.try_emplace(site.text_letters, search.guides.size()).second) {
      search.guides.push_back(site.text_letters);
    }
  }
  std::vector<std::vector<const oracle::GuideHit*>> places(search.guides.size());
  const std::vector<oracle::GuideHit> hits =
      search.guides.empty() ? std::vector<oracle::GuideHit>() : oracle::search(search);
  for (const oracle::GuideHit& hit : hits) places[hit.guide].push_back(&hit);
  const bool scored = has_scores(question.limits.length, question.of_oracle.pams, question.of_oracle.pam_5prime);
  Totals totals;
  for (const oracle::GuideHit& site : sites) {
    const auto found = index.find(site.text_letters);
    if (found == index.end()) continue;
    std::vector<const oracle::GuideHit*>& own = places[found->second];
    std::vector<std::uint64_t> counts(question.of_oracle.mismatches + 1);
    for (const oracle::GuideHit* place : own) ++counts[place->mismatches];
    std::stable_sort(own.begin(), own.end(), [](const oracle::GuideHit* a, const oracle::GuideHit* b) {
      return std::tuple(a->mismatches, a->record, a->start, a->end, a->strand) <
             std::tuple(b->mismatches, b->record, b->start, b->end, b->strand);
    });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, own.size()); ++i) {
      nearest.push_back(print_place(number_of(question, own[i]->record), own[i]->start, own[i]->end, own[i]->strand,
                                    own[i]->mismatches));
    }
    const bool has_sums = scored && own.size() <= question.most_scored;
    totals[{number_of(question, site.record), site.start, site.end, site.strand}] =
        print(site.text_letters, counts, nearest,
              has_sums ? expected_scores(question, site.text_letters, own) : std::string("no scores"));
  }
  return totals;
}

struct How {
  support::TestedDevice where;
  int threads;
  std::size_t block_bytes;
  std::uint32_t batch_positions;
  buckets::JoinSettings settings;
  std::vector<int> gpus{0};
  bool slow_use = false;
  int failing_use = -1;  // the call of use() that throws
};

// Some of the GPUs there are. One GPU may stand for several.
std::vector<int> random_gpus(Random& random) {
  std::vector<int> gpus(random.between(1, 4));
  for (int& gpu : gpus) gpu = static_cast<int>(random.below(static_cast<std::uint64_t>(cuda::gpu_count())));
  return gpus;
}

std::unique_ptr<GuideJoin> make_join(const How& how) {
  if (how.where.device == Device::gpu) return cuda::make_guide_join(how.gpus, how.settings);
  return buckets::make_cpu_join(how.settings, how.where.isa);
}

Totals run(const Question& question, const std::string& path, const How& how) {
  const GuideSet every =
      every_guide({question.of_oracle.pams, question.of_oracle.pam_5prime ? PamSide::five_prime : PamSide::three_prime,
                   PamInGuide::no},
                  question.limits.length);
  const JoinLimits limits{static_cast<std::uint32_t>(question.of_oracle.mismatches),
                          has_scores(question.limits.length, every.pams(), question.of_oracle.pam_5prime),
                          question.most_scored, how.slow_use};
  ReaderOptions reading;
  reading.paths = {path};
  reading.block_bytes = how.block_bytes;
  reading.threads = how.threads;
  Reader reader(reading);
  SitePipelineOptions options;
  options.packer.soft_masked = question.of_oracle.skip_soft_masked;
  options.threads = how.threads;
  options.batch_positions = how.batch_positions;
  options.mismatches = limits.mismatches;
  options.find = [&](const PackedBatch& batch) {
    return find_text_sites(batch, every, limits.mismatches, question.of_oracle.skip_soft_masked);
  };
  options.is_guide = [&](SiteBases guide) { return fits(guide, question.limits); };
  TextSites sites(question.limits.length, every.side());
  run_site_pipeline(options, reader, every, sites);
  Totals found;
  const auto loop = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = count; i > 0; --i) work(i - 1);
  };
  std::uint32_t next = 0;
  int calls = 0;
  make_join(how)->join(
      sites, limits, {0, sites.size()}, loop, [&](std::uint32_t first, std::span<const SiteTotals> all) {
        if (calls++ == how.failing_use) throw std::runtime_error("as when a disk is full");
        if (first != next) throw std::runtime_error("totals do not come in the order of the sites");
        next += static_cast<std::uint32_t>(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
          const auto site = first + static_cast<std::uint32_t>(i);
          if (!sites.is_guide(site)) continue;
          const auto place_of = [&](std::uint32_t number, std::size_t mismatches) {
            const SiteRecord& record = sites.records()[sites.record_of(number)];
            const std::int64_t start = sites.start_of(number, record);
            return print_place(record.number, start, start + sites.bases_of_alignment(number),
                               strand_letter(sites.place(number).strand()), mismatches);
          };
          std::vector<std::string> nearest;
          for (const std::uint64_t near : all[i].nearest) {
            if (near != SiteTotals::kNone) nearest.push_back(place_of(static_cast<std::uint32_t>(near), near >> 32));
          }
          std::string letters;
          sites.append_letters(site, letters);
          const std::vector<std::uint64_t> counts(all[i].counts, all[i].counts + limits.mismatches + 1);
          const bool has_sums = limits.scored && all[i].places() <= limits.most_scored;
          const SiteRecord& record = sites.records()[sites.record_of(site)];
          const std::int64_t start = sites.start_of(site, record);
          found[{record.number, start, start + sites.bases_of_alignment(site),
                 strand_letter(sites.place(site).strand())}] =
              print(letters, counts, nearest,
                    has_sums ? fmt::format("{} {} {}", all[i].mit, all[i].cfd, all[i].exact_cfd)
                             : std::string("no scores"));
        }
      });
  if (next != sites.size()) throw std::runtime_error("totals of some sites did not come");
  return found;
}

std::string literal(const Question& question) {
  const oracle::GuideQuestion& own = question.of_oracle;
  return fmt::format("records {}\npams {} at {}, length {}, mismatches {}, most scored {}{}", own.records, own.pams,
                     own.pam_5prime ? "5'" : "3'", question.length, own.mismatches, question.most_scored,
                     own.skip_soft_masked ? ", lower case skipped" : "");
}

std::string difference(const Totals& found, const Totals& expected) {
  for (const auto& [place, totals] : expected) {
    const auto own = found.find(place);
    if (own == found.end()) return fmt::format("missing {}: {}", place, totals);
    if (own->second != totals) return fmt::format("{}\nfound    {}\nexpected {}", place, own->second, totals);
  }
  for (const auto& [place, totals] : found) {
    if (expected.count(place) == 0) return fmt::format("too many: {}: {}", place, totals);
  }
  return "";
}

std::string check(std::uint64_t seed, const support::ScratchFolder& folder) {
  Random random(seed);
  const Question question = random_question(random);
  const std::string path = folder.path("in.fa");
  support::write_file(path, trial::fasta_text(question.of_oracle.records, trial::random_cuts(random, 0)),
                      support::Packing::plain);
  const Totals expected = expected_totals(question);
  for (const support::TestedDevice& where : support::tested_devices()) {
    How how{where,
            static_cast<int>(random.between(1, 3)),
            random.between(1, random.chance(70) ? 3000 : 60),
            random.chance(30) ? 0 : static_cast<std::uint32_t>(random.between(1, random.chance(80) ? 2000 : 100)),
            {}};
    if (random.chance(70)) {
      const bool any = random.chance(where.device == Device::gpu ? 50 : 5);
      const auto bases = static_cast<std::uint32_t>(random.below(any ? 11 : 7));
      how.settings.least_word = how.settings.most_word = bases;
    }
    if (random.chance(50)) how.settings.few_places = random.below(8);
    how.settings.tiles_at_once = static_cast<std::uint32_t>(random.between(1, 50));
    if (random.chance(30)) how.settings.sites_at_once = static_cast<std::uint32_t>(random.between(1, 100));
    if (where.device == Device::gpu) {
      if (random.chance(30)) how.settings.words_at_once = static_cast<std::uint32_t>(random.between(1, 20));
      how.gpus = random_gpus(random);
      how.slow_use = random.chance(50);
      how.settings.sites_of_round = static_cast<std::uint32_t>(random.between(1, random.chance(50) ? 20 : 500));
    }
    std::string fault;
    try {
      fault = difference(run(question, path, how), expected);
    } catch (const std::exception& error) {
      fault = std::string("exception: ") + error.what();
    }
    support::tally().ran(fmt::format("join, {}", where.name));
    if (fault.empty()) continue;
    return fmt::format(
        "{}: {} threads, blocks of {} bytes, batches of {}, words of {} to {}, {} sites and {} words at once, "
        "rounds of {} if {}, {} GPUs\n{}\n{}",
        where.name, how.threads, how.block_bytes, how.batch_positions, how.settings.least_word, how.settings.most_word,
        how.settings.sites_at_once, how.settings.words_at_once, how.settings.sites_of_round, how.slow_use,
        how.gpus.size(), fault, literal(question));
  }
  return "";
}

}  // namespace

TEST_CASE("the totals of every guide of a text are those of the oracle", "[join]") {
  const support::ScratchFolder folder;
  const std::uint64_t cases = support::test_cases(600);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::uint64_t seed = support::test_seed() + i;
    const std::string fault = check(seed, folder);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

TEST_CASE("a join ends with the error of what takes its totals, also while it compares more", "[join]") {
  const support::ScratchFolder folder;
  Random random(support::test_seed());
  Question question = random_question(random);
  question.of_oracle.records = {trial::random_letters(random, 20'000, "ACGT")};
  question.of_oracle.mismatches = 2;
  const std::string path = folder.path("in.fa");
  support::write_file(path, trial::fasta_text(question.of_oracle.records, trial::random_cuts(random, 0)),
                      support::Packing::plain);
  for (const support::TestedDevice& where : support::tested_devices()) {
    for (const int call : {0, 1, 3}) {
      How how{where, 2, 3000, 0, {}};
      how.settings.sites_at_once = how.settings.sites_of_round = 50;
      how.slow_use = true;
      how.failing_use = call;
      CHECK_THROWS_WITH(run(question, path, how), "as when a disk is full");
    }
  }
}

}  // namespace basesweep::test_join
