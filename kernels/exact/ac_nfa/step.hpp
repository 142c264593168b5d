// The step of `ac_nfa`, for the CPU and CUDA threads: from a node to its child for a letter, over failure links where
// it has none (Charan 2015, sections 4.2 and 4.3.2).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/exact/ac_nfa/index.hpp"
#include "kernels/tables/staged.hpp"
#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::ac_nfa {

// How many of a node's letters come before the one of `bit`, a power of two.
BASESWEEP_HD std::uint32_t letters_below(std::uint32_t letters, std::uint32_t bit) {
  return count_ones(letters & (bit - 1));
}

// Nodes of 32 and of 64 bits; IndexView has their format.
struct NarrowNodes {
  using Word = std::uint32_t;
  const std::uint32_t* words;
  const std::uint16_t* first_child;

  template <class Fetch>
  BASESWEEP_HD Word word(std::uint32_t number) const {
    return Fetch::get(words + number);
  }
  template <class Fetch>
  BASESWEEP_HD std::uint32_t child(std::uint32_t number, Word word) const {
    return Fetch::get(first_child + number / kNodesOfBase) + (word >> 5 & 0x7ffU);
  }
  static BASESWEEP_HD std::uint32_t link(Word word) { return word >> 16; }
};

struct WideNodes {
  using Word = std::uint64_t;
  const std::uint64_t* words;

  template <class Fetch>
  BASESWEEP_HD Word word(std::uint32_t number) const {
    return Fetch::get(words + number);
  }
  template <class Fetch>
  BASESWEEP_HD std::uint32_t child(std::uint32_t /*number*/, Word word) const {
    return static_cast<std::uint32_t>(word >> 5) & 0x1fffffffU;
  }
  static BASESWEEP_HD std::uint32_t link(Word word) { return static_cast<std::uint32_t>(word >> 34); }
};

template <class Word>
BASESWEEP_HD constexpr std::uint32_t letters_of(Word word) {
  return static_cast<std::uint32_t>(word) & 15U;
}
template <class Word>
BASESWEEP_HD constexpr bool ends_in(Word word) {
  return (static_cast<std::uint32_t>(word) & 16U) != 0;
}

template <class Word>
BASESWEEP_HD constexpr bool has_letter(Word word, std::uint32_t letter) {
  return (letters_of(word) & letter) != 0;
}

// A node of the automaton with its word.
template <class Nodes>
struct Node {
  std::uint32_t number;
  typename Nodes::Word word;
};

template <class Nodes>
BASESWEEP_HD Node<Nodes> node_at(const Nodes& nodes, std::uint32_t number) {
  return {number, nodes.template word<PlainFetch>(number)};
}

// Ways to go from a node to the first node on its chain of links that has a letter. find() returns the root, or any
// node without the letter, where no node has it; Nfa asks the root itself last.

// All threads take the same number of steps, however far the node with a child is: a thread that has found it stays
// there. kLevels: at least IndexView::levels, or 0 to take the number from `levels`. For shortened links.
template <std::uint32_t kLevels>
struct FixedLevels {
  std::uint32_t levels;

  template <class Nodes>
  BASESWEEP_HD Node<Nodes> find(const Nodes& nodes, Node<Nodes> node, std::uint32_t letter) const {
    if constexpr (kLevels != 0) {
      for (std::uint32_t level = 1; level < kLevels; ++level) {
        if (!has_letter(node.word, letter)) node = node_at(nodes, Nodes::link(node.word));
      }
    } else {
#ifdef __CUDACC__
#pragma unroll 1
#endif
      for (std::uint32_t level = 1; level < levels; ++level) {
        if (!has_letter(node.word, letter)) node = node_at(nodes, Nodes::link(node.word));
      }
    }
    return node;
  }
};

// Each thread goes as far as it has to (Charan 2015, Algorithm 4). For any links.
struct AsNeeded {
  template <class Nodes>
  BASESWEEP_HD Node<Nodes> find(const Nodes& nodes, Node<Nodes> node, std::uint32_t letter) const {
    while (!has_letter(node.word, letter) && node.number != 0) node = node_at(nodes, Nodes::link(node.word));
    return node;
  }
};

// All threads load the nodes of all levels and keep the first that has the letter (Charan 2015, Algorithm 5). The paper
// notes in a mask which nodes have it and then takes the node of the mask's first bit from an array; here a select
// keeps that node, because an array with a computed index lies in a thread's local memory. Threads of a GPU run all
// levels, because they take as long as the slowest of them; a CPU stops at the level that decides.
struct AllLevels {
  std::uint32_t levels;  // nodes on the longest chain of plain links, with the root

