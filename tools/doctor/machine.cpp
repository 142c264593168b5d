#include "tools/doctor/machine.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lib/base/control_groups.hpp"
#include "lib/base/memory.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/base/threads.hpp"

namespace basesweep {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

// The rest of the first line that begins with `key`; "" if there is none.
std::string value_in_file(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "";
}

// A value of /proc/cpuinfo, from the first processor that has it; "" if none has.
std::string cpu_value(const std::string& key) {
  const std::string value = value_in_file("/proc/cpuinfo", key);
  const std::size_t colon = value.find(": ");
  return colon == std::string::npos ? "" : value.substr(colon + 2);
}

std::string system_name() {
  std::string name = value_in_file("/etc/os-release", "PRETTY_NAME=");
  std::erase(name, '"');
  return name.empty() ? "unknown system" : name;
}

std::string kernel_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown kernel";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

bool has_nvidia_hardware() {
  std::error_code failed;
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", failed)) {
    const std::string folder = device.path().string();
    if (first_line(folder + "/vendor") == "0x10de" && first_line(folder + "/class").starts_with("0x03")) return true;
  }
  return false;
}

}  // namespace

std::string cpu_name() {
  if (const std::string name = cpu_value("model name"); !name.empty()) return name;
  // The kernel of arm64 gives numbers in place of a name; util-linux and others have tables of them.
  const std::string maker = cpu_value("CPU implementer");
  const std::string part = cpu_value("CPU part");
  return maker.empty() || part.empty() ? "unknown CPU" : fmt::format("ARM, implementer {}, part {}", maker, part);
}

Machine look_at_machine() {
  Machine machine;
  machine.system = system_name();
  machine.kernel = kernel_name();
  machine.container = exists("/.dockerenv") || exists("/run/.containerenv") || exists("/.singularity.d");
  machine.cpu = cpu_name();
  machine.processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  machine.affine_processors = affine_processors();
  if (const double cpus = control_group_cpus(); std::isfinite(cpus)) machine.group_cpus = cpus;
  machine.group_memory_bytes = control_group_memory_bytes();
  machine.memory_bytes = meminfo_bytes("MemTotal");
  machine.available_memory_bytes = meminfo_bytes("MemAvailable");
  machine.temporary_folder = temporary_folder();
  std::error_code failed;
  const fs::space_info space = fs::space(machine.temporary_folder, failed);
  if (!failed && access(machine.temporary_folder.c_str(), W_OK | X_OK) == 0) machine.temporary_bytes = space.available;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    machine.open_files = files.rlim_cur;
    machine.max_open_files = files.rlim_max;
  }
  machine.nvidia_hardware = has_nvidia_hardware();
  machine.nvidia_module = first_line("/sys/module/nvidia/version");
  machine.nvidia_device_files = exists("/dev/nvidiactl") || exists("/dev/dxg");
  return machine;
}

}  // namespace basesweep
