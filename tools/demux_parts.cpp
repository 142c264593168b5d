#include "tools/demux_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/stream_names.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

// Merging needs no barcodes as they are searched; parts that searched for others are of another run.
void write_barcodes(const std::vector<Barcode>& barcodes, FieldWriter& to) {
  to.number(static_cast<std::uint32_t>(barcodes.size()));
  for (const Barcode& barcode : barcodes) {
    for (const std::string* text : {&barcode.left, &barcode.barcode, &barcode.right}) to.text(*text);
    to.number(barcode.limit);
  }
}

std::vector<Barcode> read_barcodes(FieldReader& from) {
  std::vector<Barcode> barcodes;
  const auto count = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && from.ok(); ++i) {
    Barcode& barcode = barcodes.emplace_back();
    for (std::string* text : {&barcode.left, &barcode.barcode, &barcode.right}) *text = from.text();
    barcode.limit = from.number<std::uint32_t>();
  }
  return barcodes;
}

}  // namespace

std::string print_demux(const DemuxQuery& query) {
  FieldWriter to;
  to.number(static_cast<std::uint8_t>(query.gzip));
  to.number(static_cast<std::uint8_t>(query.sheet.same_at_ends));
  to.number(static_cast<std::uint32_t>(query.sheet.samples.size()));
  for (const SheetSample& sample : query.sheet.samples) {
    for (const std::string* text : {&sample.name, &sample.first.letters, &sample.second.letters}) to.text(*text);
  }
  for (const auto* names : {&query.barcodes.first_names, &query.barcodes.second_names}) to.texts(*names);
  for (const auto* side : {&query.barcodes.first, &query.barcodes.second}) write_barcodes(*side, to);
  to.text(query.read_groups);
  return to.bytes();
}

DemuxQuery parse_demux(const std::string& own, const PartSet& parts) {
  FieldReader from(std::as_bytes(std::span(own)));
  DemuxQuery query;
  query.gzip = from.choice(std::uint8_t{1}) != 0;
  query.sheet.path = input_name(parts.head().reference);
  query.sheet.same_at_ends = from.choice(std::uint8_t{1}) != 0;
  const auto samples = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < samples && from.ok(); ++i) {
    SheetSample& sample = query.sheet.samples.emplace_back();
    for (std::string* text : {&sample.name, &sample.first.letters, &sample.second.letters}) *text = from.text();
  }
  for (auto* names : {&query.barcodes.first_names, &query.barcodes.second_names}) *names = from.texts();
  for (auto* side : {&query.barcodes.first, &query.barcodes.second}) *side = read_barcodes(from);
  query.read_groups = from.text();
  // Files are named after samples, and merging writes to its own folder only.
  const auto has_folder = [](const SheetSample& sample) { return sample.name.find('/') != std::string::npos; };
  const bool named = std::none_of(query.sheet.samples.begin(), query.sheet.samples.end(), has_folder);
  if (!from.at_end() || !named) throw damaged_query(parts);
  return query;
}

}  // namespace basesweep
