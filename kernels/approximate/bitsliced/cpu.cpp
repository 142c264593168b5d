#include <fmt/format.h>

#include <algorithm>

#include "kernels/approximate/bitsliced/index.hpp"
#include "kernels/approximate/bitsliced/scan.hpp"
#include "kernels/approximate/verify.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/window_scan.hpp"
#include "kernels/room.hpp"

namespace basesweep {

BASESWEEP_PER_ISA(MakeWindowScan, bitsliced_windows)

namespace bitsliced {
namespace {

// Measured: a row of the filter takes about 2.3 cycles for 256 or 512 positions, the verifier 10 cycles a position.
const Costs& costs() {
  static const Costs kCosts{{4, 8, 12, 16, 20, 24, 28, 32}, 1500};
  return kCosts;
}

// Sends the survivors to the sink: as ends where the seed is the whole query, else the ends that the verifier finds
// there.
class Verifier final : public Survivors {
 public:
  Verifier(const RoomOptions& options, const std::vector<Seed>& seeds, const VerifyIndex& index, const PackedView& text,
           OccurrenceSink& sink)
      : queries_(options.queries), seeds_(seeds), index_(index), text_(text), sink_(sink) {}
  ~Verifier() = default;

  void run(std::uint32_t seed, std::uint64_t first, std::uint64_t last) override {
    if (first >= text_.positions) return;
    if (seeds_[seed].whole) {
      last = std::min<std::uint64_t>(last, text_.positions - 1);
      for (; first <= last; ++first) sink_.send(static_cast<std::uint32_t>(first), queries_[seed]);
      return;
    }
    // Runs are close together. Runs with overlapping reaches are verified together.
    const bool waits = first_ <= last_ && seed == seed_;
    if (waits && first >= first_ && first <= last_ + seeds_[seed].edits + seeds_[seed].end) {
      last_ = last;
      return;
    }
    verify();
    seed_ = seed;
    first_ = first;
    last_ = last;
  }

  // Verifies the run that waits. Call this at the end, too.
  void verify() {
    if (first_ > last_) return;
    const Seed& seed = seeds_[seed_];
    const Reach reach = seed.reach(first_, last_);
    const std::uint64_t end = std::min<std::uint64_t>(reach.last_end + 1, text_.positions);
    verify_window(index_.queries[seed_], index_.blocks.data(), text_.lo, text_.hi, reach.begin, reach.first_end,
                  static_cast<std::uint32_t>(end),
                  [&](std::uint32_t position) { sink_.send(position, queries_[seed_]); });
    first_ = 1;
    last_ = 0;
  }

 private:
  const std::vector<std::uint32_t>& queries_;
  const std::vector<Seed>& seeds_;
  const VerifyIndex& index_;
  const PackedView& text_;
  OccurrenceSink& sink_;
  std::uint32_t seed_ = 0;  // its survivors at positions [first_, last_] wait; none if first_ > last_
  std::uint64_t first_ = 1;
  std::uint64_t last_ = 0;
};

class BitslicedCpuMatcher final : public CpuMatcher {
 public:
  explicit BitslicedCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options, CpuLoop::per_isa),
        options_(options),
        verify_index_(options.patterns, options.queries),
        scratch_words_(bitsliced_scratch_words_for(options.isa)),
        scan_(bitsliced_scan_for(options.isa)) {
    for (const std::uint32_t e : options.queries) {
      const Seed seed = *choose_seed(options.patterns.queries()[e], costs());
      ScanSeed scan{seed.rows, seed.edits, {}};
      for (std::uint32_t r = 0; r < seed.rows; ++r) scan.mask[r] = mask_of(seed.sets[r]);
      warm_up_ = std::max(warm_up_, seed.rows + seed.edits);
      seeds_.push_back(seed);
      scan_seeds_.push_back(scan);
    }
  }

 private:
  std::uint8_t mask_of(BaseSet set) {
    const auto place = std::find(sets_.begin(), sets_.end(), set);
    const auto mask = static_cast<std::uint8_t>(place - sets_.begin());
    if (place == sets_.end()) sets_.push_back(set);
    return mask;
  }

  void scan(const PackedView& text, OccurrenceSink& sink) const override {
    const ScanIndex index{scan_seeds_.data(), sets_.data(), static_cast<std::uint32_t>(scan_seeds_.size()),
                          static_cast<std::uint32_t>(sets_.size()), warm_up_};
    Verifier verifier(options_, seeds_, verify_index_, text, sink);
    scan_(index, text, thread_scratch(scratch_words_(index, text.positions)), verifier);
    verifier.verify();
  }

  const RoomOptions options_;
  const VerifyIndex verify_index_;
  ScratchFunction* const scratch_words_;
  ScanFunction* const scan_;
  std::vector<Seed> seeds_;
  std::vector<ScanSeed> scan_seeds_;
  std::vector<BaseSet> sets_;
  std::uint32_t warm_up_ = 0;
};

std::optional<std::string> decline(const Query& query) {
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  if (choose_seed(query, costs())) return std::nullopt;
  return fmt::format("allows {} edits: even {} of its {} bases leave too many candidates to verify", query.limits.edits,
                     kMaxRows, query.sets.size());
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<BitslicedCpuMatcher>(options);
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;   // cuda.cu
cuda::VerifyWindows verify_windows;  // windows.cu

extern const Room kRoom{
    .name = "bitsliced",
    .algorithm = Algorithm::bitsliced,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .window_scan = [](Isa isa) { return bitsliced_windows_for(isa)(); },
    .verify_windows = BASESWEEP_IF_CUDA(verify_windows),
};

}  // namespace bitsliced
}  // namespace basesweep
