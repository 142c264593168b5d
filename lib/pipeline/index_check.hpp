// Compares the records of the input with those that an index told of beforehand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/packer/batcher.hpp"
#include "lib/record_info.hpp"

namespace basesweep {

class IndexCheck {
 public:
  // `known`: the records that have bases, as the indices of all files have them.
  IndexCheck(std::vector<RecordInfo> known, std::vector<std::string> paths)
      : known_(std::move(known)), paths_(std::move(paths)) {}

  // Looks at the records that came since the last call. `all`: the input has ended, so that the last one is complete
  // and none may be missing. Throws Error (kExitData, but no DataError: what was found so far must not be printed).
  void check(const Batcher& batcher, bool all);

 private:
  [[noreturn]] void fail(const Batcher& batcher) const;
  bool is_known_name(const std::vector<RecordInfo>& records) const;

  std::vector<RecordInfo> known_;
  std::vector<std::string> paths_;
  std::size_t records_ = 0;     // looked at
  std::size_t references_ = 0;  // those of them that have bases
};

}  // namespace basesweep
