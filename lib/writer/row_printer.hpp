// Writes rows that come one after another.
#pragma once

#include <cstdint>

#include "lib/rows/row_block.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Not thread-safe.
class RowPrinter {
 public:
  // Both must outlive this.
  RowPrinter(const Formatter& formatter, ByteSink& sink) : formatter_(formatter), sink_(sink) {}

  // Formats the row, and now and then writes the rows so far.
  void add(const Row& row) {
    formatter_.append(row, text_);
    if (is_full_block(++rows_, text_.view().size())) flush();
  }
  // Writes all rows that were added.
  void flush() {
    if (rows_ == 0) return;
    formatter_.finish(text_);
    sink_.write(text_.view());
    text_ = {};
    rows_ = 0;
  }

 private:
  const Formatter& formatter_;
  ByteSink& sink_;
  RowText text_;
  std::uint64_t rows_ = 0;  // in the text
};

}  // namespace basesweep
