#include "lib/demux/read_ends.hpp"

#include <algorithm>

#include "lib/base/reverse_complement.hpp"

namespace basesweep {

std::vector<ReadEnds> ends_of_reads(std::span<const std::string_view> reads, const SearchedEnds& searched,
                                    bool has_second, std::vector<std::string>& turned) {
  std::vector<ReadEnds> all(reads.size());
  turned.resize(2 * reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::string_view read = reads[i];
    const std::size_t window = searched.anywhere ? read.size() : std::min<std::size_t>(read.size(), searched.window);
    const auto letters = static_cast<std::uint32_t>(read.size());
    const auto rest = static_cast<std::uint32_t>(read.size() - window);
    const std::string_view head = read.substr(0, window);
    const std::string_view tail = read.substr(rest);
    ReadEnds& ends = all[i];
    ends.letters = {letters, 0};
    if (searched.strands != StrandChoice::minus)
      ends.of[0] = {true, {head, 0, false, 0}, {tail, 0, false, rest}, {}, {}};
    if (searched.strands != StrandChoice::plus) {
      const std::string_view turned_tail = turned[2 * i] = reverse_complement(tail);
      std::string_view turned_head;
      if (has_second) turned_head = turned[2 * i + 1] = reverse_complement(head);
      ends.of[1] = {
          true, {turned_tail, 0, true, letters}, {turned_head, 0, true, static_cast<std::uint32_t>(window)}, {}, {}};
    }
  }
  return all;
}

std::vector<ReadEnds> ends_of_pairs(std::span<const std::string_view> mates, const SearchedEnds& searched) {
  std::vector<ReadEnds> all(mates.size() / 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ReadEnds::EndText heads[2];
    for (std::size_t mate = 0; mate < 2; ++mate) {
      const std::string_view read = mates[2 * i + mate];
      all[i].letters[mate] = static_cast<std::uint32_t>(read.size());
      heads[mate] = {searched.anywhere ? read : read.substr(0, searched.window), static_cast<int>(mate), false, 0};
    }
    if (searched.strands != StrandChoice::minus) all[i].of[0] = {true, heads[0], heads[1], {}, {}};
    if (searched.strands != StrandChoice::plus) all[i].of[1] = {true, heads[1], heads[0], {}, {}};
  }
  return all;
}

}  // namespace basesweep
