// The records that an output's header lists: whether they are known in time, and whether the input has them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/pipeline/index_check.hpp"
#include "lib/pipeline/record_names.hpp"

namespace basesweep {

// Not thread-safe.
class HeaderRecords {
 public:
  // `needed`: the header lists records. `known`: the records that have bases, from indices; nothing: not known before
  // the input was read. `regions`: the input need not be read whole, and known records are not compared with it.
  // `warn`: see RecordNames.
  HeaderRecords(bool needed, std::optional<std::vector<RecordInfo>> known, bool regions, std::vector<std::string> paths,
                std::function<void(const std::string&)> warn);

  // Whether the header can only be written when all input was read.
  bool missing() const { return needed_ && !known_; }
  // Whether the input must be read to its end, even when there are hits enough, and the batcher must keep its
  // records, to list them or to compare them with the known ones.
  bool read_whole() const { return needed_ && (!regions_ || missing()); }

  // A record begins. Throws UsageError when records are needed and the text is FASTQ.
  void see(const PackedBlock& block, std::string_view name);
  // Compares the records so far, or all of the input, with the known ones. Throws like IndexCheck::check().
  void check(const Batcher& batcher, bool all);
  // The records that have bases. If they were not known before, to be called at the end of the input.
  std::vector<RecordInfo> list(const Batcher& batcher) const;

 private:
  const bool needed_;
  const bool regions_;
  const std::optional<std::vector<RecordInfo>> known_;
  const std::vector<std::string> paths_;
  std::optional<IndexCheck> index_check_;  // set when known records must be compared with the input
  RecordNames names_;
};

}  // namespace basesweep
