#include "lib/structure/cell_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {

const char* word_of(BarcodeFit fit) {
  switch (fit) {
    case BarcodeFit::exact: return "exact";
    case BarcodeFit::corrected: return "corrected";
    case BarcodeFit::ambiguous: return "ambiguous";
    case BarcodeFit::none: return "none";
  }
  return "";
}

NamedList parse_list(std::string_view text) {
  const std::size_t end = text.find('=');
  const std::string_view name = text.substr(0, end);
  const auto allowed = [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.');
  };
  if (end == std::string_view::npos || end == 0 || !std::all_of(name.begin(), name.end(), allowed))
    return {"", std::string(text)};
  return {std::string(name), std::string(text.substr(end + 1))};
}

CellLists::CellLists(const std::vector<NamedList>& lists, const std::vector<ReadLayout>& layouts, int threads) {
  for (const NamedList& list : lists) {
    if (list.path.empty()) throw UsageError(fmt::format("--list {}=: expected a file after '='", list.name));
    if (!list.name.empty() && find(list.name) != kNoList)
      throw UsageError(fmt::format("--list {}: this name is given twice", list.name));
    if (list.name.empty()) unnamed_.push_back(static_cast<std::uint32_t>(lists_.size()));
    lists_.push_back(std::make_unique<List>(list, threads));
  }
  for (const ReadLayout& layout : layouts) of_layouts_.push_back(lists_of(layout));
  for (const auto& list : lists_) {
    if (!list->used())
      throw UsageError(fmt::format("--list {}{}: no read structure has a cell barcode (C, b) with this list",
                                   list->named.name.empty() ? "" : list->named.name + "=", list->named.path));
  }
}

CellLists::~CellLists() = default;

std::uint32_t CellLists::find(const std::string& name) const {
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (lists_[i]->named.name == name) return static_cast<std::uint32_t>(i);
  }
  return kNoList;
}

std::vector<std::uint32_t> CellLists::lists_of(const ReadLayout& layout) {
  const std::vector<LayoutSegment>& cells = layout.of(SegmentKind::cell);
  std::vector<std::uint32_t> lists;
  std::size_t without_name = 0;
  for (const LayoutSegment& cell : cells) without_name += layout[cell].list.empty() ? 1 : 0;
  if (unnamed_.size() > 1 && without_name != 0 && unnamed_.size() != without_name) {
    throw UsageError(
        fmt::format("read structure {}: it has {} without the name of a list, and {} lists without a name are given; "
                    "expected one list, or one for each",
                    layout.text(), without_name == 1 ? "1 cell barcode" : fmt::format("{} cell barcodes", without_name),
                    unnamed_.size()));
  }
  std::size_t next = 0;
  for (const LayoutSegment& cell : cells) {
    const std::string& name = layout[cell].list;
    std::uint32_t list = kNoList;
    if (!name.empty()) {
      list = find(name);
      if (list == kNoList)
        throw UsageError(
            fmt::format("read structure {}: the list '{}' is not given: --list {}=FILE", layout.text(), name, name));
    } else if (!unnamed_.empty()) {
      list = unnamed_[unnamed_.size() == 1 ? 0 : next++];
    }
    if (list != kNoList) add_lengths(layout, layout[cell], *lists_[list]);
    lists.push_back(list);
  }
  return lists;
}

void CellLists::add_lengths(const ReadLayout& layout, const StructureSegment& cell, List& list) {
  bool some = false;
  for (std::size_t bases = cell.min; bases <= std::min<std::size_t>(cell.max, kMaxListedBarcode); ++bases) {
    some |= list.barcodes.has_length(bases);
    list.lengths |= std::uint64_t{1} << bases;
  }
  if (some) return;
  throw UsageError(fmt::format("--list {}: it has no barcode of {}{} bases, which the read structure {} has",
                               list.named.path, cell.min,
                               cell.max == cell.min                  ? ""
                               : cell.max == StructureSegment::kRest ? " or more"
                                                                     : fmt::format(" to {}", cell.max),
                               layout.text()));
}

std::vector<std::size_t> CellLists::lengths_without_place(std::size_t list) const {
  std::vector<std::size_t> lengths;
  for (std::size_t bases = 0; bases <= kMaxListedBarcode; ++bases) {
    if (lists_[list]->barcodes.has_length(bases) && (lists_[list]->lengths >> bases & 1) == 0) lengths.push_back(bases);
  }
  return lengths;
}

bool CellLists::used_by(std::size_t layout) const {
  const std::vector<std::uint32_t>& lists = of_layouts_[layout];
  return std::any_of(lists.begin(), lists.end(), [](std::uint32_t list) { return list != kNoList; });
}

void CellLists::count_exact() {
  for (const auto& list : lists_) {
    list->counts.emplace(list->barcodes);
    list->corrector.emplace(list->barcodes, &*list->counts);
  }
}

}  // namespace basesweep
