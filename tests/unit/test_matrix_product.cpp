// The tables of products of `lookup`: computed as tensor cores do, no hit may be past the allowance.
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/matrices/lookup/product.hpp"
#include "kernels/registry/matrix_rooms.hpp"
#include "lib/oracle/trial/matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_matrix_product {

namespace {

using lookup::ProductIndex;

// The sum of a product for one window, given by base codes, and one of its queries.
int product_sum(const ProductIndex& index, const lookup::ProductClass& own, std::uint32_t product, std::uint32_t query,
                const std::array<unsigned, kMaxMatrixWidth>& window) {
  int sum = lookup::kProductStart;
  for (std::uint32_t step = 0; step < own.steps; ++step) {
    for (std::uint32_t lane = 4 * query; lane < 4 * query + 4; ++lane) {
      const lookup::ProductBytes& bytes =
          index.bytes[own.first_bytes + (std::size_t{product - own.first} * own.steps + step) * 32 + lane];
      const std::uint32_t position = step * lookup::kStepPositions + lane % 4;
      sum -= static_cast<int>(bytes.near >> (8 * window[position]) & 0xFF);
      sum -= static_cast<int>(bytes.far >> (8 * window[position + 4]) & 0xFF);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("products of matrices lose no hit and drop most other windows", "[matrices]") {
  trial::Random random(support::test_seed());
  std::vector<FileMatrix> files;
  for (std::size_t m = 0; m < 90; ++m) {
    files.push_back(trial::random_matrix(random, m, m < kMaxMatrixWidth ? m + 1 : random.between(1, 30)));
  }
  MatrixSet::Options options;
  options.threshold = {Threshold::Kind::p_value, 1e-2};
  const MatrixSet set(files, options);
  const std::vector<std::uint32_t> queries = reachable_queries(set);
  const ProductIndex index(set, queries);
  std::vector<int> seen(set.patterns().queries().size());
  std::size_t hits = 0;
  std::size_t passed = 0;
  for (const lookup::ProductClass& own : index.classes) {
    for (std::uint32_t product = own.first; product < own.first + own.count; ++product) {
      for (std::uint32_t place = 0; place < lookup::kProductQueries; ++place) {
        const lookup::ProductQuery& query = index.queries[product * lookup::kProductQueries + place];
        if (query.query != lookup::kNoProductQuery) ++seen[query.query];
        for (int i = 0; i < 2000; ++i) {
          std::array<unsigned, kMaxMatrixWidth> window{};
          for (unsigned& code : window) code = static_cast<unsigned>(random.below(4));
          const int sum = product_sum(index, own, product, place, window);
          if (query.query == lookup::kNoProductQuery) {
            REQUIRE(sum < 0);
            continue;
          }
          std::int32_t score = 0;
          for (std::uint32_t p = 0; p < query.width; ++p) score += index.columns[query.first_column + p][window[p]];
          if (score >= query.threshold) REQUIRE(sum >= 0);
          hits += score >= query.threshold ? 1 : 0;
          passed += sum >= 0 ? 1 : 0;
        }
      }
    }
  }
  for (const std::uint32_t query : queries) CHECK(seen[query] == 1);
  CHECK(hits > 1000);
  CHECK(passed < 2 * hits);
}

}  // namespace basesweep::test_matrix_product
