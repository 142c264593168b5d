#include "lib/align/trace.hpp"

#include <algorithm>
#include <cassert>

#include "lib/align/overhangs.hpp"
#include "lib/align/text_sets.hpp"
#include "lib/base/error.hpp"

namespace basesweep {

bool can_be_aligned(const Query& query, const Hit& hit) {
  const std::uint32_t hang = std::uint32_t{hit.hang_left} + hit.hang_right;
  if (hang >= query.sets.size() || (hang != 0 && query.overhang.edits.empty())) return false;
  const Limits& limits = query.limits;
  if (hit.indels > limits.indels || hit.indels > hit.edits || hit.edits > limits.edits) return false;
  const auto inside = static_cast<std::int64_t>(query.sets.size()) - hang;
  const std::int64_t longer = hit.length - inside;
  const std::int64_t same = hit.indels - (longer < 0 ? -longer : longer);  // as many inserted as deleted bases
  const std::int64_t clamped = hit.indels == 0 ? 0 : std::int64_t{limits.clamp_left} + limits.clamp_right;
  return same >= 0 && same % 2 == 0 && clamped <= inside && clamped <= hit.length;
}

std::span<const CigarRun> Tracer::trace(const Query& query, std::string_view letters, Cost cost) {
  runs_.clear();
  if (cost.indels == 0) {
    assert(letters.size() == query.sets.size());
    std::size_t end = 0;  // of the runs so far
    const auto differs = [&](std::size_t i) { return (query.sets[i] & base_set(letters[i])) == 0; };
    const auto add_mismatch = [&](std::size_t i) {
      add('=', static_cast<std::uint32_t>(i - end));
      add('X');
      end = i + 1;
    };
    if (cost.edits != 0) for_each_difference(letters.size(), differs, add_mismatch);
    add('=', static_cast<std::uint32_t>(letters.size() - end));
    return runs_;
  }
  const Limits& limits = query.limits;
  const std::span<const BaseSet> positions = core(query);
  const std::string_view between =
      letters.substr(limits.clamp_left, letters.size() - limits.clamp_left - limits.clamp_right);
  text_.assign(positions.size() + 2 * std::size_t{cost.indels}, 0);
  assert(between.size() <= positions.size() + cost.indels);
  std::transform(between.begin(), between.end(), text_.begin() + cost.indels, base_set);
  indels_ = cost.indels;
  const auto diagonal = static_cast<std::int64_t>(letters.size()) - static_cast<std::int64_t>(query.sets.size());

  add('=', limits.clamp_right);
  fill(BandKind::sums, positions);
  // Sums ignore limits on single kinds of edits. If their least cost is the hit's, all paths of that cost have its
  // mismatches, inserted and deleted bases, and so obey these limits. If it is not, the layers find the paths that do.
  const auto found = [&] { return band_.cost(row(positions.size()), diagonal, limits) == cost; };
  if (!found()) {
    fill(BandKind::layers, positions);
    if (!found()) throw DataError("a hit has other edits than it says");
  }
  walk(positions, diagonal, cost);
  add('=', limits.clamp_left);
  std::reverse(runs_.begin(), runs_.end());
  return runs_;
}

std::span<const CigarRun> Tracer::trace(const Query& query, std::string_view letters, const Hit& hit) {
  const Cost cost{hit.edits, hit.indels};
  if (hit.hang_left == 0 && hit.hang_right == 0) return trace(query, letters, cost);
  trace(inside_of(query, hit.hang_left, hit.hang_right), letters, cost);
  if (hit.hang_left != 0) runs_.insert(runs_.begin(), {hit.hang_left, 'S'});
  if (hit.hang_right != 0) runs_.push_back({hit.hang_right, 'S'});
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
  read_sets_.resize(read.size());
  std::transform(read.begin(), read.end(), read_sets_.begin(), base_set);
  read_.sets = read_sets_;
  read_.limits.edits = read_.limits.mismatches = read_.limits.indels = cost.edits;
  return trace(read_, letters, cost);
}

void Tracer::compare(std::string_view read, std::string_view letters) {
  assert(letters.size() == read.size());
  const auto is_base = [](char c) { return (c == 'A') | (c == 'C') | (c == 'G') | (c == 'T'); };
  // Compilers vectorise this loop. Then memchr finds the ends of the runs.
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

void Tracer::fill(BandKind kind, std::span<const BaseSet> positions) {
  band_.shape(kind, static_cast<std::uint32_t>(indels_));
  const std::size_t cells = (positions.size() + 1) * band_.cells();
  if (cells_.size() < cells) cells_.resize(cells);
  for (std::size_t i = 0; i <= positions.size(); ++i) band_.first_row(row(i));
  for (std::size_t i = 0; i < positions.size(); ++i) band_.next_row(positions[i], text_.data() + i, row(i), row(i + 1));
}

// Adds the runs of the path that ends at all positions and this diagonal, last run first. A step belongs to a
// least-cost path when the cell it comes from holds exactly the cost that is left.
void Tracer::walk(std::span<const BaseSet> positions, std::int64_t diagonal, Cost cost) {
  std::size_t i = positions.size();
  std::uint32_t layer = band_.climb() * cost.indels;
  while (i != 0 || diagonal != 0) {
    const std::int32_t here = row(i)[band_.at(layer, diagonal)];
    if (i != 0) {
      const bool match = (positions[i - 1] & text_[i - 1 + static_cast<std::size_t>(diagonal + indels_)]) != 0;
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
