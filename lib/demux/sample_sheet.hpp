// Sample sheets: which sample has which barcodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/demux/barcode_caller.hpp"
#include "lib/demux/barcode_set.hpp"

namespace basesweep {

struct BarcodeKit;  // lib/demux/barcode_kits.hpp

// A barcode as a sheet gives it, 5' to 3' as in the read. Letters are IUPAC codes in upper case.
struct SheetBarcode {
  std::string letters;  // "": the sample has no barcode on this side
  std::string left;
  std::string right;
  std::string name;  // the name of it that the sheet has, of a kit, or its letters
};

struct SheetSample {
  std::string name;
  SheetBarcode first;
  SheetBarcode second;
  std::optional<std::uint32_t> edits{};  // the most that a barcode of this sample may have
  std::string structure{};               // of its reads, see parse_layout(); "": it has none of its own
  std::size_t line = 0;                  // of the sheet, from 1
};

struct SampleSheet {
  std::string path;  // as messages name it
  std::vector<SheetSample> samples;
  std::vector<std::string> warnings;
  // The kit has the barcode of a sample at both ends of reads: the second one is the reverse complement of the first,
  // and one of both is enough.
  bool same_at_ends = false;

  bool has_second() const;
  // Whether a sample has a structure of its own.
  bool has_structure() const;
};

// Reads a sheet with a header: TSV, CSV, or Illumina's SampleSheet.csv, of which the section [Data] or
// [BCLConvert_Data] is read. `kit`: whose names may stand in place of barcodes, and whose flanks hold where the sheet
// has none; may be null. Throws IoError, and DataError, which names file and line, for what is no sheet or what a
// sample may not have.
SampleSheet read_sample_sheet(const std::string& path, const BarcodeKit* kit);
// The same for text; `name`: of the file, for messages.
SampleSheet parse_sample_sheet(std::string text, const std::string& name, const BarcodeKit* kit);

// How the barcodes of a sheet are searched.
struct SheetSearch {
  BarcodePatternOptions patterns{};
  std::optional<std::uint32_t> edits{};  // of each barcode; before patterns.error_rate, after SheetSample::edits
  std::uint32_t margin = 2;
  bool either_end = false;
};

// The different barcodes of a sheet, and the samples by their numbers, in the order of the sheet.
struct SheetBarcodes {
  std::vector<Barcode> first;
  std::vector<Barcode> second;
  std::vector<std::string> first_names;
  std::vector<std::string> second_names;
  std::vector<SampleBarcodes> samples;
};

// Throws DataError for two samples that no read could tell apart: patterns of which one may be in the other. Adds a
// warning to the sheet for samples that are nearer to each other than twice the margin.
SheetBarcodes barcodes_of(SampleSheet& sheet, const SheetSearch& search);

// The letters of the longest pattern, and those that a text must have for any of them to be found in it.
struct PatternLengths {
  std::size_t longest = 0;
  std::size_t needed = 0;
};
PatternLengths pattern_lengths(const SheetBarcodes& barcodes, std::uint32_t context);

}  // namespace basesweep
