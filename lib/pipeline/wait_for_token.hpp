// How the thread that reads for a graph waits until there is room in it.
#pragma once

#include <chrono>
#include <semaphore>

namespace basesweep {

// Takes a token; false, with or without one, when `ended()`. The wait looks up now and then: what fails inside the
// graph itself releases no token.
template <class Ended>
bool wait_for_token(std::counting_semaphore<>& tokens, Ended ended) {
  while (!ended()) {
    if (tokens.try_acquire_for(std::chrono::milliseconds(100))) return !ended();
  }
  return false;
}

}  // namespace basesweep
