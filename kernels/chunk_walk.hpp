// How the automata of Aho and Corasick walk text on the CPU: chunks of it side by side, each with some overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/endings.hpp"
#include "kernels/hit_sink.hpp"
#include "kernels/text.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep {

// Chunks walked at a time: a walk mostly waits for its table, so others must fill the gaps. Measured with 4, 6, 8 and
// 12.
inline constexpr int kWalkStreams = 8;
inline constexpr std::uint32_t kWalkWord = 32;  // columns fetched at once

// The chunks of one round: the first begins at `column`, each other `apart` columns after the one before; all are
// walked over `length` columns. The three are multiples of kWalkWord.
struct WalkRound {
  std::uint32_t column;
  std::uint32_t apart;
  std::uint32_t length;
};

// Where walks note that something ended: the state in the high half, the column past the ending in the low half. One
// list a stream, so that each is in text order. Out of line, to leave the walks their registers.
struct WalkNotes {
  std::uint64_t* memory;
  std::size_t capacity;  // of each list
  std::uint32_t count[kWalkStreams] = {};

  [[gnu::noinline, gnu::cold]] void add(int stream, std::uint32_t end, std::uint32_t state) {
    memory[static_cast<std::size_t>(stream) * capacity + count[stream]++] = std::uint64_t{state} << 32 | end;
  }
};

// The half of a plane's word that starts at `column`, a multiple of kWalkWord.
inline std::uint32_t half_word(const std::uint64_t* plane, std::uint32_t column) {
  return static_cast<std::uint32_t>(plane[column / 64] >> (column % 64));
}

// Every walk starts at the root, so all that it finds starts in its chunk or past it. An Automaton has a State,
// at(number), next(state, codes, i) for column i of codes, has_ending(state) and number(state); the root is at(0).
template <class Automaton>
void walk_columns(const Automaton& automaton, const PackedView& text, const WalkRound& round, WalkNotes& notes) {
  typename Automaton::State state[kWalkStreams];
  for (auto& s : state) s = automaton.at(0);
  for (std::uint32_t column = round.column; column != round.column + round.length; column += kWalkWord) {
    std::uint64_t word[kWalkStreams];
    for (int s = 0; s < kWalkStreams; ++s) {
      const std::uint32_t at = column + static_cast<unsigned>(s) * round.apart;
      word[s] = codes(half_word(text.lo, at), half_word(text.hi, at));
    }
    for (std::uint32_t i = 0; i < kWalkWord; ++i) {
#pragma GCC unroll 8
      for (int s = 0; s < kWalkStreams; ++s) {
        state[s] = automaton.next(state[s], static_cast<std::uint32_t>(word[s]), 0);
        word[s] >>= 2;
        if (automaton.has_ending(state[s])) [[unlikely]] {
          notes.add(s, column + static_cast<unsigned>(s) * round.apart + i + 1, automaton.number(state[s]));
        }
      }
    }
  }
}

// Sends what the batch owns, round by round: walk(round, notes) notes all that ends in the round's chunks.
void walk_chunks(const EndingsView& endings, const PackedView& text, HitSink& sink,
                 const std::function<void(const WalkRound& round, WalkNotes& notes)>& walk);

}  // namespace basesweep
