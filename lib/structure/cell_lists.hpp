// The lists of the cell barcodes of layouts, and the barcodes that reads stand for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/structure/read_layout.hpp"
#include "lib/structure/whitelist.hpp"

namespace basesweep {

inline constexpr std::size_t kBarcodeFits = 4;
// How many reads fit a list in each way.
using FitCounts = std::array<std::uint64_t, kBarcodeFits>;
// "exact", "corrected", "ambiguous" or "none".
const char* word_of(BarcodeFit fit);

// A list as the command line names it.
struct NamedList {
  std::string name;  // "": it has none
  std::string path;
};
// "FILE", or "NAME=FILE" where the name has letters, digits, '_', '-' and '.' only.
NamedList parse_list(std::string_view text);

class CellLists {
 public:
  static constexpr std::uint32_t kNoList = 0xffffffff;

  // Reads the lists. A segment b<NAME> has the list of this name; the other cell segments of a layout have the only
  // list without a name, or those without names in order. Throws UsageError for a list that is not there or not used,
  // and as Whitelist::read().
  CellLists(const std::vector<NamedList>& lists, const std::vector<ReadLayout>& layouts, int threads);
  ~CellLists();

  bool empty() const { return lists_.empty(); }
  std::size_t size() const { return lists_.size(); }
  const NamedList& name(std::size_t list) const { return lists_[list]->named; }
  const Whitelist& operator[](std::size_t list) const { return lists_[list]->barcodes; }
  // The list of each cell segment of a layout, in the order of ReadLayout::of(); kNoList: it has none.
  const std::vector<std::uint32_t>& of_layout(std::size_t layout) const { return of_layouts_[layout]; }
  bool used_by(std::size_t layout) const;
  // Returns the lengths of a list's barcodes for which no layout has a place. Such barcodes are never found.
  std::vector<std::size_t> lengths_without_place(std::size_t list) const;

  // Makes several barcodes that are as near to a read be told apart by their counts, which count() adds up.
  void count_exact();
  void count(std::uint32_t list, std::string_view barcode) const { lists_[list]->counts->add(barcode); }

  // Finds the barcode that bases stand for, see BarcodeCorrector. Thread-safe.
  BarcodeMatch match(std::uint32_t list, std::string_view bases, std::string_view quality) const {
    return lists_[list]->corrector->match(bases, quality);
  }

 private:
  struct List {
    List(NamedList list, int threads) : named(std::move(list)), barcodes(Whitelist::read(named.path, threads)) {
      corrector.emplace(barcodes, nullptr);
    }

    const NamedList named;
    const Whitelist barcodes;
    std::optional<WhitelistCounts> counts{};
    std::optional<BarcodeCorrector> corrector{};
    std::uint64_t lengths = 0;  // bit b: a layout has a place for barcodes of b bases
    bool used() const { return lengths != 0; }
  };

  std::uint32_t find(const std::string& name) const;
  std::vector<std::uint32_t> lists_of(const ReadLayout& layout);
  static void add_lengths(const ReadLayout& layout, const StructureSegment& cell, List& list);

  std::vector<std::unique_ptr<List>> lists_;
  std::vector<std::uint32_t> unnamed_;
  std::vector<std::vector<std::uint32_t>> of_layouts_;
};

}  // namespace basesweep
