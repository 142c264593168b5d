// Adds up the tables of counts in the parts of a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/parts/hit_line.hpp"

namespace basesweep {

// The rows of a table, in the order of the first part. All parts have the same rows.
class PartCounts {
 public:
  // `header`: of the parts. The columns before `count` name a row, the others are numbers: the count, then the counts
  // of 0, 1, 2 ... edits.
  explicit PartCounts(std::string_view header);

  // To be called before the rows of each part, and after them. end_part() returns false if the part's rows are not
  // those of the first part.
  void begin_part() { row_ = 0; }
  bool end_part();

  // Adds a row of the part. False if the line is not one.
  bool add(std::string_view line);
  // Adds a hit to the row of its pattern and strand.
  void add(const PrintedHit& hit);

  std::uint64_t total() const { return total_; }  // of the column `count`
  // The rows, without the header.
  std::string print() const;

 private:
  std::string key_of(std::string_view name) const;

  std::size_t names_ = 0;
  bool named_ = false;  // the second column is another name of the pattern
  std::size_t numbers_ = 1;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> rows_;
  std::unordered_map<std::string, std::size_t> places_;  // in rows_, by pattern and strand
  std::uint64_t total_ = 0;
  std::size_t row_ = 0;  // of the part, that comes next
  bool known_ = false;   // the first part has ended
  bool same_ = true;     // as in the first part
};

}  // namespace basesweep
