#include "lib/reads/record_origin.hpp"

namespace basesweep {
namespace {

bool is_quality(char c) { return c >= '!' && c <= '~'; }

// The next two look at all bytes, without an early end, so that compilers can take many at a time.
bool all_quality(std::string_view text) {
  unsigned char wrong = 0;
  for (const char c : text) wrong |= static_cast<unsigned char>(!is_quality(c));
  return wrong == 0;
}
bool all_sequence(std::string_view text) {
  unsigned char wrong = 0;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>((static_cast<unsigned char>(c) | 0x20U) - 'a');
    const bool other = (c != '-') & (c != '*') & (c != '.');
    wrong |= static_cast<unsigned char>((letter > 'z' - 'a') & other);
  }
  return wrong == 0;
}

}  // namespace

void RecordOrigin::fail(std::string_view what) const {
  throw DataError(fmt::format("{}: record '{}': {}", path, name(), what));
}

std::string_view quality_of(const RecordOrigin& record, std::size_t letters, JoinedLines& joined) {
  const std::string_view lines = record.quality();
  if (lines.size() == letters && all_quality(lines)) return lines;
  auto line = std::make_unique<std::string>(lines);
  std::erase_if(*line, is_line_end);
  if (!all_quality(*line)) {
    record.fail_at(
        lines, [](char c) { return !is_quality(c) && !is_line_end(c); },
        [](char c) { return printable(c) + " is not a quality (expected '!' to '~')"; });
  }
  // The reader has compared the lengths, but takes a carriage return inside a line for a letter.
  if (line->size() != letters)
    record.fail(fmt::format("quality has {} characters, sequence has {}", line->size(), letters));
  return *joined.emplace_back(std::move(line));
}

std::string_view bases_of(const RecordOrigin& record, JoinedLines& joined) {
  const std::string_view lines = record.sequence();
  if (all_sequence(lines)) return lines;
  auto line = std::make_unique<std::string>(lines);
  std::erase_if(*line, is_line_end);
  if (!all_sequence(*line)) {
    record.fail_at(
        lines, [](char c) { return !is_sequence_byte(c) && !is_line_end(c); }, not_sequence);
  }
  return *joined.emplace_back(std::move(line));
}

}  // namespace basesweep
