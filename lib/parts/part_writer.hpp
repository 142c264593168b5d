// Writes the file of a part, see part_format.hpp. The meaning of its sections and rows is not known here.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/parts/part_format.hpp"
#include "lib/rows/compressed_block.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

// Not thread-safe; compress() of lib/rows/compressed_block.hpp, which takes the time, is. All functions throw what the
// sink throws.
class PartWriter {
 public:
  // Writes the head. `to` must outlive this object.
  explicit PartWriter(ByteSink& to);
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  // `name`: 1 to kMaxPartName bytes, not kPartEnd. Throws std::invalid_argument for another name, or a block that is
  // too large.
  void add(std::string_view name, const CompressedBlock& block);
  void add_section(std::string_view name, std::string_view bytes) { add(name, compress(bytes)); }
  void add_rows(const CompressedBlock& block) { add(kPartRows, block); }
  // Writes the end. Without it the file is refused as not complete.
  void finish();

 private:
  void write(std::string_view name, std::uint64_t rows, const CompressedBlock& block);

  ByteSink& to_;
  std::uint64_t sections_ = 0;
  std::uint64_t rows_ = 0;      // of all sections
  std::uint64_t previous_ = 0;  // checksum of the last head
};

}  // namespace basesweep
