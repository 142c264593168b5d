// The ends of reads that barcodes are searched in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/pattern.hpp"

namespace basesweep {

// Which bases of reads are searched.
struct SearchedEnds {
  std::uint32_t window = 150;                 // bases at the ends of reads
  bool anywhere = false;                      // whole reads
  StrandChoice strands = StrandChoice::both;  // of reads; pairs are searched with mates exchanged
};

// The texts of a read or a pair in its orientations, and the costs of all barcodes in them.
struct ReadEnds {
  static constexpr int kOrientations = 2;

  // A text, and where it is: in which mate, and whether it is turned there.
  struct EndText {
    std::string_view text{};
    int mate = 0;
    bool turned = false;       // the text is the reverse complement of bases of the mate
    std::uint32_t offset = 0;  // of the text's first base in the mate, of the last one if turned
  };
  struct Orientation {
    bool searched = false;
    EndText first;   // where first barcodes are searched
    EndText second;  // where second barcodes are searched
    std::span<const std::uint8_t> first_costs{};
    std::span<const std::uint8_t> second_costs{};
  };
  std::array<Orientation, kOrientations> of;
  std::array<std::uint32_t, 2> letters{};  // of each mate, or of the read alone
};

// Finds the ends of each read; costs are added later. First barcodes begin a read, second ones end it. `has_second`:
// second barcodes are searched. Texts of turned ends are put into `turned`.
std::vector<ReadEnds> ends_of_reads(std::span<const std::string_view> reads, const SearchedEnds& searched,
                                    bool has_second, std::vector<std::string>& turned);

// The same for pairs: first barcodes begin first mates, second barcodes begin second mates.
std::vector<ReadEnds> ends_of_pairs(std::span<const std::string_view> mates, const SearchedEnds& searched);

}  // namespace basesweep
