// A row of `pwm --table`: a cell for each matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

enum class TableCell {
  score,  // the best score of the hits; "." without hits
  count   // the number of hits
};

class MatrixRow {
 public:
  MatrixRow(std::size_t matrices, TableCell cell);

  // Adds a hit. `score`: in steps, see kScoreSteps.
  void add(std::uint32_t matrix, std::int32_t score);
  // Adds what another part of the run has: its cells, as print_part() printed them, without the first tab. False if the
  // text is not that.
  bool add_part(std::string_view cells);
  void clear();
  bool has_hits() const;

  // The cells, with a tab before each: scores in bits.
  std::string print() const;
  // The same for `merge`: scores in steps, since those in bits are rounded.
  std::string print_part() const;

 private:
  void join(std::int32_t more, std::int32_t& own) const;

  TableCell cell_;
  std::vector<std::int32_t> cells_;  // a table of regions has very many
};

}  // namespace basesweep
