// Splits lines of BED over the origin of a circular record, as SplitHits splits hits in a run without chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/parts/hit_line.hpp"

namespace basesweep {

// A hit over the origin is written as its head, [start, length), and its tail, [0, end - length), each in its sorted
// place. Tails belong to the begin of their record but are found at its end, so all hits are seen once before they are
// added.
class SplitLines {
 public:
  explicit SplitLines(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  // `line`: of the hit, without columns for merging and without its line end. All hits that are kept must be given to
  // see(), then to add(), both times in output order.
  void see(const PrintedHit& hit, std::string_view line);
  void add(const PrintedHit& hit, std::string_view line);
  // Writes what is left.
  void finish();

 private:
  struct Line {
    std::int64_t start;
    std::int64_t end;
    bool minus;
    std::uint32_t pattern;
    std::string text;
  };

  static Line cut(const PrintedHit& hit, std::string_view line, std::int64_t start, std::int64_t end);
  static bool before(const Line& a, const Line& b);
  void flush_group();

  const std::function<void(std::string_view)> write_;
  std::map<std::int64_t, std::vector<Line>> tails_;  // by number of the record
  std::int64_t record_ = -1;                         // number of the record of the last hit that was added
  std::vector<Line> group_;                          // lines with the start of the last one: heads change their order
  std::size_t next_tail_ = 0;                        // of the record, not yet written
};

}  // namespace basesweep
