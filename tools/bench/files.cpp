// Measurements of `basesweep bench` on files: parsing, and runs from file to file.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "lib/base/error.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/base/threads.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

void bench_parse(const FastaFile& file, double bases, int runs, BenchRecord& record) {
  std::vector<double> times;
  std::vector<double> read_times;
  for (int run = 0; run < runs; ++run) {
    std::vector<char> scratch;
    ReaderOptions options;
    options.paths = {file.path()};
    auto start = BenchClock::now();
    Reader read_only(options);
    while (const auto block = read_only.next()) (void)block->text(scratch);
    read_times.push_back(seconds_since(start));
    start = BenchClock::now();
    Reader reader(options);
    while (const auto block = reader.next()) (void)pack(*block, {});
    times.push_back(seconds_since(start));
  }
  record.add({"read", "60-column FASTA, 1 thread", bases, median(read_times), ""});
  record.add({"read + pack", "60-column FASTA, 1 thread", bases, median(times), ""});
}

void bench_pipeline(const std::string& what, const FastaFile& file, double bases, const PatternSet& patterns,
                    const BenchOptions& o, const DeviceChoice& where, int runs, BenchRecord& record) {
  const int threads = o.threads == 0 ? available_threads() : o.threads;
  const FileJob job = time_file_job(file, patterns, where, threads, runs);
  const std::string gpus = where.gpus.size() > 1 ? fmt::format(" {}", fmt::join(where.gpus, ", ")) : "";
  record.add({what, fmt::format("{}{}, {} threads", to_string(where.device), gpus, threads), bases, job.seconds,
              fmt::format("{} hits", job.hits)});
}

}  // namespace

FastaFile::FastaFile(std::int64_t bases, int line_length, bool two_letters)
    : bases_(bases), path_(std::filesystem::path(temporary_folder()) / fmt::format("basesweep-bench-{}.fa", getpid())) {
  std::ofstream out(path_, std::ios::binary);
  out << ">random\n";
  std::mt19937_64 random(3);
  std::string lines;
  for (std::int64_t done = 0; done < bases;) {
    const auto length = std::min<std::int64_t>(line_length, bases - done);
    for (std::int64_t i = 0; i < length;) {
      std::uint64_t bits = random();
      for (int b = 0; b < 32 && i < length; ++b, ++i, bits >>= 2) lines += base_letter(bits & (two_letters ? 1 : 3));
    }
    lines += '\n';
    done += length;
    if (lines.size() > (1U << 20) || done == bases) {
      out << lines;
      lines.clear();
    }
  }
  if (!out.flush()) throw IoError(path_.string(), "cannot write");
}

FastaFile::~FastaFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

FileJob time_file_job(const FastaFile& file, const PatternSet& patterns, const DeviceChoice& where, int threads,
                      int runs) {
  std::vector<double> times;
  FileJob job;
  for (int run = 0; run < runs; ++run) {
    const auto start = BenchClock::now();
    ReaderOptions reading;
    reading.paths = {file.path()};
    Reader reader(reading);
    PipelineOptions pipeline;
    pipeline.threads = threads;
    MatcherOptions matching;
    matching.device = where.device;
    matching.gpus = where.gpus;
    matching.threads = pipeline.threads;
    matching.expected_bases = file.bases();
    const std::unique_ptr<Matcher> matcher = make_matcher(patterns, matching);
    OutputFile output("/dev/null", 1, OutputCompression::none);
    const std::unique_ptr<Formatter> formatter = make_hit_formatter(patterns, OutputFormat::bed);
    job.hits = run_pipeline(pipeline, reader, patterns, *matcher, {{formatter.get(), &output, {}, ""}}).hits;
    output.commit();
    times.push_back(seconds_since(start));
  }
  job.seconds = median(times);
  return job;
}

void bench_files(const BenchOptions& o, Device device, const std::vector<int>& gpus, BenchRecord& record) {
  const std::int64_t bases = o.quick ? 10'000'000 : 100'000'000;
  const int runs = o.quick ? 3 : 7;
  record.begin("files", fmt::format("From a FASTA file of {} bases (page cache), to BED on /dev/null, median of {}",
                                    bases, runs));
  const FastaFile file(bases, 60);
  const auto size = static_cast<double>(bases);
  bench_parse(file, size, runs, record);
  const PatternSet ten(random_patterns(10, 12), StrandChoice::both, PalindromeChoice::both);
  const PatternSet two_bases({{"AC", "AC"}}, StrandChoice::both, PalindromeChoice::once);
  std::vector<DeviceChoice> places;
  if (device != Device::gpu) places.push_back({Device::cpu});
  if (!gpus.empty()) places.push_back({Device::gpu, {gpus.front()}});
  if (gpus.size() > 1) places.push_back({Device::gpu, gpus});
  for (const DeviceChoice& where : places) {
    bench_pipeline("10 x 12 both, end to end", file, size, ten, o, where, runs, record);
    bench_pipeline("1 x 2 both, end to end", file, size, two_bases, o, where, runs, record);
  }
}

}  // namespace basesweep
