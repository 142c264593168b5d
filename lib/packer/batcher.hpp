// Joins packed blocks, in input order, to batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/packer/batch_builder.hpp"
#include "lib/packer/kept_text.hpp"
#include "lib/packer/packed_block.hpp"
#include "lib/packer/record_cursor.hpp"
#include "lib/packer/region_filter.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

// `reference`: the number of a record among all with bases. `length`: in bases.
using RecordEnded = std::function<void(std::int64_t reference, std::string_view name, std::int64_t length)>;

struct BatcherOptions {
  BatchOptions batch;
  const RegionSet* regions = nullptr;  // only hits that start there count; null: all. Must outlive the batcher
  std::int64_t first_record = 0;       // the number of the first record, also among those that have bases
  bool keep_records = false;           // whether records() is filled
  CircularRecords circular{};
  // A circular record that must be held whole may have this many bases: in an approximate search, hits at its begin
  // depend on its end. 64 MB of planes.
  std::uint32_t max_circular = 1U << 28;
  // Gets each record with bases, with regions only those that have one, when its bases begin: its number
  // among all with bases, its name, and the index of its path. May be empty.
  std::function<void(std::int64_t reference, const std::string& name, std::uint32_t source)> see_record{};
  bool count_soft_masked = false;  // see PackerOptions
  // Gets each record with bases when it has ended. Not with regions, where not all of it may be read. May be empty.
  RecordEnded record_ended{};
};

// A record cursor says where in which record the bases of a block lie, a region filter keeps those that are in reach of
// a region, and a batch builder makes batches of them.
//
// A circular record goes on past its end with its begin, as far as the right halo reaches. Where something before its
// begin is in reach too, which is its end, all of it is held until its end has come. Segments then show bases before 0
// and from the record's length on, see Segment::circular_length. A record that is too short for any hit is left as if
// it were not circular. Not thread-safe.
class Batcher final : private RecordVisitor {
 public:
  using NameRecord = std::function<void(const PackedBlock& block, std::string_view name)>;

  // `paths`: the files, as messages name them. `emit` gets each batch when it is complete, `name_record` each record
  // when it starts.
  Batcher(const BatcherOptions& options, std::vector<std::string> paths, BatchBuilder::Emit emit,
          NameRecord name_record = {});

  // Blocks must come in order of their numbers. Throws like RecordCursor::follow() and RegionFilter::enter() and
  // leave(), and DataError for a circular record that is too long to be held.
  void add(const PackedBlock& block);
  // The same, but batches hold the block and get its planes only by PackedBatch::fill().
  void add(const std::shared_ptr<const PackedBlock>& block);
  // Emits what is left. Nothing may be added afterwards. `complete`: the last record has ended, and not only what could
  // be read of it.
  void finish(bool complete = true);
  // To be called at the end of the input. Throws DataError for a region that does not fit its record or whose record
  // did not come.
  void check_regions();
  // After check_regions(): see RegionFilter.
  RegionWarnings warnings() const { return filter_ ? filter_->warnings() : RegionWarnings(); }
  // At the end of the input: throws DataError where a record that is named as circular did not come.
  void check_circular() const;
  // Whether no base that is still to come can be in reach of a region.
  bool past_regions() const { return filter_ && filter_->past_all(cursor_.record()); }

  const std::vector<SourceCounts>& counts() const { return counts_; }           // one for each path
  const std::vector<RecordInfo>& records() const { return cursor_.records(); }  // see RecordCursor

 private:
  void record_starts(const PackedBlock& block, const CurrentRecord& record) override;
  void bases_start(const CurrentRecord& record) override;
  void bases(const RecordBases& bases) override;
  void record_ends(const CurrentRecord& record, bool has_bases) override;
  std::size_t take_records(const PackedBlock& block, std::size_t first, const CurrentRecord& before) override;
  void count(const RecordBases& bases);
  void hold(const RecordBases& bases);
  void end_text(const CurrentRecord& record);
  void close_circle(const CurrentRecord& record);
  CircularReach reach_of(std::int64_t length) const;
  std::size_t end_of_linear(const PackedBlock& block, std::size_t first);
  void see_taken(const PackedBlock& block, std::size_t first, std::size_t taken, const CurrentRecord& before);
  void see_end(const CurrentRecord& record);
  void count_soft_masked(const PackedBlock& block, std::uint32_t begin, std::uint32_t end, std::uint32_t source);

  RecordCursor cursor_;
  std::optional<RegionFilter> filter_;  // with regions
  BatchBuilder builder_;
  NameRecord name_record_;
  const std::function<void(std::int64_t reference, const std::string& name, std::uint32_t source)> see_record_;
  const RecordEnded record_ended_;
  std::int64_t ended_;  // the last record that record_ended_ got
  std::vector<SourceCounts> counts_;
  const CircularRecords circular_;
  const std::uint32_t max_circular_;
  const std::uint32_t halo_left_;
  const std::uint32_t halo_right_;
  const std::vector<CircularReach> circular_reach_;
  const std::uint32_t product_reach_;
  std::set<std::string> circular_seen_;  // names of CircularRecords::names that came
  bool in_circle_ = false;               // the current record is circular and not yet closed
  bool held_ = false;                    // all of it is kept, and added when it is complete
  KeptText kept_;                        // its begin, or all of it
  std::size_t next_not_acgt_ = 0;        // first of the block's intervals that reaches past the bases counted so far
  std::size_t next_soft_masked_ = 0;     // the same of lower case
};

}  // namespace basesweep
