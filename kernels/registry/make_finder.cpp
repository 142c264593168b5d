#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/cpu_finder.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/many_gpus.hpp"
#include "kernels/registry/verifiers.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep {
namespace {

std::unique_ptr<Finder> make_gpu_finder(const PackedBatch& reference, const FinderOptions& options, int gpu) {
  return cuda::make_finder(reference, options, gpu, cuda_verifiers(options.algorithm));
}

// Each GPU gets the whole reference and its index.
std::unique_ptr<Finder> make_gpu_finders(const PackedBatch& reference, const FinderOptions& options) {
  const std::vector<int> gpus = usable_gpus(options.gpus);
  std::vector<OnGpu<Finder>> all(gpus.size());
  std::vector<std::exception_ptr> errors(gpus.size());
  parallel_for(static_cast<int>(gpus.size()), gpus.size(), [&](std::size_t i) {
    try {
      all[i] = {gpus[i], make_gpu_finder(reference, options, gpus[i])};
    } catch (...) {
      errors[i] = gpus.size() == 1 ? std::current_exception() : name_gpu(gpus[i], std::current_exception());
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return join_gpus(std::move(all));
}

}  // namespace

std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options) {
  const std::vector<Algorithm>& known = read_algorithms();
  if (options.algorithm != Algorithm::automatic &&
      std::find(known.begin(), known.end(), options.algorithm) == known.end()) {
    throw UsageError(fmt::format("algorithm {} is not for reads", to_string(options.algorithm)));
  }
  if (options.device == Device::gpu) return make_gpu_finders(reference, options);
  if (choose_device(reference.positions(), options) == Device::gpu) {
    try {
      return make_gpu_finder(reference, options, options.gpus.front());
    } catch (const DeviceError& error) {
      options.log(fmt::format("device: cpu, since the GPU failed: {}", error.what()));
    }
  }
  return std::make_unique<CpuFinder>(reference, options, cpu_verifiers(options.algorithm, options.isa));
}

}  // namespace basesweep
