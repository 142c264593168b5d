// A loop on several threads, for what is done once, before the flow graph is there. Plain threads, so that the
// sanitizer of threads can follow.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace basesweep {

// Calls work(i) for all i below `count`, on `threads` threads, the calling one among them. Throws the first thing that
// `work` threw; then some of the calls were not made.
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
    const std::size_t most = std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1));
    helpers.reserve(most);
    try {
      while (helpers.size() + 1 < most) helpers.emplace_back(run);
    } catch (const std::system_error&) {
      // Those that there are do it.
    }
    run();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace basesweep
