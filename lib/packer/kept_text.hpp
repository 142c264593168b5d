// Keeps the begin of a circular record, or all of it, until the record's end has come.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lib/packer/packed_block.hpp"
#include "lib/packer/record_cursor.hpp"

namespace basesweep {

class KeptText {
 public:
  // Forgets what was kept; its memory stays for the next record.
  void clear();
  // Appends bases of the record; those past the first `max` are not kept.
  void keep(const RecordBases& bases, std::uint32_t max);
  std::uint32_t positions() const { return block_.positions; }

  // Calls use(RecordBases) for stretches of what was kept that together are bases [begin, end) of the record repeated
  // without end; negative ones lie before the record. `record` is complete, and all that the range needs was kept.
  template <class Use>
  void for_range(const CurrentRecord& record, std::int64_t begin, std::int64_t end, Use use) const {
    while (begin < end) {
      const std::int64_t from = (begin % record.length + record.length) % record.length;
      const std::int64_t count = std::min(end - begin, record.length - from);
      use(RecordBases{block_, record, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(from + count),
                      begin});
      begin += count;
    }
  }

 private:
  PackedBlock block_;
};

}  // namespace basesweep
