// HTSlib's record of an alignment, made of the bytes of BAM.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace basesweep {

class BamRecord {
 public:
  BamRecord() { bam_set_mempolicy(&record_, BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA); }
  BamRecord(const BamRecord&) = delete;
  BamRecord& operator=(const BamRecord&) = delete;

  // Takes the first of the records, each with its size first, and returns the rest.
  std::string_view parse(std::string_view records);
  const bam1_t* get() const { return &record_; }

 private:
  bam1_t record_{};
  std::vector<std::uint8_t> data_;
};

}  // namespace basesweep
