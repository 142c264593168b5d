// Reads the file of a part, see part_format.hpp. The meaning of its sections and rows is not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lib/parts/part_format.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/rows/compressed_block.hpp"
#include "lib/rows/row_block.hpp"

namespace basesweep {

// A section as it is stored.
struct PartSection {
  std::string name;
  std::uint64_t number = 0;  // from 0
  CompressedBlock content;   // rows() of them: a block of rows
};

// A file that was cut, that has a byte changed, or whose sections are not those that were written, in their order, is
// refused by DataError, which names the file; as soon as it is seen, for a missing end thus last. All functions throw
// IoError too.
class PartReader {
 public:
  // Whether a file that starts with these bytes is a part.
  static bool is_one(std::string_view start) { return start.starts_with(kPartMagic); }

  // Reads the head. Throws DataError also for a file of another kind, or of another version of basesweep.
  explicit PartReader(const std::string& path) : PartReader(open_input(path, 1)) {}
  explicit PartReader(std::shared_ptr<InputFile> file);

  const std::string& path() const { return file_->path(); }
  // The next section; nothing after the last, when the end was read and verified. Its content is not yet verified.
  std::optional<PartSection> next();

  // Thread-safe: the content of a section.
  Text unpack(const PartSection& section) const;
  // The same for one with rows.
  RowBlock unpack_rows(const PartSection& section) const;
  template <class Row>
  DecodedRows<Row> decode(const PartSection& section) const {
    RowBlock block = unpack_rows(section);
    try {
      return DecodedRows<Row>(std::move(block));
    } catch (const RowFault& fault) {
      refuse(section, fault.what());
    }
  }

 private:
  std::size_t read(char* to, std::size_t bytes);
  void read_end(const PartSectionHead& head);
  void read_content(std::uint64_t bytes, PartSection& section);
  void check_head(const PartSectionHead& head) const;
  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse(const PartSection& section, const std::string& why) const;
  [[noreturn]] void refuse_short() const;

  std::shared_ptr<InputFile> file_;
  std::uint64_t sections_ = 0;  // that were read
  std::uint64_t rows_ = 0;      // of them
  std::uint64_t previous_ = 0;  // checksum of the last head
  bool ended_ = false;
};

}  // namespace basesweep
