// The index of `lookup` on a GPU: the matrices as tables of bytes that tensor cores multiply the text by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/matrices/matrix_set.hpp"

namespace basesweep::lookup {

// The deficits of many windows for many queries are a product of two matrices. The first has a row for each window and
// four columns for each of its positions: -1 in the column of the base that is there, 0 in the other three. The
// second has a column for each query, with the deficits of these bases. Deficits are rounded down, as on the CPU, to
// steps of which the allowance has less than 255, so that they fit in bytes and no hit is lost. The product is added to
// kProductStart: a sum below 0 is past the allowance.
inline constexpr int kProductStart = 254;

inline constexpr std::uint32_t kProductQueries = 8;    // the columns of a product
inline constexpr std::uint32_t kStepPositions = 8;     // positions that one instruction multiplies
inline constexpr std::uint32_t kMaxProductSteps = 8;   // of a query of 64 positions
inline constexpr std::uint32_t kNoProductQuery = ~0U;  // fills up a product whose queries are fewer

// A query as the exact check of a window takes it.
struct ProductQuery {
  std::uint32_t query;         // index in the PatternSet, or kNoProductQuery
  std::uint32_t width;         // positions
  std::uint32_t first_column;  // in ProductIndex::columns
  std::int32_t threshold;      // least score of a hit
};

// The part of a step that one lane of a warp holds: the deficits of the four bases at two positions of a query, in
// bytes by base code.
struct ProductBytes {
  std::uint32_t near;  // at position lane % 4 of the step, of query lane / 4
  std::uint32_t far;   // at position lane % 4 + 4
};

// Products whose queries need the same number of steps.
struct ProductClass {
  std::uint32_t steps;
  std::uint32_t first;      // product
  std::uint32_t count;      // of products
  std::size_t first_bytes;  // in ProductIndex::bytes
};

struct ProductIndex {
  // `indices`: the queries, all with a threshold that a word reaches.
  ProductIndex(const MatrixSet& matrices, const std::vector<std::uint32_t>& indices);

  std::vector<ProductClass> classes;                 // by rising steps
  std::vector<ProductBytes> bytes;                   // by product, step and lane
  std::vector<ProductQuery> queries;                 // kProductQueries of each product
  std::vector<std::array<std::int32_t, 4>> columns;  // scores by base code of all positions of all queries
};

}  // namespace basesweep::lookup
