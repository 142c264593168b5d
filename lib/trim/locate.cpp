#include "lib/trim/locate.hpp"

#include <algorithm>
#include <array>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::int32_t kIndelScore = -2;
constexpr std::int32_t kNoIndels = 100000;  // costs of an indel where there may be none

constexpr std::array<LetterSet, 256> kBaseSets = [] {
  std::array<LetterSet, 256> sets{};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const BaseSet set = iupac_set(static_cast<char>(i));
    sets[i] = is_single_base(set) ? set : kNoBase;
  }
  return sets;
}();

constexpr std::array<LetterSet, 256> kWildSets = [] {
  std::array<LetterSet, 256> sets{};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const BaseSet set = iupac_set(static_cast<char>(i));
    sets[i] = set == 0 ? kNoBase : set;
  }
  return sets;
}();

FreeEnds ends_of(const AdapterPart& part) {
  const bool five_prime = part.kind == AdapterKind::five_prime;
  if (part.placement == AdapterPlacement::anchored) return {.read_begin = !five_prime, .read_end = five_prime};
  if (part.placement == AdapterPlacement::non_internal) {
    return {.adapter_begin = five_prime, .read_begin = !five_prime, .adapter_end = !five_prime, .read_end = five_prime};
  }
  const bool both = part.kind == AdapterKind::either || part.over_both_ends;
  return {
      .adapter_begin = both || five_prime, .read_begin = true, .adapter_end = both || !five_prime, .read_end = true};
}

}  // namespace

void append_read_sets(std::string_view letters, bool wildcards, std::vector<LetterSet>& sets) {
  const std::array<LetterSet, 256>& table = wildcards ? kWildSets : kBaseSets;
  const std::size_t before = sets.size();
  sets.resize(before + letters.size());
  std::transform(letters.begin(), letters.end(), sets.begin() + static_cast<std::ptrdiff_t>(before),
                 [&table](char letter) { return table[static_cast<unsigned char>(letter)]; });
}

void append_turned(std::span<const LetterSet> read, std::vector<LetterSet>& sets) {
  const std::size_t before = sets.size();
  sets.resize(before + read.size());
  std::transform(read.rbegin(), read.rend(), sets.begin() + static_cast<std::ptrdiff_t>(before), [](LetterSet set) {
    return static_cast<LetterSet>(complement_set(set & kAnyBase) | (set & kNoBase));
  });
}

// A cell of the alignment's matrix: the best alignment of the first i bases of the adapter that ends at a place of the
// read.
struct AdapterLocator::Cell {
  std::int32_t cost;
  std::int32_t score;
  std::int64_t origin;  // the read's base at which it begins; below 0: minus the first aligned base of the adapter
};

// The best place so far. Places are offered by increasing end in the read, then by decreasing end in the adapter.
class AdapterLocator::Choice {
 public:
  explicit Choice(const AdapterLocator& locator)
      : locator_(locator), half_(static_cast<std::int64_t>(locator.size() / 2)) {}

  // `begin`: where the place counts as beginning when it is compared with the best one.
  void offer(const Cell& cell, std::int64_t begin, std::size_t adapter_end, std::size_t read_end) {
    const std::size_t adapter_begin = adapter_begin_of(cell.origin);
    const std::size_t length = adapter_end - adapter_begin;
    if (length < locator_.part_.min_overlap) return;
    // Alignments are compared as they lie, so those of a `rightmost` part count its bases from the last.
    const bool backwards = locator_.part_.rightmost;
    const std::size_t all = locator_.size();
    if (static_cast<std::uint32_t>(cell.cost) > (backwards ? locator_.errors_of(all - adapter_end, all - adapter_begin)
                                                           : locator_.errors_of(adapter_begin, adapter_end))) {
      return;
    }
    if (found_) {
      const bool overlaps = begin <= best_.origin + half_;
      const bool longer = length > adapter_end_ - adapter_begin_of(best_.origin);
      if (cell.score <= best_.score || (!overlaps && !longer)) return;
    }
    found_ = true;
    best_ = cell;
    adapter_end_ = adapter_end;
    read_end_ = read_end;
  }

