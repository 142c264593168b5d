// Approximate search, from files to bytes, against the oracle, for any algorithm, device, threads and cuts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lib/oracle/approximate.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/circles.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/regions.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_match {

namespace {

using trial::Random;

struct Job {
  oracle::ApproximateQuestion question;
  EditOptions edits;
  std::vector<Pattern> patterns;  // of the question, some with limits of their own
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
  support::Regions regions;  // empty: everything
  bool planned = false;      // the regions come from a plan
};

std::string literal(const Job& job) {
  std::string own;
  for (const Pattern& pattern : job.patterns) {
    const auto number = [](const auto& limit) { return limit ? std::to_string(*limit) : std::string("-"); };
    if (!pattern.has_limits()) continue;
    own += fmt::format("{}: edits {}, clamps {} and {}; ", pattern.name, number(pattern.edits),
                       number(pattern.clamp_5prime), number(pattern.clamp_3prime));
  }
  return own + fmt::format(
                   "edits {}, rate {}, max_mismatches {}, max_indels {}, bulges {} and {}, clamps {} and {}, "
                   "overhang {} and {}, report "
                   "{}{}{}{}{}{}\n{}",
                   job.edits.edits ? std::to_string(*job.edits.edits) : "-",
                   job.edits.rate ? std::to_string(*job.edits.rate) : "-",
                   job.edits.max_mismatches ? std::to_string(*job.edits.max_mismatches) : "-",
                   job.edits.max_indels ? std::to_string(*job.edits.max_indels) : "-",
                   job.edits.max_dna_bulges ? std::to_string(*job.edits.max_dna_bulges) : "-",
                   job.edits.max_rna_bulges ? std::to_string(*job.edits.max_rna_bulges) : "-", job.edits.clamp_5prime,
                   job.edits.clamp_3prime, job.edits.overhang_5prime.value_or(0), job.edits.overhang_3prime.value_or(0),
                   static_cast<int>(job.question.report), job.question.patterns_compete ? ", of all patterns" : "",
                   job.non_overlapping ? ", non-overlapping" : "",
                   job.max_hits ? fmt::format(", at most {} hits", *job.max_hits) : "",
                   job.regions.empty() ? ""
                   : job.planned       ? ", planned"
                                       : ", by name",
                   support::literal(job.regions), trial::literal(job.question.exact));
}

// The oracle tries every interval, so texts are short. Long runs of N cost it little.
std::vector<std::string> random_text(Random& random, bool many_edits) {
  if (many_edits)
    return {trial::random_letters(random, random.between(10, 60), random.chance(20) ? "ACGTNac" : "ACGT")};
  std::vector<std::string> records;
  const std::string alphabet = random.chance(30) ? "AC" : random.chance(20) ? "ACGTacgtNRU" : "ACGT";
  for (std::size_t r = random.between(1, random.chance(30) ? 12 : 3); r-- != 0;) {
    std::string record = trial::random_letters(random, random.below(random.chance(50) ? 150 : 30), alphabet);
    if (random.chance(25)) {
      record.insert(random.below(record.size() + 1), std::string(random.chance(50) ? 300 : random.between(1, 12), 'N'));
    }
    if (random.chance(25)) {
      const std::size_t begin = random.below(record.size() + 1);
      for (std::size_t i = begin; i < std::min(record.size(), begin + 20); ++i) {
        record[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(record[i])));
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::string random_pattern(Random& random, std::vector<std::string>& records, std::size_t edits, bool many_edits) {
  const std::size_t length = std::max<std::size_t>(many_edits          ? random.between(12, 30)
                                                   : random.chance(80) ? random.between(3, 16)
                                                                       : random.between(1, 24),
                                                   edits + 1);
  std::string pattern = trial::random_letters(random, length, random.chance(20) ? "AC" : "ACGT");
  if (random.chance(15)) {
    pattern = pattern.substr(0, (length + 1) / 2);
    pattern += oracle::reverse_complement(pattern);
  }
  std::string& record = records[random.below(records.size())];
  const std::string planted = trial::mutate(random, random.chance(50) ? pattern : oracle::reverse_complement(pattern),
                                            random.below(edits + 2), "ACGTN");
  if (record.size() >= planted.size()) {
    const std::size_t last = record.size() - planted.size();
    record.replace(random.chance(20) ? 0 : random.chance(20) ? last : random.below(last + 1), planted.size(), planted);
  }
  if (random.chance(30)) pattern[random.below(pattern.size())] = "RYSWKMBDHVN"[random.below(11)];
  return pattern;
}

// Gives some patterns limits of their own, and none for all if every pattern has its own edits.
void add_own_limits(Random& random, Job& job) {
  oracle::ApproximateQuestion& question = job.question;
  question.own_clamps_5prime.assign(job.patterns.size(), question.clamp_5prime);
  question.own_clamps_3prime.assign(job.patterns.size(), question.clamp_3prime);
  question.has_own_edits.assign(job.patterns.size(), false);
  bool all = true;
  for (std::size_t p = 0; p < job.patterns.size(); ++p) {
    Pattern& pattern = job.patterns[p];
    const std::size_t length = pattern.sequence.size();
    if (random.chance(60)) {
      pattern.edits = static_cast<std::uint32_t>(random.below(std::min<std::size_t>(length, question.edits[p] + 2)));
      question.edits[p] = *pattern.edits;
      question.has_own_edits[p] = true;
    }
    all = all && pattern.edits;
    if (random.chance(40)) {
      pattern.clamp_5prime = static_cast<std::uint32_t>(random.below(length / 2 + 1));
      question.own_clamps_5prime[p] = *pattern.clamp_5prime;
    }
    if (random.chance(40)) {
      pattern.clamp_3prime = static_cast<std::uint32_t>(random.below(length / 2 + 1));
      question.own_clamps_3prime[p] = *pattern.clamp_3prime;
    }
  }
  if (all) job.edits.edits.reset();
  if (all) job.edits.rate.reset();
}

// Puts parts of patterns to the ends of records, and adds records that patterns are longer than.
void cut_off_patterns(Random& random, oracle::Question& exact) {
  const auto planted = [&] {
    const std::string& pattern = random.pick(exact.patterns);
    std::string letters = random.chance(50) ? pattern : oracle::reverse_complement(pattern);
    for (char& letter : letters) letter = oracle::members(letter)[0];
    return "C" + trial::mutate(random, letters, random.below(2), "ACGT");
  };
  for (std::size_t i = random.below(5); i-- != 0;) {
    const std::string letters = planted();
    exact.records.push_back(letters.substr(random.between(1, letters.size() / 2 + 1), letters.size()));
  }
  for (std::string& record : exact.records) {
    const std::string letters = planted();
    const std::size_t inside = std::min<std::size_t>(record.size(), random.between(1, letters.size()));
    if (random.chance(40)) record.replace(0, inside, letters.substr(letters.size() - inside));
    if (random.chance(40)) record.replace(record.size() - inside, inside, letters, 1, inside);
  }
}

Job random_job(Random& random) {
  Job job;
  oracle::Question& exact = job.question.exact;
  const bool many_edits = random.chance(3);
  std::vector<std::string> records = random_text(random, many_edits);
  const std::size_t edits = many_edits ? random.between(4, 10) : random.chance(90) ? random.below(4) : random.below(6);
  std::vector<std::string> patterns;
  for (std::size_t i = many_edits ? 1 : random.between(1, 3); i-- != 0;) {
    patterns.push_back(random_pattern(random, records, edits, many_edits));
  }
  exact = trial::random_question(random, records, patterns);
  if (many_edits || random.chance(85)) {
    job.edits.edits = static_cast<std::uint32_t>(edits);
  } else {
    job.edits.rate = static_cast<double>(random.below(30)) / 100;
  }
  for (const std::string& pattern : patterns) {
    job.question.edits.push_back(
        job.edits.edits ? edits : static_cast<std::size_t>(std::lround(*job.edits.rate * 100)) * pattern.size() / 100);
  }
  if (random.chance(20)) job.question.max_mismatches = *(job.edits.max_mismatches = random.below(3));
  if (random.chance(30)) job.question.max_indels = *(job.edits.max_indels = random.chance(60) ? 0 : random.below(3));
  if (random.chance(15)) {
    job.question.max_dna_bulges = *(job.edits.max_dna_bulges = random.below(3));
    if (random.chance(70)) job.question.max_rna_bulges = *(job.edits.max_rna_bulges = random.below(3));
  } else if (random.chance(10)) {
    job.question.max_rna_bulges = *(job.edits.max_rna_bulges = random.below(3));
  }
  std::size_t shortest = patterns.front().size();
  for (const std::string& pattern : patterns) shortest = std::min(shortest, pattern.size());
  if (random.chance(20)) {
    job.question.clamp_5prime = job.edits.clamp_5prime = static_cast<std::uint32_t>(random.below(shortest / 2 + 1));
    job.question.clamp_3prime = job.edits.clamp_3prime = static_cast<std::uint32_t>(random.below(shortest / 2 + 1));
  }
  const bool overhang = !many_edits && random.chance(35);
  if (overhang) {
    const auto least = [&] { return static_cast<std::uint32_t>(random.chance(80) ? random.between(1, 5) : 100); };
    if (random.chance(80)) job.question.overhang_5prime = *(job.edits.overhang_5prime = least());
    if (random.chance(80)) job.question.overhang_3prime = *(job.edits.overhang_3prime = least());
    job.question.rate = job.edits.rate;
    cut_off_patterns(random, exact);
  }
  for (const std::string& letters : patterns)
    job.patterns.push_back({fmt::format("p{}", job.patterns.size()), letters});
  if (!many_edits && random.chance(30)) add_own_limits(random, job);
  job.question.report = static_cast<oracle::Report>(random.below(5));
  job.question.patterns_compete = random.chance(50);
  job.non_overlapping = random.chance(15);
  if (random.chance(15)) job.max_hits = random.between(1, 10);
  if (random.chance(30)) job.regions = support::random_regions(random, exact.records);
  job.planned = random.chance(50);
  const bool best_per_record = job.question.report == oracle::Report::best_per_record;
  if (!overhang && !best_per_record && random.chance(40))
    exact.circular = support::random_circles(random, exact.records);
  return job;
}

// Returns the hits that start in the regions, or only the best of them with Report::best.
std::vector<oracle::ApproximateHit> expected_hits(const Job& job) {
  if (job.regions.empty()) return oracle::search(job.question);
  oracle::ApproximateQuestion question = job.question;
  const bool best = question.report == oracle::Report::best;
  const bool best_per_record = question.report == oracle::Report::best_per_record;
  if (best || best_per_record) question.report = oracle::Report::sites;
  std::vector<oracle::ApproximateHit> hits = oracle::search(question);
  std::erase_if(hits, [&](const auto& hit) { return !support::is_inside(job.regions, hit.record, hit.start); });
  std::map<std::size_t, std::size_t> lowest;  // lowest edits of each pattern
  for (const auto& hit : hits) {
    const std::size_t edits = hit.edits + hit.hang_left + hit.hang_right;
    const auto [known, fresh] = lowest.try_emplace(hit.pattern, edits);
    known->second = std::min(known->second, edits);
  }
  if (best) {
    std::erase_if(hits,
                  [&](const auto& hit) { return hit.edits + hit.hang_left + hit.hang_right > lowest.at(hit.pattern); });
  }
  if (best_per_record) keep_best_per_record(hits, question.patterns_compete);
  return hits;
}

std::string expected_output(const Job& job) {
  const bool best_per_record = job.question.report == oracle::Report::best_per_record;
  const bool overhang = job.edits.overhang_5prime || job.edits.overhang_3prime;  // also where clamps let none hang over
  std::string text =
      fmt::format("record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar{}{}\tmatched\n",
                  overhang ? "\tpattern_start\tpattern_end" : "", best_per_record ? "\tbest\tnext_edits" : "");
  const std::vector<oracle::ApproximateHit> all = expected_hits(job);
  std::vector<oracle::Hit> kept;
  for (const auto& hit : all) kept.push_back({hit.record, hit.start, hit.end, hit.strand, hit.pattern});
  if (job.non_overlapping) kept = oracle::without_overlaps(job.question.exact, kept);
  std::uint64_t hits = 0;
  for (const oracle::ApproximateHit& hit : all) {
    const oracle::Hit plain{hit.record, hit.start, hit.end, hit.strand, hit.pattern};
    const auto written = std::find(kept.begin(), kept.end(), plain);
    if (written == kept.end()) continue;
    if (job.non_overlapping) kept.erase(written);  // another hit may hang over from the same interval
    if (job.max_hits && hits++ == *job.max_hits) break;
    std::string more;
    const auto [first, last] = oracle::part_inside(job.question, hit);
    if (overhang) more += fmt::format("\t{}\t{}", first, last);
    if (best_per_record) {
      more += fmt::format("\t{}\t{}", hit.best, hit.next_edits ? std::to_string(*hit.next_edits) : ".");
    }
    text += fmt::format("r{}\t{}\t{}\tp{}\t{}\t{}\t{}\t{}{}\t{}\n", hit.record, hit.start, hit.end, hit.pattern,
                        hit.strand, hit.edits, hit.indels, oracle::cigar(job.question, hit), more,
                        oracle::matched_text(job.question.exact, hit.record, hit.start, hit.end, hit.strand));
  }
  return text;
}

std::string run(const Job& job, const std::string& folder, const PatternSet& set, Matcher& matcher, Random& random,
                Isa isa) {
  ReaderOptions reading;
  reading.paths = {folder + "/in"};
  reading.block_bytes = random.between(1, random.chance(70) ? 600 : 40);
  Reader reader(reading);
  PipelineOptions options;
  options.packer = {.isa = isa, .soft_masked = job.question.exact.skip_soft_masked};
  options.report = static_cast<Report>(job.question.report);
  options.select = {.best = options.report == Report::best,
                    .non_overlapping = job.non_overlapping,
                    .max_hits = job.max_hits,
                    .best_per_record = options.report == Report::best_per_record,
                    .patterns_compete = job.question.patterns_compete};
  options.waiting_bytes = random.chance(50) ? random.below(400) : options.waiting_bytes;
  const RegionSet regions = support::region_set(job.regions, job.question.exact.records, job.planned);
  if (!job.regions.empty()) options.regions = &regions;
  options.circular = support::circular_records(job.question.exact.circular);
  options.circular_known = job.planned && !job.regions.empty();  // such a run need not read all records
  options.threads = static_cast<int>(random.between(1, 3));
  options.batch_positions = static_cast<std::uint32_t>(random.between(1, random.chance(50) ? 30 : 400));
  const std::unique_ptr<Formatter> formatter =
      make_hit_formatter(set, OutputFormat::tsv, {.standing = options.select.best_per_record});
  OutputFile output(folder + "/out", 1, OutputCompression::none);
  run_pipeline(options, reader, set, matcher, {formatter.get(), &output, std::nullopt, folder});
  output.commit();
  return support::read_file(folder + "/out");
}

std::string check_job(std::uint64_t seed, const support::ScratchFolder& folder) {
  Random random(seed);
  const Job job = random_job(random);
  const oracle::Question& exact = job.question.exact;
  support::write_file(folder.path("in"), trial::fasta_text(exact.records, trial::random_cuts(random, 1000)),
                      support::Packing::plain);
  const std::string expected = expected_output(job);
  const PatternSet set(job.patterns, static_cast<StrandChoice>(exact.strands),
                       exact.palindromes_twice ? PalindromeChoice::both : PalindromeChoice::once, job.edits);
  for (support::Target target : support::approximate_targets()) {
    target.name += ", match";
    std::string found;
    try {
      const auto matcher =
          conformance::make_matcher(target, set, conformance::may_decline(target, job.edits), Output::occurrences);
      if (matcher == nullptr) continue;
      found = run(job, folder.path(""), set, *matcher, random, target.isa);
    } catch (const std::exception& error) {
      found = std::string("exception: ") + error.what();
    }
    if (found != expected) {
      return fmt::format("{}\nfound:\n{}\nexpected:\n{}\n{}", target.name, found, expected, literal(job));
    }
    support::tally().ran(target.name);
  }
  return "";
}

}  // namespace

TEST_CASE("match writes the hits of the oracle, however it is run", "[match]") {
  constexpr std::uint64_t kCasesForAll = 50;  // enough for each target to get one
  const support::ScratchFolder folder;
  const std::uint64_t cases = support::test_cases(1000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    const std::string fault = check_job(seed, folder);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
  if (cases < kCasesForAll) return;
  for (const support::Target& target : support::approximate_targets()) {
    INFO(target.name);
    CHECK(support::tally().ran_by(target.name + ", match") > 0);
  }
}

}  // namespace basesweep::test_match
