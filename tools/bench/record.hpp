// The rows that `basesweep bench` prints as it measures them, kept for --json.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

// "2026-11-21", in UTC.
std::string today();

struct BenchRow {
  std::string what;  // the case: "planes 1 x 8 both", "read + pack"
  std::string how;   // "in memory", "cpu, 2 threads"
  double bases = 0;  // of text; of approximate search times the number of queries
  double seconds = 0;
  std::string note;
};

struct BenchPart {
  std::string name;   // "cpu", "files", "gpu"
  std::string title;  // the conditions, in words
  std::vector<BenchRow> rows{};
};

class BenchRecord {
 public:
  // Begins a part and prints its title. Rows belong to the part begun last.
  void begin(const std::string& name, const std::string& title);
  // Prints one row as soon as it is measured, with its rate.
  void add(BenchRow row);

  std::string gpu;                    // the names of the measured GPUs; "": none
  std::vector<std::string> declined;  // "ALGORITHM declines N x M: why"

  // Schema "basesweep-bench/1" (docs/report.md), with today's date and this machine.
  std::string to_json(bool quick) const;

 private:
  std::vector<BenchPart> parts_;
};

}  // namespace basesweep
