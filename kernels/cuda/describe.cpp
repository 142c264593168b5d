#include "kernels/cuda/describe.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <utility>

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/cuda.hpp"

namespace basesweep::cuda {
namespace {

GpuInfo describe_gpu(int index) {
  GpuInfo gpu;
  gpu.index = index;
  cudaDeviceProp properties{};
  BASESWEEP_CUDA(cudaGetDeviceProperties(&properties, index));
  gpu.name = properties.name;
  gpu.major = properties.major;
  gpu.minor = properties.minor;
  gpu.processors = properties.multiProcessorCount;
  gpu.ecc = properties.ECCEnabled != 0;
  gpu.total_bytes = properties.totalGlobalMem;
  char pci[32] = {};
  BASESWEEP_CUDA(cudaDeviceGetPCIBusId(pci, sizeof pci, index));
  gpu.pci = pci;
  gpu.unusable = unusable_reason(index);
  std::size_t total = 0;
  std::size_t free = 0;
  if (!gpu.unusable && cudaMemGetInfo(&free, &total) == cudaSuccess) gpu.free_bytes = free;
  return gpu;
}

}  // namespace

CudaInfo describe() {
  CudaInfo info;
  info.built = true;
  info.compiler = BASESWEEP_CUDA_COMPILER;
  info.architectures = BASESWEEP_CUDA_ARCHITECTURES;
  BASESWEEP_CUDA(cudaRuntimeGetVersion(&info.runtime));
  void* library = dlopen("libcuda.so.1", RTLD_LAZY);
  info.library_found = library != nullptr;
  if (library != nullptr) dlclose(library);
  if (cudaDriverGetVersion(&info.driver) != cudaSuccess) info.driver = 0;
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    info.error = cudaGetErrorString(code);
    return info;
  }
  for (int index = 0; index < count; ++index) {
    try {
      info.gpus.push_back(describe_gpu(index));
    } catch (const DeviceError& error) {
      GpuInfo broken;
      broken.index = index;
      broken.name = "GPU that cannot be described";
      broken.unusable = error.what();
      info.gpus.push_back(std::move(broken));
    }
  }
  return info;
}

}  // namespace basesweep::cuda
