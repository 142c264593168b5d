// Reads annotations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/nearest.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/annotation.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/writer/gff3.hpp"

namespace basesweep {
namespace {

// Numbers strings in the order in which they come.
class Names {
 public:
  std::uint32_t number(std::string_view name) {
    const auto [entry, added] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size()));
    return entry->second;
  }
  std::vector<std::string> take() {
    std::vector<std::string> names(numbers_.size());
    for (auto& [name, number] : numbers_) names[number] = name;
    return names;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

constexpr std::string_view kBlanks = " \t\r";

bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == std::string_view::npos; }

// How a line's last column has attributes.
enum class Attributes {
  none,
  gff3,  // ID=X;Name=Y
  gtf,   // gene_id "X"; gene_name "Y"; level 2
};

// GFF3 has '=' before any blank or quote.
std::optional<Attributes> form_of(std::string_view attributes) {
  attributes.remove_prefix(std::min(attributes.find_first_not_of(kBlanks), attributes.size()));
  if (attributes.empty() || (attributes.front() == '.' && is_blank(attributes.substr(1)))) return Attributes::none;
  const std::size_t end_of_tag = attributes.find_first_of("= \t\"");
  if (end_of_tag == std::string_view::npos) return std::nullopt;
  return attributes[end_of_tag] == '=' ? Attributes::gff3 : Attributes::gtf;
}

struct Attribute {
  std::string_view tag;
  std::string_view value;
};

// Takes the next attribute of GFF3, tag=value, of several values the first.
Attribute take_gff3(std::string_view& attributes) {
  std::string_view attribute = take_to(attributes, ';');
  const std::string_view tag = take_to(attribute, '=');
  return {tag, take_to(attribute, ',')};
}

// Takes what stands before the next quote that has no backslash before it, and the quote.
std::string_view take_quoted(std::string_view& text) {
  std::size_t end = text.find('"');
  while (end != std::string_view::npos && end != 0 && text[end - 1] == '\\') end = text.find('"', end + 1);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

// Takes the next attribute of GTF: tag "value", where quotes may hold a semicolon, or tag value.
Attribute take_gtf(std::string_view& attributes) {
  const std::size_t end_of_tag = std::min(attributes.find_first_of(" \t\";"), attributes.size());
  const std::string_view tag = attributes.substr(0, end_of_tag);
  attributes.remove_prefix(end_of_tag);
  attributes.remove_prefix(std::min(attributes.find_first_not_of(kBlanks), attributes.size()));
  if (!attributes.starts_with('"')) return {tag, trimmed(take_to(attributes, ';'), kBlanks)};
  attributes.remove_prefix(1);
  const std::string_view value = take_quoted(attributes);
  take_to(attributes, ';');
  return {tag, value};
}

// The value of the first of these attributes that a feature has, in the letters of GFF3.
std::string name_in(std::string_view attributes, Attributes form) {
  constexpr std::array<std::string_view, 5> kTags = {"Name", "gene_name", "gene", "ID", "gene_id"};
  const bool gtf = form == Attributes::gtf;
  std::array<std::string_view, kTags.size()> values;
  while (form != Attributes::none && !attributes.empty()) {
    attributes.remove_prefix(std::min(attributes.find_first_not_of(" \t\r;"), attributes.size()));
    const Attribute attribute = gtf ? take_gtf(attributes) : take_gff3(attributes);
    const auto known = std::find(kTags.begin(), kTags.end(), attribute.tag);
    if (known != kTags.end()) values[static_cast<std::size_t>(known - kTags.begin())] = attribute.value;
  }
  const auto found = std::find_if(values.begin(), values.end(), [](std::string_view value) { return !value.empty(); });
  if (found == values.end()) return ".";
  return gtf ? gff3_attribute(*found) : std::string(*found);
}

// Whether the first line with columns, or the one after their names, is one of BED: two numbers after the record.
bool is_bed(std::string_view text) {
  constexpr std::size_t kColumnsOfGff = 9;
  bool named = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("##gff-version")) return false;
    std::array<std::string_view, kColumnsOfGff> fields;
    const std::size_t columns = is_blank(line) || line.front() == '#' ? 0 : split_at_tabs(line, fields);
    if (columns < 3) continue;
    if (columns < kColumnsOfGff && !named && names_columns(fields[1], fields[2])) {
      named = true;
      continue;
    }
    std::int64_t number = 0;
    return parse_number(fields[1], number) && parse_number(fields[2], number);
  }
  return !named;
}

}  // namespace

