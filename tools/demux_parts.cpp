#include "tools/demux_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/stream_names.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

// The texts of a sample that merging needs.
template <class Sample>
auto texts_of(Sample& sample) {
  return std::array{&sample.name, &sample.first.letters, &sample.second.letters, &sample.structure};
}

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

void write_structures(const StructureQuery& query, FieldWriter& to) {
  to.texts(query.structures);
  to.number(static_cast<std::uint32_t>(query.samples.size()));
  for (const StructureQuery::Sample& sample : query.samples) {
    to.number(sample.layout);
    to.number(sample.limit);
    to.text(sample.tag);
  }
  to.number(static_cast<std::uint32_t>(query.lists.size()));
  for (const StructureQuery::List& list : query.lists) {
    to.text(list.name);
    to.number(list.barcodes);
    to.number(list.checksum);
  }
}

StructureQuery read_structures(FieldReader& from) {
  StructureQuery query;
  query.structures = from.texts();
  const auto samples = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < samples && from.ok(); ++i) {
    StructureQuery::Sample& sample = query.samples.emplace_back();
    sample.layout = from.number<std::uint32_t>();
    sample.limit = from.number<std::uint32_t>();
    sample.tag = from.text();
  }
  const auto lists = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < lists && from.ok(); ++i) {
    StructureQuery::List& list = query.lists.emplace_back();
    list.name = from.text();
    list.barcodes = from.number<std::uint64_t>();
    list.checksum = from.number<std::uint64_t>();
  }
  return query;
}

// Without a sheet there is one sample, of all reads that fit, and only reads with structures can do without.
bool can_be(const DemuxQuery& query, std::size_t lists) {
  const std::size_t samples = query.sheet.samples.size();
  const bool has_sheet = !query.sheet.path.empty();
  if (!query.structures) return has_sheet && lists == 0;
  return query.structures->lists.size() == lists && query.structures->samples.size() == (has_sheet ? samples : 0) &&
         (has_sheet || samples == 1);
}

}  // namespace

std::string print_demux(const DemuxQuery& query) {
  FieldWriter to;
  to.number(static_cast<std::uint8_t>(query.gzip));
  to.number(static_cast<std::uint8_t>(query.sheet.same_at_ends));
  to.number(static_cast<std::uint32_t>(query.sheet.samples.size()));
  for (const SheetSample& sample : query.sheet.samples) {
    for (const std::string* text : texts_of(sample)) to.text(*text);
  }
  for (const auto* names : {&query.barcodes.first_names, &query.barcodes.second_names}) to.texts(*names);
  for (const auto* side : {&query.barcodes.first, &query.barcodes.second}) write_barcodes(*side, to);
  to.text(query.read_groups);
  to.number(static_cast<std::uint8_t>(query.structures.has_value()));
  if (query.structures) write_structures(*query.structures, to);
  return to.bytes();
}

DemuxQuery parse_demux(const std::string& own, const PartSet& parts, std::size_t lists) {
  FieldReader from(std::as_bytes(std::span(own)));
  DemuxQuery query;
  query.gzip = from.choice(std::uint8_t{1}) != 0;
  query.sheet.path = input_name(parts.head().reference);
  query.sheet.same_at_ends = from.choice(std::uint8_t{1}) != 0;
  const auto samples = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < samples && from.ok(); ++i) {
    SheetSample& sample = query.sheet.samples.emplace_back();
    for (std::string* text : texts_of(sample)) *text = from.text();
  }
  for (auto* names : {&query.barcodes.first_names, &query.barcodes.second_names}) *names = from.texts();
  for (auto* side : {&query.barcodes.first, &query.barcodes.second}) *side = read_barcodes(from);
  query.read_groups = from.text();
  if (from.choice(std::uint8_t{1}) != 0) query.structures = read_structures(from);
  // Files are named after samples, and merging writes to its own folder only.
  const auto has_folder = [](const SheetSample& sample) { return sample.name.find('/') != std::string::npos; };
  const bool named = std::none_of(query.sheet.samples.begin(), query.sheet.samples.end(), has_folder);
  if (!from.at_end() || !named || !can_be(query, lists)) throw damaged_query(parts);
  return query;
}

}  // namespace basesweep
