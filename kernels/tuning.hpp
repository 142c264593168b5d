// Settings that the algorithms' papers leave open, for tests and benchmarks. They never change what is found.
#pragma once

#include <cstdint>

namespace basesweep {

// How a GPU kernel reads its tables and its text. Each stage adds one step to the stage before it (Kouzinopoulos,
// Michailidis, Margaritis 2015, section 4).
enum class Stage {
  plain,             // both from the device's memory
  read_only_tables,  // tables through the read-only path
  shared_text,       // a block first fetches its text into shared memory
  vector_loads       // the same, in words of 16 bytes
};
inline constexpr Stage kStages[] = {Stage::plain, Stage::read_only_tables, Stage::shared_text, Stage::vector_loads};

// How ac-nfa gets from a node that has no child for a letter to the one that has (kernels/exact/ac_nfa/README.md).
// Plain links lead to the node of the longest proper suffix, shortened links past nodes that cannot help.
enum class NfaWalk {
  chosen,     // levels on the CPU; on a GPU as_needed, or, where the nodes fill more than half of a processor's shared
              // memory and occurrences are stored, staged
  levels,     // shortened links; all threads take the same number of steps
  as_needed,  // shortened links, as far as the thread has to
  constant,   // as_needed, with the nodes in a GPU's constant memory (Charan 2015, section 4.4); without it if 64 KB
              // cannot hold them, if another automaton is there, and on the CPU
  charan_4,   // plain links, as far as the thread has to (Charan 2015, Algorithm 4)
  charan_5,   // plain links; loads the nodes of all levels, then takes the first that has the letter (Algorithm 5)
  staged      // the walk of Algorithm 4 in a staged kernel; `stage` applies
};

// Whether the leaves of ac-dfa's trie have rows of their own in its table. A leaf moves as its failure state does, so a
// link to that state's row does as well.
enum class Leaves {
  chosen,  // as moves or links, where only then the table fits in fast memory
  rows,
  links,
  moves  // the moves to leaves hold the links, and have counters of their own; for counts on a GPU, else as links
};

// In which order ac-dfa numbers its states (Xu and others 2023, section 5.1.1). States where something ends come last
// in both.
enum class StateOrder { depth, insertion };

// Where ac-dfa counts on a GPU (Xu and others 2023, section 5.1).
enum class Counters {
  shared,        // in shared memory: a counter for each state if there is room, else for each query, else as `device`
  first_states,  // for half of the states where something ends in shared memory, for the others in the device's
  device         // for each state in the device's memory
};

struct Tuning {
  std::uint32_t block = 0;  // positions of a block (wu-manber) or q-gram (sog, qgrams, filter); 0: chosen by patterns
  std::uint32_t step = 0;   // qgrams: positions from a q-gram to the next; 0: chosen by patterns
  Stage stage = Stage::vector_loads;  // for rooms with Room::staged, and for ac-nfa with NfaWalk::staged
  NfaWalk nfa_walk = NfaWalk::chosen;
  Leaves leaves = Leaves::chosen;
  StateOrder order = StateOrder::depth;
  Counters counters = Counters::shared;
  bool shared_text = false;   // ac-dfa on a GPU: text through shared memory (Xu and others 2023, section 5.2)
  std::uint32_t stretch = 0;  // staged kernels: positions of a thread, an odd multiple of 32; 0: chosen by the window
};

}  // namespace basesweep
