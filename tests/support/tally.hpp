// Counts the cases that were compared, by target.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace support {

class Tally {
 public:
  void ran(const std::string& target) { ++rows_[target].ran; }
  void skipped(const std::string& target, const std::string& reason) {
    ++rows_[target].skipped;
    rows_[target].reason = reason;
  }
  std::uint64_t total() const;
  // Returns how many cases a target compared, 0 for an unknown target.
  std::uint64_t ran_by(const std::string& target) const;
  // Prints a table to stdout unless nothing ran.
  void print() const;

 private:
  struct Row {
    std::uint64_t ran = 0;
    std::uint64_t skipped = 0;  // pattern sets that the algorithm declined
    std::string reason;         // why the last one was declined
  };
  std::map<std::string, Row> rows_;
};

Tally& tally();

}  // namespace support
