// A MatrixRoom describes an algorithm for weight matrices to the rest of the program, as a Room does for patterns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/room.hpp"
#include "lib/matrices/matrix_matcher.hpp"

namespace basesweep {

struct MatrixRoomOptions {
  const MatrixSet& matrices;
  std::vector<std::uint32_t> queries;  // of matrices.patterns(): the ones to search for; their thresholds are reachable
  RoomOptions common;                  // the options that matchers of all rooms share
};

namespace cuda {

// Makes a room's kernel; the current device is options.common.gpu. Throws DeviceError.
using MakeMatrixKernel = std::unique_ptr<Kernel>(const MatrixRoomOptions& options);

}  // namespace cuda

// Each algorithm defines an `extern const MatrixRoom kRoom` in the cpu.cpp of its folder, and
// kernels/registry/make_matrix_matcher.cpp lists it.
struct MatrixRoom {
  const char* name;  // for --algorithm and in reports
  MatrixAlgorithm algorithm;
  std::unique_ptr<Matcher> (*make_cpu_matcher)(const MatrixRoomOptions& options);
  cuda::MakeMatrixKernel* make_cuda_kernel;  // null in builds without CUDA
};

}  // namespace basesweep
