#include "tools/doctor/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/base/error.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "tools/doctor/gpu_troubles.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kFewOpenFiles = 64;
constexpr std::uint64_t kLittleTemporarySpace = std::uint64_t{1} << 30;

std::string line(const std::string& key, const std::string& value) { return fmt::format("  {:<16}{}\n", key, value); }

std::string gib(std::uint64_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30)); }

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok: return "ok";
    case Verdict::declined: return "declined";
    case Verdict::failed: return "FAILED";
    case Verdict::not_run: return "not run";
  }
  return "";
}

const char* to_string(GpuCode code) {
  switch (code) {
    case GpuCode::native: return "native";
    case GpuCode::compiled: return "compiled as the program starts";
    case GpuCode::none: return "none";
    case GpuCode::unknown: return "not known";
  }
  return "";
}

std::string text_of_input(const DoctorReport& report) {
  std::vector<std::string> ways;
  for (const Compression compression :
       {Compression::gzip, Compression::bgzf, Compression::zstd, Compression::bzip2, Compression::xz}) {
    ways.push_back(how_decompressed(compression, report.threads));
  }
  for (const AlignmentFormat format : {AlignmentFormat::sam, AlignmentFormat::bam, AlignmentFormat::cram}) {
    ways.push_back(how_read(format, report.threads));
  }
  return fmt::format("{}", fmt::join(ways, "; "));
}

std::string text_of_build(const DoctorReport& report) {
  std::vector<std::string> libraries;
  for (const LibraryVersion& library : report.libraries) libraries.push_back(library.name + " " + library.version);
  const cuda::CudaInfo& cuda = report.cuda;
  return "Build\n" + line("compiler", BASESWEEP_COMPILER) +
         line("CUDA",
              cuda.built ? fmt::format("{}, code for {}", cuda.compiler, cuda.architectures) : "built without") +
         line("libraries", fmt::format("{}", fmt::join(libraries, ", "))) + line("input", text_of_input(report));
}

std::string text_of_cpu(const DoctorReport& report) {
  const Machine& machine = report.machine;
  std::string limits = fmt::format("{} of {} processors", machine.affine_processors, machine.processors);
  if (machine.group_cpus) limits += fmt::format(", control group {:.2f}", *machine.group_cpus);
  std::vector<std::string> isas;
  for (const Isa isa : report.isas) isas.emplace_back(to_string(isa));
  if (isas.empty()) isas.emplace_back("none that basesweep can use");
  return line("CPU", machine.cpu) + line("threads", fmt::format("{} ({})", report.threads, limits)) +
         line("instructions", fmt::format("{}", fmt::join(isas, ", ")));
}

std::string text_of_machine(const DoctorReport& report) {
  const Machine& machine = report.machine;
  std::string text = "\nMachine\n" +
                     line("system", fmt::format("{}, {}{}", machine.system, machine.kernel,
                                                machine.container ? ", in a container" : "")) +
                     text_of_cpu(report);
  text +=
      line("memory",
           fmt::format(
               "{}, {} available{}", gib(machine.memory_bytes), gib(machine.available_memory_bytes),
               machine.group_memory_bytes ? fmt::format(", control group {}", gib(*machine.group_memory_bytes)) : ""));
  text += line("temporary files", fmt::format("{}, {}", machine.temporary_folder,
                                              machine.temporary_bytes ? gib(*machine.temporary_bytes) + " free"
                                                                      : std::string("cannot be written to")));
  text += line("open files", fmt::format("{}, can be raised to {}", machine.open_files, machine.max_open_files));
  for (const auto& [name, value] : report.environment) text += line("environment", fmt::format("{}={}", name, value));
  return text;
}

std::string text_of_gpu(const cuda::GpuInfo& gpu, const cuda::CudaInfo& cuda) {
  return line(fmt::format("GPU {}", gpu.index),
              fmt::format("{}, compute capability {}.{}, {} processors, {}{}, PCI {}, ECC {}, code: {}, {}", gpu.name,
                          gpu.major, gpu.minor, gpu.processors, gib(gpu.total_bytes),
                          gpu.unusable ? "" : fmt::format(" ({} free)", gib(gpu.free_bytes)), gpu.pci,
                          gpu.ecc ? "on" : "off", to_string(code_for(cuda.architectures, gpu.major, gpu.minor)),
                          gpu.unusable ? "NOT USABLE" : "usable"));
}

std::string text_of_gpus(const DoctorReport& report) {
  const cuda::CudaInfo& cuda = report.cuda;
  std::string text = "\nGPUs\n";
  if (cuda.driver != 0) {
    text += line("driver",
                 fmt::format("{}, supports CUDA up to {}; this program has runtime {}",
                             report.machine.nvidia_module.empty() ? "of unknown version" : report.machine.nvidia_module,
                             cuda_version(cuda.driver), cuda_version(cuda.runtime)));
  }
  for (const cuda::GpuInfo& gpu : cuda.gpus) text += text_of_gpu(gpu, cuda);
  for (const std::string& trouble : report.gpu_troubles) text += fmt::format("  {}\n", trouble);
  return text;
}

