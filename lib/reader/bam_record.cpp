#include "lib/reader/bam_record.hpp"

#include <htslib/sam.h>

#include <limits>
#include <stdexcept>
#include <string_view>

#include "lib/base/bam_bytes.hpp"

namespace basesweep {

void append_bam_record(const bam1_t& record, std::string& bytes) {
  constexpr std::size_t kFixedBytes = 32;
  const bam1_core_t& core = record.core;
  if (core.n_cigar > std::numeric_limits<std::uint16_t>::max())
    throw std::runtime_error("its CIGAR has more than 65,535 operations");
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  if (core.pos >= kMost || core.mpos >= kMost) throw std::runtime_error("its position is more than BAM can hold");
  const std::size_t name_bytes = std::size_t{core.l_qname} - core.l_extranul;
  const std::string_view data(reinterpret_cast<const char*>(record.data), static_cast<std::size_t>(record.l_data));
  char fixed[sizeof(std::int32_t) + kFixedBytes];
  char* to = put_int32(fixed, static_cast<std::int64_t>(kFixedBytes + data.size() - core.l_extranul));
  to = put_int32(to, core.tid);
  to = put_int32(to, core.pos);
  to = put_integer(to, static_cast<std::uint8_t>(name_bytes));
  to = put_integer(to, static_cast<std::uint8_t>(core.qual));
  to = put_integer(to, static_cast<std::uint16_t>(core.bin));
  to = put_integer(to, static_cast<std::uint16_t>(core.n_cigar));
  to = put_integer(to, static_cast<std::uint16_t>(core.flag));
  to = put_int32(to, core.l_qseq);
  to = put_int32(to, core.mtid);
  to = put_int32(to, core.mpos);
  put_int32(to, core.isize);
  bytes.append(fixed, sizeof fixed).append(data.substr(0, name_bytes)).append(data.substr(core.l_qname));
}

}  // namespace basesweep
