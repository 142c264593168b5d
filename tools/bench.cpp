// basesweep bench: what this machine's processor and GPU give, on data made on the spot.
#include <fmt/format.h>

#include <memory>

#include "kernels/cuda/cuda.hpp"
#include "lib/error.hpp"
#include "tools/bench_support.hpp"
#include "tools/commands.hpp"

namespace basesweep {
namespace {

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
  command.add_option("--device", options->device, "auto (default: both where a GPU is usable), cpu, gpu or gpu:N")
      ->type_name("DEVICE");
  command.add_option("-t,--threads", options->threads, "Threads of the end-to-end runs; 0 (default): all")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
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