class FeatureReader {
 public:
  FeatureReader(std::string path, std::span<const std::string> kept) : path_(std::move(path)), kept_(kept) {}

  Annotation read() {
    const std::string text = read_all(path_);
    if (is_bed(text)) {
      for (const NamedRegion& region : parse_bed(text, path_)) {
        const bool named = !region.name.empty() && region.name != ".";
        add(region.record, region.begin, region.end, "region", named ? gff3_attribute(region.name) : ".");
      }
    } else {
      read_gff3(text);
    }
    Annotation annotation;
    annotation.kinds_ = kinds_.take();
    annotation.names_ = names_.take();
    for (auto& [record, features] : by_record_) annotation.records_.emplace(record, std::move(features));
    check_kinds(annotation.kinds_);
    return annotation;
  }

 private:
  void add(std::string_view record, std::int64_t begin, std::int64_t end, std::string_view kind,
           std::string_view name) {
    if (!kept_.empty() && std::find(kept_.begin(), kept_.end(), kind) == kept_.end()) {
      if (std::find(left_out_.begin(), left_out_.end(), kind) == left_out_.end()) left_out_.emplace_back(kind);
      return;
    }
    if (last_ == nullptr || last_->first != record) last_ = &*by_record_.try_emplace(std::string(record)).first;
    last_->second.push_back({begin, end, kinds_.number(kind), names_.number(name)});
  }

  // Or GTF, which has other attributes.
  void read_gff3(std::string_view text) {
    const bool is_gff3 = text.starts_with("##gff-version");
    bool sequences = false;  // the rest is FASTA
    for_each_line(text, [&](std::string_view line, std::size_t number) {
      sequences = sequences || line.starts_with("##FASTA") || line.starts_with('>');
      if (sequences || is_blank(line) || line.front() == '#') return;
      std::array<std::string_view, 9> fields;
      const auto refuse = [&](const std::string& what) {
        throw DataError(fmt::format("{}: line {}: {}", input_name(path_), number, what));
      };
      if (split_at_tabs(line, fields) < fields.size())
        refuse("expected the nine columns of GFF3 or GTF, or record, start and end of BED, separated by tabs");
      std::int64_t from = 0;
      std::int64_t to = 0;
      if (!parse_place(fields[3], from) || !parse_place(fields[4], to) || from < 1) {
        refuse("start and end, columns 4 and 5, must be whole numbers from 1");
      }
      if (from > to) refuse("the feature ends before it begins");
      if (fields[0].empty() || fields[2].empty()) refuse("expected a record in column 1 and a type in column 3");
      const std::string_view attributes = fields[8].substr(0, fields[8].find('\t'));
      const std::optional<Attributes> form = form_of(attributes);
      if (!form) refuse("expected tag=value (GFF3) or tag \"value\" (GTF) in column 9");
      const std::string name = name_in(attributes, *form);
      for (const std::string_view text : {fields[2], std::string_view(name)}) {
        if (name_fault(text, NameRule::text).empty()) continue;
        refuse(fmt::format("type or name '{}': control characters may not stand in it", text));
      }
      const bool escaped = is_gff3 || *form == Attributes::gff3;
      add(escaped ? gff3_unescaped(fields[0]) : std::string(fields[0]), from - 1, to, fields[2], name);
    });
  }

  void check_kinds(const std::vector<std::string>& found) const {
    for (const std::string& kind : kept_) {
      if (std::find(found.begin(), found.end(), kind) != found.end()) continue;
      throw DataError(
          fmt::format("{}: no feature is of kind '{}'{}", input_name(path_), kind, did_you_mean(kind, left_out_)));
    }
  }

  const std::string path_;
  const std::span<const std::string> kept_;
  std::vector<std::string> left_out_;  // kinds
  Names kinds_;
  Names names_;
  std::map<std::string, std::vector<Feature>> by_record_;
  std::pair<const std::string, std::vector<Feature>>* last_ = nullptr;  // where the line before went
};

Annotation Annotation::read(const std::string& path, std::span<const std::string> kinds) {
  return FeatureReader(path, kinds).read();
}

}  // namespace basesweep
