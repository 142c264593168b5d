// What demux, trim and count read besides reads: sample sheets, libraries, lists of barcodes, adapters, layouts of
// reads.
#include <set>

#include "lib/counting/library.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/sample_sheet.hpp"
#include "lib/structure/read_structure.hpp"
#include "lib/structure/whitelist.hpp"
#include "lib/trim/adapter_set.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

void try_sheet(std::string_view text, const BarcodeKit* kit) {
  SampleSheet sheet = parse_sample_sheet(std::string(text), "sheet", kit);
  std::set<std::string> names;
  for (const SheetSample& sample : sheet.samples) {
    fuzz::require(names.insert(sample.name).second, "names of samples are unique");
    fuzz::require(!sample.first.letters.empty(), "every sample has a barcode");
    for (const std::string* letters : {&sample.first.letters, &sample.first.left, &sample.first.right,
                                       &sample.second.letters, &sample.second.left, &sample.second.right}) {
      fuzz::require(letters->find_first_not_of("ACGTRYSWKMBDHVN") == std::string::npos, "barcodes are IUPAC codes");
    }
  }
  fuzz::require(!names.empty(), "a sheet has samples");
  if (names.size() < 50) barcodes_of(sheet, {});
}

void try_library(std::string_view text, EqualSequences equal) {
  const GuideLibrary library = parse_library(std::string(text), "library", equal);
  std::set<std::string> names, sequences;
  for (const LibraryGuide& guide : library.guides) {
    fuzz::require(names.insert(guide.name).second, "names of guides are unique");
    fuzz::require(sequences.insert(guide.sequence).second, "sequences of guides are unique");
    fuzz::require(guide.sequence.size() >= kMinTagLength && guide.sequence.size() <= kMaxTagLength,
                  "guides have 4 to 64 bases");
    fuzz::require(guide.sequence.find_first_not_of("ACGT") == std::string::npos, "guides are A, C, G and T");
  }
}

void try_list(std::string_view text) {
  const Whitelist list = Whitelist::parse(text, "list", 1);
  fuzz::require(list.size() != 0, "a list has barcodes");
  for (std::size_t i = 0; i < list.size(); ++i) fuzz::require(list.find(list[i]) == i, "a barcode has its number");
}

void try_adapter(std::string_view word, AdapterKind kind) {
  const Adapter adapter = parse_adapter(word, kind, {});
  fuzz::require(adapter.parts.size() == 1 || adapter.is_linked(), "an adapter has one part or two");
  std::vector<LetterSet> read;
  append_read_sets("ACGTNACGTACGTTTACAGATCGGAAGAGCACACG", false, read);
  const auto found = AdapterSet({adapter}).find(read);
  if (found) fuzz::require(found->kept.begin <= found->kept.end && found->kept.end <= read.size(), "it is in the read");
}

void try_structure(std::string_view text) {
  std::vector<PlacedSegment> placed;
  const auto place = [&placed](const ReadStructure& structure) {
    const std::string_view read = "ACGTNACGTACGTTTACAGATCGGAAGAGCACACG";
    if (!structure.place(read, placed)) return;
    fuzz::require(placed.size() == structure.segments().size(), "each segment has a place");
    for (const PlacedSegment& one : placed)
      fuzz::require(one.begin <= one.end && one.end <= read.size(), "in the read");
  };
  if (!is_geometry(text)) return place(parse_read_structure(text));
  for (const ReadStructure& structure : parse_geometry(text)) place(structure);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  fuzz::refuses([&] {
    switch (choice.number % 9) {
      case 0: return try_sheet(choice.rest, nullptr);
      case 1: return try_sheet(choice.rest, &barcode_kit("RBK114-24"));
      case 2: return try_sheet(choice.rest, &barcode_kit("16S024"));
      case 3: return try_library(choice.rest, EqualSequences::refused);
      case 4: return try_library(choice.rest, EqualSequences::merged);
      case 5: return try_list(choice.rest);
      case 6: return try_adapter(choice.rest, AdapterKind::three_prime);
      case 7: return try_adapter(choice.rest, AdapterKind::either);
      default: return try_structure(choice.rest);
    }
  });
  return 0;
}
