#include "tools/map_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "lib/compiled/field_bytes.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {
namespace {

// All counts of a summary.
std::array<std::uint64_t*, 10> counts_of(MapSummary& summary) {
  return {&summary.reads,          &summary.bases,          &summary.other_letters, &summary.mapped,
          &summary.too_long,       &summary.too_short,      &summary.no_bases,      &summary.hits,
          &summary.unprinted_hits, &summary.unprinted_reads};
}

// The digest of the reference, as far as alignments depend on it.
std::string digest_of(const Reference& reference, const std::optional<RegionSet>& regions) {
  Md5 md5;
  for (const auto& [name, length] : reference.records) md5.add(fmt::format("{}\t{}\n", name, length));
  if (!regions) {
    const PackedView text = reference.text->view();
    for (const std::uint64_t* plane : {text.lo, text.hi}) {
      md5.add({reinterpret_cast<const char*>(plane), (text.positions + 63) / 64 * sizeof *plane});
    }
    return md5.take();
  }
  for (const RecordInfo& record : reference.records) {
    const auto found = regions->by_name().find(record.name);
    if (found == regions->by_name().end()) continue;
    const auto& [name, own] = *found;
    for (const Region& region : own) md5.add(fmt::format("{}\t{}\t{}\n", name, region.begin, region.end));
  }
  return md5.take();
}

std::string print_query(const Reference& reference, bool paired, const std::string& read_groups) {
  FieldWriter to;
  to.number(static_cast<std::uint8_t>(reference.source.compression));
  std::optional<std::uint8_t> format;
  if (reference.source.format) format = static_cast<std::uint8_t>(*reference.source.format);
  to.maybe(format);
  to.number(static_cast<std::uint32_t>(reference.records.size()));
  for (const RecordInfo& record : reference.records) {
    to.text(record.name);
    to.number(record.length);
  }
  to.number(static_cast<std::uint8_t>(!reference.md5.empty()));
  for (const std::string& digest : reference.md5) to.text(digest);
  to.number(static_cast<std::uint8_t>(paired));
  to.text(read_groups);
  return to.bytes();
}

}  // namespace

PartHead part_of(const MapArguments& o, const Chunk& chunk, const Reference& reference,
                 const std::optional<RegionSet>& regions, const RunParameters& parameters,
                 const std::string& read_groups) {
  RunParameters all = {{"command", "map"}};
  std::copy_if(parameters.begin(), parameters.end(), std::back_inserter(all),
               [](const auto& one) { return one.first != "output"; });  // which merge chooses
  if (!o.keep_tags.empty()) all.emplace_back("keep_tags", o.keep_tags);
  all.emplace_back("reference", digest_of(reference, regions));
  PartHead head{.label = chunk.label(all), .words = o.words(), .inputs = o.inputs};
  const std::vector<std::string> mates = files_of(o);
  head.inputs.insert(head.inputs.end(), mates.begin(), mates.end());
  head.reference = reference.source.path;
  head.query = print_query(reference, o.paired(), read_groups);
  return head;
}

MapQuery query_of(const PartSet& parts) {
  FieldReader from(std::as_bytes(std::span(parts.head().query)));
  MapQuery query;
  Reference& reference = query.reference;
  reference.source.path = parts.head().reference;
  reference.source.compression = from.choice(Compression::xz);
  if (from.choice(std::uint8_t{1}) == 1) reference.source.format = from.choice(Format::twobit);
  bool valid = true;
  const auto count = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && from.ok(); ++i) {
    RecordInfo& record = reference.records.emplace_back();
    record.name = from.text();
    record.length = from.number<std::int64_t>();
    valid = valid && record.length >= 0;
  }
  const bool has_md5 = from.number<std::uint8_t>() != 0;
  for (std::uint32_t i = 0; has_md5 && i < count && from.ok(); ++i) reference.md5.emplace_back(from.text());
  query.paired = from.number<std::uint8_t>() != 0;
  query.read_groups = from.text();
  if (!valid || !from.at_end()) {
    throw damaged_part(parts.paths().front(), "what it says of the reference is not complete");
  }
  return query;
}

std::string print_totals(const MapSummary& summary, const MappedReads& plots) {
  FieldWriter to;
  MapSummary copy = summary;
  for (const std::uint64_t* count : counts_of(copy)) to.number(*count);
  to.text(print_mapped(plots));
  return to.bytes();
}

MapSummary totals_of(const PartSet& parts, std::size_t records, MappedReads& plots) {
  MapSummary sum;
  for (std::size_t i = 0; i < parts.paths().size(); ++i) {
    FieldReader from(std::as_bytes(std::span(parts.totals()[i])));
    for (std::uint64_t* count : counts_of(sum)) *count += from.number<std::uint64_t>();
    const bool sound = add_mapped(from.text(), records, plots);
    if (!sound || !from.at_end()) throw damaged_part(parts.paths()[i], "its totals are not complete");
  }
  return sum;
}

}  // namespace basesweep
