// Takes memory of the first GPU and keeps it until its standard input ends (gpu.py runs it).
//
//   gpu_hog LEAVE_MB    leaves about so many megabytes; prints "taken" when it has the rest
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const std::size_t leave = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0) << 20U;
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 1;
  for (std::size_t step = std::size_t{1} << 30U; step >= std::size_t{1} << 21U; step /= 2) {
    while (cudaMemGetInfo(&free, &total) == cudaSuccess && free >= leave + step) {
      void* memory = nullptr;
      if (cudaMalloc(&memory, step) != cudaSuccess) break;
    }
  }
  std::puts("taken");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}
