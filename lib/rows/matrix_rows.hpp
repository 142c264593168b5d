// Hits of weight matrices as rows.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

struct Query;  // lib/search/query.hpp

// Rows are PlacedHits of MatrixSet::patterns().
class MatrixRows final : public Rows {
 public:
  // `matrices` must outlive this. `files`: names of the inputs.
  explicit MatrixRows(const MatrixSet& matrices, std::vector<std::string> files = {});

  void prepare(const Row& row, unsigned needs) const override;
  std::size_t variants() const override { return matrices_.patterns().queries().size(); }
  std::size_t variant(const Row& row) const override { return static_cast<const PlacedHit&>(row).hit.query; }
  void show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const override;
  LineShape shape(OutputFormat format) const override;

  const Query& query(const PlacedHit& hit) const { return matrices_.patterns().queries()[hit.hit.query]; }
  const SearchedMatrix& matrix(const PlacedHit& hit) const { return matrices_.of_query(hit.hit.query); }
  const MatrixSet& matrices() const { return matrices_; }
  // The names of factors, each once, and the index in them of a hit's matrix, or kNoCode if it has none.
  const std::vector<std::string>& names() const { return names_; }
  std::int32_t name_code(const PlacedHit& hit) const { return name_codes_[query(hit).pattern]; }
  // The score of BED: min(1000, round(-100 log10 p)). `deficit`: how far the score is below the greatest.
  std::uint16_t bed_score(std::uint32_t matrix, std::int64_t deficit) const;

 private:
  const MatrixSet& matrices_;
  std::vector<std::string> names_;
  std::vector<std::int32_t> name_codes_;  // of each matrix
  mutable std::once_flag made_scores_;
  mutable std::vector<std::vector<std::uint16_t>> scores_;  // of each matrix, by deficit
};

// Scores in bits with 3 decimals, rounded half away from zero; p-values with 3 digits.
std::string print_bits(std::int64_t score);
std::string print_p_value(double p);

}  // namespace basesweep
