#include "lib/align/trace.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "lib/align/overhangs.hpp"
#include "lib/align/step_band.hpp"
#include "lib/align/text_sets.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxStepCells = 32;
constexpr std::uint32_t kMaxStepEdits = StepBand<kMaxStepCells>::kMaxEdits;

}  // namespace

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

struct Tracer::StepBands {
  std::tuple<StepBand<8>, StepBand<16>, StepBand<kMaxStepCells>> all;
};

Tracer::Tracer() : steps_(std::make_unique<StepBands>()) {}
Tracer::~Tracer() = default;

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
  assert(between.size() <= positions.size() + cost.indels);
  text_.assign(positions.size() + 2 * std::size_t{cost.indels} + kMaxStepCells, 0);
  std::transform(between.begin(), between.end(), text_.begin() + cost.indels, base_set);
  indels_ = cost.indels;
  const auto diagonal = static_cast<std::int64_t>(letters.size()) - static_cast<std::int64_t>(query.sets.size());

  add('=', limits.clamp_right);
  // Sums of costs ignore limits on single kinds of edits. If their least cost is the hit's, all paths of that cost have
  // its mismatches, inserted and deleted bases, and so obey these limits. If it is not, the layers find the paths that
  // do.
  if (!walk_sums(query, diagonal, cost) && !walk_costs(BandKind::layers, query, diagonal, cost))
    throw DataError("a hit has other edits than it says");
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

// Adds the runs of the path that ends on this diagonal, last run first. Adds nothing and returns false if the least
// cost of all paths that end there is not this one.
bool Tracer::walk_sums(const Query& query, std::int64_t diagonal, Cost cost) {
  if (cost.edits <= kMaxStepEdits) {
    if (cost.indels < 8) return walk_steps<8>(core(query), diagonal, cost);
    if (cost.indels < 16) return walk_steps<16>(core(query), diagonal, cost);
    if (cost.indels < kMaxStepCells) return walk_steps<kMaxStepCells>(core(query), diagonal, cost);
  }
  return walk_costs(BandKind::sums, query, diagonal, cost);
}

template <std::size_t kCells>
bool Tracer::walk_steps(std::span<const BaseSet> positions, std::int64_t diagonal, Cost cost) {
  // The path ends on this diagonal, so `below` of its indels are positions without text. It never leaves the diagonals
  // from -below to indels - below.
  const std::int64_t below = (cost.indels - diagonal) / 2;
  if (below < 0 || below > cost.indels || 2 * below != cost.indels - diagonal) return false;
  auto& band = std::get<StepBand<kCells>>(steps_->all);
  band.fill(positions, text_.data() + (indels_ - below), static_cast<std::size_t>(below));
  if (band.cost(diagonal) != cost) return false;
  for (std::size_t i = positions.size(); i != 0;) {
    const Step step = band.step(i, diagonal);
    const std::size_t before = i;
    switch (step) {
      case Step::match:
      case Step::mismatch:
        do --i;
        while (i != 0 && band.step(i, diagonal) == step);
        add(step == Step::match ? '=' : 'X', static_cast<std::uint32_t>(before - i));
        break;
      case Step::text_alone: add('D'), --diagonal; break;
      case Step::position_alone: add('I'), --i, ++diagonal; break;
    }
  }
  add('D', static_cast<std::uint32_t>(diagonal));
  return true;
}

bool Tracer::walk_costs(BandKind kind, const Query& query, std::int64_t diagonal, Cost cost) {
  const std::span<const BaseSet> positions = core(query);
  fill(kind, positions);
  if (band_.cost(row(positions.size()), diagonal, query.limits) != cost) return false;
  walk(positions, diagonal, cost);
  return true;
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
