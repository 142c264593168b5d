// Charan 2015: Aho-Corasick as a small NFA whose threads all take the same number of steps.
#include <fmt/format.h>

#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr const char* kTitle = "Charan 2015, sections 4.3 and 4.4";

constexpr std::uint32_t kMemories[] = {48U << 10, 64U << 10, 227U << 10};

// Size of the first `nodes` nodes, in bytes.
using Space = std::uint64_t (*)(std::uint64_t nodes);

// The largest number of nodes that fits into this many bytes.
double nodes_in(std::uint64_t bytes, Space space) {
  std::uint64_t nodes = 0;
  while (space(nodes + 1) <= bytes) ++nodes;
  return static_cast<double>(nodes);
}

// The paper's packed node: a bit for each of 256 letters that has a child, counts of these, the first child, the
// failure link.
std::uint64_t nfa_as_in_432(std::uint64_t nodes) { return nodes * (2 + 32 + 32 + 2); }
std::uint64_t nfa_as_in_44(std::uint64_t nodes) { return nodes * (2 + 32 + 8 + 2); }
std::uint64_t nfa_as_in_5(std::uint64_t nodes) { return nodes * (2 + 32 + 2); }
std::uint64_t dfa_of_bytes(std::uint64_t nodes) { return nodes * 256; }
// Our nodes, as long as 16 bits can number them. The NFA's two tables are copied in words of 16 bytes.
std::uint64_t our_nfa(std::uint64_t nodes) {
  const auto whole = [](std::uint64_t bytes) { return (bytes + 15) / 16 * 16; };
  return whole(nodes * 4) + whole((nodes + 511) / 512 * 2);
}
std::uint64_t our_dfa(std::uint64_t nodes) { return nodes * 8; }

Row nodes_row(By by, const std::string& label, Space space) {
  Row row{by, label, "nodes", {}};
  for (const std::uint32_t bytes : kMemories) row.cells.emplace_back(nodes_in(bytes, space));
  return row;
}

void space_table(Session& session) {
  Table table{"charan-nodes", std::string(kTitle) + ": how many nodes of the automaton fit into fast memory",
              "alphabet of 256, node numbers of 2 bytes in the NFA and 1 byte in the DFA; Tesla K20 with 48 KB of "
              "shared and 64 KB of constant memory. Its text gives round figures; its formulas give others",
              "alphabet of 4, node numbers of 2 bytes: DFA 8 bytes a state; NFA 4 bytes a node and 2 for every 512. "
              "Computed, not measured. A block of an H100 or H200 can have 227 KB"};
  table.over = "in";
  for (const std::uint32_t bytes : kMemories) table.columns.push_back(fmt::format("{} KB", bytes >> 10));
  table.rows = {{By::paper, "DFA, as its text says", "nodes", {"128", "128", {}}},
                nodes_row(By::paper, "DFA, 256 bytes a node", dfa_of_bytes),
                {By::paper, "NFA, as its text says", "nodes", {"2K", "2K", {}}},
                nodes_row(By::paper, "NFA, 4.3.2: 68 bytes a node", nfa_as_in_432),
                nodes_row(By::paper, "NFA, 4.4: 44 bytes a node", nfa_as_in_44),
                nodes_row(By::paper, "NFA, 5: 36 bytes a node", nfa_as_in_5),
                nodes_row(By::ours, "DFA", our_dfa),
                nodes_row(By::ours, "NFA", our_nfa)};
  session.show(std::move(table));
}

struct Set {
  std::uint32_t count, length;
};
constexpr Set kSets[] = {{1000, 12}, {8000, 12}, {16000, 12}, {1000, 32}};

struct Walk {
  const char* label;
  const char* algorithm;
  NfaWalk walk;
};
// All rows; those of a GPU's memory are left out on a core.
constexpr Walk kWalks[] = {{"ac-nfa, Algorithm 5", "ac-nfa", NfaWalk::charan_5},
                           {"ac-nfa, Algorithm 4", "ac-nfa", NfaWalk::charan_4},
                           {"ac-nfa, shortened links, fixed levels", "ac-nfa", NfaWalk::levels},
                           {"ac-nfa, shortened links as needed", "ac-nfa", NfaWalk::as_needed},
                           {"ac-nfa, shortened links as needed, constant memory", "ac-nfa", NfaWalk::constant},
                           {"ac-nfa, Algorithm 4, staged", "ac-nfa", NfaWalk::staged},
                           {"ac-dfa", "ac-dfa", NfaWalk::levels}};

