// Reads one input of reads, or two inputs of mates side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/reader.hpp"
#include "lib/reads/raw_reads.hpp"

namespace basesweep {

struct ReadSourceOptions {
  std::vector<std::string> paths;         // FASTA, FASTQ or alignments; "-" is stdin
  std::vector<std::string> mate_paths{};  // of the second mates, one for each path; empty: there is one input
  bool interleaved = false;               // records 2 i and 2 i + 1 of `paths` are mates
  std::size_t block_bytes = 1U << 19;     // bytes of text that a batch should hold
  int threads = 1;                        // helpers that inflate BGZF or decode alignments
  std::optional<RecordRange> records{};   // read only these records of each input
  AlignmentOptions alignments{};          // how SAM, BAM and CRAM are read; ReadSource sets `mates` itself
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Not thread-safe.
class ReadSource final : public RawReadSource {
 public:
  // Opens every file once, so that a missing one is found before work starts. Throws IoError; UsageError when the
  // numbers of files differ, standard input is given twice, or one of two inputs is SAM, BAM or CRAM.
  explicit ReadSource(ReadSourceOptions options);
  ~ReadSource() override;

  // Sets how much text batches should hold. To be called before the first next().
  void hold(std::size_t block_bytes);
  // Whether consecutive records are mates: as the options say, or because an alignment file that comes first says it by
  // the FLAG of its first read. Reads a few bytes ahead. Throws like next().
  bool interleaved();
  // The @RG lines of all inputs that are SAM, BAM or CRAM, each once and with its line end, if the tags to keep have
  // RG. Throws like next(), and DataError when two inputs have different read groups of the same ID. An input that
  // comes later through a pipe may have no others: next() throws DataError then.
  std::string read_groups();
  // The next batch of records, with pairs whole; nothing at the end of the input. After the batches of all that comes
  // before a fault, throws what Reader::next() throws; or DataError when one of two inputs has fewer records than the
  // other (the message names both files, the record that lacks a mate, and the number of records), an interleaved input
  // has an odd number, or of several alignment files some hold pairs and others do not.
  std::optional<RawReads> next() override;

  // The answers of Reader; the first three for the first input, the others for the files of both.
  const RawBlock* first_block();
  std::optional<Format> format();
  void open_first();
  std::vector<SourceInfo> sources() const;
  std::optional<std::int64_t> stored_bytes() const;
  std::int64_t stored_bytes_read() const;
  std::optional<std::int64_t> expected_bases() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
