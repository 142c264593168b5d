#include "lib/writer/bgzf_handle.hpp"

#include <cerrno>
#include <system_error>
#include <thread>

namespace basesweep {

bool BgzfHandle::add_helpers(int threads) {
  if (threads <= 1) return true;
  helpers_ = hts_tpool_init(threads);
  if (helpers_ == nullptr) return false;
  // HTSlib 1.16 does not notice when the thread that feeds the helpers cannot be started, and waits for it for ever. A
  // thread that starts here and ends leaves its stack and its place to that one.
  try {
    std::thread([] {}).join();
  } catch (const std::system_error& error) {
    errno = error.code().value();
    return false;
  }
  return bgzf_thread_pool(stream_, helpers_, 0) == 0;
}

int BgzfHandle::close() noexcept {
  if (stream_ == nullptr) return 0;
  const int failed = bgzf_close(std::exchange(stream_, nullptr));
  const int code = errno;
  // When bgzf_close() fails, its thread may still use the helpers, so they stay.
  if (failed == 0 && helpers_ != nullptr) hts_tpool_destroy(helpers_);
  helpers_ = nullptr;
  errno = code;
  return failed;
}

}  // namespace basesweep
