#include <fmt/format.h>

#include <algorithm>

#include "kernels/cpu_matcher.hpp"
#include "kernels/hmm/scan.hpp"
#include "kernels/hmm/step.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"

namespace basesweep {

namespace sse42 {
void hmm_scan(const hmm::ScanIndex& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx2 {
void hmm_scan(const hmm::ScanIndex& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx512 {
void hmm_scan(const hmm::ScanIndex& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}

namespace hmm {
namespace {

class HmmCpuMatcher final : public CpuMatcher {
 public:
  explicit HmmCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, fmt::format("hmm on cpu ({})", to_string(options.isa))),
        scan_(pick(options.isa, sse42::hmm_scan, avx2::hmm_scan, avx512::hmm_scan)) {
    for (const std::uint32_t e : options.entries) {
      const Entry& entry = options.patterns.entries()[e];
      const auto length = static_cast<std::uint32_t>(entry.columns.size());
      entries_.push_back({e, length, entry.limits.edits, static_cast<std::uint32_t>(rows_.size())});
      rows_.insert(rows_.end(), entry.columns.begin(), entry.columns.end());
      rows_.resize(entries_.back().first_row + std::size_t{padded_rows(length)});
      most_rows_ = std::max(most_rows_, padded_rows(length));
      most_overlap_ = std::max(most_overlap_, length + entry.limits.edits);
    }
  }

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const ScanIndex index{entries_.data(), rows_.data(), static_cast<std::uint32_t>(entries_.size()), most_rows_,
                          most_overlap_};
    scan_(index, text, thread_scratch(scratch_words(index)), sink);
  }

  std::vector<ScanEntry> entries_;
  std::vector<std::uint16_t> rows_;
  std::uint32_t most_rows_ = 0;
  std::uint32_t most_overlap_ = 0;
  const ScanFunction scan_;
};

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.columns.size() <= kMostRows) return std::nullopt;
  return fmt::format("it has {} columns, and hmm takes at most {}", entry.columns.size(), kMostRows);
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<HmmCpuMatcher>(options);
}

}  // namespace hmm
}  // namespace basesweep
