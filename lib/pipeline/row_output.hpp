// The output of a formatter, with its gatherer before it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/record_info.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Not thread-safe.
class RowOutput {
 public:
  // Both null: nothing is written. They must outlive this. `directory`: of temporary files.
  RowOutput(const Formatter* formatter, ByteSink* sink, const std::string& directory)
      : formatter_(formatter), sink_(sink) {
    if (formatter == nullptr) return;
    gatherer_ = formatter->gatherer(directory, [sink](std::string_view text) { sink->write(text); });
  }

  void write_header(std::span<const RecordInfo> records) {
    if (formatter_ != nullptr) sink_->write(formatter_->header(records));
  }
  // Takes what the formatter made of the next rows.
  void write(std::string_view text) {
    if (text.empty()) return;
    gatherer_ ? gatherer_->add(text) : sink_->write(text);
  }
  // After the last row.
  void finish() {
    if (gatherer_) gatherer_->finish();
  }

 private:
  const Formatter* formatter_;
  ByteSink* sink_;
  std::unique_ptr<Gatherer> gatherer_;
};

}  // namespace basesweep
