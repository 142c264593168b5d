#include <cuda_runtime.h>
#include <unistd.h>

#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/cuda_matcher.hpp"
#include "lib/base/error.hpp"

namespace basesweep::cuda {
namespace {

__global__ void probe(int* answer) { *answer = 42; }

std::string error_text(cudaError_t code) { return cudaGetErrorString(code); }

// Runs a kernel, since nothing else shows that the program holds code for the device's architecture.
std::optional<std::string> probe_reason() {
  int* answer = nullptr;
  int fetched = 0;
  cudaError_t code = cudaMalloc(&answer, sizeof *answer);
  if (code == cudaSuccess) {
    probe<<<1, 1>>>(answer);
    code = cudaGetLastError();
    if (code == cudaSuccess) code = cudaMemcpy(&fetched, answer, sizeof fetched, cudaMemcpyDeviceToHost);
    cudaFree(answer);
  }
  if (code == cudaErrorNoKernelImageForDevice) return "this basesweep holds no code for its architecture";
  if (code != cudaSuccess) return error_text(code);
  if (fetched != 42) return "a test kernel gave a wrong result";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unusable_reason(int index) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorInsufficientDriver) return "no NVIDIA driver, or one too old for CUDA 13";
  if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0)) return "no NVIDIA GPU is present";
  if (code != cudaSuccess) return error_text(code);
  if (index >= count) {
    return "CUDA shows " + std::to_string(count) + (count == 1 ? " GPU" : " GPUs") + ", numbered from 0";
  }
  if (const cudaError_t set = cudaSetDevice(index); set != cudaSuccess) return error_text(set);
  if (const auto reason = probe_reason()) return reason;
  constexpr std::size_t kMinBytes = 64U << 20;
  std::size_t free = 0;
  std::size_t total = 0;
  if (const cudaError_t info = cudaMemGetInfo(&free, &total); info != cudaSuccess) return error_text(info);
  if (free < kMinBytes) return "only " + std::to_string(free >> 20) + " MB of its memory are free";
  return std::nullopt;
}

// Linux has one of these files where there is a driver for NVIDIA's GPUs, the second on Windows (WSL).
std::optional<std::string> absent_reason() {
  for (const char* file : {"/dev/nvidiactl", "/dev/dxg"}) {
    if (access(file, F_OK) == 0) return std::nullopt;
  }
  return "no NVIDIA GPU is present";
}

int gpu_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::unique_ptr<Matcher> make_matcher(const Room& room, const RoomOptions& options) {
  return std::make_unique<CudaMatcher>(options, [options, make = room.make_cuda_kernel] { return make(options); });
}

std::unique_ptr<Matcher> make_matcher(const MatrixRoom& room, const MatrixRoomOptions& options) {
  return std::make_unique<CudaMatcher>(options.common,
                                       [options, make = room.make_cuda_kernel] { return make(options); });
}

}  // namespace basesweep::cuda
