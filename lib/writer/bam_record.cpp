#include "lib/writer/bam_record.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace basesweep {

std::string_view BamRecord::parse(std::string_view records) {
  const auto take = [&records](auto number) {
    assert(records.size() >= sizeof number);
    std::memcpy(&number, records.data(), sizeof number);
    records.remove_prefix(sizeof number);
    return number;
  };
  const auto size = static_cast<std::size_t>(take(std::int32_t{}));
  assert(records.size() >= size);
  const std::string_view rest = records.substr(size);
  records = records.substr(0, size);
  bam1_core_t& core = record_.core;
  core.tid = take(std::int32_t{});
  core.pos = take(std::int32_t{});
  const std::size_t name_bytes = take(std::uint8_t{});
  core.qual = take(std::uint8_t{});
  core.bin = take(std::uint16_t{});
  core.n_cigar = take(std::uint16_t{});
  core.flag = take(std::uint16_t{});
  core.l_qseq = take(std::int32_t{});
  core.mtid = take(std::int32_t{});
  core.mpos = take(std::int32_t{});
  core.isize = take(std::int32_t{});
  // In HTSlib's own layout the name is padded with zeros, so that the CIGAR behind it is aligned.
  const std::size_t padded = (name_bytes + 3) / 4 * 4;
  core.l_extranul = static_cast<std::uint8_t>(padded - name_bytes);
  core.l_qname = static_cast<std::uint16_t>(padded);
  data_.assign(padded, 0);
  std::copy_n(records.begin(), name_bytes, data_.begin());
  data_.insert(data_.end(), records.begin() + static_cast<std::ptrdiff_t>(name_bytes), records.end());
  record_.data = data_.data();
  record_.l_data = static_cast<int>(data_.size());
  record_.m_data = static_cast<std::uint32_t>(data_.size());
  return rest;
}

}  // namespace basesweep