constexpr std::uint64_t kConstantBytes = 64U << 10;

// The space that the sets need, and the memory it fits into.
void add_space_rows(Table& table) {
  Row nodes{By::ours, "nodes", "", {}};
  Row dfa{By::ours, "DFA", "KB", {}};
  Row nfa{By::ours, "NFA", "KB", {}};
  for (const Set& set : kSets) {
    const std::uint64_t count = trie_nodes(random_set(set.count, set.length));
    const bool narrow = count <= 1U << 16;  // otherwise a number takes 4 bytes
    nodes.cells.emplace_back(static_cast<double>(count));
    dfa.cells.emplace_back(static_cast<double>(narrow ? our_dfa(count) : count * 16) / 1024);
    nfa.cells.emplace_back(static_cast<double>(narrow ? our_nfa(count) : count * 8) / 1024);
  }
  table.rows.insert(table.rows.end(), {std::move(nodes), std::move(dfa), std::move(nfa)});
}

void rates_table(Session& session) {
  const std::uint32_t positions = session.gpu_used ? session.quick ? 1U << 28 : 1U << 30
                                  : session.quick  ? 1U << 23
                                                   : 1U << 24;
  const Text text = random_text_for(session, positions);
  Table table{
      "charan-rates",
      std::string(kTitle) + ": the automata on the same sets",
      "no times are given",
      fmt::format("{}; {} random bases, one strand, positions stored, search alone, {}", session.chip(),
                  power_of_two(positions), session.runs()),
      {"Algorithm 4 follows plain links until a node has the letter. Algorithm 5 loads the nodes of all levels for "
       "every base and keeps the first that has the letter. Both run in the same kernel, with the nodes in shared "
       "memory where they fit. Shortened links skip nodes that cannot help; fixed levels: as many steps for every base "
       "as the longest chain of them needs. Constant memory has 64 KB. Staged: Algorithm 4 with the nodes in the "
       "device's memory."}};
  for (const Set& set : kSets) table.columns.push_back(fmt::format("{}x{}", set.count, set.length));
  add_space_rows(table);
  const On on = session.gpu_used ? On::gpu : On::core;
  std::vector<Row> rows;
  for (const Walk& walk : kWalks) rows.push_back({By::ours, walk.label, "Gbase/s", {}});
  for (const Set& set : kSets) {
    Subject subject(session, random_set(set.count, set.length), text);
    const bool fits_constant = our_nfa(trie_nodes(subject.patterns())) <= kConstantBytes;
    for (std::size_t w = 0; w < rows.size(); ++w) {
      if (kWalks[w].walk == NfaWalk::constant && !fits_constant) {
        rows[w].cells.emplace_back("over 64 KB");
        continue;
      }
      const Tuning tuning{.nfa_walk = kWalks[w].walk};
      rows[w].cells.push_back(rate_cell(subject.seconds(kWalks[w].algorithm, on, Output::occurrences, tuning), text));
    }
  }
  for (std::size_t w = 0; w < rows.size(); ++w) {
    const bool no_such_memory = kWalks[w].walk == NfaWalk::constant && on == On::core;
    if (exists(kWalks[w].algorithm) && !no_such_memory) table.rows.push_back(std::move(rows[w]));
  }
  session.show(std::move(table));
  std::vector<FileSet> sets;
  for (const Set& set : kSets) {
    sets.push_back({fmt::format("{}x{}", set.count, set.length), random_set(set.count, set.length)});
  }
  show_files(session, "charan-files", sets, session.quick && !session.gpu_used ? 1U << 21 : 1U << 25);
}

}  // namespace

void charan(Session& session) {
  space_table(session);
  rates_table(session);
}

}  // namespace basesweep::paper
