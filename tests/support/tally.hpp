// Counts what was compared, per algorithm and device.
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
  // How many cases a target compared; 0 where it is not known.
  std::uint64_t ran_by(const std::string& target) const;
  // A table on stdout; nothing where nothing ran.
  void print() const;

 private:
  struct Row {
    std::uint64_t ran = 0;
    std::uint64_t skipped = 0;  // pattern sets that the algorithm declined
    std::string reason;         // the last one
  };
  std::map<std::string, Row> rows_;
};

Tally& tally();

}  // namespace support
