// Lines of SAM, made of the records of BAM.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lib/base/text.hpp"

namespace basesweep {

// Thread-safe.
class AlignmentLines {
 public:
  // `header`: the text of the file's header. Throws DataError if HTSlib does not accept it.
  explicit AlignmentLines(const std::string& header);
  ~AlignmentLines();
  AlignmentLines(const AlignmentLines&) = delete;
  AlignmentLines& operator=(const AlignmentLines&) = delete;

  // Appends a line for each of the records, which have their size first.
  void append(std::string_view records, Text& text) const;

 private:
  struct Header;
  std::unique_ptr<Header> header_;
};

}  // namespace basesweep
