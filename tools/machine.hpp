// What there is to know of the machine, for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace basesweep {

// "AMD EPYC 7B13", as the kernel names it.
std::string cpu_name();

struct Machine {
  std::string system;  // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;  // "Linux 6.1.0-18-amd64 x86_64"
  bool container = false;
  std::string cpu;
  int processors = 0;                     // of the machine
  int affine_processors = 0;              // that this process may run on
  std::optional<double> group_cpus = {};  // limits of its control group
  std::optional<std::uint64_t> group_memory_bytes = {};
  std::uint64_t memory_bytes = 0;
  std::uint64_t available_memory_bytes = 0;
  std::string temporary_folder;
  std::optional<std::uint64_t> temporary_bytes = {};  // free there; nothing: it cannot be written to
  std::uint64_t open_files = 0;                       // that this process may have at a time
  std::uint64_t most_open_files = 0;                  // to what it could raise that
  // Of an NVIDIA GPU, whatever the program can do with it.
  bool nvidia_hardware = false;      // a display or 3D controller of NVIDIA's
  std::string nvidia_module = {};    // version of the loaded kernel module
  bool nvidia_device_files = false;  // /dev/nvidia0 or the like
};

Machine look_at_machine();

}  // namespace basesweep
