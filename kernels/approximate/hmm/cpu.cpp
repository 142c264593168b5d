#include <fmt/format.h>

#include <algorithm>

#include "kernels/approximate/hmm/scan.hpp"
#include "kernels/approximate/hmm/step.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/window_scan.hpp"
#include "kernels/room.hpp"

namespace basesweep {

BASESWEEP_PER_ISA(MakeWindowScan, hmm_windows)

namespace hmm {
namespace {

class HmmCpuMatcher final : public CpuMatcher {
 public:
  explicit HmmCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options, CpuLoop::per_isa), scan_(hmm_scan_for(options.isa)) {
    for (const std::uint32_t e : options.queries) {
      const Query& query = options.patterns.queries()[e];
      const auto length = static_cast<std::uint32_t>(query.sets.size());
      queries_.push_back({e, length, query.limits.edits, static_cast<std::uint32_t>(rows_.size())});
      rows_.insert(rows_.end(), query.sets.begin(), query.sets.end());
      rows_.resize(queries_.back().first_row + std::size_t{padded_rows(length)});
      max_rows_ = std::max(max_rows_, padded_rows(length));
      max_overlap_ = std::max(max_overlap_, length + query.limits.edits);
    }
  }

 private:
  void scan(const PackedView& text, OccurrenceSink& sink) const override {
    const ScanIndex index{queries_.data(), rows_.data(), static_cast<std::uint32_t>(queries_.size()), max_rows_,
                          max_overlap_};
    scan_(index, text, thread_scratch(scratch_words(index)), sink);
  }

  std::vector<ScanQuery> queries_;
  std::vector<std::uint16_t> rows_;
  std::uint32_t max_rows_ = 0;
  std::uint32_t max_overlap_ = 0;
  ScanFunction<ScanIndex>* const scan_;
};

std::optional<std::string> decline(const Query& query) {
  if (query.sets.size() <= kMaxRows) return std::nullopt;
  return fmt::format("is longer than {} bases", kMaxRows);
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<HmmCpuMatcher>(options);
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;   // cuda.cu
cuda::VerifyWindows verify_windows;  // windows.cu

extern const Room kRoom{
    .name = "hmm",
    .algorithm = Algorithm::hmm,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .window_scan = [](Isa isa) { return hmm_windows_for(isa)(); },
    .verify_windows = BASESWEEP_IF_CUDA(verify_windows),
};

}  // namespace hmm
}  // namespace basesweep
