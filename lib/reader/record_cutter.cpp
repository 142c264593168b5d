#include "lib/reader/record_cutter.hpp"

#include <algorithm>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kLargeRecord = std::size_t{1} << 22;

}  // namespace

std::optional<RawBlock> RecordCutter::next() {
  if (fault_) std::rethrow_exception(fault_);
  RawBlock block;
  block.format = format_;
  block.records.reserve(records_expected_);
  text_.read_block(options_.block_bytes);
  while (true) {
    std::size_t size = 0;
    try {
      scanner_->scan(text_, block.records, size);
    } catch (const DataError&) {
      // If the compressed data are damaged right behind, that is the likelier cause.
      fault_ = text_.fault() ? text_.fault() : std::current_exception();
    }
    if (!block.records.empty()) {
      text_.give(block, size);
      break;
    }
    if (fault_) std::rethrow_exception(fault_);
    // There are only blank lines so far, or a record that is larger than the block.
    text_.drop(size);
    if (text_.all_read()) {
      text_.throw_fault();
      return std::nullopt;
    }
    const std::size_t wanted =
        std::min(2 * std::max(text_.size(), options_.block_bytes), options_.max_record_bytes + 1);
    if (wanted > std::max(kLargeRecord, options_.block_bytes)) text_.expect(options_.max_record_bytes + 1);
    text_.read_to(wanted);
  }
  records_expected_ = block.records.size() + block.records.size() / 8;
  return block;
}

}  // namespace basesweep