  std::optional<AdapterMatch> match() const {
    if (!found_) return std::nullopt;
    return AdapterMatch{.adapter_begin = static_cast<std::uint32_t>(adapter_begin_of(best_.origin)),
                        .adapter_end = static_cast<std::uint32_t>(adapter_end_),
                        .read_begin = static_cast<std::uint32_t>(std::max<std::int64_t>(best_.origin, 0)),
                        .read_end = static_cast<std::uint32_t>(read_end_),
                        .score = best_.score,
                        .errors = static_cast<std::uint32_t>(best_.cost)};
  }
  // Whether the best place is a whole adapter without errors.
  bool is_perfect() const { return found_ && best_.cost == 0 && best_.origin >= 0 && adapter_end_ == locator_.size(); }

 private:
  static std::size_t adapter_begin_of(std::int64_t origin) {
    return static_cast<std::size_t>(std::max<std::int64_t>(-origin, 0));
  }

  const AdapterLocator& locator_;
  const std::int64_t half_;
  bool found_ = false;
  Cell best_{};
  std::size_t adapter_end_ = 0;
  std::size_t read_end_ = 0;
};

AdapterLocator::AdapterLocator(const AdapterPart& part) : part_(part), ends_(ends_of(part)) {
  wild_before_.push_back(0);
  for (const char letter : part.sequence) {
    const BaseSet set = iupac_set(letter);
    sets_.push_back(set == kAnyBase ? static_cast<LetterSet>(kAnyBase | kNoBase) : set);
    wild_before_.push_back(wild_before_.back() + (set == kAnyBase ? 1 : 0));
  }
  if (part.rightmost) backwards_.assign(sets_.rbegin(), sets_.rend());
  max_errors_ = static_cast<std::uint32_t>(part.max_error_rate * static_cast<double>(sets_.size()));
}

std::uint32_t AdapterLocator::errors_of(std::size_t begin, std::size_t end) const {
  const std::size_t bases = end - begin - (wild_before_[end] - wild_before_[begin]);
  return static_cast<std::uint32_t>(static_cast<double>(bases) * part_.max_error_rate);
}

std::optional<AdapterMatch> AdapterLocator::locate(std::span<const LetterSet> read) const {
  if (part_.placement == AdapterPlacement::anchored && !part_.indels) return compare(read);
  if (!part_.rightmost) return align(sets_, read, ends_);
  struct Scratch {
    std::vector<LetterSet> reversed;
  };
  std::vector<LetterSet>& reversed = per_thread<Scratch>().reversed;
  reversed.assign(read.rbegin(), read.rend());
  std::optional<AdapterMatch> match = align(backwards_, reversed, ends_.reversed());
  if (match) {
    const auto letters = static_cast<std::uint32_t>(sets_.size());
    const auto bases = static_cast<std::uint32_t>(read.size());
    *match = {letters - match->adapter_end,
              letters - match->adapter_begin,
              bases - match->read_end,
              bases - match->read_begin,
              match->score,
              match->errors};
  }
  return match;
}

// The alignment of an anchored adapter without indels.
std::optional<AdapterMatch> AdapterLocator::compare(std::span<const LetterSet> read) const {
  const std::size_t size = sets_.size();
  if (read.size() < size) return std::nullopt;
  const std::size_t begin = part_.kind == AdapterKind::five_prime ? 0 : read.size() - size;
  std::uint32_t errors = 0;
  for (std::size_t i = 0; i < size; ++i) errors += matches(i, read[begin + i]) ? 0 : 1;
  if (errors > errors_of(0, size)) return std::nullopt;
  const auto letters = static_cast<std::uint32_t>(size);
  return AdapterMatch{.adapter_begin = 0,
                      .adapter_end = letters,
                      .read_begin = static_cast<std::uint32_t>(begin),
                      .read_end = static_cast<std::uint32_t>(begin + size),
                      .score = static_cast<std::int32_t>(letters) - 2 * static_cast<std::int32_t>(errors),
                      .errors = errors};
}

