#include <fmt/format.h>

#include <algorithm>

#include "kernels/bitsliced/index.hpp"
#include "kernels/bitsliced/scan.hpp"
#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"
#include "kernels/verify.hpp"

namespace basesweep {

namespace sse42 {
std::size_t bitsliced_scratch_words(const bitsliced::ScanIndex& index, std::uint32_t columns);
void bitsliced_scan(const bitsliced::ScanIndex& index, const PackedView& text, std::uint64_t* scratch,
                    bitsliced::Survivors& to);
}  // namespace sse42
namespace avx2 {
std::size_t bitsliced_scratch_words(const bitsliced::ScanIndex& index, std::uint32_t columns);
void bitsliced_scan(const bitsliced::ScanIndex& index, const PackedView& text, std::uint64_t* scratch,
                    bitsliced::Survivors& to);
}  // namespace avx2
namespace avx512 {
std::size_t bitsliced_scratch_words(const bitsliced::ScanIndex& index, std::uint32_t columns);
void bitsliced_scan(const bitsliced::ScanIndex& index, const PackedView& text, std::uint64_t* scratch,
                    bitsliced::Survivors& to);
}  // namespace avx512

namespace bitsliced {
namespace {

// A row of the filter takes about 2.3 cycles for 256 or 512 columns, a column of the verifier 10.
const Costs& costs() {
  static const Costs kCosts{{4, 8, 12, 16, 20, 24, 28, 32}, 1500};
  return kCosts;
}

// Sends what survives to the sink: as ends where the window was all of the entry, else what the verifier finds there.
class Verifier final : public Survivors {
 public:
  Verifier(const RoomOptions& options, const std::vector<Window>& windows, const VerifyIndex& index,
           const PackedView& text, HitSink& sink)
      : entries_(options.entries), windows_(windows), index_(index), text_(text), sink_(sink) {}
  ~Verifier() = default;

  void run(std::uint32_t window, std::uint64_t first, std::uint64_t last) override {
    if (first >= text_.columns) return;
    if (windows_[window].whole) {
      last = std::min<std::uint64_t>(last, text_.columns - 1);
      for (; first <= last; ++first) sink_.hit(static_cast<std::uint32_t>(first), entries_[window]);
      return;
    }
    // Runs lie close together; what they reach is looked at once.
    const bool waits = first_ <= last_ && window == window_;
    if (waits && first >= first_ && first <= last_ + windows_[window].edits + windows_[window].end) {
      last_ = last;
      return;
    }
    verify();
    window_ = window;
    first_ = first;
    last_ = last;
  }

  // Call at the end.
  void verify() {
    if (first_ > last_) return;
    const Window& window = windows_[window_];
    const Reach reach = window.reach(first_, last_);
    const std::uint64_t end = std::min<std::uint64_t>(reach.last_end + 1, text_.columns);
    verify_window(index_.entries[window_], index_.blocks.data(), text_.lo, text_.hi, reach.begin, reach.first_end,
                  static_cast<std::uint32_t>(end), [&](std::uint32_t column) { sink_.hit(column, entries_[window_]); });
    first_ = 1;
    last_ = 0;
  }

 private:
  const std::vector<std::uint32_t>& entries_;
  const std::vector<Window>& windows_;
  const VerifyIndex& index_;
  const PackedView& text_;
  HitSink& sink_;
  std::uint32_t window_ = 0;  // whose survivors in columns [first_, last_] wait, none when first_ > last_
  std::uint64_t first_ = 1;
  std::uint64_t last_ = 0;
};

class BitslicedCpuMatcher final : public CpuMatcher {
 public:
  explicit BitslicedCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, fmt::format("bitsliced on cpu ({})", to_string(options.isa))),
        options_(options),
        verify_index_(options.patterns, options.entries),
        scratch_words_(pick(options.isa, sse42::bitsliced_scratch_words, avx2::bitsliced_scratch_words,
                            avx512::bitsliced_scratch_words)),
        scan_(pick(options.isa, sse42::bitsliced_scan, avx2::bitsliced_scan, avx512::bitsliced_scan)) {
    for (const std::uint32_t e : options.entries) {
      const Window window = *choose_window(options.patterns.entries()[e], costs());
      ScanWindow scan{window.rows, window.edits, {}};
      for (std::uint32_t r = 0; r < window.rows; ++r) scan.mask[r] = mask_of(window.sets[r]);
      warm_up_ = std::max(warm_up_, window.rows + window.edits);
      windows_.push_back(window);
      scan_windows_.push_back(scan);
    }
  }

 private:
  std::uint8_t mask_of(BaseSet set) {
    const auto place = std::find(sets_.begin(), sets_.end(), set);
    const auto mask = static_cast<std::uint8_t>(place - sets_.begin());
    if (place == sets_.end()) sets_.push_back(set);
    return mask;
  }

  void scan(const PackedView& text, HitSink& sink) const override {
    const ScanIndex index{scan_windows_.data(), sets_.data(), static_cast<std::uint32_t>(scan_windows_.size()),
                          static_cast<std::uint32_t>(sets_.size()), warm_up_};
    Verifier verifier(options_, windows_, verify_index_, text, sink);
    scan_(index, text, thread_scratch(scratch_words_(index, text.columns)), verifier);
    verifier.verify();
  }

  const RoomOptions options_;
  const VerifyIndex verify_index_;
  const ScratchFunction scratch_words_;
  const ScanFunction scan_;
  std::vector<Window> windows_;
  std::vector<ScanWindow> scan_windows_;
  std::vector<BaseSet> sets_;
  std::uint32_t warm_up_ = 0;
};

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.columns.size() > kMostVerifyLength) return fmt::format("is longer than {} columns", kMostVerifyLength);
  if (choose_window(entry, costs())) return std::nullopt;
  return fmt::format("{} edits leave too much of a random text after {} of its {} columns, too much to verify",
                     entry.limits.edits, kMostRows, entry.columns.size());
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<BitslicedCpuMatcher>(options);
}

}  // namespace bitsliced
}  // namespace basesweep
