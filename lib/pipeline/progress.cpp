#include "lib/pipeline/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

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

// 75 as "1 min 15 s".
std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressMeter::ProgressMeter(const ProgressCounts& counts, InputProgress input, bool bar,
                             std::function<void(const std::string&)> write)
    : counts_(counts), input_(std::move(input)), bar_(bar), write_(std::move(write)), thread_([this] { run(); }) {}

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
  std::string left;
  if (input_.bytes && *input_.bytes > 0) {
    const double part =
        std::clamp(static_cast<double>(input_.bytes_read()) / static_cast<double>(*input_.bytes), 0.0, 1.0);
    if (bar_) {
      constexpr int kWidth = 30;
      const int full = static_cast<int>(part * kWidth);
      text = fmt::format("basesweep: [{}{}] {:3.0f} % {}b", std::string(full, '#'), std::string(kWidth - full, '.'),
                         part * 100, rounded(static_cast<double>(bases)));
    } else {
      text += fmt::format(", {:.0f} %", part * 100);
    }
    constexpr double kMinPart = 0.01;  // a guess from less is of no use
    if (part >= kMinPart && part < 1) left = fmt::format(", {} left", duration(seconds * (1 - part) / part));
  }
  return text + fmt::format(", {}b/s, {} hits, {:.0f} s{}",
                            rounded(static_cast<double>(bases) / std::max(seconds, 1e-3)), counts_.hits.load(), seconds,
                            left);
}

}  // namespace basesweep
