// The whole pipeline, from files to bytes, against the oracle, for any threads, cuts and device.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "lib/oracle/trial/generate.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/report/count_table.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/circles.hpp"
#include "tests/support/files.hpp"
#include "tests/support/regions.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_pipeline {

namespace {

using support::Packing;
using trial::Random;

enum class Printed { bed, tsv, count };

struct Job {
  std::vector<std::string> files;  // contents
  std::vector<Packing> packings;
  bool fastq = false;
  oracle::Question question;  // over the records of all files
  Printed printed = Printed::bed;
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
  bool compressed = false;   // the output
  support::Regions regions;  // empty: everything
  bool planned = false;      // the regions come from a plan
};

// Returns a quality string whose letters often look like the start of other lines.
std::string fastq_text(Random& random, const std::vector<std::string>& records, std::size_t first) {
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::string quality = trial::random_letters(random, records[r].size(), "@+>I");
    text += fmt::format("@{} title\n{}\n+\n{}\n", trial::record_name(first + r), records[r], quality);
  }
  return text;
}

Job random_job(Random& random) {
  Job job;
  job.fastq = random.chance(30);
  std::vector<std::vector<std::string>> per_file;
  std::vector<std::string> all;
  const auto shape = [&] { return static_cast<trial::TextShape>(random.below(trial::kTextShapes)); };
  for (std::size_t i = random.between(1, 3); i-- > 0;) per_file.push_back(trial::random_records(random, shape()));
  job.question = trial::random_question(random, per_file.front(), {});
  const auto kind = random.chance(60) ? trial::PatternKind::acgt : trial::PatternKind::iupac;
  job.question.patterns = trial::random_patterns(random, kind, per_file.front());
  for (std::vector<std::string>& records : per_file) {
    trial::plant(random, job.question.patterns, records);
    const trial::Cuts lines = trial::random_cuts(random, 0);
    job.files.push_back(job.fastq ? fastq_text(random, records, all.size())
                                  : trial::fasta_text(records, lines, all.size()));
    job.packings.push_back(random.pick(std::vector{Packing::plain, Packing::plain, Packing::gzip, Packing::bgzf}));
    all.insert(all.end(), records.begin(), records.end());
  }
  job.question.records = std::move(all);
  job.printed = static_cast<Printed>(random.below(3));
  job.non_overlapping = random.chance(30);
  if (job.printed != Printed::count && random.chance(30)) job.max_hits = random.between(1, 50);
  job.compressed = random.chance(15);
  if (random.chance(30)) job.regions = support::random_regions(random, job.question.records);
  job.planned = random.chance(50);
  if (random.chance(40)) job.question.circular = support::random_circles(random, job.question.records);
  return job;
}

// A hit over the origin of a circular record is two lines, each in its place.
std::string expected_bed(const Job& job, const std::vector<oracle::Hit>& hits) {
  std::vector<oracle::Hit> lines;
  for (oracle::Hit hit : hits) {
    const auto length = static_cast<std::int64_t>(job.question.records[static_cast<std::size_t>(hit.record)].size());
    if (hit.end > length) {
      lines.push_back({hit.record, 0, hit.end - length, hit.strand, hit.pattern});
      hit.end = length;
    }
    lines.push_back(hit);
  }
  std::sort(lines.begin(), lines.end(), [](const oracle::Hit& a, const oracle::Hit& b) {
    return std::tie(a.record, a.start, a.end, a.strand, a.pattern) <
           std::tie(b.record, b.start, b.end, b.strand, b.pattern);
  });
  std::string text;
  for (const oracle::Hit& line : lines) {
    text += fmt::format("r{}\t{}\t{}\tp{}\t1000\t{}\n", line.record, line.start, line.end, line.pattern, line.strand);
  }
  return text;
}

std::string expected_output(const Job& job) {
  std::vector<oracle::Hit> hits = oracle::search(job.question);
  if (!job.regions.empty()) {
    std::erase_if(hits,
                  [&](const oracle::Hit& hit) { return !support::is_inside(job.regions, hit.record, hit.start); });
  }
  if (job.non_overlapping) hits = oracle::without_overlaps(job.question, hits);
  if (job.max_hits && hits.size() > *job.max_hits) hits.resize(*job.max_hits);
  std::string text;
  if (job.printed == Printed::count) {
    text = "pattern\tstrand\tcount\n";
    for (std::size_t p = 0; p < job.question.patterns.size(); ++p) {
      for (const char strand : {'+', '-'}) {
        if (!oracle::is_searched(job.question, p, strand)) continue;
        const auto count = std::count_if(hits.begin(), hits.end(),
                                         [&](const oracle::Hit& h) { return h.pattern == p && h.strand == strand; });
        text += fmt::format("p{}\t{}\t{}\n", p, strand, count);
      }
    }
    return text;
  }
  if (job.printed == Printed::bed) return expected_bed(job, hits);
  text = "record\tstart\tend\tpattern\tstrand\tmatched\n";
  for (const oracle::Hit& hit : hits) {
    text += fmt::format("r{}\t{}\t{}\tp{}\t{}\t{}\n", hit.record, hit.start, hit.end, hit.pattern, hit.strand,
                        oracle::matched_text(job.question, hit.record, hit.start, hit.end, hit.strand));
  }
  return text;
}

