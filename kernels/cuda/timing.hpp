// Times work on a stream with CUDA events.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

class Event {
 public:
  Event() { BASESWEEP_CUDA(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// Runs work(), which queues something on the stream, three times to warm up and then `runs` times. Returns the median
// of the seconds that the device took.
template <class Work>
double median_seconds(int runs, const Stream& stream, Work work) {
  constexpr int kWarmUps = 3;
  const Event begin;
  const Event end;
  std::vector<double> seconds;
  for (int run = 0; run < kWarmUps + runs; ++run) {
    BASESWEEP_CUDA(cudaEventRecord(begin.get(), stream.get()));
    work();
    BASESWEEP_CUDA(cudaEventRecord(end.get(), stream.get()));
    BASESWEEP_CUDA(cudaGetLastError());
    BASESWEEP_CUDA(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    BASESWEEP_CUDA(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    if (run >= kWarmUps) seconds.push_back(milliseconds / 1e3);
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[static_cast<std::size_t>(runs / 2)];
}

}  // namespace basesweep::cuda
