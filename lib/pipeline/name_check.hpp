// Refuses records with hits whose names the output cannot hold.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/line_names.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// Looks at each record once, in output order. Not thread-safe.
class NameCheck {
 public:
  // `paths`: of the inputs, as messages name them; they must outlive this.
  NameCheck(NameRule rule, const std::vector<std::string>& paths) : rule_(rule), paths_(paths) {}

  // The records of hits that are written. `hits`: ordered by position. Throws DataError.
  void check(const PackedBatch& batch, std::span<const Hit> hits);
  // The record of one. `number`: unique to it; `source`: index of its path. Throws DataError.
  void check(std::int64_t number, std::string_view name, std::uint32_t source);

 private:
  NameRule rule_;
  const std::vector<std::string>& paths_;
  std::int64_t last_ = -1;  // number of the record that was looked at last
};

}  // namespace basesweep
