// Cuts the input files into blocks that can be packed in parallel.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/block_source.hpp"
#include "lib/reader/fasta_windows.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

struct ReaderOptions {
  std::vector<std::string> paths;          // "-" is stdin
  std::size_t block_bytes = 1U << 19;      // bytes of text that a block should hold; at least 1
  int threads = 1;                         // helpers that inflate gzip and BGZF or decode alignments
  std::size_t max_title_bytes = 1U << 16;  // a longer title line is refused; in FASTQ, without the tags after a tab
  // Cut FASTA at records too, as FASTQ always is. Every block then lists its records and holds their text.
  bool whole_records = false;
  std::size_t max_record_bytes = 1U << 30;  // when cutting at records, a longer one is refused; at most 2^30
  // When cutting at records: hand out only these. Throws DataError when it turns out that the input does not
  // have `total` records.
  std::optional<RecordRange> records{};
  // Hand out only these parts of the files, one element for each path. Empty: everything.
  std::vector<FastaWindows> windows{};
  // How SAM, BAM and CRAM are read.
  AlignmentOptions alignments{};
  // If not empty, SAM, BAM and CRAM are refused with this reason ("it holds reads, ...").
  std::string no_alignments{};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Reads files one after another.
class Reader final : public FileSource {
 public:
  // Opens every file once, so that a missing one is found before work starts. Throws IoError, and UsageError when "-"
  // is given twice.
  explicit Reader(ReaderOptions options);
  ~Reader() override;

  // Sets the bytes of text that blocks should hold. To be called before the first block is read.
  void hold(std::size_t block_bytes);
  const RawBlock* first_block() override;
  // The next block; nothing at the end of the input. Throws IoError, and DataError for text that is neither FASTA nor
  // FASTQ, a broken FASTQ record, a record that is too long, or damaged compression. An empty file yields a warning and
  // no block.
  std::optional<RawBlock> next() override;

  const std::vector<std::string>& paths() const override;
  std::optional<Format> format() override;
  void open_first() override;
  const std::vector<SourceInfo>& sources() const override { return sources_; }
  std::optional<std::int64_t> stored_bytes() const override;
  std::int64_t stored_bytes_read() const override;
  std::optional<std::int64_t> expected_bases() const override;

 private:
  struct State;
  std::optional<RawBlock> read_next();

  std::unique_ptr<State> state_;
  std::vector<SourceInfo> sources_;
};

// The next blocks, at most `count`. When the source throws, returns the blocks before and puts the exception in
// `fault`.
std::vector<RawBlock> read_some(BlockSource& source, std::size_t count, std::exception_ptr& fault);

}  // namespace basesweep
