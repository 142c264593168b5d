#include "lib/pipeline/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace basesweep {
namespace {

// 1234567 as "1.23 M".
std::string rounded(double number) {
  for (const char* unit : {"", " k", " M", " G"}) {
    if (number < 999.5) return fmt::format("{:.3g}{}", number, unit);
    number /= 1000;
  }
  return fmt::format("{:.4g} T", number);
}

}  // namespace

ProgressMeter::ProgressMeter(const ProgressCounts& counts, std::optional<std::int64_t> text_bytes, bool bar,
                             std::function<void(const std::string&)> write)
    : counts_(counts), text_bytes_(text_bytes), bar_(bar), write_(std::move(write)), thread_([this] { run(); }) {}

ProgressMeter::~ProgressMeter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ProgressMeter::run() {
  const auto begin = std::chrono::steady_clock::now();
  const auto pause = bar_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  std::unique_lock lock(mutex_);
  while (true) {
    const bool ending = wake_.wait_for(lock, pause, [this] { return ending_; });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // The bar is drawn over the one before, and erased at the end.
    if (bar_) {
      write_(fmt::format("\r{}\x1b[K", ending ? "" : line(seconds)));
    } else {
      write_(fmt::format("{}\n", line(seconds)));
    }
    if (ending) return;
  }
}

std::string ProgressMeter::line(double seconds) const {
  const std::int64_t bases = counts_.bases;
  std::string text = fmt::format("basesweep: {}b", rounded(static_cast<double>(bases)));
  if (text_bytes_ && *text_bytes_ > 0) {
    const double part = std::min(1.0, static_cast<double>(counts_.text_bytes) / static_cast<double>(*text_bytes_));
    if (bar_) {
      constexpr int kWidth = 30;
      const int full = static_cast<int>(part * kWidth);
      text = fmt::format("basesweep: [{}{}] {:3.0f} % {}b", std::string(full, '#'), std::string(kWidth - full, '.'),
                         part * 100, rounded(static_cast<double>(bases)));
    } else {
      text += fmt::format(", {:.0f} %", part * 100);
    }
  }
  return text + fmt::format(", {}b/s, {} hits, {:.0f} s", rounded(static_cast<double>(bases) / std::max(seconds, 1e-3)),
                            counts_.hits.load(), seconds);
}

}  // namespace basesweep
