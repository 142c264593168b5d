#include "lib/reader/url_wait.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "lib/base/stream_names.hpp"

namespace basesweep {
namespace {

using Seconds = std::chrono::duration<double>;

// Whether a connection of this process got a byte in that time, or was made.
bool has_received(Seconds within) {
  constexpr int kDescriptors = 4096;  // the system gives out the smallest number that is free
  for (int fd = 0; fd < kDescriptors; ++fd) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) continue;
    if (std::chrono::milliseconds(info.tcpi_last_data_recv) <= within) return true;
  }
  return false;
}

std::atomic<bool> has_limit = false;

class Watch {
 public:
  // Never destroyed, since its thread goes on until the process ends.
  static Watch& instance() {
    static auto* const watch = new Watch;
    return *watch;
  }

  void set(int seconds, std::function<void(const std::string&)> give_up) {
    const std::lock_guard lock(mutex_);
    limit_ = Seconds(seconds);
    give_up_ = std::move(give_up);
    has_limit = seconds != 0;
  }

  // Returns whether the wait is watched. `url`: empty for the last one.
  bool add(const std::string& url) {
    const std::lock_guard lock(mutex_);
    if (!url.empty()) last_url_ = url;
    if (last_url_.empty()) return false;
    if (!started_) std::thread([this] { run(); }).detach();
    started_ = true;
    waits_.push_back({std::this_thread::get_id(), last_url_, Seconds(0)});
    any_.notify_one();
    return true;
  }

  // Ends the wait that this thread began last.
  void remove() {
    const std::lock_guard lock(mutex_);
    const auto own = std::find_if(waits_.rbegin(), waits_.rend(),
                                  [](const Wait& wait) { return wait.thread == std::this_thread::get_id(); });
    waits_.erase(std::next(own).base());
  }

 private:
  struct Wait {
    std::thread::id thread;
    std::string url;
    Seconds silent;  // for so long nothing came
  };

  void run() {
    using Clock = std::chrono::steady_clock;
    constexpr Seconds kMargin{0.02};
    std::unique_lock lock(mutex_);
    while (true) {
      any_.wait(lock, [this] { return !waits_.empty(); });
      const Clock::time_point begin = Clock::now();
      const Seconds step = std::min(limit_ / 20, Seconds(0.5));
      lock.unlock();
      std::this_thread::sleep_for(step);
      const Seconds passed = Clock::now() - begin;
      const bool received = has_received(passed + kMargin);
      lock.lock();
      for (Wait& wait : waits_) {
        // A process that was stopped has waited no longer than it ran.
        wait.silent = received ? Seconds(0) : wait.silent + std::min(passed, 2 * step);
        if (wait.silent >= limit_ && limit_ != Seconds(0)) give_up(wait.url);
      }
    }
  }

  void give_up(const std::string& url) const {
    give_up_(fmt::format("{}: no byte came from the server for {} s: try again later, or wait longer with --timeout",
                         url, limit_.count()));
  }

  std::mutex mutex_;
  std::condition_variable any_;  // there are waits
  Seconds limit_{0};
  std::function<void(const std::string&)> give_up_;
  std::string last_url_;
  bool started_ = false;
  std::list<Wait> waits_;
};

}  // namespace

void limit_url_waits(int seconds, std::function<void(const std::string& message)> give_up) {
  Watch::instance().set(seconds, std::move(give_up));
}

UrlWait::UrlWait(const std::string& path) : watched_(has_limit && is_url(path) && Watch::instance().add(path)) {}

UrlWait::UrlWait() : watched_(has_limit && Watch::instance().add("")) {}

UrlWait::~UrlWait() {
  if (watched_) Watch::instance().remove();
}

}  // namespace basesweep
