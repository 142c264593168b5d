#include <algorithm>
#include <vector>

#include "kernels/ac_dfa/index.hpp"
#include "kernels/ac_dfa/step.hpp"
#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"
#include "lib/hit.hpp"

namespace basesweep::ac_dfa {
namespace {

// The longest entry taken; longer ones would make automata that leave every cache.
constexpr std::size_t kMaxLength = 4096;

// Chunks of text walked side by side: a walk mostly waits for its table, so others must fill the gaps. Measured with 4,
// 6, 8 and 12.
constexpr int kStreams = 8;
constexpr std::uint32_t kWordColumns = 32;
// Columns of a chunk; more where entries are long, since each chunk is walked max_length - 1 columns past its end.
constexpr std::uint32_t kChunkColumns = 1U << 15;

// The chunks of one round: the first begins at `column`, each other `apart` columns after the one before; all are
// walked over `length` columns. The three are multiples of kWordColumns.
struct Round {
  std::uint32_t column;
  std::uint32_t apart;
  std::uint32_t length;
};

// Where walks note that something ended: the state in the high half, the column past the ending in the low half. One
// list a stream, so that each is in text order. Out of line, to leave the walks their registers.
struct Notes {
  std::uint64_t* memory;
  std::size_t capacity;  // of each list
  std::uint32_t count[kStreams] = {};

  [[gnu::noinline, gnu::cold]] void add(int stream, std::uint32_t end, std::uint32_t state) {
    memory[static_cast<std::size_t>(stream) * capacity + count[stream]++] = std::uint64_t{state} << 32 | end;
  }

  // For a pair of columns, the first of which is the one before `end`.
  [[gnu::noinline, gnu::cold]] void add_pair(const IndexView& index, int stream, std::uint32_t end, std::uint32_t state,
                                             unsigned pair) {
    const std::uint32_t between = next_state(index.narrow, state, first_of_pair(pair));
    const std::uint32_t last = next_state(index.narrow, between, second_of_pair(pair));
    if (between >= index.first_output) add(stream, end, between);
    if (last >= index.first_output) add(stream, end + 1, last);
  }
};

// The half of a plane's word that starts at `column`, a multiple of kWordColumns.
std::uint32_t half_word(const std::uint64_t* plane, std::uint32_t column) {
  return static_cast<std::uint32_t>(plane[column / 64] >> (column % 64));
}

// Every walk starts at the root, so all that it finds starts in its chunk or past it.
template <class Cell>
void walk_columns(const IndexView& index, const Cell* table, const PackedView& text, const Round& round, Notes& notes) {
  std::uint32_t state[kStreams] = {};
  for (std::uint32_t column = round.column; column != round.column + round.length; column += kWordColumns) {
    std::uint64_t word[kStreams];
    for (int s = 0; s < kStreams; ++s) {
      const std::uint32_t at = column + static_cast<unsigned>(s) * round.apart;
      word[s] = codes(half_word(text.lo, at), half_word(text.hi, at));
    }
    for (std::uint32_t i = 0; i < kWordColumns; ++i) {
#pragma GCC unroll 8
      for (int s = 0; s < kStreams; ++s) {
        state[s] = next_state(table, state[s], word[s] & 3);
        word[s] >>= 2;
        if (state[s] >= index.first_output) [[unlikely]] {
          notes.add(s, column + static_cast<unsigned>(s) * round.apart + i + 1, state[s]);
        }
      }
    }
  }
}

// The same, two columns a step.
void walk_pairs(const IndexView& index, const PackedView& text, const Round& round, Notes& notes) {
  const std::uint16_t* pairs = index.pairs;
  std::uint32_t state[kStreams] = {};
  for (std::uint32_t column = round.column; column != round.column + round.length; column += kWordColumns) {
    std::uint64_t word[kStreams];
    for (int s = 0; s < kStreams; ++s) {
      const std::uint32_t at = column + static_cast<unsigned>(s) * round.apart;
      word[s] = pair_codes(half_word(text.lo, at), half_word(text.hi, at));
    }
    for (std::uint32_t i = 0; i < kWordColumns; i += 2) {
#pragma GCC unroll 8
      for (int s = 0; s < kStreams; ++s) {
        const unsigned pair = word[s] & 15;
        word[s] >>= 4;
        const std::uint32_t cell = pair_cell(pairs, state[s], pair);
        if (pair_has_ending(cell)) [[unlikely]] {
          notes.add_pair(index, s, column + static_cast<unsigned>(s) * round.apart + i + 1, state[s], pair);
        }
        state[s] = pair_state(cell);
      }
    }
  }
}

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

class AcDfaCpuMatcher final : public CpuMatcher {
 public:
  explicit AcDfaCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, "ac-dfa on cpu"), index_(options.patterns, options.entries) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const IndexView index = index_.view();
    if (index.max_length == 0) return;
    const std::uint32_t most = std::max(kChunkColumns, round_up(16 * index.max_length));
    std::vector<BatchHit> hits;
    std::uint32_t column = text.own_begin / kWordColumns * kWordColumns;
    while (column < text.own_end) {
      // Rounding takes the last round kStreams words past the end at most: the padding allows for that.
      const std::uint32_t fair = round_up((text.own_end - column + kStreams - 1) / kStreams);
      const std::uint32_t chunk = std::min(fair, most);
      scan_round(index, text, {column, chunk, round_up(chunk + index.max_length - 1)}, hits, sink);
      column += kStreams * chunk;
    }
  }

  static std::uint32_t round_up(std::uint32_t columns) {
    return (columns + kWordColumns - 1) / kWordColumns * kWordColumns;
  }

  static void scan_round(const IndexView& index, const PackedView& text, const Round& round,
                         std::vector<BatchHit>& hits, HitSink& sink) {
    Notes notes{thread_scratch(std::size_t{kStreams} * round.length), round.length};
    if (index.pairs != nullptr) {
      walk_pairs(index, text, round, notes);
    } else if (index.narrow != nullptr) {
      walk_columns(index, index.narrow, text, round, notes);
    } else {
      walk_columns(index, index.wide, text, round, notes);
    }
    for (int s = 0; s < kStreams; ++s) {
      const std::uint32_t chunk_end = round.column + (static_cast<unsigned>(s) + 1) * round.apart;
      hits.clear();
      const std::uint64_t* list = notes.memory + static_cast<std::size_t>(s) * notes.capacity;
      for (const std::uint64_t* note = list; note != list + notes.count[s]; ++note) {
        const auto end = static_cast<std::uint32_t>(*note);
        const auto output = static_cast<std::uint32_t>(*note >> 32) - index.first_output;
        for (std::uint32_t e = index.ending_begin[output]; e < index.ending_begin[output + 1]; ++e) {
          const std::uint32_t start = end - index.endings[e].length;
          if (start < chunk_end) hits.push_back(make_hit(start, index.endings[e].entry));
        }
      }
      sort_nearly_sorted(hits);
      for (const BatchHit hit : hits) sink.hit(hit_column(hit), hit_entry(hit));
    }
  }

  const Index index_;
};

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  if (entry.columns.size() > kMaxLength) return "is longer than 4,096 bases";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<AcDfaCpuMatcher>(options);
}

}  // namespace basesweep::ac_dfa