std::string line_of_test(const TestRow& row, const std::string& what) {
  return fmt::format("  {:<7}{:<18}{:<10}{}\n", row.command, row.algorithm, to_string(row.verdict), what);
}

// One line for the rows of one algorithm that differ only in the device, from `first` on.
std::string text_of_rows(const std::vector<TestRow>& rows, std::size_t& first) {
  const TestRow& row = rows[first];
  std::vector<std::string> devices;
  for (; first < rows.size(); ++first) {
    const TestRow& next = rows[first];
    const bool same = next.command == row.command && next.algorithm == row.algorithm && next.verdict == row.verdict &&
                      next.reason == row.reason && next.repeat == row.repeat;
    if (!same) break;
    devices.push_back(next.device);
  }
  std::string what = fmt::format("{}", fmt::join(devices, ", "));
  if (!row.reason.empty()) {
    what += row.verdict == Verdict::ok ? fmt::format("; declined a set: {}", row.reason) : ": " + row.reason;
  }
  std::string text = line_of_test(row, what);
  if (!row.repeat.empty()) text += fmt::format("{:<37}to repeat it: {}\n", "", row.repeat);
  return text;
}

Json json_of_machine(const DoctorReport& report) {
  const Machine& machine = report.machine;
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json json;
  json["system"] = machine.system;
  json["kernel"] = machine.kernel;
  json["container"] = machine.container;
  json["cpu"] = machine.cpu;
  json["processors"] = machine.processors;
  json["affine_processors"] = machine.affine_processors;
  json["control_group_cpus"] = or_null(machine.group_cpus);
  json["threads"] = report.threads;
  json["instruction_sets"] = Json::array();
  for (const Isa isa : report.isas) json["instruction_sets"].push_back(to_string(isa));
  json["memory_bytes"] = machine.memory_bytes;
  json["available_memory_bytes"] = machine.available_memory_bytes;
  json["control_group_memory_bytes"] = or_null(machine.group_memory_bytes);
  json["temporary_folder"] = machine.temporary_folder;
  json["temporary_bytes"] = or_null(machine.temporary_bytes);
  json["open_files"] = machine.open_files;
  json["most_open_files"] = machine.max_open_files;
  json["environment"] = Json::object();
  for (const auto& [name, value] : report.environment) json["environment"][name] = value;
  return json;
}

Json json_of_gpus(const DoctorReport& report) {
  Json list = Json::array();
  for (const cuda::GpuInfo& gpu : report.cuda.gpus) {
    list.push_back({{"index", gpu.index},
                    {"name", gpu.name},
                    {"pci", gpu.pci},
                    {"compute_capability", fmt::format("{}.{}", gpu.major, gpu.minor)},
                    {"processors", gpu.processors},
                    {"ecc", gpu.ecc},
                    {"memory_bytes", gpu.total_bytes},
                    {"free_memory_bytes", gpu.free_bytes},
                    {"code", to_string(code_for(report.cuda.architectures, gpu.major, gpu.minor))},
                    {"unusable", gpu.unusable ? Json(*gpu.unusable) : Json(nullptr)}});
  }
  return list;
}

Json json_of_test(const DoctorReport& report) {
  Json rows = Json::array();
  for (const TestRow& row : report.rows) {
    rows.push_back({{"command", row.command},
                    {"algorithm", row.algorithm},
                    {"device", row.device},
                    {"verdict", row.verdict == Verdict::failed ? "failed" : to_string(row.verdict)},
                    {"sets", row.sets},
                    {"reason", row.reason},
                    {"repeat", row.repeat}});
  }
  return {{"seed", report.seed}, {"seconds", report.test_seconds}, {"rows", std::move(rows)}};
}

}  // namespace

