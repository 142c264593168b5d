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
  for (const std::string& set : o.sets) parse_set(set);
  const auto [device, gpu] = parse_device(o.device);
  const auto no_gpu = device == Device::cpu ? std::optional<std::string>("not asked for") : cuda::unusable_reason(gpu);
  if (device == Device::gpu && no_gpu) throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *no_gpu));
  fmt::print("basesweep {} bench\n", BASESWEEP_VERSION);
  if (device != Device::gpu) bench_cpu_matchers(o);

  if (o.only.empty() && o.sets.empty()) bench_files(o, device, gpu, no_gpu.has_value());
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
  command
      .add_option("--set", options->sets,
                  "Instead, every exact algorithm that takes N random patterns of M bases, with them; may be repeated")
      ->type_name("NxM");
  command.add_flag("--quick", options->quick, "Smaller data, fewer runs");
  const auto paper = add_bench_paper_command(command);
  return [options, &command, paper] { return command.got_subcommand("paper") ? paper() : run_bench(*options); };
}

}  // namespace basesweep
