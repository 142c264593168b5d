#include "lib/reader/table_content.hpp"

#include <algorithm>

#include "lib/base/dna.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/written_sequence.hpp"

namespace basesweep {
namespace {

// Whether at most a quarter of the letters is none of a sequence. Digits and blanks are in names, such as chr1.
bool is_nearly_sequence(std::string_view cell) {
  if (cell.find_first_of("0123456789_ ") != std::string_view::npos) return false;
  const auto bad = static_cast<std::size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return pattern_letter_set(c) == 0; }));
  return cell.size() > kShortCell && 4 * bad <= cell.size();
}

// Names such as BamHI look like sequences with inosine, which are long.
bool is_like_name(std::string_view cell) {
  return cell.size() < kLongCell && cell.find_first_of("Ii") != std::string_view::npos;
}

}  // namespace

const std::string& PatternTable::cell(std::size_t row, std::size_t column) const {
  static const std::string none;
  return column < rows[row].size() ? rows[row][column] : none;
}

bool is_sequence(std::string_view text, Spelling spelling) {
  if (text.empty() || text == "|") return false;
  if (letters_fault(text).empty()) return true;
  if (spelling == Spelling::plain) return false;
  const WrittenSequence read = read_written(text);
  return read.fault.empty() && read.letters.size() > kShortCell;
}

Content content_of(const PatternTable& table, std::size_t column, std::size_t first_row, Spelling spelling) {
  Content content;
  for (std::size_t row = first_row; row < table.rows.size(); ++row) {
    const std::string& cell = table.cell(row, column);
    const bool name = table.width > 1 && is_like_name(cell);
    if (cell.empty()) {
      ++content.empty;
    } else if (!name && is_sequence(cell, spelling)) {
      ++content.sequences;
      content.shortest = std::min(content.shortest, cell.size());
      content.longest = std::max(content.longest, cell.size());
    } else if (!name && is_nearly_sequence(cell)) {
      ++content.nearly;
      content.longest = std::max(content.longest, cell.size());
    } else {
      ++content.others;
    }
  }
  return content;
}

}  // namespace basesweep
