// basesweep bench: measures this machine's CPU and GPU on generated data.
#include <fmt/format.h>

#include <memory>

#include "kernels/cuda/cuda.hpp"
#include "kernels/registry/choose_device.hpp"
#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/bench/support.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

constexpr const char* kMeasured = "What is measured";

Help bench_help() {
  return {
      .synopsis = {"[OPTIONS]", "paper [OPTIONS] --table WORD"},
      .sections = {{"Output format",
                    {"One row per matcher and case on random text in memory: bases of text per second (for approximate "
                     "search times the number of patterns), time per run, and number of hits. Runs from file to file "
                     "follow. Rates vary on a machine that is busy with other work."}}},
      .examples = {{"Measure everything on smaller data", {"basesweep bench --quick"}},
                   {"Keep the measurements as JSON", {"basesweep bench --quick --device cpu --json bench.json"}},
                   {"Measure one matcher on the CPU", {"basesweep bench --only 'planes 1 x 8' --device cpu"}},
                   {"Compare the algorithms on 1,000 patterns of 12 bases", {"basesweep bench --set 1000x12 --quick"}},
                   {"Compare them on a genome, with patterns from it",
                    {"basesweep bench --text genome.fa --set 100x12 --quick"}}},
      .environment = search_environment(),
      .exit_codes = {{"0", "done"},
                     {"1", "failure"},
                     {"2", "the command line is wrong, or there is nothing to measure"},
                     {"3", "bad data in the file of --text"},
                     {"4", "a file cannot be read or written"},
                     {"75", "a GPU was requested, but none is usable"}},
      .see_also = {"motif", "match", "map"}};
}

// The file of --json, or null.
std::unique_ptr<OutputFile> open_json(const BenchOptions& o) {
  if (o.json == "-") throw UsageError("--json -: the rows go to stdout; name a file");
  if (!o.json.empty()) check_output_name(o.json);
  return o.json.empty() ? nullptr : std::make_unique<OutputFile>(o.json, 1, OutputCompression::by_name);
}

void write_json(OutputFile* json, const BenchOptions& o, const BenchRecord& record) {
  if (json == nullptr) return;
  json->write(record.to_json(o.quick));
  json->commit();
}

// With --text.
int run_bench_text(const BenchOptions& o) {
  if (device_of(o.device).device == Device::gpu) throw UsageError("--text is for the CPU, so --device gpu conflicts");
  const std::unique_ptr<OutputFile> json = open_json(o);
  BenchRecord record;
  bench_text(o, record);
  write_json(json.get(), o, record);
  return 0;
}

int run_bench(const BenchOptions& o) {
  if (!o.text.empty()) return run_bench_text(o);
  const BenchCases cases = bench_cases(o);
  const DeviceChoice chosen = device_of(o.device);
  std::vector<int> gpus;
  std::string no_gpu = "not requested";
  if (chosen.device == Device::gpu) {
    gpus = usable_gpus(chosen.gpus);
  } else if (chosen.device == Device::automatic) {
    const auto reason = cuda::unusable_reason(0);
    reason ? void(no_gpu = *reason) : gpus.push_back(0);
  }
  const std::unique_ptr<OutputFile> json = open_json(o);
  BenchRecord record;
  record.declined = cases.declined;
  fmt::print("basesweep {} bench\n", BASESWEEP_VERSION);
  for (const std::string& declined : cases.declined) fmt::print("{}\n", declined);
  if (chosen.device != Device::gpu) bench_cpu_matchers(o, cases.measured, record);
  if (chosen.device != Device::gpu && cases.matrices) bench_matrices(o, record);
  if (chosen.device != Device::gpu && cases.guides) bench_guides(o, record);
  if (chosen.device != Device::gpu && cases.reads) bench_reads(o, record);
  if (o.only.empty() && o.sets.empty()) bench_files(o, chosen.device, gpus, record);
  if (gpus.empty()) fmt::print("\nno GPU measured: {}\n", no_gpu);
  for (const int gpu : gpus) {
    bench_gpu(gpu, o, cases.measured, record);
    if (cases.matrices) bench_gpu_matrices(gpu, o, record);
    if (cases.windows) bench_gpu_windows(gpu, o, record);
  }
  write_json(json.get(), o, record);
  return 0;
}
}  // namespace

std::function<int()> add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      add_command(app, "bench", "Measure the speed of this machine's CPU and GPU", kMachineCommands, bench_help());
  begin_group(command, group::kRunning);
  add_threads_option(command, options->threads, "Number of threads of the runs from file to file; 0 (default): all");
  add_device_option(command, options->device, "Device to measure (default: auto, the CPU and a usable GPU)");
  begin_group(command, kMeasured);
  add_text(command, "--only", "TEXT", options->only,
           "Measure only the matchers whose row contains this text, such as 'planes 1 x 8'", {.empty_value = true});
  add_texts(command, "--set", "NxM", options->sets,
            "Instead, measure every exact algorithm that takes N random patterns of M bases; may be repeated",
            {.empty_value = true});
  add_text(
      command, "--text", "FILE", options->text,
      "With --set: search the first bases of this file on the CPU, for patterns that are taken from it, with every "
      "exact algorithm and auto");
  add_flag(command, "--quick", options->quick, "Smaller data, fewer runs");
  begin_group(command, group::kOutput);
  add_json_option(command, options->json, "Write the measurements as JSON");
  const auto paper = add_bench_paper_command(command);
  return [options, &command, paper] {
    if (!is_called(command, "paper")) return run_bench(*options);
    if (const std::string option = given_option(command); !option.empty()) {
      throw UsageError(
          fmt::format("{}: put options after 'bench paper'; options of 'bench' do not apply to it", option));
    }
    return paper();
  };
}

}  // namespace basesweep
