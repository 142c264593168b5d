#include "lib/demux/structure_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/demux/mismatch_lookup.hpp"
#include "lib/demux/sample_distances.hpp"
#include "lib/search/edit_options.hpp"

namespace basesweep {
namespace {

std::string where(const SampleSheet& sheet, const SheetSample& sample) {
  return fmt::format("{}: line {}: ", sheet.path, sample.line);
}

// Reads of two layouts with the same key have their sample barcodes at the same places, and nothing else that tells
// them apart.
std::string key_of(const ReadLayout& layout) {
  std::string key;
  for (std::size_t mate = 0; mate < layout.mates(); ++mate) {
    std::uint32_t at = 0;
    for (const StructureSegment& segment : layout[mate].segments()) {
      if (segment.kind == SegmentKind::fixed) return layout.text();
      const bool placed = segment.min == segment.max;
      if (segment.kind == SegmentKind::sample) {
        if (!placed || at == StructureSegment::kRest) return layout.text();
        for (std::uint32_t base = at; base < at + segment.min; ++base) key += fmt::format("{}:{} ", mate, base);
      }
      at = placed && at != StructureSegment::kRest ? at + segment.min : StructureSegment::kRest;
    }
  }
  return key;
}

class StructureReader {
 public:
  StructureReader(SampleSheet& sheet, const StructureSearch& search) : sheet_(sheet), search_(search) {}

  StructureSheet read() {
    std::optional<ReadLayout> usual;
    if (!search_.structures.empty()) usual = parse_layout(search_.structures, SegmentKind::sample);
    for (const SheetSample& sample : sheet_.samples) add(sample, usual);
    warn_of_flanks();
    return std::move(read_);
  }

 private:
  void add(const SheetSample& sample, const std::optional<ReadLayout>& usual) {
    StructureSample one;
    if (sample.structure.empty() && !usual)
      throw DataError(where(sheet_, sample) + "it has no read structure: use the column structure, or --structure");
    const ReadLayout layout = sample.structure.empty() ? *usual : parse(sample);
    const auto [known, is_new] = numbers_.try_emplace(layout.text(), static_cast<std::uint32_t>(read_.layouts.size()));
    if (is_new) read_.layouts.push_back(layout);
    one.layout = known->second;
    one.barcode = sample.first.letters + sample.second.letters;
    check_length(sample, layout, one.barcode.size());
    const std::uint32_t by_rate =
        search_.rate ? static_cast<std::uint32_t>(edits_at_rate(*search_.rate, one.barcode.size())) : 1;
    one.limit = sample.edits.value_or(search_.edits.value_or(by_rate));
    read_.samples.push_back(std::move(one));
  }

  ReadLayout parse(const SheetSample& sample) const {
    try {
      return parse_layout(split_structures(sample.structure), SegmentKind::sample);
    } catch (const UsageError& fault) {
      throw DataError(where(sheet_, sample) + "column structure: " + fault.what());
    }
  }

  void check_length(const SheetSample& sample, const ReadLayout& layout, std::size_t length) const {
    const std::vector<LayoutSegment>& segments = layout.of(SegmentKind::sample);
    if (segments.empty())
      throw DataError(fmt::format("{}the read structure {} has no sample barcode (B, or b without the name of a list)",
                                  where(sheet_, sample), layout.text()));
    std::size_t least = 0, most = 0;
    bool rest = false;
    for (const LayoutSegment& at : segments) {
      least += layout[at].min;
      rest = rest || layout[at].max == StructureSegment::kRest;
      if (!rest) most += layout[at].max;
    }
    if (length >= least && (rest || length <= most)) return;
    throw DataError(fmt::format("{}the barcode of sample '{}' has {} bases, but the read structure {} has {} for it",
                                where(sheet_, sample), sample.name, length, layout.text(),
                                rest            ? fmt::format("at least {}", least)
                                : least == most ? fmt::format("{}", least)
                                                : fmt::format("{} to {}", least, most)));
  }

  void warn_of_flanks() {
    const auto flanked = std::find_if(sheet_.samples.begin(), sheet_.samples.end(), [](const SheetSample& one) {
      return !(one.first.left + one.first.right + one.second.left + one.second.right).empty();
    });
    if (flanked == sheet_.samples.end()) return;
    sheet_.warnings.push_back(where(sheet_, *flanked) +
                              "the columns left and right are not used, since reads have a structure (f[ACGT] is a "
                              "fixed sequence in it)");
  }

  SampleSheet& sheet_;
  const StructureSearch& search_;
  StructureSheet read_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // of layouts, by their texts
};

[[noreturn]] void fail_alike(const SampleSheet& sheet, std::size_t one, std::size_t other, bool equal) {
  const SheetSample& a = sheet.samples[std::min(one, other)];
  const SheetSample& b = sheet.samples[std::max(one, other)];
  throw DataError(fmt::format("{}: lines {} and {}: the samples '{}' and '{}' cannot be told apart: {}", sheet.path,
                              a.line, b.line, a.name, b.name,
                              equal ? "they have the same barcode" : "codes of several bases let both be the same"));
}

// Compares samples whose barcodes are at the same places and have one length.
void compare(SampleSheet& sheet, const StructureSheet& read, std::uint32_t margin) {
  std::unordered_map<std::string, std::vector<std::uint32_t>> groups;
  std::vector<std::string> keys;
  for (const ReadLayout& layout : read.layouts) keys.push_back(key_of(layout));
  std::unordered_map<std::string, std::uint32_t> first_with;  // this key and barcode
  for (std::uint32_t i = 0; i < read.samples.size(); ++i) {
    const StructureSample& sample = read.samples[i];
    const auto [known, is_new] = first_with.try_emplace(keys[sample.layout] + sample.barcode, i);
    if (!is_new) fail_alike(sheet, known->second, i, true);
    groups[fmt::format("{} {}", sample.barcode.size(), keys[sample.layout])].push_back(i);
  }
  if (read.samples.size() > kMaxComparedBarcodes) return;
  std::vector<std::vector<std::uint64_t>> sets;
  for (const StructureSample& sample : read.samples) sets.push_back(letter_sets(sample.barcode, false));
  std::vector<NearSamples> near;
  for (const auto& [key, members] : groups) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const std::size_t one = members[i], other = members[j];
        const std::uint32_t edits =
            mismatches_between(sets[one].data(), sets[other].data(), read.samples[one].barcode.size());
        if (edits == 0) fail_alike(sheet, one, other, false);
        if (edits < 2 * margin) near.push_back({one, other, edits});
      }
    }
  }
  warn_of_near_samples(sheet, margin, std::move(near));
}

}  // namespace

StructureSheet structures_of(SampleSheet& sheet, const StructureSearch& search) {
  StructureSheet read = StructureReader(sheet, search).read();
  compare(sheet, read, search.margin);
  return read;
}

}  // namespace basesweep
