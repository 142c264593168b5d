// Joins packed blocks, in input order, to batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/packer/batch_builder.hpp"
#include "lib/packer/packed_block.hpp"
#include "lib/packer/record_cursor.hpp"
#include "lib/packer/region_filter.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

struct BatcherOptions {
  BatchOptions batch;
  const RegionSet* regions = nullptr;  // only hits that start there count; null: all. Must outlive the batcher
  std::int64_t first_record = 0;       // the number of the first record, also among those that have bases
  bool keep_records = false;           // whether records() is filled
};

// A record cursor says where in which record the bases of a block lie, a region filter keeps those that are in reach of
// a region, and a batch builder makes batches of them. Not thread-safe.
class Batcher final : private RecordVisitor {
 public:
  using NameRecord = std::function<void(const PackedBlock& block, const std::string& name)>;

  // `paths`: the files, as messages name them. `emit` gets each batch when it is complete, `name_record` each record
  // when it starts.
  Batcher(const BatcherOptions& options, std::vector<std::string> paths, BatchBuilder::Emit emit,
          NameRecord name_record = {});

  // Blocks must come in order of their numbers. Throws like RecordCursor::follow() and RegionFilter::enter() and
  // leave().
  void add(const PackedBlock& block);
  // Emits what is left. Nothing may be added afterwards. `complete`: the last record ends here; otherwise there was an
  // error in it.
  void finish(bool complete = true) {
    if (complete) builder_.end_record(cursor_.record());
    builder_.finish();
  }
  // To be called at the end of the input. Throws DataError for a region that does not fit its record or whose record
  // did not come.
  void check_regions();
  // After check_regions(): see RegionFilter.
  std::vector<std::string> warnings() const { return filter_ ? filter_->warnings() : std::vector<std::string>(); }
  // Whether no base that is still to come can be in reach of a region.
  bool past_regions() const { return filter_ && filter_->past_all(cursor_.record()); }

  const std::vector<SourceCounts>& counts() const { return counts_; }           // one for each path
  const std::vector<RecordInfo>& records() const { return cursor_.records(); }  // see RecordCursor

 private:
  void record_starts(const PackedBlock& block, const CurrentRecord& record) override;
  void bases_start(const CurrentRecord& record) override;
  void bases(const RecordBases& bases) override;
  void record_ends(const CurrentRecord& record, bool has_bases) override;
  void count(const RecordBases& bases);

  RecordCursor cursor_;
  std::optional<RegionFilter> filter_;  // with regions
  BatchBuilder builder_;
  NameRecord name_record_;
  std::vector<SourceCounts> counts_;
  std::size_t next_not_acgt_ = 0;  // first of the block's intervals that reaches past the bases counted so far
};

}  // namespace basesweep
