#include "lib/trim/adapter_filter.hpp"

#include <algorithm>

#include "lib/base/sixteen_bytes.hpp"

namespace basesweep {
namespace {

constexpr std::uint64_t kTop = std::uint64_t{1} << 63;

constexpr std::size_t kPlaces = sizeof(SixteenBytes);  // of a read, compared at once

bool is_zero(SixteenBytes places) {
  const auto halves = halves_of(places);
  return (halves[0] | halves[1]) == 0;
}

// Places that have the letter, of 16 from `read` on.
SixteenBytes with_letter(LetterSet letter, const LetterSet* read) {
  return reinterpret_cast<SixteenBytes>((load_16(read) & letter) != 0);
}

// Whether a stretch of at least four letters is at one of 16 places of a read, from `read` on, without an error.
bool is_at_any(std::span<const LetterSet> stretch, const LetterSet* read) {
  SixteenBytes here = with_letter(stretch[0], read) & with_letter(stretch[1], read + 1) &
                      with_letter(stretch[2], read + 2) & with_letter(stretch[3], read + 3);
  if (is_zero(here)) return false;
  for (std::size_t i = 4; i < stretch.size(); ++i) here &= with_letter(stretch[i], read + i);
  return !is_zero(here);
}

}  // namespace

void AdapterFilter::add_stretches(const AdapterLocator& locator, Lane& lane) {
  constexpr std::size_t kShortest = 5, kLongest = 8;
  const std::size_t number = lane.limit + 1, letters = std::min(lane.rows / number, kLongest);
  if (letters < kShortest) return;
  for (std::size_t one = 0; one < number; ++one) {
    std::vector<LetterSet>& stretch = lane.stretches.emplace_back();
    for (std::size_t i = one * letters; i < (one + 1) * letters; ++i) stretch.push_back(locator.letter(i));
  }
}

// False: the whole adapter is not in the read, which has more letters than 16 places of a stretch take.
bool AdapterFilter::may_be_whole(const Lane& lane, std::span<const LetterSet> read) {
  for (const std::vector<LetterSet>& stretch : lane.stretches) {
    const std::size_t last = read.size() - (kPlaces + stretch.size() - 1);
    for (std::size_t at = 0; at < last; at += kPlaces) {
      if (is_at_any(stretch, read.data() + at)) return true;
    }
    if (is_at_any(stretch, read.data() + last)) return true;
  }
  return false;
}

// Whether a part of the adapter may be at an end of the read, which is longer than both ends together.
bool AdapterFilter::passes_in_part(const Lane& lane, std::span<const LetterSet> read) {
  const auto rows = static_cast<std::int32_t>(lane.rows);
  Column column{lane.differences, 0, lane.differences == 0 ? 0 : rows};
  for (std::size_t j = 0; j < lane.early_limits.size(); ++j) {
    step(lane.equal[read[j]], 0, column);
    if (column.cost <= lane.early_limits[j]) return true;
  }
  if (lane.part_limits.empty()) return false;
  column = {~std::uint64_t{0} << (64 - lane.rows), 0, rows};
  for (const LetterSet set : read.last(lane.rows + lane.limit)) step(lane.equal[set], 0, column);
  return passes_at_end(lane, column);
}

AdapterFilter::AdapterFilter(std::span<const AdapterLocator* const> locators) {
  for (std::size_t index = 0; index < locators.size(); ++index) {
    const AdapterLocator& locator = *locators[index];
    const std::size_t rows = locator.size();
    if (rows > kMaxLetters) {
      long_.push_back(static_cast<std::uint32_t>(index));
      continue;
    }
    const FreeEnds ends = locator.ends();
    Lane lane;
    lane.index = static_cast<std::uint32_t>(index);
    lane.rows = static_cast<std::uint32_t>(rows);
    lane.limit = locator.max_errors();
    lane.counts_start = !ends.read_begin;
    lane.ends_anywhere = ends.read_end;
    const std::uint64_t used = ~std::uint64_t{0} << (64 - rows);
    lane.differences = ends.adapter_begin ? 0 : used;
    for (std::size_t set = 0; set < kReadSets; ++set) {
      lane.equal[set] = ~used;
      for (std::size_t i = 0; i < rows; ++i) {
        if (locator.matches(i, static_cast<LetterSet>(set))) lane.equal[set] |= std::uint64_t{1} << (64 - rows + i);
      }
    }
    const auto limit = static_cast<std::int32_t>(lane.limit);
    const std::size_t overlap = locator.part().min_overlap;
    if (ends.adapter_begin) {
      // An alignment that ends at base j with c errors has at most j + c letters of the adapter, its last ones.
      for (std::size_t j = 1; j <= rows + lane.limit; ++j) {
        std::int32_t errors = limit;
        for (; errors >= 0; --errors) {
          const std::size_t letters = std::min(rows, j + static_cast<std::size_t>(errors));
          if (letters >= overlap && errors <= static_cast<std::int32_t>(locator.errors_of(rows - letters, rows))) break;
        }
        lane.early_limits.push_back(errors);
      }
    }
    if (ends.adapter_end) {
      for (std::size_t i = 0; i <= rows; ++i)
        lane.part_limits.push_back(i < overlap ? -1 : static_cast<std::int32_t>(locator.errors_of(0, i)));
    }
    add_stretches(locator, lane);
    (ends.whole_read() ? lanes_ : tied_).push_back(std::move(lane));
  }
}

// `start_cost`: the bit of the lowest row if bases before the adapter cost 1 each, else 0.
inline void AdapterFilter::step(std::uint64_t equal, std::uint64_t start_cost, Column& column) {
  const std::uint64_t x = equal | column.down;
  const std::uint64_t zero = (((equal & column.up) + column.up) ^ column.up) | equal;
  const std::uint64_t right_up = column.down | ~(zero | column.up);
  const std::uint64_t right_down = column.up & zero;
  column.cost += static_cast<std::int32_t>(right_up >> 63) - static_cast<std::int32_t>(right_down >> 63);
  const std::uint64_t from_below = right_up << 1 | start_cost;
  column.up = right_down << 1 | ~(x | from_below);
  column.down = from_below & x;
}

// Whether the first letters of an adapter may end the read. `column`: its last one.
bool AdapterFilter::passes_at_end(const Lane& lane, const Column& column) {
  std::int32_t cost = column.cost;
  std::uint64_t up = column.up;
  std::uint64_t down = column.down;
  for (std::size_t i = lane.rows; i > 0; --i) {
    const std::int32_t limit = lane.part_limits[i];
    if (limit < 0) return false;
    if (cost <= limit) return true;
    cost += static_cast<std::int32_t>(down >> 63) - static_cast<std::int32_t>(up >> 63);
    up <<= 1;
    down <<= 1;
  }
  return false;
}

bool AdapterFilter::passes_alone(const Lane& lane, std::span<const LetterSet> read) {
  // Alignments with few enough errors need no other bases of the read.
  const std::size_t reach = lane.rows + lane.limit;
  if (read.size() > reach) read = lane.counts_start ? read.first(reach) : read.last(reach);
  Column column{lane.differences, 0, lane.differences == 0 ? 0 : static_cast<std::int32_t>(lane.rows)};
  const auto limit = static_cast<std::int32_t>(lane.limit);
  const std::uint64_t start_cost = lane.counts_start ? kTop >> (lane.rows - 1) : 0;
  for (std::size_t j = 0; j < read.size(); ++j) {
    step(lane.equal[read[j]], start_cost, column);
    if (lane.ends_anywhere && column.cost <= (j < lane.early_limits.size() ? lane.early_limits[j] : limit)) return true;
  }
  if (lane.ends_anywhere) return false;
  return lane.part_limits.empty() ? column.cost <= limit : passes_at_end(lane, column);
}

template <std::size_t Count>
void AdapterFilter::find_lanes(const Lane* const* lanes, std::span<const LetterSet> read,
                               std::vector<std::uint32_t>& found) {
  std::array<Column, Count> columns;
  std::array<std::int32_t, Count> least;  // cost of a whole adapter that is not at the start of the read
  std::array<bool, Count> passes{};
  std::size_t early = 0;
  for (std::size_t lane = 0; lane < Count; ++lane) {
    const std::uint64_t differences = lanes[lane]->differences;
    columns[lane] = {differences, 0, differences == 0 ? 0 : static_cast<std::int32_t>(lanes[lane]->rows)};
    least[lane] = static_cast<std::int32_t>(lanes[lane]->limit) + 1;
    early = std::max(early, lanes[lane]->early_limits.size());
  }
  early = std::min(early, read.size());
  for (std::size_t j = 0; j < early; ++j) {
    for (std::size_t lane = 0; lane < Count; ++lane) {
      step(lanes[lane]->equal[read[j]], 0, columns[lane]);
      const std::vector<std::int32_t>& limits = lanes[lane]->early_limits;
      passes[lane] |=
          columns[lane].cost <= (j < limits.size() ? limits[j] : static_cast<std::int32_t>(lanes[lane]->limit));
    }
  }
  std::array<const std::uint64_t*, Count> equal;
  for (std::size_t lane = 0; lane < Count; ++lane) equal[lane] = lanes[lane]->equal.data();
  for (std::size_t j = early; j < read.size(); ++j) {
    for (std::size_t lane = 0; lane < Count; ++lane) {
      step(equal[lane][read[j]], 0, columns[lane]);
      least[lane] = std::min(least[lane], columns[lane].cost);
    }
  }
  for (std::size_t lane = 0; lane < Count; ++lane) {
    if (passes[lane] || least[lane] <= static_cast<std::int32_t>(lanes[lane]->limit) ||
        (!lanes[lane]->part_limits.empty() && passes_at_end(*lanes[lane], columns[lane]))) {
      found.push_back(lanes[lane]->index);
    }
  }
}

void AdapterFilter::find(std::span<const LetterSet> read, std::vector<std::uint32_t>& found) const {
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  std::array<const Lane*, kLanes> waiting;
  std::size_t count = 0;
  for (const Lane& lane : lanes_) {
    const std::size_t reach = lane.rows + lane.limit;
    if (!lane.stretches.empty() && read.size() > 2 * reach && read.size() >= 2 * kPlaces && !may_be_whole(lane, read)) {
      if (passes_in_part(lane, read)) found.push_back(lane.index);
      continue;
    }
    waiting[count++] = &lane;
    if (count < kLanes) continue;
    find_lanes<kLanes>(waiting.data(), read, found);
    count = 0;
  }
  switch (count) {
    case 3: find_lanes<3>(waiting.data(), read, found); break;
    case 2: find_lanes<2>(waiting.data(), read, found); break;
    case 1: find_lanes<1>(waiting.data(), read, found); break;
    default: break;
  }
  for (const Lane& lane : tied_) {
    if (passes_alone(lane, read)) found.push_back(lane.index);
  }
  found.insert(found.end(), long_.begin(), long_.end());
  std::sort(found.begin() + before, found.end());
}

}  // namespace basesweep
