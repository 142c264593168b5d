// Facts about the machine, for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace basesweep {

// The kernel's name for the CPU: "AMD EPYC 7B13".
std::string cpu_name();

struct Machine {
  std::string system;  // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;  // "Linux 6.1.0-18-amd64 x86_64"
  bool container = false;
  std::string cpu;
  int processors = 0;                     // processors of the machine
  int affine_processors = 0;              // processors that this process may run on
  std::optional<double> group_cpus = {};  // limit of its control group
  std::optional<std::uint64_t> group_memory_bytes = {};
  std::uint64_t memory_bytes = 0;
  std::uint64_t available_memory_bytes = 0;
  std::string temporary_folder;
  std::optional<std::uint64_t> temporary_bytes = {};  // free there; nothing if it cannot be written to
  std::uint64_t open_files = 0;                       // files that this process may have open at a time
  std::uint64_t max_open_files = 0;                   // the limit up to which it can raise that number
  // Signs of an NVIDIA GPU, whether or not the program can use it.
  bool nvidia_hardware = false;      // an NVIDIA display or 3D controller
  std::string nvidia_module = {};    // version of the loaded kernel module
  bool nvidia_device_files = false;  // /dev/nvidiactl or /dev/dxg
};

Machine look_at_machine();

}  // namespace basesweep
