#include "lib/parts/part_counts.hpp"

#include <fmt/format.h>

#include "lib/base/fields.hpp"

namespace basesweep {

PartCounts::PartCounts(std::string_view header) {
  if (header.ends_with('\n')) header.remove_suffix(1);
  named_ = header.starts_with("pattern\tname\t");
  while (!header.empty() && take_to(header, '\t') != "count") ++names_;
  for (; !header.empty(); ++numbers_) take_to(header, '\t');
}

bool PartCounts::end_part() {
  known_ = true;
  return same_ && row_ == rows_.size();
}

// The columns before the count, without the second name, which hits do not have.
std::string PartCounts::key_of(std::string_view name) const {
  if (!named_) return std::string(name);
  const std::string_view pattern = take_to(name, '\t');
  take_to(name, '\t');
  return fmt::format("{}\t{}", pattern, name);
}

bool PartCounts::add(std::string_view line) {
  line.remove_suffix(1);
  std::string_view rest = line;
  for (std::size_t i = 0; i < names_; ++i) take_to(rest, '\t');
  const std::string_view name = line.substr(0, line.size() - rest.size());
  std::vector<std::uint64_t> numbers;
  while (!rest.empty()) {
    if (!parse_number(take_to(rest, '\t'), numbers.emplace_back())) return false;
  }
  if (numbers.size() != numbers_) return false;
  total_ += numbers.front();
  const std::size_t row = row_++;
  if (!known_) {
    places_.try_emplace(key_of(name), row);
    rows_.emplace_back(name, std::move(numbers));
  } else if (row >= rows_.size() || rows_[row].first != name) {
    same_ = false;
  } else {
    for (std::size_t i = 0; i < numbers_; ++i) rows_[row].second[i] += numbers[i];
  }
  return true;
}

void PartCounts::add(const PrintedHit& hit) {
  const auto place = places_.find(fmt::format("{}\t{}\t", hit.pattern, hit.minus ? '-' : '+'));
  if (place == places_.end()) {
    same_ = false;
    return;
  }
  std::vector<std::uint64_t>& sums = rows_[place->second].second;
  ++sums[0];
  ++total_;
  const std::size_t edits = hit.edits - hit.hang;
  if (edits + 1 < numbers_) ++sums[edits + 1];
}

std::string PartCounts::print() const {
  std::string text;
  for (const auto& [name, numbers] : rows_) text += fmt::format("{}{}\n", name, fmt::join(numbers, "\t"));
  return text;
}

}  // namespace basesweep
