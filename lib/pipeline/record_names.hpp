// Notices FASTA records whose hits could not be told apart.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace basesweep {

// Warns, once each, of a record without a name and of a name that comes again. Keeps 64 bits of each name, and looks at
// the first million only, so that memory and time stay bounded. Not thread-safe.
class RecordNames {
 public:
  explicit RecordNames(std::function<void(const std::string&)> warn) : warn_(std::move(warn)) {}

  void add(const std::string& path, const std::string& name);

 private:
  bool insert(std::uint64_t hash);

  static constexpr std::size_t kMost = 1'000'000;
  std::function<void(const std::string&)> warn_;
  std::vector<std::uint64_t> slots_;  // a hash table with linear probing, 0 for an empty slot; at most half full
  std::size_t used_ = 0;
  bool looking_ = true;  // for names that come again
  bool told_empty_ = false;
};

}  // namespace basesweep
