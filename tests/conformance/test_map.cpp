// Mapping, from files to SAM, against the oracle, for any algorithm, candidates, device, threads and batches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "lib/oracle/approximate.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_map {

namespace {

using trial::Random;

struct Job {
  std::vector<std::string> records;
  std::vector<std::string> reads;
  ReadOptions options;
  Report report = Report::best;
  std::optional<std::uint64_t> max_secondary;
  Candidates candidates = Candidates::automatic;
};

std::string literal(const Job& job) {
  std::string text =
      fmt::format("edits {}, rate {}, strands {}, report {}, at most {} secondary, candidates {}\n",
                  job.options.edits ? std::to_string(*job.options.edits) : "-",
                  job.options.rate ? std::to_string(*job.options.rate) : "-", static_cast<int>(job.options.strands),
                  static_cast<int>(job.report), job.max_secondary ? std::to_string(*job.max_secondary) : "any",
                  static_cast<int>(job.candidates));
  for (const std::string& record : job.records) text += "record \"" + record + "\"\n";
  for (const std::string& read : job.reads) text += "read \"" + read + "\"\n";
  return text;
}

// The oracle tries every interval, so texts and reads are short.
std::vector<std::string> random_reference(Random& random) {
  std::vector<std::string> records;
  const std::string alphabet = random.chance(25) ? "AC" : random.chance(20) ? "ACGTacgtNRU" : "ACGT";
  for (std::size_t r = random.between(1, random.chance(30) ? 12 : 3); r-- != 0;) {
    records.push_back(trial::random_letters(random, random.below(random.chance(50) ? 150 : 30), alphabet));
    std::string& record = records.back();
    if (random.chance(20)) record.insert(random.below(record.size() + 1), std::string(random.between(1, 12), 'N'));
  }
  records.push_back(trial::random_letters(random, random.between(1, 60), "ACGT"));
  return records;
}

std::string random_read(Random& random, const std::vector<std::string>& records, std::size_t edits) {
  const std::size_t length = random.chance(80) ? random.between(6, 24) : random.between(1, 8);
  std::string read = trial::random_letters(random, length, random.chance(20) ? "AC" : "ACGT");
  const std::string& record = random.pick(records);
  if (random.chance(80) && record.size() > length) {
    read = record.substr(random.below(record.size() - length + 1), length);
    for (char& c : read) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (random.chance(50)) read = oracle::reverse_complement(read);
    read = trial::mutate(random, read, random.below(edits + 2), random.chance(30) ? "ACGTN" : "ACGT");
  }
  if (random.chance(10)) {
    read = read.substr(0, (read.size() + 1) / 2);
    read += oracle::reverse_complement(read);
  }
  if (random.chance(5)) read = std::string(read.size(), 'N');
  if (read.empty()) read = "A";
  return read;
}

Job random_job(Random& random) {
  Job job;
  job.records = random_reference(random);
  const std::size_t edits = random.chance(85) ? random.below(4) : random.below(8);
  if (random.chance(75)) {
    job.options.edits = static_cast<std::uint32_t>(edits);
  } else {
    job.options.rate = static_cast<double>(random.below(30)) / 100;
  }
  for (std::size_t i = random.between(1, 8); i-- != 0;) job.reads.push_back(random_read(random, job.records, edits));
  job.options.strands = random.chance(70) ? StrandChoice::both : static_cast<StrandChoice>(random.below(3));
  job.report = random.pick(std::vector{Report::best, Report::sites, Report::all});
  if (random.chance(20)) job.max_secondary = random.below(3);
  job.candidates = random.pick(std::vector{Candidates::automatic, Candidates::index, Candidates::sweep});
  return job;
}

// Converts for the oracle: a letter that is not a base matches nothing.
std::string positions_of(const std::string& read) {
  std::string positions = read;
  for (char& c : positions) {
    if (c == 'U') c = 'T';
    if (std::string_view("ACGT").find(c) == std::string_view::npos) c = '-';
  }
  return positions;
}

std::size_t expected_mapq(const std::vector<oracle::ApproximateHit>& sites) {
  const auto fewer = [](const auto& a, const auto& b) { return a.edits < b.edits; };
  const oracle::ApproximateHit best = *std::min_element(sites.begin(), sites.end(), fewer);
  std::size_t mapq = 60;
  for (const oracle::ApproximateHit& site : sites) {
    if (site == best) continue;
    const bool overlaps =
        site.record == best.record && site.strand == best.strand && site.start < best.end && best.start < site.end;
    if (site.edits == best.edits) return 0;
    if (!overlaps) mapq = std::min(mapq, 20 * (site.edits - best.edits));
  }
  return mapq;
}

// "qname flag record position mapq cigar XE NH" of each SAM record.
std::string expected_lines(const Job& job) {
  std::vector<std::string> names;  // records that have bases
  for (std::size_t r = 0; r < job.records.size(); ++r) names.push_back(trial::record_name(r));
  std::string lines;
  for (std::size_t i = 0; i < job.reads.size(); ++i) {
    const std::string& read = job.reads[i];
    const std::size_t edits = job.options.edits
                                  ? *job.options.edits
                                  : static_cast<std::size_t>(std::lround(*job.options.rate * 100)) * read.size() / 100;
    oracle::ApproximateQuestion question;
    question.exact = {job.records, {positions_of(read)}, static_cast<oracle::Strands>(job.options.strands)};
    question.edits = {edits};
    question.report = oracle::Report::sites;
    const bool sought = edits < read.size() && positions_of(read).find_first_not_of('-') != std::string::npos;
    const std::vector<oracle::ApproximateHit> sites =
        sought ? oracle::search(question) : std::vector<oracle::ApproximateHit>();
    question.report = job.report == Report::all    ? oracle::Report::all
                      : job.report == Report::best ? oracle::Report::best
                                                   : oracle::Report::sites;
    std::vector<oracle::ApproximateHit> hits = sought ? oracle::search(question) : sites;
    std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.edits < b.edits; });
    if (hits.empty()) {
      lines += fmt::format("q{} 4 * 0 0 * - -\n", i);
      continue;
    }
    const std::size_t mapq = expected_mapq(sites);
    for (std::size_t h = 0; h < hits.size() && h <= job.max_secondary.value_or(hits.size()); ++h) {
      const auto& hit = hits[h];
      lines += fmt::format("q{} {} {} {} {} {} {} {}\n", i, (hit.strand == '-' ? 16 : 0) + (h == 0 ? 0 : 256),
                           names[static_cast<std::size_t>(hit.record)], hit.start + 1, h == 0 ? mapq : 0,
                           oracle::cigar(question, hit), hit.edits, hits.size());
    }
  }
  return lines;
}

