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
  if (repeated_ == RepeatedNames::refused) {
    Origin origin{place, shown(line)};
    const auto [known, fresh] = origins_.try_emplace(std::string(name), origin);
    if (!fresh) fail_twice(name, known->second, origin);
  }
  patterns_.push_back({std::string(name), "", path_});
  place_ = place;
  open_ = true;
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
  const std::string bounded = kAlternative + last.sequence + kAlternative;
  if (bounded.find("||") != std::string::npos) {
    fail(place_, fmt::format("pattern '{}': expected a sequence on either side of '|'", last.name));
  }
}

void PatternList::fail_twice(std::string_view name, const Origin& first, const Origin& second) const {
  std::string advice;
  if (named_by_ == NamedBy::column && first.line != name) advice = "; --name-column chooses another column";
  if (named_by_ == NamedBy::first_word && (first.line != name || second.line != name)) {
    advice = "; only the first word of a title counts";
  }
  fail(second.place, fmt::format("pattern '{}': the name is used twice: {} {} is '{}', {} {} is '{}'{}", name, unit_,
                                 first.place, first.line, unit_, second.place, second.line, advice));
}

}  // namespace basesweep
