#include <algorithm>

#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/papers/drk/index.hpp"
#include "kernels/room.hpp"
#include "kernels/text.hpp"

namespace basesweep {
namespace drk {
namespace {

// Passes over the text once, for the queries of one length.
template <class Policy, int Count>
void scan_group(const FingerprintsView& view, const FingerprintGroup& group, const PackedView& packed,
                OccurrenceSink& sink) {
  const PlanesText text{packed.lo, packed.hi};
  const Policy policy(group.length);
  auto F = first_fingerprint(policy, group.length, TextNumbers<PlanesText>{text, packed.own_begin});
  for (std::uint32_t position = packed.own_begin; position < packed.own_end;) {
    const std::uint32_t joining = position + group.length;
    std::uint64_t left = number_of(text.lo_at(position), text.hi_at(position));
    std::uint64_t joined = number_of(text.lo_at(joining), text.hi_at(joining));
    const std::uint32_t end = std::min(position + 32, packed.own_end);
    for (; position != end; ++position, left <<= 2, joined <<= 2) {
      if (const std::uint32_t item = find_fingerprint<Count>(view, group, Policy::value(F)); item != kNoItem)
          [[unlikely]] {
        for_each_verified(view, group, item, text, position, [&](std::uint32_t query) { sink.send(position, query); });
      }
      F = policy.roll(F, static_cast<std::uint32_t>(left >> 62), static_cast<std::uint32_t>(joined >> 62));
    }
  }
}

template <class Policy>
void scan(const FingerprintsView& view, const PackedView& text, OccurrenceSink& sink) {
  for (std::uint32_t g = 0; g < view.group_count; ++g) {
    const FingerprintGroup& group = view.groups[g];
    switch (group.count()) {
      case 1: scan_group<Policy, 1>(view, group, text, sink); break;
      case 2: scan_group<Policy, 2>(view, group, text, sink); break;
      default: scan_group<Policy, 0>(view, group, text, sink); break;
    }
  }
}

template <class Policy>
std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_loop_matcher(options, make_index<Policy>(options), scan<Policy>);
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "drk",
    .algorithm = Algorithm::drk,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = [](const Query& query) { return decline_longer(query, 65'536); },
    .make_cpu_matcher = make_cpu_matcher<Modulo>,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace drk

namespace drk_wom32 {

cuda::MakeKernel make_cuda_kernel;  // cuda.cu of drk

extern const Room kRoom{
    .name = "drk-wom32",
    .algorithm = Algorithm::drk_wom32,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = [](const Query& query) { return decline_longer(query, 16, ", the most that 32 bits hold"); },
    .make_cpu_matcher = drk::make_cpu_matcher<drk::Wom32>,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace drk_wom32

namespace drk_wom64 {

cuda::MakeKernel make_cuda_kernel;  // cuda.cu of drk

extern const Room kRoom{
    .name = "drk-wom64",
    .algorithm = Algorithm::drk_wom64,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = [](const Query& query) { return decline_longer(query, 32, ", the most that 64 bits hold"); },
    .make_cpu_matcher = drk::make_cpu_matcher<drk::Wom64>,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace drk_wom64
}  // namespace basesweep
