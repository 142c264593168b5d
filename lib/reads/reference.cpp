#include "lib/reads/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {
namespace {

constexpr std::uint64_t kMaxPositions = (std::uint64_t{1} << 32) - (1U << 16);

// The letters of a block whose letters are bases and N.
std::string letters_of(const PackedBlock& block) {
  std::string letters(block.positions, 'N');
  std::uint32_t done = 0;
  const auto add_bases = [&](std::uint32_t end) {
    for (; done < end; ++done) {
      const auto bit = [&](const std::vector<std::uint64_t>& plane) { return plane[done / 64] >> done % 64 & 1; };
      letters[done] = "ACTG"[bit(block.lo) + 2 * bit(block.hi)];
    }
  };
  for (const Interval& interval : block.not_acgt) {
    add_bases(interval.begin);
    done = interval.end;
  }
  add_bases(block.positions);
  return letters;
}

// The letters of a block's sequence lines, in upper case.
std::string sequence_letters(const RawBlock& raw, const PackedBlock& packed) {
  if (raw.format == Format::twobit) return letters_of(packed);
  std::vector<char> scratch;
  std::string letters;
  bool in_title = false;
  bool line_start = !raw.inside_line;
  for (const char c : raw.text(scratch)) {
    if (line_start) in_title = c == '>';
    line_start = is_line_end(c);
    if (!in_title && is_sequence_byte(c)) letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return letters;
}

// Computes the digests of the records that have bases.
class Digests {
 public:
  // `letters`: sequence_letters() of the block, one for each position.
  void add(const PackedBlock& block, std::string_view letters) {
    std::uint32_t done = 0;
    for (const RecordStart& start : block.starts) {
      add_letters(letters.substr(done, start.position - done));
      finish();
      done = start.position;
    }
    add_letters(letters.substr(done));
  }
  std::vector<std::string> take() {
    finish();
    return std::move(digests_);
  }

 private:
  void add_letters(std::string_view letters) {
    md5_.add(letters);
    any_ = any_ || !letters.empty();
  }
  void finish() {
    if (any_) digests_.push_back(md5_.take());
    any_ = false;
  }

  Md5 md5_;
  bool any_ = false;  // the record has letters so far
  std::vector<std::string> digests_;
};

struct PackedText {
  std::vector<PackedBlock> blocks;
  Digests digests;
  std::exception_ptr fault;  // thrown by the reader after these blocks
};

PackedText pack_all(BlockSource& source, const ReferenceOptions& options) {
  PackedText text;
  PackerOptions packer;
  packer.letters = true;
  while (!text.fault) {
    const std::vector<RawBlock> raw = read_some(source, 4 * static_cast<std::size_t>(options.threads), text.fault);
    if (raw.empty()) break;
    std::vector<PackedBlock> packed(raw.size());
    std::vector<std::string> letters(raw.size());
    parallel_for(options.threads, raw.size(), [&](std::size_t i) {
      packed[i] = pack(raw[i], packer);
      if (options.md5) letters[i] = sequence_letters(raw[i], packed[i]);
    });
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (options.md5 && !packed[i].error) text.digests.add(packed[i], letters[i]);
      text.blocks.push_back(std::move(packed[i]));
    }
  }
  return text;
}

// How many positions a batch of all blocks may need: their bases, and filler between records and where runs of N are
// left out.
std::uint64_t positions_of(const std::vector<PackedBlock>& blocks) {
  std::uint64_t positions = 1;
  for (const PackedBlock& block : blocks) positions += block.positions + block.starts.size() + block.not_acgt.size();
  return positions;
}

}  // namespace

Reference load_reference(const ReferenceOptions& options) {
  ReaderOptions reading;
  reading.paths = {options.path};
  reading.threads = options.threads;
  if (options.records) reading.windows = {options.windows};
  reading.no_alignments = "it holds reads; the reference must be the FASTA or .2bit of what reads are aligned to";
  Reader reader(reading);
  if (reader.format() == Format::fastq)
    throw DataError(fmt::format("{}: the reference is FASTQ, expected FASTA", input_name(options.path)));
  return load_reference(reader, options);
}

Reference load_reference(BlockSource& source, const ReferenceOptions& options) {
  const std::string path = input_name(options.path);
  PackedText text = pack_all(source, options);

  const std::uint64_t positions = positions_of(text.blocks);
  if (positions >= kMaxPositions) {
    throw DataError(fmt::format("{}: the reference has more than {} bases", path, kMaxPositions));
  }
  BatcherOptions batching;
  batching.batch.batch_positions = static_cast<std::uint32_t>(positions);
  batching.batch.max_length = kMaxReadLength;
  batching.batch.max_name_bytes = std::numeric_limits<std::size_t>::max();
  batching.batch.approximate = true;
  batching.batch.run_margin = kMaxReadLength;  // no alignment is that much longer than its read
  batching.keep_records = !options.records;
  batching.regions = options.regions;
  if (options.regions != nullptr) batching.batch.halo_left = batching.batch.halo_right = kReferenceHalo;
  Reference reference;
  Batcher batcher(batching, {path},
                  [&reference](std::unique_ptr<PackedBatch> batch) { reference.text = std::move(batch); });
  for (PackedBlock& packed : text.blocks) {
    const PackedBlock block = std::move(packed);  // freed when it has been added
    batcher.add(block);
    reference.letters.letters += block.positions;
    reference.letters.nucleotides += block.nucleotides;
  }
  if (text.fault) std::rethrow_exception(text.fault);
  batcher.check_regions();
  reference.warnings = batcher.warnings();
  batcher.finish();
  if (reference.text == nullptr) {
    throw DataError(fmt::format("{}: the reference has no bases{}", path, options.regions ? " in the regions" : ""));
  }

  if (options.records) reference.records = *options.records;
  std::copy_if(batcher.records().begin(), batcher.records().end(), std::back_inserter(reference.records),
               [](const RecordInfo& record) { return record.length != 0; });
  check_sam_records(reference.records, path);
  if (options.md5) reference.md5 = text.digests.take();
  reference.source = source.sources().front();
  return reference;
}

}  // namespace basesweep
