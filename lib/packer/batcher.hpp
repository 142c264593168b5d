// Joins packed blocks, in input order, to batches with halos.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <vector>

#include "lib/packed_batch.hpp"
#include "lib/packer/packed_block.hpp"
#include "lib/record_info.hpp"
#include "lib/regions/region_set.hpp"

namespace basesweep {

struct BatcherOptions {
  std::uint32_t batch_columns = 1U << 20;  // hits that start in so many columns belong to one batch
  std::uint32_t max_length = 1;            // of a pattern: how far kernels may read past the end
  std::uint32_t halo_left = 0;             // columns a batch shows to the left of its own, where the record has them
  std::uint32_t halo_right = 0;            // likewise to the right
  // Approximate search: N and lower case are told by PackedBatch::letters() and soft_masked(), not as blocked columns,
  // and what is left of a skipped run of N keeps so many columns at either end.
  bool approximate = false;
  std::uint32_t run_margin = 0;
  // A batch takes no further record when its records' names have so many bytes, so that many names do not take the
  // memory that the columns do not.
  std::size_t most_name_bytes = std::size_t{1} << 22;
  const RegionSet* regions = nullptr;  // only hits that start there count; null: all
  std::int64_t first_record = 0;       // the number of the first record, also among those that have bases
  bool keep_records = false;           // names and lengths of all records, see Batcher::records
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

// What one input file held. With regions: bases are those in them, records those that have some; of a plan, where each
// record is to be counted once over all chunks, those whose first base is in a region.
struct SourceCounts {
  std::int64_t records = 0;
  std::int64_t bases = 0;
  std::int64_t not_acgt = 0;
};

// A batch holds pieces of one or many records with a filler column between them. A record longer than a batch goes on
// in the next one, which starts with a copy of the last columns of the one before. Runs of at least kSkippedRun bases
// (and their margins) that are not A, C, G or T are left out of batches, and, with regions, what is farther from these
// than a halo. Not thread-safe.
class Batcher {
 public:
  using Emit = std::function<void(std::unique_ptr<PackedBatch>)>;
  using NameRecord = std::function<void(const PackedBlock& block, const std::string& name)>;
  static constexpr std::uint32_t kSkippedRun = 256;

  // `name_record` is told of every record as it starts.
  Batcher(BatcherOptions options, std::vector<std::string> paths, Emit emit, NameRecord name_record = {});

  // Blocks must come in order of their numbers. Throws the DataError a block tells of, with path, record and position.
  void add(const PackedBlock& block);
  // Emits what is left. Nothing may be added afterwards.
  void finish();
  // At the end of the input: throws DataError where a region is of a record that did not come.
  void check_regions();
  // Whether nothing that comes can be in a region.
  bool past_regions() const;

  const std::vector<SourceCounts>& counts() const { return counts_; }
  // Those that came so far, if they are to be kept.
  const std::vector<RecordInfo>& records() const { return records_; }

 private:
  void start_record(const PackedBlock& block, const RecordStart& start);
  void resume_record(const PackedBlock& block);
  void end_record();
  void find_regions();
  void add_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void add_regions(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void count_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void add_stretch(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void ask_columns(std::uint32_t count);
  void append(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void block_columns(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  void note_columns(const PackedBlock& block, std::uint32_t from, std::uint32_t to);
  std::uint32_t limit() const { return own_begin_ + options_.batch_columns + options_.halo_right; }
  void need_batch();
  void cut();
  void begin_piece();
  std::unique_ptr<PackedBatch> new_batch() const;
  [[noreturn]] void fail(const PackedBlock& block) const;

  BatcherOptions options_;
  std::vector<std::string> paths_;
  Emit emit_;
  NameRecord name_record_;
  std::vector<SourceCounts> counts_;
  std::vector<RecordInfo> records_;
  std::unique_ptr<PackedBatch> batch_;
  std::uint64_t batches_ = 0;
  std::uint32_t own_begin_ = 0;    // columns of batch_ that are its left halo
  std::size_t halo_names_ = 0;     // bytes of names that came with it
  std::size_t next_not_acgt_ = 0;  // first interval of the block that may still reach beyond what was added
  std::size_t next_soft_masked_ = 0;
  std::uint32_t source_ = 0;
  std::int64_t record_ = -1;     // counted over all files
  std::int64_t reference_ = -1;  // likewise, of those that have bases
  bool has_bases_ = false;       // the record
  std::int64_t offset_ = 0;      // in the record, of the next base
  bool in_record_ = false;
  bool piece_open_ = false;
  std::string name_;
  const std::vector<Region>* asked_ = nullptr;  // regions of the record
  std::vector<Region> shown_;                   // these and their halos
  std::size_t next_asked_ = 0;                  // first that may reach beyond what was added
  std::size_t next_shown_ = 0;                  // likewise
  std::int64_t last_with_regions_ = -1;         // record that was counted
  std::set<std::string> names_with_regions_;    // of records that came
};

}  // namespace basesweep
