// A read between the steps of trimming. Private to lib/trim.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/reads/read_list.hpp"
#include "lib/trim/adapter_set.hpp"
#include "lib/trim/primer_finder.hpp"
#include "lib/trim/read_filters.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {

inline ReadRange turned_range(ReadRange range, std::size_t size) {
  const auto all = static_cast<std::uint32_t>(size);
  return {all - range.end, all - range.begin};
}

inline ReadRange shifted(ReadRange range, std::uint32_t by) { return {range.begin + by, range.end + by}; }

// A read on its way through the steps. Ranges are of the whole read, of its reverse complement if `turned`.
struct ReadState {
  const InputRead* read = nullptr;
  std::size_t mate = 0;
  ReadRange range;
  bool turned = false;
  bool exchanged = false;       // with its mate: `read` is that of the other one
  bool by_overlap = false;      // the overlap of mates says where it ends
  std::string_view replaced{};  // bases to write in place of the read's, in its own orientation
  std::vector<FoundAdapter> found;
  std::optional<FoundPrimers> primers;

  void start(const InputRead& of, std::size_t mate_number) {
    read = &of;
    mate = mate_number;
    range = {0, static_cast<std::uint32_t>(of.bases.size())};
    turned = exchanged = by_overlap = false;
    replaced = {};
    found.clear();
    primers.reset();
  }
  std::string_view letters() const { return replaced.data() != nullptr ? replaced : read->bases; }
  bool has_adapter() const { return by_overlap || !found.empty() || primers.has_value(); }
  ReadRange input_range() const { return turned ? turned_range(range, read->bases.size()) : range; }
  FilteredRead trimmed() const {
    const ReadRange kept = input_range();
    const std::string_view quality = read->quality.substr(std::min<std::size_t>(kept.begin, read->quality.size()));
    return {mate, letters().substr(kept.begin, kept.size()), quality.substr(0, kept.size()), has_adapter()};
  }
};

// What a list of reads fills.
struct Trimmer::Batch {
  ProcessedReads& results;
  TrimCounts& counts;
};

}  // namespace basesweep
