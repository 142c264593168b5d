// A record of reads and the file that it comes from.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/record_slices.hpp"

namespace basesweep {

// Lines that were joined, for the batch that points to them.
using JoinedLines = std::vector<std::unique_ptr<std::string>>;

struct RecordOrigin : HeldRecord {
  const std::string& path;  // as messages name it

  // The title line without '@' or '>' and without its line end. The sequence begins with the line after it.
  std::string_view title() const {
    std::string_view line = text(record.title_begin + 1, record.sequence_begin);
    while (!line.empty() && is_line_end(line.back())) line.remove_suffix(1);
    return line;
  }
  // The text of the title after the name.
  std::string_view comment() const {
    const std::string_view rest = text(record.name_end, record.sequence_begin);
    return rest.substr(0, line_size(rest));
  }
  std::string_view sequence() const { return text(record.sequence_begin, record.sequence_end); }
  std::string_view quality() const { return text(record.quality_begin, record.quality_end); }

  [[noreturn]] void fail(std::string_view what) const;
  // Fails with the place of the first byte that is_wrong() in `lines`, which are part of the block; `complaint` puts
  // the fault in words.
  template <class IsWrong, class Complaint>
  [[noreturn]] void fail_at(std::string_view lines, IsWrong is_wrong, Complaint complaint) const {
    const auto wrong = static_cast<std::size_t>(std::find_if(lines.begin(), lines.end(), is_wrong) - lines.begin());
    const auto breaks = std::count_if(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(wrong), is_line_end);
    throw DataError(fmt::format("{}: record '{}', position {} (byte {}): {}", path, name(),
                                wrong + 1 - static_cast<std::size_t>(breaks),
                                block.file_offset + (lines.data() + wrong - block.held()), complaint(lines[wrong])));
  }
};

// The qualities of a FASTQ record, one character for each of its `letters` bases: where they are in the text, or in
// `joined` if they span lines. Throws DataError for characters other than ! to ~, and for another number of them.
std::string_view quality_of(const RecordOrigin& record, std::size_t letters, JoinedLines& joined);

// The bases as they are in the text, without line ends; in `joined` if they span lines. Throws DataError for bytes that
// are not sequence.
std::string_view bases_of(const RecordOrigin& record, JoinedLines& joined);

}  // namespace basesweep
