#include "lib/demux/structure_caller.hpp"

#include <algorithm>
#include <utility>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

struct CallScratch {
  std::vector<PlacedMates> places;  // by each layout
  std::string word;
};

}  // namespace

StructureCaller::StructureCaller(StructureSheet sheet, const CellLists& lists, std::uint32_t margin)
    : sheet_(std::move(sheet)), lists_(lists), margin_(margin) {
  std::uint32_t most = 0;
  std::vector<std::map<std::size_t, std::vector<MismatchLookup::Entry>>> entries(sheet_.layouts.size());
  for (std::uint32_t i = 0; i < sheet_.samples.size(); ++i) {
    const StructureSample& sample = sheet_.samples[i];
    most = std::max(most, sample.limit + margin_ - 1);
    entries[sample.layout][sample.barcode.size()].push_back({sample.barcode, i, sample.limit});
  }
  for (auto& by_length : entries) {
    auto& lookups = lookups_.emplace_back();
    for (auto& [length, own] : by_length) lookups.emplace(length, MismatchLookup(std::move(own), most));
  }
}

void StructureCaller::find_sample(std::span<const std::string_view> mates, StructureCall& result) const {
  result.call = SampleCall{};
  result.placed = false;
  for (std::size_t mate = 0; mate < mates.size(); ++mate)
    result.call.kept[mate] = {0, static_cast<std::uint32_t>(mates[mate].size())};
  auto& scratch = per_thread<CallScratch>();
  scratch.places.resize(sheet_.layouts.size());
  NearestSamples nearest;
  bool all_too_short = true;
  for (std::size_t i = 0; i < sheet_.layouts.size(); ++i) {
    const ReadLayout& layout = sheet_.layouts[i];
    PlacedMates& places = scratch.places[i];
    const LayoutFit fit = layout.place(mates, places);
    all_too_short = all_too_short && fit == LayoutFit::too_short;
    if (fit != LayoutFit::fits) continue;
    if (sheet_.samples.empty()) {
      result.placed = true;
      continue;
    }
    scratch.word.clear();
    for (const LayoutSegment& at : layout.of(SegmentKind::sample))
      scratch.word += part_of(mates[at.mate], places[at.mate][at.segment]);
    const auto lookup = lookups_[i].find(scratch.word.size());
    if (lookup != lookups_[i].end()) lookup->second.find(scratch.word, nearest);
  }
  SampleCall& call = result.call;
  call.reason = all_too_short ? NoSample::too_short : NoSample::none;
  if (result.placed) return assign(mates, 0, result);
  if (nearest.best == NearestSamples::kNone) return;
  if (nearest.edits <= nearest.limit) call.edits = nearest.edits;
  if (nearest.second <= nearest.limit + margin_ - 1) call.second = nearest.second;
  if (nearest.edits > nearest.limit) return;
  if (nearest.second - nearest.edits < margin_) {
    call.reason = NoSample::ambiguous;
    return;
  }
  assign(mates, nearest.best, result);
}

void StructureCaller::assign(std::span<const std::string_view> mates, std::uint32_t sample,
                             StructureCall& result) const {
  auto& scratch = per_thread<CallScratch>();
  result.layout = sheet_.samples.empty() ? 0 : sheet_.samples[sample].layout;
  result.placed = true;
  std::swap(result.places, scratch.places[result.layout]);
  result.call.sample = sample;
  result.call.reason = NoSample::assigned;
  result.call.strand = '+';
  const ReadLayout& layout = sheet_.layouts[result.layout];
  for (std::size_t mate = 0; mate < mates.size(); ++mate) {
    const std::optional<std::size_t> insert = layout.insert(mate);
    const PlacedSegment kept = insert ? result.places[mate][*insert] : PlacedSegment{};
    result.call.kept[mate] = {kept.begin, kept.end};
  }
}

void StructureCaller::match_cells(std::span<const std::string_view> mates, std::span<const std::string_view> qualities,
                                  StructureCall& result) const {
  result.cells.clear();
  if (result.call.sample == SampleCall::kNoSample) return;
  const std::vector<LayoutSegment>& cells = sheet_.layouts[result.layout].of(SegmentKind::cell);
  const std::vector<std::uint32_t>& lists = lists_.of_layout(result.layout);
  bool none = false, ambiguous = false;
  std::uint32_t corrected = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    BarcodeMatch& match = result.cells.emplace_back();
    if (lists[i] == CellLists::kNoList) continue;
    const PlacedSegment at = result.places[cells[i].mate][cells[i].segment];
    const std::string_view quality = qualities[cells[i].mate];
    match = lists_.match(lists[i], part_of(mates[cells[i].mate], at),
                         quality.empty() ? std::string_view() : part_of(quality, at));
    none = none || match.fit == BarcodeFit::none;
    ambiguous = ambiguous || match.fit == BarcodeFit::ambiguous;
    corrected += match.fit == BarcodeFit::corrected ? 1 : 0;
  }
  SampleCall& call = result.call;
  if (none || ambiguous) {
    call.sample = SampleCall::kNoSample;
    call.reason = none ? NoSample::none : NoSample::ambiguous;
    call.strand = '.';
    for (std::size_t mate = 0; mate < mates.size(); ++mate)
      call.kept[mate] = {0, static_cast<std::uint32_t>(mates[mate].size())};
  } else if (sheet_.samples.empty()) {
    call.edits = corrected;
  }
}

}  // namespace basesweep
