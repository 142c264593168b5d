// Where the pipeline takes its text from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

// What a file was found to be, for the report.
struct SourceInfo {
  std::string path;
  Compression compression = Compression::none;
  std::optional<Format> format;  // none: the file is empty, or was not reached
};

// Gives out blocks of text one after another. Not thread-safe.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // The next block; nothing at the end of the input.
  virtual std::optional<RawBlock> next() = 0;
  // As they were given.
  virtual const std::vector<std::string>& paths() const = 0;
  // One for each path.
  virtual const std::vector<SourceInfo>& sources() const = 0;
};

}  // namespace basesweep
