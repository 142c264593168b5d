#include "kernels/automata/trie.hpp"
#include "kernels/cpu/staged_matcher.hpp"
#include "kernels/papers/set_horspool/index.hpp"
#include "kernels/papers/set_horspool/step.hpp"
#include "kernels/room.hpp"

namespace basesweep::set_horspool {
namespace {

// The longest query taken: where the text is full of a query, each window is read as far as the query is long.
constexpr std::size_t kMaxLength = 4096;

std::optional<std::string> decline(const Query& query) { return decline_longer(query, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, Index(options.patterns, options.queries));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "set-horspool",
    .algorithm = Algorithm::set_horspool,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .max_positions = kMaxAutomatonPositions,
    .staged = true,
};

}  // namespace basesweep::set_horspool
