#include "lib/pipeline/header_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

HeaderRecords::HeaderRecords(bool needed, std::optional<std::vector<RecordInfo>> known, bool regions,
                             std::vector<std::string> paths, std::function<void(const std::string&)> warn)
    : needed_(needed), regions_(regions), known_(std::move(known)), paths_(std::move(paths)), names_(std::move(warn)) {
  if (read_whole() && known_) index_check_.emplace(*known_, paths_);
}

void HeaderRecords::see(const PackedBlock& block, std::string_view name) {
  if (block.format != Format::fastq && !block.has_pairs()) {
    names_.add(paths_[block.source], name);
  } else if (needed_) {
    throw UsageError(fmt::format("{}: {}", paths_[block.source], kNeedsFasta));
  }
}

void HeaderRecords::check(const Batcher& batcher, bool all) {
  if (all) names_.finish();
  if (index_check_) index_check_->check(batcher, all);
}

std::vector<RecordInfo> HeaderRecords::list(const Batcher& batcher) const {
  if (known_) return *known_;
  std::vector<RecordInfo> listed;
  std::copy_if(batcher.records().begin(), batcher.records().end(), std::back_inserter(listed),
               [](const RecordInfo& record) { return record.length != 0; });
  return listed;
}

}  // namespace basesweep
