#include "lib/reader/pattern_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/line_names.hpp"

namespace basesweep {

std::string shown(std::string_view line) {
  constexpr std::size_t kLimit = 60;
  std::string text(line.substr(0, kLimit));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return line.size() > kLimit ? text + "..." : text;
}

std::string letters_fault(std::string_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (pattern_letter_set(letters[i]) != 0 || letters[i] == kAlternative) continue;
    return fmt::format("position {}: {} is not a nucleotide or IUPAC code", i + 1, printable(letters[i]));
  }
  return "";
}

PatternList::PatternList(std::string path, std::string_view unit, NamedBy named_by, RepeatedNames repeated)
    : path_(std::move(path)), unit_(unit), named_by_(named_by), repeated_(repeated) {}

void PatternList::start(std::string_view name, std::size_t place, std::string_view line) {
  close();
  if (name.empty()) fail(place, "the pattern has no name");
  if (!name_fault(name, NameRule::text).empty()) {
    fail(place, fmt::format("pattern '{}': a name may not hold control characters, such as tabs", shown(name)));
  }
  patterns_.push_back({std::string(name), "", path_});
  if (repeated_ == RepeatedNames::refused) note_name(name, place, line);
  place_ = place;
  open_ = true;
}

// Throws if another pattern has the name.
void PatternList::note_name(std::string_view name, std::size_t place, std::string_view line) {
  const std::string as_shown = shown(line);
  origins_.push_back({place, lines_.size(), lines_.size() + as_shown.size()});
  lines_ += as_shown;
  const auto known = names_.add(static_cast<std::uint32_t>(patterns_.size() - 1), NameIndex::hash_of(name),
                                [this](std::uint32_t i) { return std::string_view(patterns_[i].name); });
  if (known) fail_twice(name, origins_[*known], origins_.back());
}

void PatternList::extend(std::string_view written, std::size_t place) {
  pieces_.push_back({written_.size(), place});
  written_ += written;
}

std::vector<Pattern> PatternList::finish() {
  close();
  if (patterns_.empty()) throw DataError(fmt::format("{}: no patterns in this file", path_));
  return std::move(patterns_);
}

void PatternList::fail(std::size_t place, const std::string& what) const {
  throw DataError(fmt::format("{}: {} {}: {}", path_, unit_, place, what));
}

void PatternList::close() {
  if (!std::exchange(open_, false)) return;
  Pattern& last = patterns_.back();
  WrittenSequence read = read_written(written_);
  if (!read.fault.empty()) {
    const auto behind = std::find_if(pieces_.begin(), pieces_.end(),
                                     [&read](const AddedText& piece) { return piece.begin > read.fault_at; });
    fail((behind - 1)->place, fmt::format("pattern '{}', {}", last.name, read.fault));
  }
  last.sequence = std::move(read.letters);
  left_out_ += read.left_out;
  written_.clear();
  pieces_.clear();
  if (last.sequence.empty()) fail(place_, fmt::format("pattern '{}' has no sequence", last.name));
  if (last.sequence.front() == kAlternative || last.sequence.back() == kAlternative ||
      last.sequence.find("||") != std::string::npos) {
    fail(place_, fmt::format("pattern '{}': expected a sequence on either side of '|'", last.name));
  }
}

void PatternList::fail_twice(std::string_view name, const Origin& first, const Origin& second) const {
  const auto line_of = [this](const Origin& origin) {
    return std::string_view(lines_).substr(origin.line_begin, origin.line_end - origin.line_begin);
  };
  std::string advice;
  if (named_by_ == NamedBy::column && line_of(first) != name) advice = "; --name-column chooses another column";
  if (named_by_ == NamedBy::first_word && (line_of(first) != name || line_of(second) != name)) {
    advice = "; only the first word of a title counts";
  }
  fail(second.place, fmt::format("pattern '{}': the name is used twice: {} {} is '{}', {} {} is '{}'{}", name, unit_,
                                 first.place, line_of(first), unit_, second.place, line_of(second), advice));
}

}  // namespace basesweep