std::string found_lines(const std::string& sam) {
  std::string lines;
  std::istringstream text(sam);
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '\t');) fields.push_back(field);
    const auto tag = [&fields](const std::string& name) {
      for (const std::string& field : fields) {
        if (field.starts_with(name + ":i:")) return field.substr(5);
      }
      return std::string("-");
    };
    lines += fmt::format("{} {} {} {} {} {} {} {}\n", fields.at(0), fields.at(1), fields.at(2), fields.at(3),
                         fields.at(4), fields.at(5), tag("XE"), tag("NH"));
  }
  return lines;
}

std::string run(const Job& job, const support::ScratchFolder& folder, const Reference& reference,
                const support::Target& target, Random& random) {
  ReadSource source({.paths = {folder.path("reads")}});
  source.hold(random.between(1, random.chance(70) ? 400 : 40));
  FinderOptions finding;
  finding.algorithm = target.algorithm;
  finding.candidates = job.candidates;
  finding.device = target.device;
  finding.isa = target.isa;
  if (random.chance(30)) finding.max_ends = random.between(1, 60);
  const std::unique_ptr<Finder> finder = make_finder(*reference.text, finding);
  MapOptions options;
  options.reads = job.options;
  options.report = job.report;
  options.max_secondary = job.max_secondary;
  options.threads = static_cast<int>(random.between(1, 3));
  const ReadFormatter formatter(reference, {.distinguish = true});
  std::string text;
  run_map(options, source, reference, *finder, formatter, [&text](std::string_view records) { text += records; });
  return found_lines(text);
}

std::string check_job(std::uint64_t seed, const support::ScratchFolder& folder) {
  Random random(seed);
  const Job job = random_job(random);
  support::write_file(folder.path("reference"), trial::fasta_text(job.records, trial::random_cuts(random, 1000)));
  std::string reads;
  const bool fastq = random.chance(70);
  for (std::size_t i = 0; i < job.reads.size(); ++i) {
    reads += fastq ? fmt::format("@q{}\n{}\n+\n{}\n", i, job.reads[i], std::string(job.reads[i].size(), 'I'))
                   : fmt::format(">q{}\n{}\n", i, job.reads[i]);
  }
  support::write_file(folder.path("reads"), reads);
  const std::string expected = expected_lines(job);
  const Reference reference = load_reference({.path = folder.path("reference")});
  for (support::Target target : support::read_targets()) {
    target.name += ", map";
    std::string found;
    try {
      found = run(job, folder, reference, target, random);
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

TEST_CASE("map writes the alignments of the oracle, however it is run", "[map]") {
  const support::ScratchFolder folder;
  const std::uint64_t cases = support::test_cases(support::on_gpu() ? 300 : 1000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    const std::string fault = check_job(seed, folder);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

}  // namespace basesweep::test_map
