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
#include "lib/regions/region_set.hpp"

namespace basesweep {

struct ReaderOptions {
  std::vector<std::string> paths;          // "-" is stdin
  std::size_t block_bytes = 1U << 19;      // text a block should hold; at least 1
  int threads = 1;                         // for BGZF
  std::size_t max_title_bytes = 1U << 16;  // a longer title line is refused
  // Cut FASTA text at records too; every block then lists its records and holds their text.
  bool whole_records = false;
  std::size_t max_record_bytes = 1U << 30;  // of text cut at records: a longer one is refused; at most 2^30
  // Of text cut at records: only these are given out. DataError where there turn out to be fewer, or more, than
  // `total`.
  std::optional<RecordRange> records{};
  // Only these parts of the files are given out, one list for each path; empty: all.
  std::vector<FastaWindows> windows{};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Reads files one after another.
class Reader final : public BlockSource {
 public:
  // Opens every file once, so that a missing one is found before work starts. Throws IoError.
  explicit Reader(ReaderOptions options);
  ~Reader() override;

  // How much text blocks hold from now on; before the first is read.
  void hold(std::size_t block_bytes);
  // The next block; nothing at the end of the input. Throws IoError, and DataError for text that is neither FASTA nor
  // FASTQ, a broken FASTQ record, one too long or damaged compression. An empty file gives a warning and no block.
  std::optional<RawBlock> next() override;

  const std::vector<std::string>& paths() const override;
  // The format of the first file that is not empty; nothing when all are. Reads a few bytes ahead. Throws as next().
  std::optional<Format> format();
  const std::vector<SourceInfo>& sources() const override { return sources_; }
  // Bytes of text that will come, where all files are regular and not compressed.
  std::optional<std::int64_t> text_bytes() const;
  // About how many bases will come, where all files are regular: their size, or for compressed ones four times that.
  std::optional<std::int64_t> expected_bases() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::vector<SourceInfo> sources_;
};

// The next blocks, `count` at most; what the reader throws is kept.
std::vector<RawBlock> read_some(Reader& reader, std::size_t count, std::exception_ptr& fault);

}  // namespace basesweep
