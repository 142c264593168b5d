// Reads one input of reads, or two of mates in step.
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
  std::vector<std::string> paths;         // FASTA or FASTQ; "-" is stdin
  std::vector<std::string> mate_paths{};  // of the second mates, as many; empty: there is one input
  bool interleaved = false;               // records 2 i and 2 i + 1 of `paths` are mates
  std::size_t block_bytes = 1U << 19;     // text a batch should hold
  int threads = 1;                        // for BGZF
  std::optional<RecordRange> records{};   // only these, of each input
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Not thread-safe.
class ReadSource {
 public:
  // Opens every file once, so that a missing one is found before work starts. Throws IoError.
  explicit ReadSource(ReadSourceOptions options);
  ~ReadSource();

  // How much text batches hold from now on; before the first is read.
  void hold(std::size_t block_bytes);
  // The next batch of records, pairs whole; nothing at the end of the input. Throws, after the batches of what lies
  // before the fault, what Reader::next throws, and DataError when one of two inputs has fewer records than the other
  // (naming both files, the record that lacks a mate, and how many there were), or an interleaved one an odd number.
  std::optional<RawReads> next();

  // As of Reader, over all files.
  std::vector<SourceInfo> sources() const;
  std::optional<std::int64_t> text_bytes() const;
  std::optional<std::int64_t> expected_bases() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