// How a job runs. The output may not depend on it.
struct Run {
  int threads;
  std::size_t block_bytes;
  std::uint32_t batch_positions;
  Isa isa;
};

std::string run(const Job& job, const std::vector<std::string>& paths, const std::string& output_path,
                const PatternSet& set, Matcher& matcher, const Run& how) {
  ReaderOptions reading;
  reading.paths = paths;
  reading.block_bytes = how.block_bytes;
  reading.threads = how.threads;
  Reader reader(reading);
  PipelineOptions options;
  options.packer = {.isa = how.isa, .soft_masked = job.question.skip_soft_masked};
  options.select = {.non_overlapping = job.non_overlapping, .max_hits = job.max_hits};
  const RegionSet regions = support::region_set(job.regions, job.question.records, job.planned);
  if (!job.regions.empty()) options.regions = &regions;
  options.circular = support::circular_records(job.question.circular);
  options.circular_known = job.planned && !job.regions.empty();  // such a run need not read all records
  options.threads = how.threads;
  options.batch_positions = how.batch_positions;
  const std::unique_ptr<Formatter> formatter =
      make_hit_formatter(set, job.printed == Printed::tsv ? OutputFormat::tsv : OutputFormat::bed);
  OutputFile output(output_path, how.threads, OutputCompression::by_name);
  PipelineOutput to;
  if (job.printed != Printed::count) to = {formatter.get(), &output, std::nullopt, "/tmp"};
  const RunSummary summary = run_pipeline(options, reader, set, matcher, to);
  if (job.printed == Printed::count) output.write(count_table(set, summary.counts));
  output.commit();
  return job.compressed ? support::read_unpacked(output_path) : support::read_file(output_path);
}

std::string check_job(std::uint64_t seed, const support::ScratchFolder& folder) {
  Random random(seed);
  const Job job = random_job(random);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < job.files.size(); ++i) {
    paths.push_back(folder.path(fmt::format("in{}", i)));
    support::write_file(paths.back(), job.files[i], job.packings[i]);
  }
  const std::string output_path = folder.path(job.compressed ? "out.gz" : "out");
  const std::string expected = expected_output(job);
  const PatternSet set = conformance::pattern_set(job.question);
  const bool counts =
      job.printed == Printed::count && !job.non_overlapping && job.regions.empty() && job.question.circular.empty();
  for (support::Target target : support::targets()) {
    target.name += ", pipeline";
    if (target.device == Device::gpu && target.algorithm != Algorithm::automatic && random.chance(70)) continue;
    const auto matcher =
        conformance::make_matcher(target, set, conformance::may_decline(support::Target(target), job.question.patterns),
                                  counts ? Output::counts : Output::occurrences);
    if (matcher == nullptr) continue;
    const std::size_t bases = std::max<std::size_t>(expected.size(), 1000);
    const Run how{static_cast<int>(random.between(1, 4)), random.between(1, random.chance(70) ? 3000 : 60),
                  trial::random_cuts(random, bases).batch_positions, target.isa};
    std::string found;
    try {
      found = run(job, paths, output_path, set, *matcher, how);
    } catch (const std::exception& error) {
      found = std::string("exception: ") + error.what();
    }
    if (found != expected) {
      return fmt::format(
          "{}: {} threads, blocks of {} bytes, batches of {} columns{}{}{}{}{}{}\nfound:\n{}\nexpected:\n{}\n{}",
          target.name, how.threads, how.block_bytes, how.batch_positions, job.fastq ? ", FASTQ" : ", FASTA",
          job.non_overlapping ? ", non-overlapping" : "", job.compressed ? ", compressed" : "",
          job.max_hits ? fmt::format(", at most {} hits", *job.max_hits) : "",
          job.regions.empty() ? ""
          : job.planned       ? ", planned"
                              : ", by name",
          support::literal(job.regions), found, expected, trial::literal(job.question));
    }
    support::tally().ran(target.name);
  }
  return "";
}

}  // namespace

TEST_CASE("the pipeline writes the hits of the oracle, however it is run", "[pipeline]") {
  const support::ScratchFolder folder;
  const std::uint64_t wanted = support::test_cases(support::on_gpu() ? 10'000 : 40'000) / 10;
  const std::uint64_t before = support::tally().total();
  for (std::uint64_t seed = support::test_seed(); support::tally().total() - before < wanted; ++seed) {
    const std::string fault = check_job(seed, folder);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=10");
  }
}

}  // namespace basesweep::test_pipeline
