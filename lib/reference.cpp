#include "lib/reference.hpp"

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "lib/error.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/writer/md5.hpp"
#include "lib/writer/sam_header.hpp"

namespace basesweep {
namespace {

constexpr std::uint64_t kMostColumns = (std::uint64_t{1} << 32) - (1U << 16);

struct PackedText {
  std::vector<PackedBlock> blocks;
  std::exception_ptr fault;  // of the reader, behind these blocks
};

PackedText pack_all(Reader& reader, int threads) {
  PackedText text;
  PackerOptions packer;
  packer.letters = true;
  const auto read = [&](tbb::flow_control& flow) {
    std::optional<RawBlock> block;
    try {
      block = reader.next();
    } catch (...) {
      text.fault = std::current_exception();
    }
    if (!block) flow.stop();
    return block ? std::make_shared<RawBlock>(std::move(*block)) : nullptr;
  };
  const auto pack_block = [&packer](const std::shared_ptr<RawBlock>& raw) {
    return std::make_shared<PackedBlock>(pack(*raw, packer));
  };
  const auto keep = [&text](const std::shared_ptr<PackedBlock>& block) { text.blocks.push_back(std::move(*block)); };
  tbb::task_arena(threads).execute([&] {
    using Mode = tbb::filter_mode;
    tbb::parallel_pipeline(
        2 * static_cast<std::size_t>(threads),
        tbb::make_filter<void, std::shared_ptr<RawBlock>>(Mode::serial_in_order, read) &
            tbb::make_filter<std::shared_ptr<RawBlock>, std::shared_ptr<PackedBlock>>(Mode::parallel, pack_block) &
            tbb::make_filter<std::shared_ptr<PackedBlock>, void>(Mode::serial_in_order, keep));
  });
  return text;
}

// Columns that a batch of all blocks may have: their bases, and filler between records and where runs of N are cut.
std::uint64_t columns_of(const std::vector<PackedBlock>& blocks) {
  std::uint64_t columns = 1;
  for (const PackedBlock& block : blocks) columns += block.columns + block.starts.size() + block.not_acgt.size();
  return columns;
}

// The digests of records that have bases.
class Digests {
 public:
  void add(const PackedBlock& block) {
    std::uint32_t done = 0;
    for (const RecordStart& start : block.starts) {
      add_letters(block, done, start.column);
      finish();
      done = start.column;
    }
    add_letters(block, done, block.columns);
  }
  std::vector<std::string> take() {
    finish();
    return std::move(digests_);
  }

 private:
  void add_letters(const PackedBlock& block, std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    letters_.resize(end - begin);
    for (std::uint32_t column = begin; column < end; ++column) {
      const auto bit = [column](const std::vector<std::uint64_t>& plane) {
        return static_cast<unsigned>(plane[column / 64] >> (column % 64)) & 1;
      };
      letters_[column - begin] = base_letter(bit(block.lo) | bit(block.hi) << 1);
    }
    auto run = std::partition_point(block.letters.begin(), block.letters.end(),
                                    [begin](const LetterRun& r) { return r.end <= begin; });
    for (; run != block.letters.end() && run->begin < end; ++run) {
      const std::uint32_t from = std::max(run->begin, begin) - begin;
      std::fill(letters_.begin() + from, letters_.begin() + (std::min(run->end, end) - begin), run->letter);
    }
    md5_.add(letters_);
    any_ = true;
  }

  void finish() {
    if (any_) digests_.push_back(md5_.take());
    any_ = false;
  }

  Md5 md5_;
  bool any_ = false;  // bases of the record so far
  std::string letters_;
  std::vector<std::string> digests_;
};

}  // namespace

Reference load_reference(const ReferenceOptions& options) {
  ReaderOptions reading;
  reading.paths = {options.path};
  reading.threads = options.threads;
  Reader reader(reading);
  const std::string path = options.path == "-" ? "<stdin>" : options.path;
  if (reader.format() == Format::fastq)
    throw DataError(fmt::format("{}: the reference is FASTQ, expected FASTA", path));
  PackedText text = pack_all(reader, options.threads);

  const std::uint64_t columns = columns_of(text.blocks);
  if (columns >= kMostColumns) {
    throw DataError(fmt::format("{}: the reference has more than {} bases", path, kMostColumns));
  }
  BatcherOptions batching;
  batching.batch_columns = static_cast<std::uint32_t>(columns);
  batching.max_length = kMostReadLength;
  batching.most_name_bytes = std::numeric_limits<std::size_t>::max();
  batching.approximate = true;
  batching.run_margin = kMostReadLength;  // no alignment is that much longer than its read
  batching.keep_records = true;
  Reference reference;
  Batcher batcher(batching, {path},
                  [&reference](std::unique_ptr<PackedBatch> batch) { reference.text = std::move(batch); });
  Digests digests;
  for (PackedBlock& packed : text.blocks) {
    const PackedBlock block = std::move(packed);  // gone when it was added
    batcher.add(block);
    if (options.md5) digests.add(block);
  }
  if (text.fault) std::rethrow_exception(text.fault);
  batcher.finish();
  if (reference.text == nullptr) throw DataError(fmt::format("{}: the reference has no bases", path));

  std::copy_if(batcher.records().begin(), batcher.records().end(), std::back_inserter(reference.records),
               [](const RecordInfo& record) { return record.length != 0; });
  check_sam_records(reference.records, path);
  if (options.md5) reference.md5 = digests.take();
  reference.source = reader.sources().front();
  return reference;
}

}  // namespace basesweep
