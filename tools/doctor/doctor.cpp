// basesweep doctor: reports on the build and the machine, and tests all algorithms on it.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/gpu_memory.hpp"
#include "kernels/registry/choose_device.hpp"
#include "lib/base/error.hpp"
#include "lib/base/threads.hpp"
#include "lib/rows/output_format.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"
#include "tools/doctor/gpu_troubles.hpp"
#include "tools/doctor/report.hpp"
#include "tools/help.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

Help doctor_help() {
  return {
      .synopsis = {"[OPTIONS]"},
      .sections = {{"Self-test",
                    {"Compares every algorithm with a plain letter-by-letter search on small random text: on the CPU "
                     "with each instruction set, and on every usable GPU. Takes a few seconds."}}},
      .examples = {{"Write a report to paste into an issue", {"basesweep doctor > report.txt"}},
                   {"Write it as JSON", {"basesweep doctor --json report.json"}},
                   {"Skip the self-test", {"basesweep doctor --no-self-test"}}},
      .environment = search_environment(),
      .exit_codes = {{"0", "done, with or without a GPU"},
                     {"1", "a self-test failed, or the processor is x86-64 without SSE4.2"},
                     {"2", "the command line or an environment variable is wrong"},
                     {"4", "a file cannot be written"},
                     {"75", "a GPU was requested, but is not usable or its memory is too small"}},
      .see_also = {"bench", "motif", "match", "map"}};
}

struct DoctorOptions {
  std::string device = "auto";
  std::string json;
  std::uint64_t seed = 1;
  bool no_self_test = false;
};

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// All that the processor has, or the one that BASESWEEP_ISA names.
std::vector<Isa> tested_isas(const DoctorReport& report) {
  return variable("BASESWEEP_ISA").value_or("").empty() ? report.isas : std::vector<Isa>{best_isa()};
}

DoctorReport look(const DeviceChoice& chosen) {
  DoctorReport report;
  report.libraries = library_versions();
  report.machine = look_at_machine();
  for (const char* name : {"BASESWEEP_BATCH_HITS", "BASESWEEP_ISA", "BASESWEEP_GPU_MEMORY", "BASESWEEP_GZIP_THREADS",
                           "CUDA_VISIBLE_DEVICES", "REF_CACHE", "REF_PATH", "TMPDIR"}) {
    if (const auto value = variable(name)) report.environment.emplace_back(name, *value);
  }
  report.isas = available_isas();
  try {
    best_isa();
  } catch (const UsageError&) {  // BASESWEEP_ISA is wrong
    throw;
  } catch (const Error& error) {
    report.processor_fault = error.what();
  }
  allowed_gpu_bytes();  // throws UsageError if BASESWEEP_GPU_MEMORY is not a number
  report.threads = available_threads();
  report.cuda = cuda::describe();
  report.gpu_troubles = gpu_troubles(report.cuda, report.machine, variable("CUDA_VISIBLE_DEVICES"));
  report.gpu_required = chosen.device == Device::gpu;
  if (report.gpu_required) {
    try {
      usable_gpus(chosen.gpus);
    } catch (const DeviceError& error) {
      report.gpu_fault = error.what();
    }
  }
  return report;
}

int run_doctor(const DoctorOptions& o) {
  const DeviceChoice chosen = device_of(o.device);
  if (!o.json.empty()) check_output_name(o.json);
  std::unique_ptr<OutputFile> json =
      o.json.empty() ? nullptr : std::make_unique<OutputFile>(o.json, 1, OutputCompression::by_name);
  std::unique_ptr<OutputFile> text =
      o.json == "-" ? nullptr : std::make_unique<OutputFile>("-", 1, OutputCompression::none);
  const auto print = [&text](const std::string& part) {
    if (text != nullptr) text->write(part);
  };
  DoctorReport report = look(chosen);
  const bool runs = !report.processor_fault;
  print(text_before_test(report));
  if (runs && !o.no_self_test) {
    const auto begin = std::chrono::steady_clock::now();
    SelfTest test;
    test.seed = report.seed = o.seed;
    test.devices = tested_devices(chosen, tested_isas(report), report.cuda.gpus);
    report.rows = run_self_test(test);
    report.self_tested = true;
    report.test_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    print(text_of_test(report));
  }
  if (runs) report.choices = automatic_choices(report.threads);
  print(text_after_test(report));
  if (text != nullptr) text->commit();
  if (json != nullptr) {
    json->write(to_json(report));
    json->commit();
  }
  return exit_code(report);
}

}  // namespace

std::function<int()> add_doctor_command(CLI::App& app) {
  auto options = std::make_shared<DoctorOptions>();
  DoctorOptions& o = *options;
  CLI::App& command = add_command(app, "doctor", "Report on this build and machine; test every algorithm on it",
                                  kMachineCommands, doctor_help());
  begin_group(command, "What is tested");
  add_device_option(command, o.device, "Device to test (default: auto, the CPU and every usable GPU)");
  add_flag(command, "--no-self-test", o.no_self_test, "Skip the self-test");
  add_number(command, "--seed", o.seed, {}, "Seed of the self-test's random text and patterns (default: 1)");
  begin_group(command, group::kOutput);
  add_json_option(command, o.json, "Write the report as JSON; - is stdout, in place of the text");
  return [options] { return run_doctor(*options); };
}

}  // namespace basesweep
