// Lets calls of the CUDA runtime fail. The program basesweep_lost_gpu is basesweep linked with `--wrap` for each
// function here, so that its calls come to these (gpu.py runs it).
//
//   GPU_FAULT=7:2       the 7th call returns error 2 and does nothing
//   GPU_FAULT=7+:999    the 7th and all later calls do, as when a device is lost
//   GPU_FAULT_COUNT=F   writes the number of calls to the file F at the end
//
// A launch that fails reports it by the next cudaGetLastError() or cudaPeekAtLastError() of its thread.
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

struct Fault {
  Fault() {
    const char* text = std::getenv("GPU_FAULT");
    if (text == nullptr) return;
    char* end = nullptr;
    call = std::strtol(text, &end, 10);
    lasting = *end == '+';
    code = static_cast<cudaError_t>(std::strtol(end + (lasting ? 2 : 1), nullptr, 10));
  }
  ~Fault() {
    const char* path = std::getenv("GPU_FAULT_COUNT");
    if (path == nullptr) return;
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }

  long call = 0;
  bool lasting = false;
  cudaError_t code = cudaSuccess;
  std::atomic<long> calls{0};
};
Fault fault;
thread_local cudaError_t of_launch = cudaSuccess;

// The error that this call shall return, or cudaSuccess.
cudaError_t next() {
  const long number = ++fault.calls;
  const bool fails = fault.call != 0 && (number == fault.call || (fault.lasting && number > fault.call));
  return fails ? fault.code : cudaSuccess;
}

}  // namespace

#define FAIL_OR(real)                                                      \
  do {                                                                     \
    if (const cudaError_t code = next(); code != cudaSuccess) return code; \
    return real;                                                           \
  } while (false)

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses these names.
extern "C" {

cudaError_t __real_cudaMalloc(void** memory, size_t bytes);
cudaError_t __wrap_cudaMalloc(void** memory, size_t bytes) { FAIL_OR(__real_cudaMalloc(memory, bytes)); }

cudaError_t __real_cudaFree(void* memory);
cudaError_t __wrap_cudaFree(void* memory) { FAIL_OR(__real_cudaFree(memory)); }

cudaError_t __real_cudaHostAlloc(void** memory, size_t bytes, unsigned flags);
cudaError_t __wrap_cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  FAIL_OR(__real_cudaHostAlloc(memory, bytes, flags));
}

cudaError_t __real_cudaFreeHost(void* memory);
cudaError_t __wrap_cudaFreeHost(void* memory) { FAIL_OR(__real_cudaFreeHost(memory)); }

cudaError_t __real_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  FAIL_OR(__real_cudaMemcpy(to, from, bytes, kind));
}

cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  FAIL_OR(__real_cudaMemcpyAsync(to, from, bytes, kind, stream));
}

cudaError_t __real_cudaMemset(void* memory, int value, size_t bytes);
cudaError_t __wrap_cudaMemset(void* memory, int value, size_t bytes) {
  FAIL_OR(__real_cudaMemset(memory, value, bytes));
}

cudaError_t __real_cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream);
cudaError_t __wrap_cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  FAIL_OR(__real_cudaMemsetAsync(memory, value, bytes, stream));
}

cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  FAIL_OR(__real_cudaStreamCreateWithFlags(stream, flags));
}

cudaError_t __real_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  FAIL_OR(__real_cudaStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t __real_cudaDeviceGetStreamPriorityRange(int* least, int* most);
cudaError_t __wrap_cudaDeviceGetStreamPriorityRange(int* least, int* most) {
  FAIL_OR(__real_cudaDeviceGetStreamPriorityRange(least, most));
}

cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) { FAIL_OR(__real_cudaStreamSynchronize(stream)); }

cudaError_t __real_cudaStreamDestroy(cudaStream_t stream);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream) { FAIL_OR(__real_cudaStreamDestroy(stream)); }

cudaError_t __real_cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t __wrap_cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  FAIL_OR(__real_cudaFuncSetAttribute(function, attribute, value));
}

cudaError_t __real_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  FAIL_OR(__real_cudaFuncGetAttributes(attributes, function));
}

cudaError_t __real_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                          int threads, size_t bytes, unsigned flags);
cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                          int threads, size_t bytes, unsigned flags) {
  FAIL_OR(__real_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, bytes, flags));
}

cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  FAIL_OR(__real_cudaDeviceGetAttribute(value, attribute, device));
}

cudaError_t __real_cudaGetDevice(int* device);
cudaError_t __wrap_cudaGetDevice(int* device) { FAIL_OR(__real_cudaGetDevice(device)); }

cudaError_t __real_cudaSetDevice(int device);
cudaError_t __wrap_cudaSetDevice(int device) { FAIL_OR(__real_cudaSetDevice(device)); }

cudaError_t __real_cudaGetDeviceCount(int* count);
cudaError_t __wrap_cudaGetDeviceCount(int* count) { FAIL_OR(__real_cudaGetDeviceCount(count)); }

cudaError_t __real_cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t __wrap_cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  FAIL_OR(__real_cudaGetDeviceProperties(properties, device));
}

cudaError_t __real_cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t __wrap_cudaMemGetInfo(size_t* free, size_t* total) { FAIL_OR(__real_cudaMemGetInfo(free, total)); }

cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t bytes,
                                      cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t bytes,
                                      cudaStream_t stream) {
  if (const cudaError_t code = next(); code != cudaSuccess) return of_launch = code;
  return __real___cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream);
}

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t code = of_launch;
  of_launch = cudaSuccess;
  return code != cudaSuccess ? code : __real_cudaGetLastError();
}

cudaError_t __real_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError() { return of_launch != cudaSuccess ? of_launch : __real_cudaPeekAtLastError(); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
