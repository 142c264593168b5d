// Warns about FASTA records whose hits cannot be told apart by the record's name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// Warns once about a name that is used again. Keeps a hash of 64 bits for each of the first million names and does not
// look at later ones, so that memory and time stay bounded. Not thread-safe.
class RecordNames {
 public:
  explicit RecordNames(std::function<void(const std::string&)> warn) : warn_(std::move(warn)) {}

  // The next record, of the file that messages name `path`.
  void add(const std::string& path, std::string_view name);
  // To be called after the last record.
  void finish();

 private:
  // A name that is looked up some names later, when its slot has come from memory.
  struct Pending {
    std::uint64_t hash = 0;  // 0: there is none
    std::string name{};
    std::string path{};
  };

  void look_up(Pending& name);
  void grow();
  bool insert(std::uint64_t hash);

  static constexpr std::size_t kMaxNames = 1'000'000;
  std::function<void(const std::string&)> warn_;
  std::vector<std::uint64_t> slots_;  // a hash table with linear probing, 0 for an empty slot; at most half full
  std::size_t used_ = 0;
  std::array<Pending, 16> pending_;  // a ring
  std::size_t next_ = 0;             // the oldest of them
  bool looking_ = true;              // still looking for names that are used again
};

}  // namespace basesweep
