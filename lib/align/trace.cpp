#include "lib/align/trace.hpp"

#include <algorithm>
#include <span>

#include "lib/align/cost.hpp"
#include "lib/dna.hpp"

namespace basesweep {
namespace {

// Runs of a path that is walked from its right end.
class Path {
 public:
  void add(char op, std::uint32_t length = 1) {
    if (length == 0) return;
    if (!runs_.empty() && runs_.back().op == op) {
      runs_.back().length += length;
    } else {
      runs_.push_back({length, op});
    }
  }
  std::vector<CigarRun> take() {
    std::reverse(runs_.begin(), runs_.end());
    return std::move(runs_);
  }

 private:
  std::vector<CigarRun> runs_;
};

// All rows of the band that paths with so many indels stay in.
class Rows {
 public:
  Rows(CostBand::Kind kind, std::uint32_t indels, std::span<const BaseSet> columns, std::span<const BaseSet> text)
      : columns_(columns), text_(indels + columns.size() + indels), indels_(indels) {
    std::copy_n(text.begin(), std::min(text.size(), text_.size() - indels), text_.begin() + indels);
    band_.shape(kind, indels);
    cells_.resize((columns.size() + 1) * band_.cells());
    for (std::size_t i = 0; i <= columns.size(); ++i) band_.first_row(row(i));
    for (std::size_t i = 0; i < columns.size(); ++i) band_.next_row(columns[i], text_.data() + i, row(i), row(i + 1));
  }

  Cost cost(std::int64_t diagonal, const Limits& limits) { return band_.cost(row(columns_.size()), diagonal, limits); }

  // The path to the end of all columns on this diagonal. Of its cells each holds what all before it add up to.
  void walk(std::int64_t diagonal, Cost cost, Path& path) {
    std::size_t i = columns_.size();
    std::uint32_t layer = band_.climb() * cost.indels;
    while (i != 0 || diagonal != 0) {
      const std::int32_t here = row(i)[band_.at(layer, diagonal)];
      if (i != 0) {
        const bool match = (columns_[i - 1] & text_[i - 1 + static_cast<std::size_t>(diagonal + indels_)]) != 0;
        if (row(i - 1)[band_.at(layer, diagonal)] + (match ? 0 : band_.mismatch()) == here) {
          path.add(match ? '=' : 'X');
          --i;
          continue;
        }
      }
      layer -= band_.climb();
      if (row(i)[band_.at(layer, diagonal - 1)] + band_.indel() == here) {
        path.add('D');
        --diagonal;
      } else {
        path.add('I');
        --i;
        ++diagonal;
      }
    }
  }

 private:
  std::int32_t* row(std::size_t i) { return cells_.data() + i * band_.cells(); }

  std::span<const BaseSet> columns_;
  std::vector<BaseSet> text_;
  std::int64_t indels_;
  CostBand band_;
  std::vector<std::int32_t> cells_;
};

}  // namespace

std::vector<CigarRun> trace(const Entry& entry, std::string_view letters) {
  std::vector<BaseSet> text;
  for (const char letter : letters) {
    const BaseSet set = iupac_set(letter);
    text.push_back(is_single_base(set) ? set : BaseSet{0});
  }
  CostScan scan;
  scan.run(entry, text);
  const std::size_t place = text.size() - scan.least_length();
  if (text.size() < scan.least_length() || place >= scan.costs().size()) return {};
  const Cost cost = scan.costs()[place];
  if (cost == kNoAlignment) return {};

  Path path;
  path.add('=', entry.limits.clamp_right);
  const std::span<const BaseSet> columns = core(entry);
  const std::size_t clamped = entry.columns.size() - columns.size();
  const auto diagonal = static_cast<std::int64_t>(text.size()) - static_cast<std::int64_t>(entry.columns.size());
  const auto between = std::span<const BaseSet>(text).subspan(entry.limits.clamp_left, text.size() - clamped);
  // Where the least without single limits obeys them, so do all the paths that attain it.
  if (Rows sums(CostBand::Kind::sums, cost.indels, columns, between); sums.cost(diagonal, entry.limits) == cost) {
    sums.walk(diagonal, cost, path);
  } else {
    Rows(CostBand::Kind::layers, cost.indels, columns, between).walk(diagonal, cost, path);
  }
  path.add('=', entry.limits.clamp_left);
  return path.take();
}

}  // namespace basesweep