std::vector<std::string> problems(const DoctorReport& report) {
  const Machine& machine = report.machine;
  std::vector<std::string> found;
  const auto failed = std::count_if(report.rows.begin(), report.rows.end(),
                                    [](const TestRow& row) { return row.verdict == Verdict::failed; });
  if (failed != 0) {
    found.push_back(fmt::format("self-test: {} FAILED; do not trust their results, and please report it", failed));
  }
  const auto lacks_device = [](const TestRow& row) { return row.lacks_device; };
  const auto not_run = std::count_if(report.rows.begin(), report.rows.end(), lacks_device);
  if (not_run != 0) {
    const TestRow& first = *std::find_if(report.rows.begin(), report.rows.end(), lacks_device);
    found.push_back(
        fmt::format("self-test: {} did not run; the first, on {}: {}", not_run, first.device, first.reason));
  }
  if (report.processor_fault) found.push_back(*report.processor_fault);
  if (report.gpu_fault) found.push_back(*report.gpu_fault);
  if (!machine.temporary_bytes) {
    found.push_back(fmt::format("{} cannot be written to: set TMPDIR to a writable folder", machine.temporary_folder));
  } else if (*machine.temporary_bytes < kLittleTemporarySpace) {
    found.push_back(
        fmt::format("{} has only {} free, which may be too little for temporary files: set TMPDIR to another folder",
                    machine.temporary_folder, gib(*machine.temporary_bytes)));
  }
  if (machine.open_files < kFewOpenFiles) {
    found.push_back(
        fmt::format("only {} files may be open at a time: raise the limit (ulimit -n)", machine.open_files));
  }
  // Trouble with GPUs is a problem only on a machine that has one, or a driver.
  if (machine.nvidia_hardware || !machine.nvidia_module.empty() || report.cuda.driver != 0) {
    found.insert(found.end(), report.gpu_troubles.begin(), report.gpu_troubles.end());
  }
  return found;
}

int exit_code(const DoctorReport& report) {
  const bool failed = std::any_of(report.rows.begin(), report.rows.end(),
                                  [](const TestRow& row) { return row.verdict == Verdict::failed; });
  if (failed || report.processor_fault) return kExitFailure;
  const bool lacks_device =
      std::any_of(report.rows.begin(), report.rows.end(), [](const TestRow& row) { return row.lacks_device; });
  return report.gpu_fault || (report.gpu_required && lacks_device) ? kExitNoDevice : 0;
}

std::string text_before_test(const DoctorReport& report) {
  return fmt::format("basesweep {} doctor\n\n", BASESWEEP_VERSION) + text_of_build(report) + text_of_machine(report) +
         text_of_gpus(report);
}

std::string text_of_test(const DoctorReport& report) {
  std::string text =
      fmt::format("\nSelf-test against the plain oracle, seed {}: {:.2f} s\n", report.seed, report.test_seconds);
  for (std::size_t row = 0; row < report.rows.size();) text += text_of_rows(report.rows, row);
  return text;
}

std::string text_after_test(const DoctorReport& report) {
  std::string text = fmt::format("\nWhat auto chooses here, with {} threads{}\n", report.threads,
                                 report.choices.empty() ? ": nothing" : "");
  for (std::size_t i = 0; i < report.choices.size(); ++i) {
    const Choice& choice = report.choices[i];
    text += fmt::format("  {:<7}{:<36}{:>5.0f} Mb  {:<5}{}\n", choice.command, choice.task,
                        static_cast<double>(choice.bases) / 1e6, choice.device, choice.device_reason);
    const Choice* next = i + 1 < report.choices.size() ? &report.choices[i + 1] : nullptr;
    const bool goes_on = next != nullptr && next->task == choice.task && next->algorithm == choice.algorithm &&
                         next->algorithm_reason == choice.algorithm_reason;
    if (!goes_on) text += fmt::format("         {}: {}\n", choice.algorithm, choice.algorithm_reason);
  }
  text += "\nProblems\n";
  const std::vector<std::string> found = problems(report);
  for (const std::string& problem : found) text += fmt::format("  {}\n", problem);
  if (found.empty()) text += "  none\n";
  return text;
}

std::string to_json(const DoctorReport& report) {
  Json json;
  json["schema"] = "basesweep-doctor/1";
  json["version"] = BASESWEEP_VERSION;
  json["compiler"] = BASESWEEP_COMPILER;
  json["libraries"] = Json::object();
  for (const LibraryVersion& library : report.libraries) json["libraries"][library.name] = library.version;
  json["machine"] = json_of_machine(report);
  const cuda::CudaInfo& cuda = report.cuda;
  json["cuda"] = {{"built", cuda.built},
                  {"compiler", cuda.compiler},
                  {"architectures", cuda.architectures},
                  {"runtime", cuda_version(cuda.runtime)},
                  {"driver", report.machine.nvidia_module},
                  {"driver_cuda", cuda_version(cuda.driver)}};
  json["gpus"] = json_of_gpus(report);
  json["gpu_troubles"] = report.gpu_troubles;
  json["self_test"] = report.self_tested ? json_of_test(report) : Json(nullptr);
  json["auto"] = Json::array();
  for (const Choice& choice : report.choices) {
    json["auto"].push_back({{"command", choice.command},
                            {"task", choice.task},
                            {"bases", choice.bases},
                            {"device", choice.device},
                            {"device_reason", choice.device_reason},
                            {"algorithm", choice.algorithm},
                            {"algorithm_reason", choice.algorithm_reason}});
  }
  json["problems"] = problems(report);
  // Names may not be UTF-8, but JSON must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep
