// Reads the hits of a part, one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/parts/byte_stream.hpp"
#include "lib/parts/part_file.hpp"
#include "lib/writer/part_end.hpp"

namespace basesweep {

// Throws the DataError for a hit that cannot be parsed. `number`: of the PartRecords, from 1.
[[noreturn]] void malformed_hit(const PartHead& part, std::uint64_t number);

// The lines of a part after its header (of FASTA a title with its sequence), or its BAM records without their sizes.
// All functions throw IoError and DataError.
class PartRecords {
 public:
  // `part` must outlive this object.
  explicit PartRecords(const PartHead& part);

  // The next one, valid until the next call; nothing behind the last. Throws DataError for a part without its end, with
  // something after it, or, but for counts, with another number of hits than it says.
  std::optional<std::string_view> next();
  // The number of the last one that came, from 1.
  std::uint64_t number() const { return number_; }
  // Once next() has returned nothing: the number of hits that the end says.
  std::uint64_t hits() const { return hits_; }

 private:
  std::optional<std::string_view> read();
  void check_end();

  const PartHead& part_;
  ByteStream stream_;
  const PartEnd end_;
  std::string both_;  // title and sequence
  std::uint64_t number_ = 0;
  std::uint64_t hits_ = 0;
};

// Calls use(text, number) for each of a part's PartRecords. Returns the number of hits that its end says.
template <class Use>
std::uint64_t for_each_record(const PartHead& part, const Use& use) {
  PartRecords records(part);
  while (const auto text = records.next()) use(*text, records.number());
  return records.hits();
}

}  // namespace basesweep
