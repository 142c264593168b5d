#include "lib/reads/record_origin.hpp"

#include <algorithm>

#include "lib/base/sixteen_bytes.hpp"

namespace basesweep {
namespace {

bool is_quality(char c) { return c >= '!' && c <= '~'; }

// Whether `value`, which takes one byte or SixteenBytes, returns at most `limit` for each byte of the text. The last
// sixteen overlap those before them, so that a read has no single bytes left.
template <class Value>
bool all_at_most(unsigned char limit, std::string_view text, Value value) {
  if (text.size() < sizeof(SixteenBytes)) {
    unsigned char most = 0;
    for (const char c : text) most = std::max(most, static_cast<unsigned char>(value(static_cast<unsigned char>(c))));
    return most <= limit;
  }
  SixteenBytes most{};
  const auto look = [&](std::size_t at) {
    const auto values = reinterpret_cast<SixteenBytes>(value(load_16(text.data() + at)));
    most = values > most ? values : most;
  };
  for (std::size_t at = 0; at + sizeof(SixteenBytes) <= text.size(); at += sizeof(SixteenBytes)) look(at);
  look(text.size() - sizeof(SixteenBytes));
  const auto halves = halves_of(most > limit);
  return (halves[0] | halves[1]) == 0;
}

bool all_quality(std::string_view text) {
  return all_at_most('~' - '!', text, [](auto c) { return c - '!'; });
}
bool all_letters(std::string_view text) {
  return all_at_most('z' - 'a', text, [](auto c) { return (c | 0x20) - 'a'; });
}
// Nearly all sequences are letters.
bool all_sequence(std::string_view text) {
  return all_letters(text) || all_at_most(0, text, [](auto c) {
           const auto letter = c | 0x20;
           return ((letter < 'a') | (letter > 'z')) & (c != '-') & (c != '*') & (c != '.');
         });
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
