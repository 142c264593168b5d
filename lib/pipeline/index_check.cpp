#include "lib/pipeline/index_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"

namespace basesweep {

void IndexCheck::check(const Batcher& batcher, bool all) {
  const std::vector<RecordInfo>& records = batcher.records();
  for (; records_ < records.size(); ++records_) {
    const RecordInfo& record = records[records_];
    const bool complete = all || records_ + 1 < records.size();
    if (record.length != 0) {
      if (references_ == known_.size() || record.name != known_[references_].name) fail(batcher);
      const std::int64_t known = known_[references_].length;
      if (complete ? record.length != known : record.length > known) fail(batcher);
    }
    if (!complete) return;
    if (record.length != 0) ++references_;
  }
  if (all && references_ != known_.size()) fail(batcher);
}

// The message names the file of record number records_.
void IndexCheck::fail(const Batcher& batcher) const {
  std::size_t source = 0;
  auto left = static_cast<std::int64_t>(records_);
  while (source + 1 < paths_.size() && left >= batcher.counts()[source].records) {
    left -= batcher.counts()[source++].records;
  }
  if (is_known_name(batcher.records())) {
    throw Error(kExitData,
                fmt::format("{}: record '{}': the name is used twice, but the index {}.fai has it once: give "
                            "each record a name of its own",
                            paths_[source], batcher.records()[records_].name, paths_[source]));
  }
  throw Error(kExitData,
              fmt::format("{}: its records are not those of its index {}.fai: index it again or remove the index",
                          paths_[source], paths_[source]));
}

// Whether record number records_ has the name of one before it. An index lists only the first of them.
bool IndexCheck::is_known_name(const std::vector<RecordInfo>& records) const {
  if (records_ == records.size()) return false;
  return std::any_of(
      records.begin(), records.begin() + static_cast<std::ptrdiff_t>(records_),
      [&](const RecordInfo& record) { return record.length != 0 && record.name == records[records_].name; });
}

}  // namespace basesweep
