// The index of `filter`: for each q-gram of text, the queries that can still reach their threshold from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cpu/huge_array.hpp"
#include "kernels/matrices/stretch.hpp"
#include "lib/matrices/matrix_set.hpp"

namespace basesweep::filter {

inline constexpr std::uint32_t kMaxGram = 10;  // a table of 4^10 lists still lies in the cache

// A query whose threshold is within reach from a q-gram.
struct Candidate {
  std::uint32_t query;  // in Index::queries
  std::int32_t score;   // of the stretch that the q-gram covers
};
inline constexpr std::uint32_t kCopied = 4;  // candidates at a time

// Two positions that a query's stretch leaves, or one: where they are in the query, and their scores in Index::rests.
struct RestPlace {
  std::uint32_t offset;
  std::uint32_t rest;
};

inline constexpr std::uint32_t kPlainRests = 2;  // added to every score without asking whether a query has them

struct FilterQuery {
  std::uint32_t query;            // index in the PatternSet
  std::uint32_t lead;             // its positions before the stretch
  std::int32_t threshold;         // least score of a hit
  std::uint32_t more_rests;       // besides the plain ones
  RestPlace plain[kPlainRests];   // scores of 0 if it has fewer
  std::uint32_t first_more_rest;  // in Index::places
};

// Scores of two neighbouring positions of a query by their code bits: the low ones, then the high ones. A position in
// the stretch, or behind the query, has scores of 0.
struct alignas(64) Rest {
  std::int32_t scores[16];
};

// The index as plain pointers, for the scan.
struct IndexView {
  std::uint32_t q;
  std::uint32_t max_lead;       // of all queries
  const std::uint64_t* any;     // bit g: q-gram g has candidates
  const std::uint32_t* begins;  // candidates of q-gram g: [begins[g], begins[g + 1])
  const Candidate* candidates;  // kCopied behind the last can be read
  const FilterQuery* queries;
  const Rest* rests;
  const RestPlace* places;
};

class Index {
 public:
  // `gram`: q, 1 to kMaxGram; 0: chosen by the number of candidates.
  Index(const MatrixSet& matrices, const std::vector<std::uint32_t>& queries, std::uint32_t gram);

  IndexView view() const {
    return {
        q_, max_lead_, any_.data(), begins_.get(), candidates_.get(), queries_.data(), rests_.data(), places_.data()};
  }
  // The tables of the view, to be copied.
  std::span<const std::uint32_t> begins() const { return {begins_.get(), (std::size_t{1} << (2 * q_)) + 1}; }
  std::span<const Candidate> candidates() const { return {candidates_.get(), begins().back()}; }
  const std::vector<FilterQuery>& queries() const { return queries_; }
  const std::vector<Rest>& rests() const { return rests_; }
  const std::vector<RestPlace>& places() const { return places_; }

 private:
  // Makes tables of the positions outside of the stretch.
  std::vector<RestPlace> add_rests(const QueryScores& scores, Stretch stretch);

  std::uint32_t q_;
  std::uint32_t max_lead_ = 0;
  std::vector<std::uint64_t> any_;
  HugeArray<std::uint32_t> begins_;
  HugeArray<Candidate> candidates_;
  std::vector<FilterQuery> queries_;
  std::vector<Rest> rests_;
  std::vector<RestPlace> places_;
};

}  // namespace basesweep::filter
