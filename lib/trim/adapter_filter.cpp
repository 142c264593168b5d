#include "lib/trim/adapter_filter.hpp"

#include <algorithm>

namespace basesweep {
namespace {

constexpr std::uint64_t kTop = std::uint64_t{1} << 63;

}  // namespace

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
        if (locator.matches(i, static_cast<ReadSet>(set))) lane.equal[set] |= std::uint64_t{1} << (64 - rows + i);
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

bool AdapterFilter::passes_alone(const Lane& lane, std::span<const ReadSet> read) {
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
void AdapterFilter::find_lanes(const Lane* lanes, std::span<const ReadSet> read,
                               std::vector<std::uint32_t>& found) const {
  std::array<Column, Count> columns;
  std::array<std::int32_t, Count> least;  // cost of a whole adapter that is not at the start of the read
  std::array<bool, Count> passes{};
  std::size_t early = 0;
  for (std::size_t lane = 0; lane < Count; ++lane) {
    const std::uint64_t differences = lanes[lane].differences;
    columns[lane] = {differences, 0, differences == 0 ? 0 : static_cast<std::int32_t>(lanes[lane].rows)};
    least[lane] = static_cast<std::int32_t>(lanes[lane].limit) + 1;
    early = std::max(early, lanes[lane].early_limits.size());
  }
  early = std::min(early, read.size());
  for (std::size_t j = 0; j < early; ++j) {
    for (std::size_t lane = 0; lane < Count; ++lane) {
      step(lanes[lane].equal[read[j]], 0, columns[lane]);
      const std::vector<std::int32_t>& limits = lanes[lane].early_limits;
      passes[lane] |=
          columns[lane].cost <= (j < limits.size() ? limits[j] : static_cast<std::int32_t>(lanes[lane].limit));
    }
  }
  std::array<const std::uint64_t*, Count> equal;
  for (std::size_t lane = 0; lane < Count; ++lane) equal[lane] = lanes[lane].equal.data();
  for (std::size_t j = early; j < read.size(); ++j) {
    for (std::size_t lane = 0; lane < Count; ++lane) {
      step(equal[lane][read[j]], 0, columns[lane]);
      least[lane] = std::min(least[lane], columns[lane].cost);
    }
  }
  for (std::size_t lane = 0; lane < Count; ++lane) {
    if (passes[lane] || least[lane] <= static_cast<std::int32_t>(lanes[lane].limit) ||
        (!lanes[lane].part_limits.empty() && passes_at_end(lanes[lane], columns[lane]))) {
      found.push_back(lanes[lane].index);
    }
  }
}

void AdapterFilter::find(std::span<const ReadSet> read, std::vector<std::uint32_t>& found) const {
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  std::size_t i = 0;
  for (; i + kLanes <= lanes_.size(); i += kLanes) find_lanes<kLanes>(&lanes_[i], read, found);
  switch (lanes_.size() - i) {
    case 3: find_lanes<3>(&lanes_[i], read, found); break;
    case 2: find_lanes<2>(&lanes_[i], read, found); break;
    case 1: find_lanes<1>(&lanes_[i], read, found); break;
    default: break;
  }
  for (const Lane& lane : tied_) {
    if (passes_alone(lane, read)) found.push_back(lane.index);
  }
  found.insert(found.end(), long_.begin(), long_.end());
  std::sort(found.begin() + before, found.end());
}

}  // namespace basesweep
