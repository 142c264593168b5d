// basesweep bench: what this machine's processor and GPU give, on data made on the spot.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/cuda.hpp"
#include "lib/error.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/threads.hpp"
#include "tools/commands.hpp"

namespace basesweep {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::string device = "auto";
  int threads = 0;
  bool quick = false;
  std::string only;  // part of the names of the cases to measure
};

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Rates are printed as they are measured.
void print_row(const std::string& what, const std::string& how, double bases, double seconds,
               const std::string& note = "") {
  fmt::print("{:<38} {:<22} {:>9.2f} Gbase/s  {:>9.3f} ms  {}\n", what, how, bases / seconds / 1e9, seconds * 1e3,
             note);
  std::fflush(stdout);
}

PatternSet random_patterns(int count, int length, StrandChoice strands, const EditOptions* edits = nullptr) {
  std::mt19937 random(7);
  std::vector<Pattern> patterns;
  for (int i = 0; i < count; ++i) {
    Pattern pattern{fmt::format("m{}", i), ""};
    for (int c = 0; c < length; ++c) pattern.sequence += base_letter(random() % 4);
    patterns.push_back(std::move(pattern));
  }
  if (edits != nullptr) return {std::move(patterns), strands, PalindromeChoice::both, *edits};
  return {std::move(patterns), strands, PalindromeChoice::both};
}

// Pattern sets that the algorithms are measured with.
struct Case {
  Algorithm algorithm;
  int count, length;
  StrandChoice strands;
  int edits = -1;  // -1: exact
  Output output = Output::hits;

  std::string name() const {
    return fmt::format("{} {} x {} {}{}{}", to_string(algorithm), count, length,
                       strands == StrandChoice::both ? "both" : "one strand",
                       edits < 0 ? "" : fmt::format(" k={}", edits), output == Output::counts ? " counts" : "");
  }
  PatternSet patterns() const {
    if (edits < 0) return random_patterns(count, length, strands);
    EditOptions options;
    options.edits = static_cast<std::uint32_t>(edits);
    if (algorithm == Algorithm::hamming) options.max_indels = 0;
    return random_patterns(count, length, strands, &options);
  }
  // An approximate search costs as much for each pattern, so that its rate counts bases of text times patterns.
  double searches() const {
    return edits < 0 ? 1 : static_cast<double>(count) * (strands == StrandChoice::both ? 2 : 1);
  }
};

std::vector<Case> cases(const BenchOptions& o) {
  std::vector<Case> all;
  for (const Algorithm algorithm : {Algorithm::planes, Algorithm::drk2s}) {
    for (const int length : {8, 16, 32, 64}) {
      for (const StrandChoice strands : {StrandChoice::plus, StrandChoice::both}) {
        all.push_back({algorithm, 1, length, strands});
      }
    }
    all.push_back({algorithm, 1, 12, StrandChoice::both});
    all.push_back({algorithm, 10, 12, StrandChoice::both});
  }
  for (const Algorithm algorithm : {Algorithm::ac_dfa, Algorithm::qgrams}) {
    for (const int length : {8, 12}) {
      for (const StrandChoice strands : {StrandChoice::plus, StrandChoice::both}) {
        all.push_back({algorithm, 1000, length, strands});
      }
      all.push_back({algorithm, 1000, length, StrandChoice::plus, -1, Output::counts});
    }
    for (const int count : {8000, 16000}) all.push_back({algorithm, count, 12, StrandChoice::both});
  }
  for (const int count : {1, 10, 100, 312}) {
    for (const int length : {20, 23, 30}) all.push_back({Algorithm::bitsliced, count, length, StrandChoice::plus, 3});
  }
  for (const int count : {1, 100}) {
    all.push_back({Algorithm::hamming, count, 20, StrandChoice::plus, 3});
    all.push_back({Algorithm::myers, count, 32, StrandChoice::plus, 3});
  }
  all.push_back({Algorithm::myers, 1, 64, StrandChoice::plus, 6});
  all.push_back({Algorithm::myers, 1, 1000, StrandChoice::plus, 50});
  for (const int count : {100, 1000, 10000}) {
    all.push_back({Algorithm::pigeonhole, count, 24, StrandChoice::plus, 2});
    all.push_back({Algorithm::pigeonhole, count, 32, StrandChoice::plus, 3});
  }
  for (const int length : {32, 128, 1024}) {
    all.push_back({Algorithm::hmm, 1, length, StrandChoice::plus, length / 10});
  }
  std::erase_if(all, [&o](const Case& c) { return c.name().find(o.only) == std::string::npos; });
  return all;
}

