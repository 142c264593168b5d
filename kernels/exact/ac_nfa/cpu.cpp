#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/cpu/tile_walk.hpp"
#include "kernels/exact/ac_nfa/index.hpp"
#include "kernels/exact/ac_nfa/step.hpp"
#include "kernels/room.hpp"

namespace basesweep::ac_nfa {
namespace {

// The longest query taken. Longer ones would make automata that fit in no cache.
constexpr std::size_t kMaxLength = 4096;

void scan(const IndexView& index, const PackedView& text, OccurrenceSink& sink) {
  const auto walk = [&](const auto& nfa) {
    walk_tiles(index.endings, text, sink,
               [&](const WalkRound& round, WalkNotes& notes) { walk_positions(nfa, text, round, notes); });
  };
  if (index.narrow != nullptr) {
    with_levels(NarrowNodes{index.narrow, index.first_child}, index.narrow[0], index.levels, walk);
  } else {
    with_levels(WideNodes{index.wide}, index.wide[0], index.levels, walk);
  }
}

void scan_by_supply(const IndexView& index, const PackedView& text, OccurrenceSink& sink) {
  if (index.endings.max_length == 0) return;
  const auto walk = [&](const auto& nodes) {
    scan_supply<PlainFetch>(nodes, index.endings, PlanesText{text.lo, text.hi}, text.own_begin, text.own_end,
                            [&](std::uint32_t position, std::uint32_t query) { sink.send(position, query); });
  };
  if (index.narrow != nullptr) {
    walk(NarrowNodes{index.narrow, index.first_child});
  } else {
    walk(WideNodes{index.wide});
  }
}

std::optional<std::string> decline(const Query& query) { return decline_longer(query, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  const bool supply = options.tuning.supply_links;
  Index index(options.patterns, options.queries, supply ? Links::suffix : Links::helpful);
  RoomOptions named = options;
  if (supply) named.name = "ac-nfa (supply links)";
  return make_loop_matcher(named, std::move(index), supply ? scan_by_supply : scan);
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "ac-nfa",
    .algorithm = Algorithm::ac_nfa,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .max_positions = kMaxAutomatonPositions,
};

}  // namespace basesweep::ac_nfa
