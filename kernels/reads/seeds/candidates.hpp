// Finds the windows of the reference in which ends of queries may lie, on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/reads/seeds/step.hpp"
#include "kernels/windows.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/packed_batch.hpp"

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
  };

  bool swept(const ReadQuery& query);
  void take_queries();
  void look_up();
  void add_stretches(std::uint32_t query, std::vector<QueryWindow>& windows) const;
  void add_found(std::uint32_t query, const LookUp* look_ups, std::vector<QueryWindow>& windows);
  void add(const Ends& ends);
  void merge();

  const ReadQueryView reads_;
  const PackedView text_;
  const IndexView index_;
  const Candidates candidates_;
  std::uint32_t first_query_;  // queries [first_query_, end_query_) are worked on together
  std::uint32_t end_query_;
  ReadQuery last_{};  // the query of the last call of swept(), and its answer
  bool last_swept_ = false;
  std::vector<bool> swept_;       // for each of these queries
  std::vector<LookUp> look_ups_;  // edits + 1 for each of these queries that is not swept
  std::vector<Ends> found_;       // for one query
  std::size_t max_found_ = 0;     // they are merged when there are this many
};

}  // namespace basesweep::seeds
