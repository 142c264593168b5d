// Several GPUs as one: each batch goes to the GPU that has the least to do.
#pragma once

#include <memory>
#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

// A matcher, or a finder of reads or guides, of one GPU.
template <class Searcher>
struct OnGpu {
  int gpu;  // its number
  std::unique_ptr<Searcher> searcher;
};

// All are for the same patterns, reference or guides. A batch goes to the one with the fewest batches that it has not
// finished. An error of one becomes a DeviceError that names its GPU. A single one is returned as it is.
std::unique_ptr<Matcher> join_gpus(std::vector<OnGpu<Matcher>> gpus);
std::unique_ptr<Finder> join_gpus(std::vector<OnGpu<Finder>> gpus);
std::unique_ptr<GuideFinder> join_gpus(std::vector<OnGpu<GuideFinder>> gpus);

// The error of a GPU, as a DeviceError whose message begins with "GPU N: "; lack of host memory stays what it is.
std::exception_ptr name_gpu(int gpu, const std::exception_ptr& error);

}  // namespace basesweep
