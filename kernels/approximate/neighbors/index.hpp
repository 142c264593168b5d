// The index of `neighbors`: a table of the grams that text has where a seed of a query occurs with few mismatches or
// edits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/approximate/verify.hpp"
#include "kernels/cpu/huge_array.hpp"
#include "kernels/room.hpp"
#include "lib/base/unset_vector.hpp"
#include "lib/search/device.hpp"
#include "lib/search/match_block.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/search/stored_tables.hpp"

namespace basesweep::neighbors {

inline constexpr std::uint32_t kMinGram = 4;
inline constexpr std::uint32_t kMaxGram = 12;
inline constexpr std::uint64_t kMaxQueryEntries = 8192;  // of a query that the room takes, with the best gram for it
inline constexpr std::uint32_t kEntriesAtOnce = 16;      // past the last entry, this many can be read
inline constexpr std::uint32_t kMaxSeedEdits = 3;

// The base sets of up to 16 positions, four bits each, those of the first position lowest.
using PositionSets = std::uint64_t;

// A seed of a query. It has the words of its gram as entries: those that differ from it by few mismatches, or, for a
// query that may have indels, by few edits (words.hpp). Such a word ends where the seed ends on the side of the bases
// that entries hold: there the seed is known to start or end in the text.
struct Seed {
  PositionSets sets;     // of the gram, or, with indels, of the seed in the order of reading
  std::uint32_t slot;    // index in Index::queries
  std::uint32_t offset;  // positions of the query before the gram, if the word is as long as its part of the query
  std::uint32_t near;    // the common bits of all entries of the seed
  std::uint16_t budget;  // entry_of() subtracts the mismatches or edits of the word
  std::uint8_t max;      // mismatches or edits that the word may have
  std::uint8_t rows;     // with indels: positions of the seed in `sets`; 0: a gram with mismatches
  bool backward;         // the seed is read from its last position to the first
  std::uint8_t table;    // index of its gate
  std::uint16_t exact;   // of a gram with mismatches: a bit for each position that has none
};

// The bases around a gram that some queries cannot do without: clamped ones, as the GG of a PAM. A seed of these
// queries is looked up only where the text has them, in a table of its own.
inline constexpr std::uint32_t kMaxGateBases = 8;
struct Gate {
  std::uint32_t count = 0;                   // bases; 0: the gram is looked up everywhere
  std::int32_t offsets[kMaxGateBases] = {};  // from the first position of the gram on
  std::uint32_t sets[kMaxGateBases] = {};    // the bases that the text may have there
  bool operator==(const Gate&) const = default;
};
inline constexpr std::uint32_t kMaxTables = 8;

// An entry of the table says which bases of the query are next to the gram. Compared with the text there, they reject
// most false finds, so that nothing else is read for these. There are two kinds of entries; a table has one of them.
//
// Entries for mismatches:
//
//     bits 0 ... near - 1          the low code bits of the bases, the first base lowest
//     bits near ... 2 near - 1     their high code bits
//     bit 26 (kLeftSide)           they are before the gram, else after it
//     bits 28 ... 31               1 + the mismatches that they may have; 0: there is no entry, and nothing passes
inline constexpr std::uint32_t kMaxNear = 13;  // positions
inline constexpr std::uint32_t kLeftSide = 1U << 26;
inline constexpr std::uint32_t kBudgetShift = 28;
inline constexpr std::uint32_t kMaxBudget = 15;  // more than all near positions together

// Entries for edits, of v bases. Rows of a matrix (rows 0 to 11), the last ones of which are the bases in the order in
// which the query has them:
//
//     bits 0 ... 11                their low code bits, row 0 lowest
//     bits 12 ... 23               their high code bits
//     bits 24 ... 27               v
//     bits 28 ... 30               1 + the edits that they may have; 0: there is no entry, and nothing passes
//     bit 31 (kLeftSideOfEdits)    they are before the gram, else after it
inline constexpr std::uint32_t kMaxNearOfEdits = 12;
inline constexpr std::uint32_t kNearCountShift = 24;
inline constexpr std::uint32_t kLeftSideOfEdits = 1U << 31;
inline constexpr std::uint32_t kMaxBudgetOfEdits = 7;
inline constexpr std::uint32_t kMaxColumns = 16;  // positions of text that such an entry is compared with

BASESWEEP_HD std::uint32_t entry_of(const Seed& seed, std::uint32_t spent, bool edits) {
  const std::uint32_t budget = seed.budget - spent;
  const std::uint32_t max = edits ? kMaxBudgetOfEdits : kMaxBudget;
  return seed.near | (budget < max ? budget : max) << kBudgetShift;
}

struct SearchedQuery {
  std::uint32_t id;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t max;          // mismatches, or, with indels, edits
  std::uint32_t first_block;  // of its MatchBlocks, which a query with indels has not
  bool indels;
};

// The index as plain pointers, for scans and kernels. The key of a gram is qgram() of kernels/text.hpp; its bits above
// are the index of the table.
struct IndexView {
  const std::uint64_t* present;  // CPU: bit k says that key k has entries; null: more than kMostPresent have
  const std::uint32_t* starts;   // the entries of a key: [starts[key], starts[key + 1])
  const std::uint32_t* entries;  // kEntriesAtOnce more can be read past the last one
  const std::uint32_t* seed_of;  // for each entry, index in `seeds`
  const Seed* seeds;
  const SearchedQuery* queries;
  const MatchBlock* blocks;
  const VerifyQuery* verify_queries;  // like `queries`; empty if no query may have indels
  const EqBlock* verify_blocks;
  std::uint32_t gram;     // positions
  std::uint32_t near;     // positions of an entry for mismatches
  std::uint32_t columns;  // positions of text that an entry for edits is compared with; 0: entries for mismatches
  std::uint32_t before;   // words are looked up from this many positions before the text on
  std::uint32_t seed_count;
  std::uint32_t tables;  // 1 to kMaxTables, each with a gate; 1 for edits
  Gate gates[kMaxTables];

