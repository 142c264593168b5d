// How far the samples of a sheet are from each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/demux/sample_sheet.hpp"

namespace basesweep {

// Of sheets with more different barcodes on a side than this, only equal barcodes are found.
inline constexpr std::size_t kMaxComparedBarcodes = 5000;

// Throws DataError for two samples that no read could tell apart: the pattern of one may be in that of the other. Adds
// a warning to the sheet for samples that are nearer to each other than twice the margin.
void check_distances(SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes);

// Throws DataError for two samples of which reads of one, turned, look like reads of the other; those of pairs, with
// their mates exchanged. For sheets whose reads are searched both ways.
void check_other_way(const SampleSheet& sheet, const SheetSearch& search, const SheetBarcodes& barcodes, bool pairs);

// Throws DataError for two samples, by their numbers in the sheet.
[[noreturn]] void refuse_samples(const SampleSheet& sheet, std::size_t one, std::size_t other, const char* why);

// Two samples, by their numbers in the sheet, the smaller one first, and the edits between their barcodes.
struct NearSamples {
  std::size_t one;
  std::size_t other;
  std::uint32_t edits;
};
// Adds warnings to the sheet for samples that are nearer to each other than twice the margin.
void warn_of_near_samples(SampleSheet& sheet, std::uint32_t margin, std::vector<NearSamples> all);

// The least number of edits that turn one pattern into the other, or `most` + 1 if that is more than `most`. IUPAC
// codes that share a base are equal.
std::uint32_t edits_between(std::string_view one, std::string_view other, std::uint32_t most);

}  // namespace basesweep
