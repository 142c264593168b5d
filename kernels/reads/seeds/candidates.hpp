// Finds the windows of the reference in which ends of queries may lie, on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/reads/seeds/blocks.hpp"
#include "kernels/reads/seeds/erroneous.hpp"
#include "kernels/reads/seeds/step.hpp"
#include "kernels/windows.hpp"
#include "lib/search/finder.hpp"

namespace basesweep::seeds {

class CandidateFinder {
 public:
  // Begins with query `first`. `index` may be empty if all queries are swept.
  CandidateFinder(const ReadQueryView& reads, std::uint32_t first, const PackedView& text, const IndexView& index,
                  Candidates candidates)
      : reads_(reads), text_(text), index_(index), candidates_(candidates), first_query_(first), end_query_(first) {}

  // Appends the windows of the next queries, sorted and disjoint, until there are at least `enough` windows or many
  // positions in them. Returns false when no query is left.
  bool next(std::vector<QueryWindow>& windows, std::size_t enough);
  // The first query whose windows were not appended yet.
  std::uint32_t end_query() const { return end_query_; }

 private:
  struct LookUp {
    Seed seed;
    std::uint32_t first;  // [first, last): of keys to begin with, then of places in the index
    std::uint32_t last;
    std::uint32_t erroneous;  // index into erroneous_; kExact: the seed may have no errors
    SeedColumn column;        // if it may: of the q-gram
    std::uint32_t blocks;     // index into blocks_; kAlone: each place of the seed makes a window
  };
  static constexpr std::uint32_t kExact = ~0U;
  static constexpr std::uint32_t kAlone = ~0U;

  std::uint32_t seeds(const ReadQuery& query);
  void take_queries();
  void take_seeds(const ReadQuery& query, std::uint32_t seeds);
  bool occurs_at(const ReadQuery& query, const LookUp& look_up, std::uint32_t position) const;
  void look_up();
  template <class Use>
  void for_each_occurrence(const ReadQuery& query, const LookUp& look_up, const Use& use) const;
  void add_stretches(std::uint32_t query, std::vector<QueryWindow>& windows) const;
  // Look-ups [first, end) are those of the query.
  void add_found(std::uint32_t query, std::size_t first, std::size_t end, std::vector<QueryWindow>& windows);
  void add(const Ends& ends);
  void merge();

  const ReadQueryView reads_;
  const PackedView text_;
  const IndexView index_;
  const Candidates candidates_;
  std::uint32_t first_query_;  // queries [first_query_, end_query_) are worked on together
  std::uint32_t end_query_;
  ReadQuery last_{};  // the query of the last call of seeds(), and its answer
  std::uint32_t last_seeds_ = 0;
  std::vector<LookUp> look_ups_;           // of these queries
  std::vector<std::size_t> look_ups_end_;  // for each of these queries, the number of look-ups up to it
  std::vector<bool> swept_;                // for each of these queries
  std::vector<ErroneousSeed> erroneous_;
  std::vector<SeedBlocks> blocks_;
  std::vector<std::uint32_t> occurrences_;  // of a seed
  std::vector<Ends> found_;                 // for one query
  std::size_t max_found_ = 0;               // they are merged when there are this many
};

}  // namespace basesweep::seeds