void bench_gpu(int gpu, const BenchOptions& o) {
  const std::uint32_t columns = o.quick ? 1U << 28 : 1U << 30;
  const int runs = o.quick ? 5 : 21;
  fmt::print("\nGPU {}: {}; kernels alone, {} random bases, positions stored, median of {}\n", gpu, cuda::gpu_name(gpu),
             columns, runs);
  const double read = cuda::time_read(gpu, columns, runs).seconds;
  print_row("read the planes", "roof", columns, read);
  for (const Case& c : cases(o)) {
    const PatternSet patterns = c.patterns();
    std::vector<std::uint32_t> entries(patterns.entries().size());
    for (std::uint32_t e = 0; e < entries.size(); ++e) entries[e] = e;
    const cuda::KernelTiming timing =
        cuda::time_kernel(c.algorithm, {patterns, entries, c.output, Isa::sse42, gpu}, columns, runs);
    print_row(c.name(), fmt::format("{:.2f} of the roof", read / timing.seconds), columns * c.searches(),
              timing.seconds, fmt::format("{} hits", timing.hits));
  }
}

void bench_cpu_matchers(const BenchOptions& o) {
  constexpr std::uint32_t kColumns = 1U << 20;
  fmt::print("\nCPU, 1 thread, {}; {} random bases in memory, positions stored, median\n", to_string(best_isa()),
             kColumns);
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> lo(kColumns / 64);
  std::vector<std::uint64_t> hi(kColumns / 64);
  for (std::uint64_t& word : lo) word = random();
  for (std::uint64_t& word : hi) word = random();
  for (const Case& c : cases(o)) {
    const PatternSet patterns = c.patterns();
    PackedBatch batch(kColumns, patterns.max_length(), std::pmr::get_default_resource());
    batch.begin_piece("random", 0, 0, 0);
    batch.append(lo.data(), hi.data(), 0, kColumns);
    batch.finish(0, kColumns);
    MatcherOptions options;
    options.algorithm = c.algorithm;
    options.device = Device::cpu;
    options.output = c.output;
    const std::unique_ptr<Matcher> matcher = make_matcher(patterns, options);
    std::size_t hits = 0;
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    while (times.size() < 5 || seconds_since(begin) < (o.quick ? 0.1 : 0.5)) {
      const Clock::time_point start = Clock::now();
      matcher->submit(batch, [&hits](MatchResult&& result, std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
        hits = result.hits.size();
      });
      times.push_back(seconds_since(start));
    }
    print_row(c.name(), "in memory", kColumns * c.searches(), median(times), fmt::format("{} hits", hits));
  }
}

