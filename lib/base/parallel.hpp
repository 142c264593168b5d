// A parallel loop for work that is done once, before the flow graph exists. It uses plain threads, so that
// ThreadSanitizer can follow it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace basesweep {

// Calls work(i) for all i in [0, count), in any order, on `threads` threads including the calling one. When `work`
// throws, the remaining calls are not made and the first exception is thrown here.
template <class Work>
void parallel_for(int threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic_flag failed;
  std::exception_ptr error;
  const auto run = [&] {
    try {
      for (std::size_t i; (i = next++) < count;) work(i);
    } catch (...) {
      if (!failed.test_and_set()) error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t workers =
        std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1));
    helpers.reserve(workers);
    try {
      while (helpers.size() + 1 < workers) helpers.emplace_back(run);
    } catch (const std::system_error&) {
      // The system allows no more threads; those that have started do the work.
    }
    run();
  }
  if (error) std::rethrow_exception(error);
}

// Calls work(begin, end) for parts of [0, count), `at_once` numbers each but for the last, as parallel_for() does.
template <class Work>
void parallel_for_parts(int threads, std::size_t count, std::size_t at_once, const Work& work) {
  parallel_for(threads, (count + at_once - 1) / at_once, [&](std::size_t part) {
    const std::size_t begin = part * at_once;
    work(begin, std::min(count, begin + at_once));
  });
}

}  // namespace basesweep
