// Owns a BGZF stream of HTSlib and the helper threads that compress or decompress its blocks.
#pragma once

#include <htslib/bgzf.h>
#include <htslib/thread_pool.h>

#include <utility>

namespace basesweep {

class BgzfHandle {
 public:
  BgzfHandle() = default;
  explicit BgzfHandle(BGZF* stream) : stream_(stream) {}
  BgzfHandle(BgzfHandle&& other) noexcept { swap(other); }
  BgzfHandle& operator=(BgzfHandle&& other) noexcept {
    BgzfHandle(std::move(other)).swap(*this);
    return *this;
  }
  ~BgzfHandle() { close(); }

  // Starts `threads` helpers when there are to be more than one; to be called before the first byte is read or written.
  // False, with errno set, when the system refuses a thread or memory.
  bool add_helpers(int threads);

  BGZF* get() const { return stream_; }
  BGZF* operator->() const { return stream_; }
  explicit operator bool() const { return stream_ != nullptr; }
  // What bgzf_close() returns, with its errno; 0 when there is no stream. The handle is empty afterwards.
  int close() noexcept;

 private:
  void swap(BgzfHandle& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(helpers_, other.helpers_);
  }

  BGZF* stream_ = nullptr;
  hts_tpool* helpers_ = nullptr;
};

}  // namespace basesweep
