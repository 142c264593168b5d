#include "lib/demux/structure_processor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "lib/base/iupac_letters.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

void append_letters(std::string_view bases, std::string& to) {
  const std::size_t before = to.size();
  to.append(bases);
  for (std::size_t i = before; i < to.size(); ++i) to[i] = kSamLetters[static_cast<unsigned char>(to[i])];
}

// The segments of a kind in a read or a pair.
struct Segments {
  const ReadLayout& layout;
  const StructureCall& call;
  SegmentKind kind;

  // Appends their bases, or their qualities, with a mark between two of them.
  void append_bases(std::span<const std::string_view> mates, char mark, std::string& to) const {
    const char* between = "";
    const char marks[] = {mark, '\0'};
    for (const LayoutSegment& at : layout.of(kind)) {
      to += std::exchange(between, marks);
      append_letters(part_of(mates[at.mate], call.places[at.mate][at.segment]), to);
    }
  }
  // Whether all mates with one of them have qualities.
  bool have_qualities(std::span<const std::string_view> mates) const {
    const std::vector<LayoutSegment>& own = layout.of(kind);
    return std::none_of(own.begin(), own.end(), [&](const LayoutSegment& at) { return mates[at.mate].empty(); });
  }
  void append_qualities(std::span<const std::string_view> mates, std::string& to) const {
    const char* between = "";
    for (const LayoutSegment& at : layout.of(kind)) {
      to += std::exchange(between, " ");
      to += part_of(mates[at.mate], call.places[at.mate][at.segment]);
    }
  }
};

}  // namespace

struct StructureProcessor::Counts final : ReadCounts {
  DemuxCalls calls;
  std::vector<FitCounts> fits;
};

StructureProcessor::StructureProcessor(const StructureCaller& caller, std::vector<std::string> names,
                                       StructureProcessorOptions options)
    : caller_(caller), names_(std::move(names)), options_(options) {
  totals_.samples.resize(names_.size() + 1);
  totals_.fits.resize(caller.lists().size());
}

ProcessedReads StructureProcessor::process(const ReadList& reads) const {
  ProcessedReads results;
  results.written.reserve(reads.reads.size());
  auto counts = std::make_unique<Counts>();
  counts->fits.resize(totals_.fits.size());
  const std::size_t step = reads.paired ? 2 : 1;
  counts->calls.reserve(reads.reads.size() / step);
  auto& call = per_thread<StructureCall>();
  for (std::size_t i = 0; i < reads.reads.size(); i += step) {
    Mates mates{std::span(reads.reads).subspan(i, step)};
    for (std::size_t mate = 0; mate < step; ++mate) {
      mates.bases[mate] = mates.reads[mate].bases;
      mates.qualities[mate] = mates.reads[mate].quality;
    }
    caller_.find_sample(std::span(mates.bases).first(step), call);
    caller_.match_cells(std::span(mates.bases).first(step), std::span(mates.qualities).first(step), call);
    count(call, *counts);
    write(mates, call, results);
    counts->calls.add(call.call, mates.reads, std::span(results.written).last(step));
  }
  results.counts = std::move(counts);
  return results;
}

void StructureProcessor::count(const StructureCall& call, Counts& counts) const {
  if (call.cells.empty()) return;
  const std::vector<std::uint32_t>& lists = caller_.lists().of_layout(call.layout);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i] != CellLists::kNoList) ++counts.fits[lists[i]][static_cast<std::size_t>(call.cells[i].fit)];
  }
}

// Adds the read, or both mates.
void StructureProcessor::write(const Mates& mates, const StructureCall& call, ProcessedReads& to) const {
  const bool assigned = call.call.sample != SampleCall::kNoSample;
  WrittenRead with_barcodes;
  if (assigned) add_barcodes(mates, call, with_barcodes, to);
  for (std::size_t mate = 0; mate < mates.reads.size(); ++mate) {
    const InputRead& read = mates.reads[mate];
    WrittenRead written = with_barcodes;
    written.end = static_cast<std::uint32_t>(read.bases.size());
    if (assigned) {
      written.file = call.call.sample;
    } else if (options_.unassigned) {
      written.file = static_cast<std::uint32_t>(names_.size());
    }
    if (assigned && options_.trim) {
      written.begin = call.call.kept[mate].begin;
      written.end = call.call.kept[mate].end;
      const ReadLayout& layout = caller_.layouts()[call.layout];
      written.alone = layout.only_insert().has_value();
      if (!layout.insert(mate)) written.file = WrittenRead::kNowhere;
    }
    to.written.push_back(written);
    if (options_.rows) append_demux_row(read, assigned ? names_[call.call.sample] : "", call.call, mate, to.rows);
  }
}

