// Compares the records of the input with those that its index lists.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/packer/batcher.hpp"

namespace basesweep {

class IndexCheck {
 public:
  // `known`: the records with bases that the indices of all files list, in order. `paths`: the files, as messages name
  // them.
  IndexCheck(std::vector<RecordInfo> known, std::vector<std::string> paths)
      : known_(std::move(known)), paths_(std::move(paths)) {}

  // Checks the records that the batcher has got since the last call. `all`: the input has ended, so that the last
  // record is complete and none may be missing. Throws Error with kExitData; not a DataError, since hits found before a
  // DataError are printed, and these must not be.
  void check(const Batcher& batcher, bool all);

 private:
  [[noreturn]] void fail(const Batcher& batcher) const;
  bool is_known_name(const std::vector<RecordInfo>& records) const;

  std::vector<RecordInfo> known_;
  std::vector<std::string> paths_;
  std::size_t records_ = 0;     // checked
  std::size_t references_ = 0;  // checked records that have bases
};

}  // namespace basesweep
