#include "kernels/chunk_walk.hpp"

#include <algorithm>
#include <vector>

#include "kernels/scratch.hpp"
#include "lib/hit.hpp"

namespace basesweep {
namespace {

// Columns of a chunk; more where entries are long, since each chunk is walked max_length - 1 columns past its end.
constexpr std::uint32_t kUsualChunk = 1U << 15;

std::uint32_t round_up(std::uint32_t columns) { return (columns + kWalkWord - 1) / kWalkWord * kWalkWord; }

// Hits come by their ends, so by their starts they are a few places off at most, if lengths differ at all.
void sort_nearly_sorted(std::vector<BatchHit>& hits) {
  std::size_t moves = 16 * hits.size();
  for (std::size_t i = 1; i < hits.size(); ++i) {
    const BatchHit hit = hits[i];
    std::size_t j = i;
    for (; j != 0 && hits[j - 1] > hit; --j) hits[j] = hits[j - 1];
    hits[j] = hit;
    if (moves < i - j) return std::sort(hits.begin(), hits.end());
    moves -= i - j;
  }
}

// Expands the notes of a stream to hits that start before `chunk_end`, and sends them by start.
void send(const EndingsView& endings, const std::uint64_t* note, std::uint32_t notes, std::uint32_t chunk_end,
          std::vector<BatchHit>& hits, HitSink& sink) {
  hits.clear();
  for (const std::uint64_t* last = note + notes; note != last; ++note) {
    const auto end = static_cast<std::uint32_t>(*note);
    const auto output = static_cast<std::uint32_t>(*note >> 32) - endings.first_output;
    for (std::uint32_t e = endings.begin[output]; e < endings.begin[output + 1]; ++e) {
      const std::uint32_t start = end - endings.endings[e].length;
      if (start < chunk_end) hits.push_back(make_hit(start, endings.endings[e].entry));
    }
  }
  sort_nearly_sorted(hits);
  for (const BatchHit hit : hits) sink.hit(hit_column(hit), hit_entry(hit));
}

}  // namespace

void walk_chunks(const EndingsView& endings, const PackedView& text, HitSink& sink,
                 const std::function<void(const WalkRound& round, WalkNotes& notes)>& walk) {
  if (endings.max_length == 0) return;
  const std::uint32_t most = std::max(kUsualChunk, round_up(16 * endings.max_length));
  std::vector<BatchHit> hits;
  std::uint32_t column = text.own_begin / kWalkWord * kWalkWord;
  while (column < text.own_end) {
    // Rounding takes the last round kWalkStreams words past the end at most: the padding allows for that.
    const std::uint32_t fair = round_up((text.own_end - column + kWalkStreams - 1) / kWalkStreams);
    const std::uint32_t chunk = std::min(fair, most);
    const WalkRound round{column, chunk, round_up(chunk + endings.max_length - 1)};
    WalkNotes notes{thread_scratch(std::size_t{kWalkStreams} * round.length), round.length};
    walk(round, notes);
    for (int s = 0; s < kWalkStreams; ++s) {
      send(endings, notes.memory + static_cast<std::size_t>(s) * notes.capacity, notes.count[s],
           column + (static_cast<unsigned>(s) + 1) * chunk, hits, sink);
    }
    column += kWalkStreams * chunk;
  }
}

}  // namespace basesweep