// A FASTA file of random bases, removed at the end.
class FastaFile {
 public:
  FastaFile(std::int64_t bases, int line_length)
      : path_(std::filesystem::temp_directory_path() / fmt::format("basesweep-bench-{}.fa", getpid())) {
    std::ofstream out(path_, std::ios::binary);
    out << ">random\n";
    std::mt19937_64 random(3);
    std::string lines;
    for (std::int64_t done = 0; done < bases;) {
      const auto length = std::min<std::int64_t>(line_length, bases - done);
      for (std::int64_t i = 0; i < length;) {
        std::uint64_t bits = random();
        for (int b = 0; b < 32 && i < length; ++b, ++i, bits >>= 2) lines += base_letter(bits & 3);
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
  ~FastaFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  FastaFile(const FastaFile&) = delete;
  FastaFile& operator=(const FastaFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void bench_parse(const FastaFile& file, double bases, int runs) {
  std::vector<double> times;
  std::vector<double> read_times;
  for (int run = 0; run < runs; ++run) {
    std::vector<char> scratch;
    ReaderOptions options;
    options.paths = {file.path()};
    Clock::time_point start = Clock::now();
    Reader read_only(options);
    while (const auto block = read_only.next()) (void)block->text(scratch);
    read_times.push_back(seconds_since(start));
    start = Clock::now();
    Reader reader(options);
    while (const auto block = reader.next()) (void)pack(*block, {});
    times.push_back(seconds_since(start));
  }
  print_row("read", "60-column FASTA, 1 thread", bases, median(read_times));
  print_row("read + pack", "60-column FASTA, 1 thread", bases, median(times));
}

void bench_pipeline(const std::string& what, const FastaFile& file, double bases, const PatternSet& patterns,
                    const BenchOptions& o, Device device, int gpu, int runs) {
  std::vector<double> times;
  std::uint64_t hits = 0;
  std::string how;
  for (int run = 0; run < runs; ++run) {
    const Clock::time_point start = Clock::now();
    ReaderOptions reading;
    reading.paths = {file.path()};
    Reader reader(reading);
    PipelineOptions pipeline;
    pipeline.threads = o.threads == 0 ? available_threads() : o.threads;
    MatcherOptions matching;
    matching.device = device;
    matching.gpu = gpu;
    matching.threads = pipeline.threads;
    matching.expected_bases = static_cast<std::int64_t>(bases);
    const std::unique_ptr<Matcher> matcher = make_matcher(patterns, matching);
    OutputFile output("/dev/null", 1, OutputCompression::none);
    const std::unique_ptr<Formatter> formatter = make_bed_formatter(patterns);
    hits = run_pipeline(pipeline, reader, patterns, *matcher, {formatter.get(), &output, {}, ""}).hits;
    output.commit();
    times.push_back(seconds_since(start));
    how = fmt::format("{}, {} threads", to_string(device), pipeline.threads);
  }
  print_row(what, how, bases, median(times), fmt::format("{} hits", hits));
}

void bench_files(const BenchOptions& o, Device device, int gpu, bool no_gpu) {
  const std::int64_t bases = o.quick ? 10'000'000 : 100'000'000;
  const int runs = o.quick ? 3 : 7;
  fmt::print("\nFrom a FASTA file of {} bases (page cache), to BED on /dev/null, median of {}\n", bases, runs);
  const FastaFile file(bases, 60);
  const auto size = static_cast<double>(bases);
  bench_parse(file, size, runs);
  const PatternSet ten = random_patterns(10, 12, StrandChoice::both);
  const PatternSet two_bases({{"AC", "AC"}}, StrandChoice::both, PalindromeChoice::once);
  for (const Device where : {Device::cpu, Device::gpu}) {
    if ((where == Device::gpu && no_gpu) || (where == Device::cpu && device == Device::gpu)) continue;
    bench_pipeline("10 x 12 both, end to end", file, size, ten, o, where, gpu, runs);
    bench_pipeline("1 x 2 both, end to end", file, size, two_bases, o, where, gpu, runs);
  }
}

int run_bench(const BenchOptions& o) {
  const auto [device, gpu] = parse_device(o.device);
  const auto no_gpu = device == Device::cpu ? std::optional<std::string>("not asked for") : cuda::unusable_reason(gpu);
  if (device == Device::gpu && no_gpu) throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *no_gpu));
  fmt::print("basesweep {} bench\n", BASESWEEP_VERSION);
  if (device != Device::gpu) bench_cpu_matchers(o);

  if (o.only.empty()) bench_files(o, device, gpu, no_gpu.has_value());
  if (no_gpu) {
    fmt::print("\nno GPU measured: {}\n", *no_gpu);
  } else {
    bench_gpu(gpu, o);
  }
  return 0;
}
}  // namespace

std::function<int()> add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      *app.add_subcommand("bench", "Measure this machine: matchers, parsing, end to end, on CPU and GPU");
  command.add_option("--device", options->device, "auto (default: both where a GPU is usable), cpu, gpu or gpu:N")
      ->type_name("DEVICE");
  command.add_option("-t,--threads", options->threads, "Threads of the end-to-end runs; 0 (default): all")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command.add_option("--only", options->only, "Only the matchers whose row holds this text, as in 'planes 1 x 8'")
      ->type_name("TEXT");
  command.add_flag("--quick", options->quick, "Smaller data, fewer runs");
  const auto paper = add_bench_paper_command(command);
  return [options, &command, paper] { return command.got_subcommand("paper") ? paper() : run_bench(*options); };
}

}  // namespace basesweep
