#include "lib/structure/read_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {

std::optional<std::size_t> ReadLayout::only_insert() const {
  if (inserts_[0].has_value() == inserts_[1].has_value()) return std::nullopt;
  return inserts_[0] ? 0 : 1;
}

LayoutFit ReadLayout::place(std::span<const std::string_view> mates, PlacedMates& placed) const {
  for (std::size_t mate = 0; mate < mates_.size(); ++mate) {
    if (mates[mate].size() < mates_[mate].min_length()) return LayoutFit::too_short;
  }
  for (std::size_t mate = 0; mate < mates_.size(); ++mate) {
    if (!mates_[mate].place(mates[mate], placed[mate])) return LayoutFit::differs;
  }
  return LayoutFit::fits;
}

namespace {

std::vector<ReadStructure> parse_all(std::span<const std::string> texts, SegmentKind plain_b) {
  std::vector<ReadStructure> mates;
  for (const std::string& text : texts) {
    if (!is_geometry(text)) {
      mates.push_back(parse_read_structure(text));
      continue;
    }
    if (texts.size() > 1)
      throw UsageError(fmt::format("read structure {}: a geometry is given once, for all mates", text));
    for (const ReadStructure& one : parse_geometry(text)) {
      std::vector<StructureSegment> segments = one.segments();
      for (StructureSegment& segment : segments) {
        if (segment.kind == SegmentKind::cell && segment.list.empty()) segment.kind = plain_b;
      }
      mates.emplace_back(std::move(segments));
    }
  }
  return mates;
}

}  // namespace

ReadLayout parse_layout(std::span<const std::string> texts, SegmentKind plain_b) {
  ReadLayout layout;
  layout.text_ = fmt::format("{}", fmt::join(texts, " "));
  layout.mates_ = parse_all(texts, plain_b);
  if (layout.mates_.empty() || layout.mates_.size() > 2)
    throw UsageError(fmt::format("read structure {}: it is of {} reads, expected 1, or 2 of pairs", layout.text_,
                                 layout.mates_.size()));
  for (std::size_t mate = 0; mate < layout.mates_.size(); ++mate) {
    const std::vector<StructureSegment>& segments = layout.mates_[mate].segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      layout.of_kind_[static_cast<std::size_t>(segments[i].kind)].push_back({mate, i});
      if (segments[i].kind != SegmentKind::insert) continue;
      if (layout.inserts_[mate])
        throw UsageError(
            fmt::format("read structure {}: a read with two inserts (T or r); one is possible", layout.text_));
      layout.inserts_[mate] = i;
    }
  }
  return layout;
}

std::vector<std::string> split_structures(std::string_view text) {
  std::vector<std::string> texts;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" ,\t");
    if (end != 0) texts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return texts;
}

void check_mates(const ReadLayout& layout, bool paired, std::string_view option) {
  const std::size_t expected = paired ? 2 : 1;
  if (layout.mates() == expected) return;
  throw UsageError(fmt::format(
      "{} {}: {}", option, layout.text(),
      paired ? "it is the structure of one read, and the reads are pairs: give that of second mates too (+S skips one)"
             : "it has structures of two mates, and the reads are single"));
}

}  // namespace basesweep
