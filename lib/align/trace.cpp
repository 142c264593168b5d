#include "lib/align/trace.hpp"

#include <algorithm>
#include <cassert>

#include "lib/align/text_sets.hpp"

namespace basesweep {
std::span<const CigarRun> Tracer::trace(const Entry& entry, std::string_view letters, Cost cost) {
  runs_.clear();
  if (cost.indels == 0) {
    assert(letters.size() == entry.columns.size());
    for (std::size_t i = 0; i < letters.size(); ++i) add((entry.columns[i] & base_set(letters[i])) != 0 ? '=' : 'X');
    return runs_;
  }
  const Limits& limits = entry.limits;
  const std::span<const BaseSet> columns = core(entry);
  const std::string_view between =
      letters.substr(limits.clamp_left, letters.size() - limits.clamp_left - limits.clamp_right);
  text_.assign(columns.size() + 2 * std::size_t{cost.indels}, 0);
  assert(between.size() <= columns.size() + cost.indels);
  std::transform(between.begin(), between.end(), text_.begin() + cost.indels, base_set);
  indels_ = cost.indels;
  const auto diagonal = static_cast<std::int64_t>(letters.size()) - static_cast<std::int64_t>(entry.columns.size());

  add('=', limits.clamp_right);
  fill(CostBand::Kind::sums, columns);
  // Where the least without single limits obeys them, so do all the paths that attain it.
  if (band_.cost(row(columns.size()), diagonal, limits) != cost) fill(CostBand::Kind::layers, columns);
  assert(band_.cost(row(columns.size()), diagonal, limits) == cost);
  walk(columns, diagonal, cost);
  add('=', limits.clamp_left);
  std::reverse(runs_.begin(), runs_.end());
  return runs_;
}

std::span<const CigarRun> Tracer::trace(std::string_view read, std::string_view letters, Cost cost) {
  if (cost.edits == 0) {
    runs_.assign(1, {static_cast<std::uint32_t>(read.size()), '='});
    return runs_;
  }
  if (cost.indels == 0) {
    compare(read, letters);
    return runs_;
  }
  read_.columns.resize(read.size());
  std::transform(read.begin(), read.end(), read_.columns.begin(), base_set);
  read_.limits.edits = read_.limits.mismatches = read_.limits.indels = cost.edits;
  return trace(read_, letters, cost);
}

void Tracer::compare(std::string_view read, std::string_view letters) {
  assert(letters.size() == read.size());
  const auto is_base = [](char c) { return (c == 'A') | (c == 'C') | (c == 'G') | (c == 'T'); };
  // A loop that compilers make vectors of; then the runs are found by memchr.
  matches_.resize(read.size());
  char* const to = matches_.data();
  for (std::size_t i = 0; i < read.size(); ++i) to[i] = static_cast<char>((read[i] == letters[i]) & is_base(read[i]));
  runs_.clear();
  const std::string_view matches = matches_;
  for (std::size_t begin = 0; begin < matches.size();) {
    const bool match = matches[begin] != 0;
    const std::size_t end = std::min(matches.find(match ? '\0' : '\1', begin), matches.size());
    runs_.push_back({static_cast<std::uint32_t>(end - begin), match ? '=' : 'X'});
    begin = end;
  }
}

void Tracer::add(char op, std::uint32_t length) {
  if (length == 0) return;
  if (!runs_.empty() && runs_.back().op == op) {
    runs_.back().length += length;
  } else {
    runs_.push_back({length, op});
  }
}

void Tracer::fill(CostBand::Kind kind, std::span<const BaseSet> columns) {
  band_.shape(kind, static_cast<std::uint32_t>(indels_));
  const std::size_t cells = (columns.size() + 1) * band_.cells();
  if (cells_.size() < cells) cells_.resize(cells);
  for (std::size_t i = 0; i <= columns.size(); ++i) band_.first_row(row(i));
  for (std::size_t i = 0; i < columns.size(); ++i) band_.next_row(columns[i], text_.data() + i, row(i), row(i + 1));
}

// The path to the end of all columns on this diagonal, from its right end. Of its cells each holds what all before it
// add up to.
void Tracer::walk(std::span<const BaseSet> columns, std::int64_t diagonal, Cost cost) {
  std::size_t i = columns.size();
  std::uint32_t layer = band_.climb() * cost.indels;
  while (i != 0 || diagonal != 0) {
    const std::int32_t here = row(i)[band_.at(layer, diagonal)];
    if (i != 0) {
      const bool match = (columns[i - 1] & text_[i - 1 + static_cast<std::size_t>(diagonal + indels_)]) != 0;
      if (row(i - 1)[band_.at(layer, diagonal)] + (match ? 0 : band_.mismatch()) == here) {
        add(match ? '=' : 'X');
        --i;
        continue;
      }
    }
    layer -= band_.climb();
    if (row(i)[band_.at(layer, diagonal - 1)] + band_.indel() == here) {
      add('D');
      --diagonal;
    } else {
      add('I');
      --i;
      ++diagonal;
    }
  }
}

}  // namespace basesweep
