// Goes through records that blocks hold.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/reader/raw_block.hpp"

namespace basesweep {

// A record, and the block that holds its text.
struct HeldRecord {
  const RawBlock& block;
  const RecordText& record;

  std::string_view text(std::uint32_t begin, std::uint32_t end) const {
    return {block.held() + begin, block.held() + end};
  }
  std::string_view name() const { return text(record.name_begin, record.name_end); }
};

// The records of slices, one after another. The slices must outlive it; none may be empty.
class SliceRecords {
 public:
  explicit SliceRecords(const std::vector<RecordSlice>& slices) : slice_(slices.begin()), end_(slices.end()) {
    if (more()) at_ = slice_->begin;
  }

  bool more() const { return slice_ != end_; }
  HeldRecord next() {
    const RawBlock& block = *slice_->block;
    const RecordText& record = block.records[at_++];
    if (at_ == slice_->end && ++slice_ != end_) at_ = slice_->begin;
    return {block, record};
  }

 private:
  std::vector<RecordSlice>::const_iterator slice_, end_;
  std::size_t at_ = 0;
};

// Calls use(first, second) with the mates of each pair of the block, in order, as long as it returns true.
template <class Use>
void for_each_pair(const RawBlock& pairs, Use use) {
  SliceRecords first(pairs.first);
  SliceRecords second(pairs.second);
  SliceRecords& mates = pairs.second.empty() ? first : second;
  while (first.more()) {
    const HeldRecord one = first.next();
    if (!use(one, mates.next())) return;
  }
}

}  // namespace basesweep
