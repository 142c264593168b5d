#include "kernels/cpu/tile_walk.hpp"

#include <algorithm>
#include <vector>

#include "kernels/cpu/scratch.hpp"
#include "lib/search/occurrence.hpp"

namespace basesweep {
namespace {

// Positions of a tile. Tiles are longer for long queries, since each is walked max_length - 1 positions past its end.
constexpr std::uint32_t kUsualTile = 1U << 15;

// Occurrences of a tile that are sent in order, unless there are more.
constexpr std::size_t kSentAtOnce = std::size_t{1} << 16;

std::uint32_t round_up(std::uint32_t positions) { return (positions + kWalkWord - 1) / kWalkWord * kWalkWord; }

// Occurrences come in order of their ends. Starts are then out of place by a few at most, if lengths differ at all, and
// moving each to its place is cheap; if that takes too many moves, sorts after all.
void sort_nearly_sorted(std::vector<Occurrence>& found) {
  std::size_t moves = 16 * found.size();
  for (std::size_t i = 1; i < found.size(); ++i) {
    const Occurrence occurrence = found[i];
    std::size_t j = i;
    for (; j != 0 && found[j - 1] > occurrence; --j) found[j] = found[j - 1];
    found[j] = occurrence;
    if (moves < i - j) return std::sort(found.begin(), found.end());
    moves -= i - j;
  }
}

void send_sorted(std::vector<Occurrence>& found, OccurrenceSink& sink) {
  sort_nearly_sorted(found);
  for (const Occurrence one : found) sink.send(occurrence_position(one), occurrence_query(one));
  found.clear();
}

// Expands the notes of a stream to the occurrences that start in `starts`, or a little before, and sends them in order
// of their starts. Where many queries end at most positions, they are sent before all are expanded: they would not fit
// into memory.
void send(const EndingsView& endings, const std::uint64_t* note, std::uint32_t notes, Interval starts,
          std::vector<Occurrence>& found, OccurrenceSink& sink) {
  found.clear();
  for (const std::uint64_t* last = note + notes; note != last; ++note) {
    const auto end = static_cast<std::uint32_t>(*note);
    if (end <= starts.begin || end >= std::uint64_t{starts.end} + endings.max_length) continue;
    const auto output = static_cast<std::uint32_t>(*note >> 32) - endings.first_output;
    for (std::uint32_t e = endings.begin[output]; e < endings.begin[output + 1]; ++e) {
      const std::uint32_t start = end - endings.endings[e].length;
      if (start < starts.end) found.push_back(make_occurrence(start, endings.endings[e].query));
    }
    if (found.size() >= kSentAtOnce) send_sorted(found, sink);
  }
  send_sorted(found, sink);
}

}  // namespace

void walk_tiles(const EndingsView& endings, const PackedView& text, OccurrenceSink& sink,
                const std::function<void(const WalkRound& round, WalkNotes& notes)>& walk) {
  if (endings.max_length == 0) return;
  const std::uint32_t max_tile = std::max(kUsualTile, round_up(16 * endings.max_length));
  std::vector<Occurrence> found;
  std::uint32_t position = text.own_begin / kWalkWord * kWalkWord;
  while (position < text.own_end) {
    // Rounding takes the last round at most kWalkStreams words past the end, which the padding allows.
    const std::uint32_t fair = round_up((text.own_end - position + kWalkStreams - 1) / kWalkStreams);
    const std::uint32_t tile = std::min(fair, max_tile);
    const WalkRound round{position, tile, round_up(tile + endings.max_length - 1)};
    WalkNotes notes{thread_scratch(std::size_t{kWalkStreams} * round.length), round.length};
    walk(round, notes);
    for (int s = 0; s < kWalkStreams; ++s) {
      send(endings, notes.memory + static_cast<std::size_t>(s) * notes.capacity, notes.count[s],
           {text.own_begin, std::min(text.own_end, position + (static_cast<unsigned>(s) + 1) * tile)}, found, sink);
    }
    position += kWalkStreams * tile;
  }
}

}  // namespace basesweep
