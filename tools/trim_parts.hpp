// The contents of the parts of `trim` besides those of all commands that write reads.
#pragma once

#include <string>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/report/trim_findings.hpp"

namespace basesweep {

struct TrimQuery {
  TrimKind kind;
  std::vector<TrimReason> reasons;  // of the destinations: why reads are written there
};

std::string print_trim(const TrimQuery& query);
// `own`: what print_trim() made; of `parts`, for messages. Throws DataError.
TrimQuery parse_trim(const std::string& own, const PartSet& parts);

}  // namespace basesweep
