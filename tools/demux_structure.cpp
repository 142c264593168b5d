#include "tools/demux_structure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "tools/print.hpp"

namespace basesweep {

StructureDemux::StructureDemux(const DemuxArguments& options, SampleSheet* sheet, const Run& run) : options_(options) {
  StructureSheet read;
  if (sheet != nullptr) {
    read = structures_of(*sheet, {options.structures, options.edits, options.rate, options.margin});
  } else {
    read.layouts.push_back(parse_layout(options.structures));
    if (!read.layouts.front().of(SegmentKind::sample).empty()) {
      throw UsageError(
          fmt::format("--structure {}: B is the barcode of a sample, and no samples are given (-s SHEET); C is the "
                      "barcode of a cell, S leaves bases out",
                      read.layouts.front().text()));
    }
  }
  std::vector<NamedList> lists;
  for (const std::string& list : options.lists) lists.push_back(parse_list(list));
  lists_ = std::make_unique<CellLists>(lists, read.layouts, run.threads());
  for (const ReadLayout& layout : read.layouts) {
    if (!options.no_trim && !layout.insert(0) && !layout.insert(1))
      throw UsageError(
          fmt::format("read structure {}: it has no insert (T or r), so that nothing would be written; --no-trim "
                      "writes whole reads",
                      layout.text()));
  }
  for (std::size_t i = 0; i < lists_->size(); ++i) {
    const std::string& path = lists_->name(i).path;
    run.say()(fmt::format("{}: {}", path, counted((*lists_)[i].size(), "barcode")));
    const std::vector<std::size_t> lengths = lists_->lengths_without_place(i);
    if (!lengths.empty())
      run.warn()(fmt::format("{}: its barcodes of {} bases are never found: the read structure has no place for them",
                             path, fmt::join(lengths, ", ")));
  }
  origins_.assign(read.layouts.size(), "--structure");
  for (std::size_t i = read.samples.size(); i-- > 0;) {
    const SheetSample& sample = sheet->samples[i];
    if (!sample.structure.empty())
      origins_[read.samples[i].layout] = fmt::format("{}: line {}: column structure:", sheet->path, sample.line);
  }
  caller_.emplace(std::move(read), *lists_, options.margin);
}

void StructureDemux::prepare(std::vector<std::string> names, bool paired, BarcodeForm form) {
  const std::vector<ReadLayout>& layouts = caller_->layouts();
  for (std::size_t i = 0; i < layouts.size(); ++i) check_mates(layouts[i], paired, origins_[i]);
  processor_.emplace(
      *caller_, std::move(names),
      StructureProcessorOptions{
          .trim = !options_.no_trim, .unassigned = options_.unassigned, .rows = !options_.table.empty(), .form = form});
}

bool StructureDemux::has_mates() const {
  const std::vector<ReadLayout>& layouts = caller_->layouts();
  return std::any_of(layouts.begin(), layouts.end(), [](const ReadLayout& layout) { return layout.mates() == 2; });
}

CellCounter& StructureDemux::counter() {
  lists_->count_exact();
  counter_.emplace(*caller_);
  return *counter_;
}

bool StructureDemux::writes_pairs(std::size_t sample) const {
  if (options_.no_trim) return true;
  const std::vector<StructureSample>& samples = caller_->samples();
  if (sample >= std::max<std::size_t>(samples.size(), 1)) return true;
  return !caller_->layouts()[samples.empty() ? 0 : samples[sample].layout].only_insert();
}

std::string StructureDemux::barcode_tag(const StructureSample& sample) const {
  const ReadLayout& layout = caller_->layouts()[sample.layout];
  std::vector<std::size_t> lengths;
  for (const LayoutSegment& at : layout.of(SegmentKind::sample)) {
    if (layout[at].min != layout[at].max) return sample.barcode;
    lengths.push_back(layout[at].min);
  }
  return with_hyphens(sample.barcode, lengths);
}

StructureQuery StructureDemux::query() const {
  StructureQuery query;
  for (const ReadLayout& layout : caller_->layouts()) query.structures.push_back(layout.text());
  for (const StructureSample& sample : caller_->samples())
    query.samples.push_back({sample.layout, sample.limit, barcode_tag(sample)});
  for (std::size_t i = 0; i < lists_->size(); ++i)
    query.lists.push_back({lists_->name(i).name, (*lists_)[i].size(), (*lists_)[i].checksum()});
  return query;
}

void add_structures(const StructureQuery& query, const std::vector<std::string>& lists,
                    const std::vector<FitCounts>& fits, nlohmann::ordered_json& report) {
  using Json = nlohmann::ordered_json;
  report["structures"] = query.structures;
  Json all = Json::array();
  for (std::size_t i = 0; i < query.lists.size(); ++i) {
    Json list = Json::object();
    if (!query.lists[i].name.empty()) list["name"] = query.lists[i].name;
    list["path"] = parse_list(lists[i]).path;
    list["barcodes"] = query.lists[i].barcodes;
    for (std::size_t fit = 0; fit < kBarcodeFits; ++fit) list[word_of(static_cast<BarcodeFit>(fit))] = fits[i][fit];
    all.push_back(std::move(list));
  }
  if (!all.empty()) report["lists"] = std::move(all);
}

}  // namespace basesweep
