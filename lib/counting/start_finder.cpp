#include "lib/counting/start_finder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace basesweep {
StartFinder::StartFinder(const GuideLibrary& library)
    : lookup_(sequences_of(library), {.edits = 0, .strands = StrandChoice::both}) {
  for (const LibraryGuide& guide : library.guides) chance_ += std::pow(0.25, guide.sequence.size());
}

void StartFinder::add(std::string_view read) {
  ++found_.reads;
  std::array<bool, 2> matches{};
  lookup_.find_exact(read, {}, [&](std::uint32_t, std::size_t strand, std::size_t start) {
    matches[strand] = true;
    std::vector<std::uint64_t>& starts = starts_[strand];
    if (starts.size() <= start) starts.resize(start + 1, 0);
    ++starts[start];
  });
  for (const std::size_t strand : {0, 1}) found_.matching[strand] += matches[strand] ? 1 : 0;
}

void StartFinder::reset() {
  found_ = {};
  starts_ = {};
}

FoundStarts StartFinder::result() const {
  FoundStarts found = found_;
  for (const std::size_t strand : {0, 1}) {
    const double least = std::max(
        {2.0, 0.01 * static_cast<double>(found.matching[strand]), 5 * chance_ * static_cast<double>(found.reads)});
    for (std::size_t start = 0; start < starts_[strand].size(); ++start) {
      if (static_cast<double>(starts_[strand][start]) < least) continue;
      const auto place = static_cast<std::uint32_t>(start);
      if (found.windows[strand]) {
        found.windows[strand]->last = place;
      } else {
        found.windows[strand] = StartWindow{place, place};
      }
    }
  }
  return found;
}

std::vector<NestedGuide> nested_guides(const GuideLibrary& library) {
  std::vector<NestedGuide> nested;
  const auto by_size = [](const LibraryGuide& a, const LibraryGuide& b) {
    return a.sequence.size() < b.sequence.size();
  };
  const auto [shortest, longest] = std::minmax_element(library.guides.begin(), library.guides.end(), by_size);
  if (shortest == library.guides.end() || shortest->sequence.size() == longest->sequence.size()) return nested;
  const std::vector<std::string> sequences = sequences_of(library);
  const GuideLookup lookup(sequences, {.edits = 0});
  std::vector<bool> known(sequences.size(), false);
  for (std::uint32_t longer = 0; longer < sequences.size(); ++longer) {
    lookup.find_exact(sequences[longer], {}, [&](std::uint32_t guide, std::size_t, std::size_t) {
      if (guide == longer || known[guide]) return;
      known[guide] = true;
      nested.push_back({guide, longer});
    });
  }
  return nested;
}

}  // namespace basesweep
