// `doctor` finds and reports wrong matchers and finders, and says why a GPU is not used.
#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "kernels/registry/declined.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/lying_searchers.hpp"
#include "tools/doctor/choices.hpp"
#include "tools/doctor/gpu_troubles.hpp"
#include "tools/doctor/report.hpp"
#include "tools/doctor/self_test.hpp"

namespace basesweep::test_doctor {

namespace {

constexpr std::uint64_t kSeed = 6;  // of tests in which something fails

SelfTest on_this_cpu(std::uint64_t seed = 1) {
  SelfTest test;
  test.seed = seed;
  test.devices = {{Device::cpu, best_isa()}};
  return test;
}

std::vector<TestRow> with_lie(const Lie& lie) {
  SelfTest test = on_this_cpu(kSeed);
  test.matcher = [lie](const PatternSet& patterns, const MatcherOptions& options) {
    return std::make_unique<LyingMatcher>(make_matcher(patterns, options), lie);
  };
  return run_self_test(test);
}

std::vector<TestRow> with_lie(const std::function<void(std::vector<ReadEnd>&)>& lie) {
  SelfTest test = on_this_cpu(kSeed);
  test.finder = [lie](const PackedBatch& reference, const FinderOptions& options) {
    return std::make_unique<LyingFinder>(make_finder(reference, options), lie);
  };
  return run_self_test(test);
}

// Makes matchers with make_matcher(), after calling `refuse`, which may throw.
std::vector<TestRow> with_refusal(const std::function<void(const MatcherOptions&)>& refuse) {
  SelfTest test = on_this_cpu();
  test.matcher = [refuse](const PatternSet& patterns, const MatcherOptions& options) {
    refuse(options);
    return make_matcher(patterns, options);
  };
  return run_self_test(test);
}

DoctorReport report_of(std::vector<TestRow> rows) {
  DoctorReport report;
  report.isas = {Isa::sse42};
  report.machine.temporary_bytes = std::uint64_t{1} << 40;
  report.machine.open_files = 1024;
  report.self_tested = true;
  report.rows = std::move(rows);
  return report;
}

void check_all_failed(const std::vector<TestRow>& rows, const std::set<std::string>& commands, const std::string& why) {
  std::size_t failed = 0;
  for (const TestRow& row : rows) {
    INFO(row.command << " " << row.algorithm << ": " << row.reason);
    CHECK((row.verdict == Verdict::failed) == (commands.count(row.command) != 0));
    if (row.verdict != Verdict::failed) continue;
    ++failed;
    CHECK(row.reason.find(why) != std::string::npos);
    CHECK(row.repeat == std::string("BASESWEEP_ISA=") + to_string(best_isa()) +
                            " basesweep doctor --device cpu --seed " + std::to_string(kSeed));
  }
  CHECK(failed != 0);
}

const std::set<std::string> kOfMatchers = {"motif", "match", "files"};

cuda::CudaInfo with_driver() {
  cuda::CudaInfo info;
  info.built = true;
  info.compiler = "13.0.88";
  info.architectures = "75-real,90-real";
  info.runtime = 13000;
  info.library_found = true;
  info.driver = 13020;
  return info;
}

std::string only_trouble(const cuda::CudaInfo& info, const Machine& machine,
                         const std::optional<std::string>& visible = std::nullopt) {
  const std::vector<std::string> troubles = gpu_troubles(info, machine, visible);
  REQUIRE(troubles.size() == 1);
  return troubles.front();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the self-test finds nothing wrong and leaves no algorithm out", "[doctor]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<TestRow> rows = run_self_test(on_this_cpu(seed));
    std::set<std::string> tested;
    for (const TestRow& row : rows) {
      INFO(row.command << " " << row.algorithm << ": " << row.reason);
      CHECK(row.verdict == Verdict::ok);
      CHECK(row.sets > 0);
      tested.insert(row.algorithm.substr(0, row.algorithm.find(',')));
    }
    for (const auto* algorithms : {&exact_algorithms(), &approximate_algorithms(), &read_algorithms()}) {
      for (const Algorithm algorithm : *algorithms) CHECK(tested.count(to_string(algorithm)) == 1);
    }
    CHECK(tested.count("auto") == 1);
  }
}

TEST_CASE("the self-test finds places of guides that are missing", "[doctor]") {
  SelfTest test = on_this_cpu(kSeed);
  test.guide_finder = [](const GuideSet& guides, const GuideFinderOptions& options) {
    return std::make_unique<LyingGuideFinder>(make_guide_finder(guides, options));
  };
  check_all_failed(run_self_test(test), {"guides"}, "expected");
}

TEST_CASE("the self-test finds wrong costs of barcodes", "[doctor]") {
  SelfTest test = on_this_cpu(kSeed);
  test.barcode_scorer = [](const FlankedBarcodes& barcodes, const BarcodeScorerOptions& options) {
    return std::make_unique<LyingScorer>(make_barcode_scorer(barcodes, options));
  };
  check_all_failed(run_self_test(test), {"demux"}, "edits, expected");
}

TEST_CASE("the self-test finds hits that are missing, invented, moved or out of order", "[doctor]") {
  check_all_failed(with_lie(Lie([](MatchResult& result) {
                     if (!result.occurrences.empty()) result.occurrences.pop_back();
                   })),
                   kOfMatchers, "");
  check_all_failed(with_lie(Lie([](MatchResult& result) {
                     if (result.occurrences.size() > 1)
                       std::swap(result.occurrences.front(), result.occurrences.back());
                   })),
                   kOfMatchers, "");
  check_all_failed(with_lie(Lie([](MatchResult& result) {
                     if (result.occurrences.empty()) return;
                     const Occurrence hit = result.occurrences.front();
                     for (std::uint32_t column = 0;; ++column) {
                       const Occurrence more = make_occurrence(column, occurrence_query(hit));
                       const auto place = std::lower_bound(result.occurrences.begin(), result.occurrences.end(), more);
                       if (place != result.occurrences.end() && *place == more) continue;
                       result.occurrences.insert(place, more);
                       return;
                     }
                   })),
                   kOfMatchers, "");
}

TEST_CASE("the self-test finds wrong counts and reports what a matcher throws", "[doctor]") {
  check_all_failed(with_lie(Lie([](MatchResult& result) {
                     if (!result.counts.empty()) ++result.counts.front();
                   })),
                   {"motif"}, "counted");
  check_all_failed(with_lie(Lie([](MatchResult&) { throw std::runtime_error("an illegal address"); })), kOfMatchers,
                   "an illegal address");
}

TEST_CASE("the self-test finds ends of reads that are missing or have other edits", "[doctor]") {
  using Ends = std::vector<ReadEnd>;
  check_all_failed(with_lie(std::function<void(Ends&)>([](Ends& ends) { ends.pop_back(); })), {"map"}, "missing");
  check_all_failed(with_lie(std::function<void(Ends&)>([](Ends& ends) { ++ends.back(); })), {"map"}, "edits, not");
}

TEST_CASE("an algorithm may decline, auto may not", "[doctor]") {
  const std::vector<TestRow> rows =
      with_refusal([](const MatcherOptions&) { throw Declined("algorithm a cannot take pattern 'p': is too long"); });
  for (const TestRow& row : rows) {
    INFO(row.command << " " << row.algorithm << ": " << row.reason);
    if (kOfMatchers.count(row.command) == 0) {
      CHECK(row.verdict == Verdict::ok);
    } else if (row.algorithm == "auto") {
      CHECK(row.verdict == Verdict::failed);
      CHECK(holds(row.reason, "declined, which auto must not"));
    } else {
      CHECK(row.verdict == Verdict::declined);
      CHECK(row.reason == "is too long");
    }
  }
  CHECK(exit_code(report_of(rows)) == kExitFailure);
}

TEST_CASE("what a real algorithm declines is no failure", "[doctor]") {
  MatcherOptions options;
  options.algorithm = Algorithm::ac_dfa;
  options.device = Device::cpu;
  CHECK_THROWS_AS(make_matcher(PatternSet({{"p", "GANTC"}}, StrandChoice::both, PalindromeChoice::once), options),
                  Declined);
}

TEST_CASE("a wrong setting is no algorithm's failure", "[doctor]") {
  CHECK_THROWS_WITH(with_refusal([](const MatcherOptions&) { throw UsageError("BASESWEEP_X=4G: expected a number"); }),
                    "BASESWEEP_X=4G: expected a number");
}

TEST_CASE("a GPU without memory is a failure only when a GPU is required", "[doctor]") {
  const std::string why = "GPU memory does not suffice: 5 bytes more were needed";
  const auto short_of_memory = [&why](const MatcherOptions& options) {
    if (options.algorithm == Algorithm::planes) throw DeviceError(why);
  };
  DoctorReport report = report_of(with_refusal(short_of_memory));
  for (const TestRow& row : report.rows) {
    INFO(row.command << " " << row.algorithm << ": " << row.reason);
    CHECK(row.verdict == (row.algorithm == "planes" ? Verdict::not_run : Verdict::ok));
    CHECK(row.reason.find(why) == (row.algorithm == "planes" ? 0 : std::string::npos));
  }
  CHECK(exit_code(report) == 0);
  REQUIRE(problems(report).size() == 1);
  CHECK(holds(problems(report).front(), "self-test: 1 did not run"));
  CHECK(holds(problems(report).front(), why));
  CHECK(holds(text_of_test(report), "planes            not run   "));
  report.gpu_required = true;
  CHECK(exit_code(report) == kExitNoDevice);
  report.rows.push_back({"motif", "sog", "gpu 0", Verdict::failed, 1, "motifs: missing: record 1", "do it again"});
  CHECK(exit_code(report) == kExitFailure);
}

TEST_CASE("file tests that cannot run without a folder do not blame the GPU", "[doctor]") {
  DoctorReport report = report_of({{"files", "auto", "gpu 0", Verdict::not_run, 0, "/nowhere: no folder"}});
  report.gpu_required = true;
  CHECK(exit_code(report) == 0);
}

TEST_CASE("an error of a CUDA call is a failure", "[doctor]") {
  check_all_failed(with_lie(Lie([](MatchResult&) { throw DeviceError("CUDA: cudaErrorIllegalAddress (...)"); })),
                   kOfMatchers, "cudaErrorIllegalAddress");
}

TEST_CASE("the self-test covers every usable GPU, or the requested one", "[doctor]") {
  const std::vector<Isa> isas = {Isa::sse42, Isa::avx2};
  const std::vector<cuda::GpuInfo> gpus = {{.index = 0, .unusable = "an error"}, {.index = 1}, {.index = 2}};
  const auto names = [&](Device device, const std::vector<int>& chosen) {
    std::vector<std::string> all;
    for (const TestedDevice& one : tested_devices({device, chosen}, isas, gpus)) all.push_back(one.name());
    return all;
  };
  using Names = std::vector<std::string>;
  CHECK(names(Device::automatic, {0}) == Names{"cpu sse42", "cpu avx2", "gpu 1", "gpu 2"});
  CHECK(names(Device::cpu, {0}) == Names{"cpu sse42", "cpu avx2"});
  CHECK(names(Device::gpu, {2}) == Names{"gpu 2"});
  CHECK(names(Device::gpu, {2, 1}) == Names{"gpu 1", "gpu 2"});
  CHECK(names(Device::gpu, {}) == Names{"gpu 1", "gpu 2"});
  CHECK(names(Device::gpu, {0}).empty());
  CHECK(names(Device::gpu, {3}).empty());
  CHECK(tested_devices({Device::gpu, {1}}, isas, gpus).front().isa == Isa::avx2);
}

TEST_CASE("a failed test is in the report, in its problems and in the exit code", "[doctor]") {
  DoctorReport report =
      report_of({{"motif", "planes", "cpu sse42", Verdict::ok, 3}, {"motif", "planes", "cpu avx2", Verdict::ok, 3}});
  CHECK(exit_code(report) == 0);
  CHECK(problems(report).empty());
  CHECK(holds(text_of_test(report), "planes            ok        cpu sse42, cpu avx2\n"));
  report.rows.push_back({"motif", "planes", "gpu 0", Verdict::failed, 1, "motifs: missing: record 1", "do it again"});
  CHECK(exit_code(report) == kExitFailure);
  CHECK(problems(report).size() == 1);
  CHECK(holds(text_of_test(report), "planes            FAILED    gpu 0: motifs: missing: record 1\n"));
  CHECK(holds(text_of_test(report), "to repeat it: do it again\n"));
  CHECK(holds(text_after_test(report), "self-test: 1 FAILED"));
  CHECK(holds(to_json(report), "\"verdict\": \"failed\""));
  report.gpu_fault = "GPU 0 is not usable: because";
  CHECK(exit_code(report) == kExitFailure);
  report.rows.pop_back();
  CHECK(exit_code(report) == kExitNoDevice);
  report.processor_fault = "too old";
  CHECK(exit_code(report) == kExitFailure);
}

TEST_CASE("GPU code is native, compiled from PTX, or missing", "[doctor]") {
  CHECK(code_for("75-real,90-real", 9, 0) == GpuCode::native);
  CHECK(code_for("80-real", 8, 6) == GpuCode::native);  // same generation, older
  CHECK(code_for("86-real", 8, 0) == GpuCode::none);
  CHECK(code_for("90-real", 10, 0) == GpuCode::none);
  CHECK(code_for("75-real,120", 12, 1) == GpuCode::native);
  CHECK(code_for("75-real,90", 10, 0) == GpuCode::compiled);
  CHECK(code_for("75-virtual", 7, 5) == GpuCode::compiled);
  CHECK(code_for("120-virtual", 9, 0) == GpuCode::none);
  CHECK(code_for("90a-real", 9, 0) == GpuCode::native);
  CHECK(code_for("90a", 10, 0) == GpuCode::none);
  CHECK(code_for("native", 9, 0) == GpuCode::unknown);
}

TEST_CASE("the report says why no GPU is used and what to do", "[doctor]") {
  Machine machine;
  CHECK(only_trouble({}, machine) == "no GPU: this basesweep was built without CUDA");
  machine.nvidia_hardware = true;
  CHECK(holds(only_trouble({}, machine), "BASESWEEP_CUDA=ON"));
  cuda::CudaInfo info = with_driver();
  info.library_found = false;
  CHECK(holds(only_trouble(info, {}),
              "libcuda.so.1, a part of the NVIDIA driver, was not found; if there is a GPU, install the driver; in a "
              "container, start it"));
  CHECK(holds(only_trouble(info, machine), "though there is an NVIDIA GPU; install the driver"));
  machine.nvidia_module = "580.65.06";
  machine.container = true;
  CHECK(holds(only_trouble(info, machine), "though the kernel has driver 580.65.06; in a container, start it with"));
  info = with_driver();
  info.driver = 12040;
  CHECK(holds(only_trouble(info, machine),
              "the driver 580.65.06 supports CUDA up to 12.4, but this basesweep needs 13.0"));
  info.driver = 0;
  CHECK(holds(only_trouble(info, machine), "reports no driver"));
  info = with_driver();
  info.error = "no CUDA-capable device is detected";
  CHECK(holds(only_trouble(info, machine, ""), "CUDA_VISIBLE_DEVICES=(empty) hides all GPUs"));
  CHECK(holds(only_trouble(info, machine, "7"), "CUDA_VISIBLE_DEVICES=7 hides all GPUs"));
  CHECK(holds(only_trouble(info, machine), "no /dev/nvidia*; in a container, start it with"));
  machine.nvidia_device_files = true;
  CHECK(holds(only_trouble(info, machine), "CUDA says: no CUDA-capable device is detected"));
}

TEST_CASE("doctor reports each GPU that is not usable", "[doctor]") {
  cuda::CudaInfo info = with_driver();
  info.gpus.push_back({.index = 0, .name = "A", .major = 9, .minor = 0});
  info.gpus.push_back({.index = 1, .name = "B", .major = 7, .minor = 0, .unusable = "no code"});
  info.gpus.push_back({.index = 2, .name = "C", .major = 9, .minor = 0, .unusable = "an error"});
  const std::vector<std::string> troubles = gpu_troubles(info, {}, std::nullopt);
  REQUIRE(troubles.size() == 2);
  CHECK(
      troubles[0] ==
      "GPU 1 is not usable: no code; it has compute capability 7.0, but this build is for 75-real,90-real; use a build "
      "for it (preset release)");
  CHECK(troubles[1] == "GPU 2 is not usable: an error");
}

TEST_CASE("auto's choices are reported for each task on two texts, with reasons", "[doctor]") {
  const std::vector<Choice> choices = automatic_choices(2);
  CHECK(choices.size() == 12);
  for (const Choice& choice : choices) {
    INFO(choice.command << " " << choice.task);
    CHECK((choice.device == "cpu" || choice.device == "gpu" || choice.device == "both"));
    CHECK_FALSE(choice.device_reason.empty());
    CHECK_FALSE(choice.algorithm.empty());
    CHECK_FALSE(choice.algorithm_reason.empty());
  }
  CHECK(choices[0].algorithm == "planes");
  CHECK(choices[4].algorithm == "qgrams");
}

}  // namespace basesweep::test_doctor
