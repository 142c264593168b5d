#include "kernels/ac_nfa/index.hpp"
#include "kernels/ac_nfa/step.hpp"
#include "kernels/chunk_walk.hpp"
#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"

namespace basesweep::ac_nfa {
namespace {

// The longest entry taken; longer ones would make automata that leave every cache.
constexpr std::size_t kMaxLength = 4096;

void scan(const IndexView& index, const PackedView& text, HitSink& sink) {
  const auto walk = [&](const auto& nfa) {
    walk_chunks(index.endings, text, sink,
                [&](const WalkRound& round, WalkNotes& notes) { walk_columns(nfa, text, round, notes); });
  };
  if (index.narrow != nullptr) {
    with_levels(NarrowNodes{index.narrow, index.first_child}, index.narrow[0], index.levels, walk);
  } else {
    with_levels(WideNodes{index.wide}, index.wide[0], index.levels, walk);
  }
}

void scan_by_supply(const IndexView& index, const PackedView& text, HitSink& sink) {
  if (index.endings.max_length == 0) return;
  const auto walk = [&](const auto& nodes) {
    scan_supply<PlainFetch>(nodes, index.endings, PlanesText{text.lo, text.hi}, text.own_begin, text.own_end,
                            [&](std::uint32_t column, std::uint32_t entry) { sink.hit(column, entry); });
  };
  if (index.narrow != nullptr) {
    walk(NarrowNodes{index.narrow, index.first_child});
  } else {
    walk(WideNodes{index.wide});
  }
}

}  // namespace

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  const bool supply = options.tuning.supply_links;
  Index index(options.patterns, options.entries, supply ? Links::suffix : Links::helpful);
  return make_loop_matcher(options, supply ? "ac-nfa (supply links)" : "ac-nfa", std::move(index),
                           supply ? scan_by_supply : scan);
}

}  // namespace basesweep::ac_nfa
