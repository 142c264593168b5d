// basesweep bench: what this machine's processor and GPU give, on data made on the spot.
#include <fmt/format.h>

#include <memory>

#include "kernels/cuda/cuda.hpp"
#include "lib/error.hpp"
#include "tools/bench_support.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

constexpr const char* kMeasured = "What is measured";

Help bench_help() {
  return {.synopsis = {"[OPTIONS]", "paper [OPTIONS] --table WORD"},
          .sections =
              {{"Output format",
                {"A row for each matcher and case: how fast it is in bases of text a second (of approximate search, "
                 "bases times patterns) on random text in memory, how long a run takes, and how many hits there are; "
                 "then whole runs from file to file. Rates differ from run to run on a machine that does other "
                 "things too."}}},
          .examples = {{"All of it, on smaller data", {"basesweep bench --quick"}},
                       {"One matcher on the CPU", {"basesweep bench --only 'planes 1 x 8' --device cpu"}},
                       {"What 1,000 patterns of 12 bases cost with each algorithm",
                        {"basesweep bench --set 1000x12 --quick"}}},
          .environment = search_environment(),
          .exit_codes = {{"0", "done"},
                         {"1", "failure"},
                         {"2", "the command line is wrong, or nothing is left to measure"},
                         {"75", "a GPU was asked for, and none is usable"}},
          .see_also = {"motif", "match", "map"}};
}

int run_bench(const BenchOptions& o) {
  const BenchCases cases = bench_cases(o);
  const auto [device, gpu] = parse_device(o.device);
  const auto no_gpu = device == Device::cpu ? std::optional<std::string>("not asked for") : cuda::unusable_reason(gpu);
  if (device == Device::gpu && no_gpu) throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *no_gpu));
  fmt::print("basesweep {} bench\n", BASESWEEP_VERSION);
  for (const std::string& declined : cases.declined) fmt::print("{}\n", declined);
  if (device != Device::gpu) bench_cpu_matchers(o, cases.measured);

  if (o.only.empty() && o.sets.empty()) bench_files(o, device, gpu, no_gpu.has_value());
  if (no_gpu) {
    fmt::print("\nno GPU measured: {}\n", *no_gpu);
  } else {
    bench_gpu(gpu, o, cases.measured);
  }
  return 0;
}
}  // namespace

std::function<int()> add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      *app.add_subcommand("bench", "Measure this machine: matchers, parsing, end to end, on CPU and GPU");
  set_help(command, bench_help());
  command.group(kMachineCommands);
  begin_group(command, group::kRunning);
  add_threads_option(command, options->threads, "Threads of the end-to-end runs; 0 (default): all");
  add_device_option(command, options->device, "What to measure (default: auto, both where a GPU is usable)");
  begin_group(command, kMeasured);
  command.add_option("--only", options->only, "Only the matchers whose row holds this text, as in 'planes 1 x 8'")
      ->type_name("TEXT");
  command
      .add_option("--set", options->sets,
                  "Instead, every exact algorithm that takes N random patterns of M bases, with them; may be repeated")
      ->type_name("NxM");
  command.add_flag("--quick", options->quick, "Smaller data, fewer runs");
  const auto paper = add_bench_paper_command(command);
  return [options, &command, paper] {
    if (!command.got_subcommand("paper")) return run_bench(*options);
    for (const CLI::Option* option : command.get_options()) {
      if (option->count() != 0) {
        throw UsageError(fmt::format("{}: options of 'bench paper' stand behind 'paper', and it has none but its own",
                                     option->get_name()));
      }
    }
    return paper();
  };
}

}  // namespace basesweep