namespace {

// Computes cells 1 to adapter.size() of the column of a base of the read. They hold those of the column before it;
// cell 0 is computed, and `diagonal` is what it was.
template <typename Cell>
void fill_column(Cell* column, Cell diagonal, std::span<const LetterSet> adapter, LetterSet base, std::int32_t indel) {
  for (std::size_t i = 1; i <= adapter.size(); ++i) {
    const Cell left = column[i];  // the read has a base more
    if ((adapter[i - 1] & base) != 0) {
      column[i] = {diagonal.cost, diagonal.score + 1, diagonal.origin};
    } else {
      const Cell& above = column[i - 1];  // the adapter has a base more
      if (diagonal.cost + 1 <= above.cost + indel && diagonal.cost + 1 <= left.cost + indel) {
        column[i] = {diagonal.cost + 1, diagonal.score - 1, diagonal.origin};
      } else if (above.cost <= left.cost) {
        column[i] = {above.cost + indel, above.score + kIndelScore, above.origin};
      } else {
        column[i] = {left.cost + indel, left.score + kIndelScore, left.origin};
      }
    }
    diagonal = left;
  }
}

}  // namespace

// Columns of the matrix are bases of the read. Of each, only the cells up to the first that comes after all with at
// most max_errors_ are computed (Ukkonen, J. Algorithms 6, 132-137, 1985): no other cell can lead to a place.
std::optional<AdapterMatch> AdapterLocator::align(std::span<const LetterSet> adapter, std::span<const LetterSet> read,
                                                  FreeEnds ends) const {
  const auto letters = static_cast<std::int64_t>(adapter.size());
  const auto bases = static_cast<std::int64_t>(read.size());
  const auto limit = static_cast<std::int64_t>(max_errors_);
  const std::int32_t indel = part_.indels ? 1 : kNoIndels;
  // The columns in which an alignment with so few errors can end.
  const std::int64_t first_column = ends.read_end ? 0 : std::max<std::int64_t>(0, bases - letters - limit);
  const std::int64_t last_column = ends.read_begin ? bases : std::min(bases, letters + limit);

  auto& cells = per_thread<std::vector<Cell>>();
  cells.resize(adapter.size() + 1);
  Cell* const column = cells.data();
  for (std::int64_t i = 0; i <= letters; ++i) {
    const auto row = static_cast<std::int32_t>(i);
    column[i] = ends.adapter_begin ? Cell{0, 0, -i}
                                   : Cell{row * indel, row * kIndelScore,
                                          ends.read_begin ? std::max<std::int64_t>(0, first_column - i) : 0};
  }
  Choice choice(*this);
  std::int64_t last = ends.adapter_begin ? letters : std::min(letters, limit + 1);
  std::int64_t filled = 0;  // the last cell that was computed
  std::int64_t origin = 0;  // of the cell that was looked at last
  for (std::int64_t j = first_column + 1; j <= last_column; ++j) {
    const LetterSet base = read[static_cast<std::size_t>(j - 1)];
    const Cell diagonal = column[0];
    if (ends.read_begin) {
      ++column[0].origin;
    } else {
      column[0].cost += indel;
      column[0].score += kIndelScore;
    }
    fill_column(column, diagonal, adapter.first(static_cast<std::size_t>(last)), base, indel);
    filled = last;
    origin = column[last].origin;
    while (last >= 0 && column[last].cost > limit) --last;
    if (last < letters) {
      ++last;
    } else if (ends.read_end) {
      choice.offer(column[letters], origin, adapter.size(), static_cast<std::size_t>(j));
      if (choice.is_perfect()) return choice.match();
    }
  }
  if (last_column == bases) {
    // Adapters that hang over the read's end. cutadapt compares all of them by the origin of the cell that it looked at
    // before; its results are kept.
    for (std::int64_t i = filled; i >= (ends.adapter_end ? 0 : letters); --i)
      choice.offer(column[i], origin, static_cast<std::size_t>(i), read.size());
  }
  return choice.match();
}

}  // namespace basesweep
