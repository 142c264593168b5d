#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/cpu/tile_walk.hpp"
#include "kernels/exact/ac_dfa/cost.hpp"
#include "kernels/exact/ac_dfa/index.hpp"
#include "kernels/exact/ac_dfa/step.hpp"
#include "kernels/room.hpp"

namespace basesweep::ac_dfa {
namespace {

// The longest query taken. Longer ones would make automata that fit in no cache.
constexpr std::size_t kMaxLength = 4096;

// Notes what ends at either position of a pair; `end` is the position after the first.
[[gnu::noinline, gnu::cold]] void note_pair(const IndexView& index, WalkNotes& notes, int stream, std::uint32_t end,
                                            std::uint32_t state, unsigned pair) {
  with_dfa(index, [&](const auto& dfa) {
    const std::uint32_t between = dfa.next(state, first_of_pair(pair), 0);
    const std::uint32_t last = dfa.next(dfa.go_on(between), second_of_pair(pair), 0);
    if (dfa.has_ending(between)) notes.add(stream, end, between);
    if (dfa.has_ending(last)) notes.add(stream, end + 1, last);
  });
}

// walk_positions() with two positions a step.
void walk_pairs(const IndexView& index, const PackedView& text, const WalkRound& round, WalkNotes& notes) {
  const std::uint16_t* pairs = index.pairs;
  std::uint32_t state[kWalkStreams] = {};
  for (std::uint32_t position = round.position; position != round.position + round.length; position += kWalkWord) {
    std::uint64_t word[kWalkStreams];
    for (int s = 0; s < kWalkStreams; ++s) {
      const std::uint32_t at = position + static_cast<unsigned>(s) * round.apart;
      word[s] = pair_codes(half_word(text.lo, at), half_word(text.hi, at));
    }
    for (std::uint32_t i = 0; i < kWalkWord; i += 2) {
#pragma GCC unroll 8
      for (int s = 0; s < kWalkStreams; ++s) {
        const unsigned pair = word[s] & 15;
        word[s] >>= 4;
        const std::uint32_t cell = pair_cell(pairs, state[s], pair);
        if (pair_has_ending(cell)) [[unlikely]] {
          note_pair(index, notes, s, position + static_cast<unsigned>(s) * round.apart + i + 1, state[s], pair);
        }
        state[s] = pair_state(cell);
      }
    }
  }
}

void scan(const IndexView& index, const PackedView& text, OccurrenceSink& sink) {
  walk_tiles(index.endings, text, sink, [&](const WalkRound& round, WalkNotes& notes) {
    if (index.pairs != nullptr) {
      walk_pairs(index, text, round, notes);
    } else {
      with_dfa(index, [&](const auto& dfa) { walk_positions(dfa, text, round, notes); });
    }
  });
}

std::optional<std::string> decline(const Query& query) { return decline_longer(query, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  const Index::Layout layout{.links = options.tuning.leaves != Leaves::rows, .order = options.tuning.order};
  return make_loop_matcher(options, Index(options.patterns, options.queries, layout), scan);
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "ac-dfa",
    .algorithm = Algorithm::ac_dfa,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .max_positions = kMaxAutomatonPositions,
    .nanoseconds = nanoseconds,
};

}  // namespace basesweep::ac_dfa