  BASESWEEP_HD bool edits() const { return columns != 0; }
  BASESWEEP_HD bool gated() const { return tables != 1 || gates[0].count != 0; }
};

// The largest share of keys with entries for which IndexView::present is of use.
inline constexpr double kMostPresent = 0.25;

// Why a query cannot be taken, or nothing.
std::optional<std::string> unfit(const Query& query);

// How the room would search some queries.
struct TablePlan {
  std::uint32_t gram = kMinGram;
  std::uint64_t entries = 0;    // about as many
  double seconds_per_base = 0;  // expected for random text, on one CPU thread or on a GPU
  bool gated = false;           // seeds are looked up only next to the clamped bases of their queries
  std::uint32_t tables = 1;     // with keys of their own
};

// The plan with the lowest expected cost among those whose tables take at most about `max_bytes`; nothing if there is
// none. unfit() must be empty for each query. `expected_bases` of text pay for the table.
std::optional<TablePlan> plan(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, Device device,
                              double expected_bases, std::uint64_t max_bytes);

// The same for a table with this gram that is ready, on the CPU. Nothing if it is unfit() for a query.
std::optional<TablePlan> plan_with_table(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                         std::uint32_t gram, bool gated);

// The bytes of a table with this many entries, or of several tables that have this many together.
std::uint64_t table_bytes(std::uint32_t gram, std::uint32_t tables, std::uint64_t entries);

// For each query, the most that it adds to the cost of a plan of all of them; infinite if the gram is longer than it.
std::vector<double> seconds_per_base_of_each(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                             const TablePlan& plan, Device device, double expected_bases);

// The memory that a table may take if the user does not say: on the CPU half of the free memory, at least 256 MiB; on
// either device at most 16 GiB. A GPU that has less memory gets a smaller table.
std::uint64_t default_table_bytes(Device device);

// The seeds of the queries, for a table of at most about `max_bytes`. unfit() must be empty for each. Throws Error if
// there is no such table.
class QueryShapes;  // plan.hpp
struct Layout;      // plan.hpp

struct Seeds {
  Seeds(const RoomOptions& options, Device device, std::uint64_t max_bytes);
  // With the gram and the entries of a plan.
  Seeds(const RoomOptions& options, const TablePlan& plan);

  std::uint32_t gram;
  std::uint64_t expected_entries;
  std::uint32_t near = 0;
  std::uint32_t columns = 0;
  std::uint32_t before = 0;
  bool gated;
  std::vector<Gate> gates;  // one for each table
  UnsetVector<Seed> all;
  std::vector<SearchedQuery> queries;
  UnsetVector<MatchBlock> blocks;
  VerifyIndex verify;

  bool edits() const { return columns != 0; }
  // The keys of all tables.
  std::size_t keys() const { return gates.size() << 2 * gram; }
  // The view without its pointers.
  IndexView numbers() const;

 private:
  // Makes the blocks and the seeds of all queries. `first_seed`: index in `all`, by query.
  void fill_in(const RoomOptions& options, const QueryShapes& shapes, const Layout& layout,
               const std::vector<std::size_t>& first_seed);
};

// The plan of a table, and the table if it is ready; null: it must be built.
struct TableChoice {
  std::optional<TablePlan> plan;  // nothing: there is none
  const StoredTable* stored = nullptr;
};

// The queries of a stored table, and the plan of a search with it; nothing if there is none that is sound. `tables`
// may be null.
struct StoredPlan {
  const StoredTable* table;
  std::vector<std::uint32_t> queries;
  TablePlan plan;
};
std::optional<StoredPlan> stored_plan(const PatternSet& patterns, const StoredTables* tables);

// Chooses the stored table if it has just these queries, unless one that is built for the text saves much time; else
// the table of plan(). Logs why a stored table is not taken.
TableChoice choose_table(const RoomOptions& options, std::uint64_t max_bytes);

// With less to search than this, thinking about another table than the stored one takes longer than the search.
inline constexpr double kSecondsToWeigh = 0.3;

// The description of a table for -v. `what`: "a table", which was built, or "a stored table".
std::string describe_table(const Seeds& seeds, std::uint64_t entries, const char* what = "a table");

// A table as plain pointers.
struct TableView {
  const std::uint32_t* starts;  // see IndexView
  const std::uint32_t* entries;
  const std::uint32_t* seed_of;
};

// The seeds and their table, for the CPU. The table is built, or is ready in options.tables.
struct Index {
  explicit Index(const RoomOptions& options);

  IndexView view() const {
    IndexView view = seeds.numbers();
    view.present = present_.get();
    view.starts = table.starts;
    view.entries = table.entries;
    view.seed_of = table.seed_of;
    view.seeds = seeds.all.data();
    view.queries = seeds.queries.data();
    view.blocks = seeds.blocks.data();
    view.verify_queries = seeds.verify.queries.data();
    view.verify_blocks = seeds.verify.blocks.data();
    return view;
  }

  Seeds seeds;
  TableView table;

 private:
  Index(const RoomOptions& options, const TableChoice& choice);
  // Returns the number of entries.
  std::uint32_t build(int threads);
  template <class ForEach>
  std::uint32_t fill(const ForEach& for_each_word_of_all);
  void mark_keys_with_entries();

  HugeArray<std::uint64_t> present_;  // see IndexView
  HugeArray<std::uint32_t> starts_;
  HugeArray<std::uint32_t> entries_;
  HugeArray<std::uint32_t> seed_of_;
};

}  // namespace basesweep::neighbors
