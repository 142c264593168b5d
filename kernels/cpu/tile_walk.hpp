// How the automata of Aho and Corasick walk text on the CPU: several tiles side by side, each with some overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/automata/endings.hpp"
#include "kernels/occurrence_sink.hpp"
#include "kernels/text.hpp"

namespace basesweep {

// Tiles walked at a time. A walk mostly waits for its table, and other walks fill the gaps. 8 was the fastest of 4, 6,
// 8 and 12.
inline constexpr int kWalkStreams = 8;
inline constexpr std::uint32_t kWalkWord = 32;  // positions fetched at once

// The tiles of one round: tile s begins at position + s * apart, and is walked over `length` positions. All three are
// multiples of kWalkWord.
struct WalkRound {
  std::uint32_t position;
  std::uint32_t apart;
  std::uint32_t length;
};

// Lists in which walks note that queries end. A note has the state in its high half and the position past the end in
// its low half. Each stream has its own list, in text order. add() is out of line, to leave the walks their registers.
struct WalkNotes {
  std::uint64_t* memory;
  std::size_t capacity;  // of each list
  std::uint32_t count[kWalkStreams] = {};

  [[gnu::noinline, gnu::cold]] void add(int stream, std::uint32_t end, std::uint32_t state) {
    memory[static_cast<std::size_t>(stream) * capacity + count[stream]++] = std::uint64_t{state} << 32 | end;
  }
};

// The half of a plane's word that starts at `position`, a multiple of kWalkWord.
inline std::uint32_t half_word(const std::uint64_t* plane, std::uint32_t position) {
  return static_cast<std::uint32_t>(plane[position / 64] >> (position % 64));
}

// Every walk begins at the root, so whatever it finds starts in its tile or past it. An Automaton has a State,
// at(number), next(state, codes, i) for position i of codes, has_ending(state) and number(state); the root is at(0).
// go_on(state) is where the walk goes on from after it has noted that something ends in `state`.
template <class Automaton>
void walk_positions(const Automaton& automaton, const PackedView& text, const WalkRound& round, WalkNotes& notes) {
  typename Automaton::State state[kWalkStreams];
  for (auto& s : state) s = automaton.at(0);
  for (std::uint32_t position = round.position; position != round.position + round.length; position += kWalkWord) {
    std::uint64_t word[kWalkStreams];
    for (int s = 0; s < kWalkStreams; ++s) {
      const std::uint32_t at = position + static_cast<unsigned>(s) * round.apart;
      word[s] = codes(half_word(text.lo, at), half_word(text.hi, at));
    }
    for (std::uint32_t i = 0; i < kWalkWord; ++i) {
#pragma GCC unroll 8
      for (int s = 0; s < kWalkStreams; ++s) {
        state[s] = automaton.next(state[s], static_cast<std::uint32_t>(word[s]), 0);
        word[s] >>= 2;
        if (automaton.has_ending(state[s])) [[unlikely]] {
          notes.add(s, position + static_cast<unsigned>(s) * round.apart + i + 1, automaton.number(state[s]));
          state[s] = automaton.go_on(state[s]);
        }
      }
    }
  }
}

// Sends every occurrence that the batch owns, round by round: walk(round, notes) notes all that ends in the round's
// tiles.
void walk_tiles(const EndingsView& endings, const PackedView& text, OccurrenceSink& sink,
                const std::function<void(const WalkRound& round, WalkNotes& notes)>& walk);

}  // namespace basesweep
