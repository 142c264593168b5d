// Kits of barcodes: the flanks of barcodes, and the barcodes by their names, where they are public.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basesweep {

struct BarcodeKit {
  std::string name;
  std::string about;
  // Around the barcode at the begin of reads, or of first mates, and around the one at their end, or of second mates.
  std::string left, right, left2, right2;
  // Barcodes begin after at most so many other bases of a read; nothing: they are searched in windows of the usual
  // size.
  std::optional<std::uint32_t> slack{};
  std::optional<std::uint32_t> edits{};  // of each barcode; nothing: by the error rate
  // Names, such as BC01, and barcodes as in the read.
  std::vector<std::pair<std::string, std::string>> barcodes{};
  // The read structures of both mates, if the barcodes are at fixed places; then the kit has nothing else.
  std::vector<std::string> structures{};

  // Whether reads have barcodes at both ends.
  bool has_second() const { return !left2.empty() || !right2.empty(); }
  // The letters of a barcode by its name, in either case, also by names that manufacturers and programs give to the
  // same number: barcode01, BC01, NB01, RB01; "": there is none of this name.
  std::string_view find(std::string_view barcode) const;
  // The names of its barcodes, for messages: "BC01 to BC12"; "" if it has none.
  std::string names() const;
};

// All kits, in the order of lib/demux/kits.tsv.
const std::vector<BarcodeKit>& barcode_kits();
// The kit of this name, in either case, also with SQK- or EXP- before it. Throws UsageError that names the known ones.
const BarcodeKit& barcode_kit(const std::string& name);
// A line for each kit.
std::string list_barcode_kits();

}  // namespace basesweep
