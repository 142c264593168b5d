// Blocks of whole records, for FASTQ and FASTA. Private to the reader.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "lib/reader/cutter.hpp"

namespace basesweep {

// Finds the borders of records in text of one format.
class RecordScanner {
 public:
  virtual ~RecordScanner() = default;
  // Appends all whole records of the pending text, and sets `whole` to where the first one that is not whole begins:
  // the next call gets the text from there on. Throws DataError for a broken record, after appending those before it.
  virtual void scan(const PendingText& text, std::vector<RecordText>& records, std::size_t& whole) = 0;
};

class RecordCutter final : public Cutter {
 public:
  RecordCutter(Format format, PendingText text, std::unique_ptr<RecordScanner> scanner, CutterOptions options)
      : format_(format), text_(std::move(text)), scanner_(std::move(scanner)), options_(options) {}

  std::optional<RawBlock> next() override;

 private:
  Format format_;
  PendingText text_;
  std::unique_ptr<RecordScanner> scanner_;
  CutterOptions options_;
  std::size_t records_expected_ = 0;
  std::exception_ptr fault_;  // of the record after the last block
};

}  // namespace basesweep
