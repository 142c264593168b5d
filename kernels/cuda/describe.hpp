// Describes the GPUs of this machine, for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basesweep::cuda {

struct GpuInfo {
  int index = 0;
  std::string name = {};
  std::string pci = {};  // "0000:3b:00.0"
  int major = 0;         // compute capability
  int minor = 0;
  int processors = 0;
  bool ecc = false;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;              // 0 if it is not usable
  std::optional<std::string> unusable = {};  // why it is not, see unusable_reason()
};

// Versions of CUDA are numbers in CUDA's form: 13020 is 13.2.
struct CudaInfo {
  bool built = false;              // whether the program was built with CUDA; if not, all else stays empty
  std::string compiler = {};       // nvcc's version: "13.0.88"
  std::string architectures = {};  // those that the program has code for, as CMake names them: "75-real,80-real,120"
  int runtime = 0;                 // version that the program is linked with
  bool library_found = false;      // libcuda.so.1
  int driver = 0;                  // the newest version that the driver supports; 0: no driver
  std::string error = {};          // why no GPU could be counted
  std::vector<GpuInfo> gpus = {};
};

// Starts the driver and looks at every GPU that this process may see.
CudaInfo describe();

}  // namespace basesweep::cuda