// Sets the tags and the end of the name that all mates have.
void StructureProcessor::add_barcodes(const Mates& mates, const StructureCall& call, WrittenRead& written,
                                      ProcessedReads& to) const {
  const ReadLayout& layout = caller_.layouts()[call.layout];
  auto& tags = per_thread<std::string>();
  tags.clear();
  const auto add = [&](SegmentKind kind, const char* bases, const char* quality) {
    const Segments segments{layout, call, kind};
    if (bases != nullptr) segments.append_bases(mates.bases, '-', tags.append(bases));
    if (segments.have_qualities(mates.qualities)) segments.append_qualities(mates.qualities, tags.append(quality));
  };
  const bool all = options_.form != BarcodeForm::names;
  if (all && !caller_.samples().empty()) {
    tags.append("\tRG:Z:").append(names_[call.call.sample]);
    std::vector<std::size_t> lengths;
    for (const LayoutSegment& at : layout.of(SegmentKind::sample)) {
      const PlacedSegment place = call.places[at.mate][at.segment];
      lengths.push_back(place.end - place.begin);
    }
    tags.append("\tBC:Z:").append(with_hyphens(caller_.samples()[call.call.sample].barcode, lengths));
    add(SegmentKind::sample, nullptr, "\tQT:Z:");
  }
  const std::vector<LayoutSegment>& cells = layout.of(SegmentKind::cell);
  if (!cells.empty() && caller_.lists().used_by(call.layout)) {
    const char* between = "\tCB:Z:";
    const std::vector<std::uint32_t>& lists = caller_.lists().of_layout(call.layout);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      tags += std::exchange(between, "-");
      if (lists[i] != CellLists::kNoList) {
        tags += caller_.lists()[lists[i]][call.cells[i].number];
      } else {
        append_letters(part_of(mates.bases[cells[i].mate], call.places[cells[i].mate][cells[i].segment]), tags);
      }
    }
  }
  if (!cells.empty()) add(SegmentKind::cell, "\tCR:Z:", "\tCY:Z:");
  const bool has_molecular = !layout.of(SegmentKind::molecular).empty();
  if (has_molecular && (all || !cells.empty())) add(SegmentKind::molecular, "\tRX:Z:", "\tQX:Z:");
  if (!tags.empty()) {
    written.tags = to.texts.keep(tags);
    written.tagged = options_.form == BarcodeForm::names;
  }
  if (!has_molecular || options_.form == BarcodeForm::tags) return;
  tags.assign(":");
  Segments{layout, call, SegmentKind::molecular}.append_bases(mates.bases, '+', tags);
  written.name_tail = to.texts.keep(tags);
}

void StructureProcessor::take(const ReadCounts& counts) {
  const Counts& own = static_cast<const Counts&>(counts);
  totals_.add(own.calls);
  for (std::size_t i = 0; i < own.fits.size(); ++i) {
    for (std::size_t fit = 0; fit < kBarcodeFits; ++fit) totals_.fits[i][fit] += own.fits[i][fit];
  }
}

std::string with_hyphens(std::string_view letters, std::span<const std::size_t> lengths) {
  std::string text;
  for (const std::size_t length : lengths) {
    if (!text.empty()) text += '-';
    text += letters.substr(0, length);
    letters.remove_prefix(length);
  }
  return text;
}

ProcessedReads CellCounter::process(const ReadList& reads) const {
  const std::size_t step = reads.paired ? 2 : 1;
  auto& call = per_thread<StructureCall>();
  for (std::size_t i = 0; i < reads.reads.size(); i += step) {
    std::array<std::string_view, 2> bases{};
    for (std::size_t mate = 0; mate < step; ++mate) bases[mate] = reads.reads[i + mate].bases;
    caller_.find_sample(std::span<const std::string_view>(bases).first(step), call);
    if (call.call.sample == SampleCall::kNoSample) continue;
    const std::vector<LayoutSegment>& cells = caller_.layouts()[call.layout].of(SegmentKind::cell);
    const std::vector<std::uint32_t>& lists = caller_.lists().of_layout(call.layout);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const PlacedSegment at = call.places[cells[k].mate][cells[k].segment];
      if (lists[k] != CellLists::kNoList) caller_.lists().count(lists[k], part_of(bases[cells[k].mate], at));
    }
  }
  ProcessedReads processed;
  processed.counts = std::make_unique<ReadCounts>();
  return processed;
}

}  // namespace basesweep