  template <class Nodes>
  BASESWEEP_HD Node<Nodes> find(const Nodes& nodes, Node<Nodes> node, std::uint32_t letter) const {
    Node<Nodes> found = node;
    bool none = true;
    for (std::uint32_t level = 0; level < levels; ++level) {
      if (none) found = node;
      none = none && !has_letter(node.word, letter);
#ifndef __CUDA_ARCH__
      if (!none || node.number == 0) break;  // the other levels are the root, which Nfa asks last
#endif
      node = node_at(nodes, Nodes::link(node.word));
    }
    return found;
  }
};

// The automaton as kernels/cpu/tile_walk.hpp and kernels/cuda/walk.cuh take it.
template <class Nodes, class Walk>
struct Nfa {
  using State = Node<Nodes>;

  Nodes nodes;
  typename Nodes::Word root_word;
  Walk walk;

  BASESWEEP_HD State at(std::uint32_t number) const { return node_at(nodes, number); }

  // The state after position `i` of `codes`, which has two bits for each position.
  BASESWEEP_HD State next(State state, std::uint32_t codes, int i) const {
    const std::uint32_t letter = 1U << (codes >> (2 * i) & 3);
    state = walk.find(nodes, state, letter);
    if (!has_letter(state.word, letter)) state = {0, root_word};
    const std::uint32_t child = nodes.template child<PlainFetch>(state.number, state.word);
    const std::uint32_t letters = letters_of(state.word);
    return at((letters & letter) != 0 ? child + letters_below(letters, letter) : 0);
  }
  BASESWEEP_HD bool has_ending(State state) const { return ends_in(state.word); }
  BASESWEEP_HD State go_on(State state) const { return state; }
  BASESWEEP_HD std::uint32_t number(State state) const { return state.number; }
};

// Calls use(nfa) with the automaton of `nodes`, a table of `index` or a copy of it. Fixed
// levels are unrolled where there are no more than thousands of random patterns have.
template <class Nodes, class Use>
auto with_walk(const IndexView& index, const Nodes& nodes, typename Nodes::Word root_word, Use use) {
  const auto go = [&](const auto& find) {
    return use(Nfa<Nodes, std::decay_t<decltype(find)>>{nodes, root_word, find});
  };
  if (index.walk == NfaWalk::charan_5) return go(AllLevels{index.endings.max_length + 1});
  if (index.walk != NfaWalk::levels && index.walk != NfaWalk::chosen) return go(AsNeeded{});
  if (index.levels <= 6) return go(FixedLevels<6>{index.levels});
  if (index.levels <= 8) return go(FixedLevels<8>{index.levels});
  return go(FixedLevels<0>{index.levels});
}

// The walk that Aho and Corasick describe: follows links until a node has a child for the letter. Calls emit(position,
// query) for every query that starts in [begin, end).
template <class Fetch, class Nodes, class Text, class Emit>
BASESWEEP_HD void scan_supply(const Nodes& nodes, const EndingsView& endings, const Text& text, std::uint32_t begin,
                              std::uint32_t end, Emit emit) {
  const std::uint32_t stop = end + endings.max_length - 1;
  std::uint32_t number = 0;
  auto word = nodes.template word<Fetch>(0);
  for (std::uint32_t position = begin; position < stop; position += 32) {
    std::uint64_t left = codes(text.lo_at(position), text.hi_at(position));
    for (std::uint32_t at = position; at < stop && at < position + 32; ++at, left >>= 2) {
      const std::uint32_t letter = 1U << (left & 3);
      while ((letters_of(word) & letter) == 0 && number != 0) {
        number = Nodes::link(word);
        word = nodes.template word<Fetch>(number);
      }
      if ((letters_of(word) & letter) == 0) continue;  // the root has no such child either
      number = nodes.template child<Fetch>(number, word) + letters_below(letters_of(word), letter);
      word = nodes.template word<Fetch>(number);
      if (!ends_in(word)) continue;
      const std::uint32_t* const output = endings.begin + (number - endings.first_output);
      const std::uint32_t last = Fetch::get(output + 1);
      for (std::uint32_t e = Fetch::get(output); e < last; ++e) {
        const std::uint32_t start = at + 1 - Fetch::get(&endings.endings[e].length);
        if (start < end) emit(start, Fetch::get(&endings.endings[e].query));
      }
    }
  }
}

}  // namespace basesweep::ac_nfa
