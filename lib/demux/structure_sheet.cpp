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

// Where the bases of the sample barcodes of a layout are, as mate << 32 | base; empty if that depends on the read, or
// if fixed sequences tell its reads from others too.
std::vector<std::uint64_t> barcode_bases(const ReadLayout& layout) {
  std::vector<std::uint64_t> bases;
  for (std::size_t mate = 0; mate < layout.mates(); ++mate) {
    std::uint32_t at = 0;
    for (const StructureSegment& segment : layout[mate].segments()) {
      if (segment.kind == SegmentKind::fixed) return {};
      const bool placed = segment.min == segment.max;
      if (segment.kind == SegmentKind::sample) {
        if (!placed || at == StructureSegment::kRest) return {};
        for (std::uint32_t base = at; base < at + segment.min; ++base)
          bases.push_back(std::uint64_t{mate} << 32U | base);
      }
      at = placed && at != StructureSegment::kRest ? at + segment.min : StructureSegment::kRest;
    }
  }
  return bases;
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

// Finds samples that no read tells apart, or few errors make ambiguous.
class StructureComparison {
 public:
  StructureComparison(SampleSheet& sheet, const StructureSheet& read, std::uint32_t margin)
      : sheet_(sheet), read_(read), margin_(margin) {}

  void run() {
    make_groups();
    if (read_.samples.size() > kMaxComparedBarcodes) return;
    for (const StructureSample& sample : read_.samples) sets_.push_back(letter_sets(sample.barcode, false));
    for (const Group& group : groups_) compare_all(group);
    for (const Group& part : groups_) {
      for (const Group& whole : groups_) compare_part(part, whole);
    }
    warn_of_near_samples(sheet_, margin_, std::move(near_));
  }

 private:
  // Samples whose barcodes are at the same bases of reads; or, where these are not known, of one layout and length.
  struct Group {
    std::vector<std::uint64_t> bases;
    std::vector<std::uint32_t> members;
  };

  void make_groups() {
    std::vector<std::vector<std::uint64_t>> bases;
    std::vector<std::string> keys;
    for (const ReadLayout& layout : read_.layouts) {
      bases.push_back(barcode_bases(layout));
      keys.push_back(bases.back().empty() ? layout.text() : fmt::format("{}", fmt::join(bases.back(), " ")));
    }
    std::unordered_map<std::string, std::uint32_t> first_with;  // this key and barcode
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::uint32_t i = 0; i < read_.samples.size(); ++i) {
      const StructureSample& sample = read_.samples[i];
      const std::string& key = keys[sample.layout];
      const auto [known, is_new] = first_with.try_emplace(key + ' ' + sample.barcode, i);
      if (!is_new) refuse_samples(sheet_, known->second, i, "they have the same barcode");
      const auto [group, first] = numbers.try_emplace(fmt::format("{} {}", sample.barcode.size(), key), groups_.size());
      if (first) groups_.push_back({bases[sample.layout], {}});
      groups_[group->second].members.push_back(i);
    }
  }

  void compare_all(const Group& group) {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      for (std::size_t j = i + 1; j < group.members.size(); ++j) {
        const std::uint32_t one = group.members[i], other = group.members[j];
        compare(one, other, sets_[other], "codes of several bases let both be the same");
      }
    }
  }

  // Where the bases of one group are all among those of another.
  void compare_part(const Group& part, const Group& whole) {
    if (part.bases.empty() || part.bases.size() >= whole.bases.size()) return;
    std::vector<std::size_t> places;
    for (const std::uint64_t base : part.bases) {
      const auto at = std::find(whole.bases.begin(), whole.bases.end(), base);
      if (at == whole.bases.end()) return;
      places.push_back(static_cast<std::size_t>(at - whole.bases.begin()));
    }
    for (const std::uint32_t other : whole.members) {
      std::string letters;
      for (const std::size_t place : places) letters += read_.samples[other].barcode[place];
      const std::vector<std::uint64_t> sets = letter_sets(letters, false);
      for (const std::uint32_t one : part.members)
        compare(one, other, sets, "the barcode of one is part of the other's");
    }
  }

  void compare(std::uint32_t one, std::uint32_t other, const std::vector<std::uint64_t>& sets, const char* why) {
    const std::uint32_t edits = mismatches_between(sets_[one].data(), sets.data(), read_.samples[one].barcode.size());
    if (edits == 0) refuse_samples(sheet_, one, other, why);
    if (edits < 2 * margin_) near_.push_back({std::min(one, other), std::max(one, other), edits});
  }

  SampleSheet& sheet_;
  const StructureSheet& read_;
  const std::uint32_t margin_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::uint64_t>> sets_;  // of the barcode of each sample
  std::vector<NearSamples> near_;
};

}  // namespace

StructureSheet structures_of(SampleSheet& sheet, const StructureSearch& search) {
  StructureSheet read = StructureReader(sheet, search).read();
  StructureComparison(sheet, read, search.margin).run();
  return read;
}

}  // namespace basesweep
