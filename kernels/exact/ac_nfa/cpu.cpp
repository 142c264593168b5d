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
    with_walk(index, NarrowNodes{index.narrow, index.first_child}, index.narrow[0], walk);
  } else {
    with_walk(index, WideNodes{index.wide}, index.wide[0], walk);
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

const char* name_of(const RoomOptions& options) {
  switch (options.tuning.nfa_walk) {
    case NfaWalk::chosen:
    case NfaWalk::levels: break;
    case NfaWalk::as_needed:
    case NfaWalk::constant: return "ac-nfa (links as needed)";
    case NfaWalk::charan_4: return "ac-nfa (Algorithm 4)";
    case NfaWalk::charan_5: return "ac-nfa (Algorithm 5)";
    case NfaWalk::staged: return "ac-nfa (supply links)";
  }
  return options.name;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  Index index(options.patterns, options.queries, options.tuning.nfa_walk);
  RoomOptions named = options;
  named.name = name_of(options);
  return make_loop_matcher(named, std::move(index), options.tuning.nfa_walk == NfaWalk::staged ? scan_by_supply : scan);
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
