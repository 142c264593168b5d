// Text of pairs, for the commands that search it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/reads/read_source.hpp"

namespace basesweep {

// Hands out what a ReadSource reads as blocks of pairs. A block holds pairs whole, so its records are mates by turns.
class PairReader final : public FileSource {
 public:
  // Without mate_paths and `interleaved`, the input must be SAM, BAM or CRAM whose reads are pairs. Throws as
  // ReadSource, and UsageError if there are no pairs.
  explicit PairReader(ReadSourceOptions options);

  // The next pairs; nothing at the end of the input. Throws as ReadSource::next(). Blocks do not say whether mates have
  // the same name; who packs them finds out.
  std::optional<RawBlock> next() override;
  const std::vector<std::string>& paths() const override { return paths_; }
  const std::vector<SourceInfo>& sources() const override;

  // These answer for the first input.
  const RawBlock* first_block() override { return source_.first_block(); }
  std::optional<Format> format() override { return source_.format(); }
  void open_first() override { source_.open_first(); }
  // These answer for both inputs.
  std::optional<std::int64_t> stored_bytes() const override { return source_.stored_bytes(); }
  std::int64_t stored_bytes_read() const override { return source_.stored_bytes_read(); }
  std::optional<std::int64_t> expected_bases() const override { return source_.expected_bases(); }

 private:
  ReadSource source_;
  std::vector<std::string> paths_;
  mutable std::vector<SourceInfo> sources_;
};

}  // namespace basesweep
