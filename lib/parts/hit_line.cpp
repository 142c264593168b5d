#include "lib/parts/hit_line.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <array>
#include <cstring>

#include "lib/base/fields.hpp"
#include "lib/writer/standing_tags.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxColumns = 40;  // in TSV

// Parses the columns from those for hanging bases on. The hit's edits are known.
bool parse_merge_columns(MergeColumns more, const std::string_view* fields, PrintedHit& hit) {
  if (more.hang && !parse_number(*fields++, hit.hang)) return false;
  hit.edits += hit.hang;
  if (more.number && !parse_number(*fields++, hit.number)) return false;
  if (more.points && !parse_number(*fields++, hit.points)) return false;
  return !more.origin || (parse_number(fields[0], hit.origin) && parse_number(fields[1], hit.pattern_number));
}

std::size_t count_of(MergeColumns more) {
  return (more.hang ? 1 : 0) + (more.number ? 1 : 0) + (more.points ? 1 : 0) + (more.origin ? 2 : 0);
}

std::optional<PrintedHit> parse_bed(MergeColumns more, std::string_view line) {
  std::array<std::string_view, 12> fields;
  const std::size_t usual = more.edits ? 7 : 6;
  const std::size_t count = split_at_tabs(line, fields);
  PrintedHit hit{fields[0], 0, 0, fields[3], fields[5] == "-"};
  if (count != usual + count_of(more) || !parse_number(fields[1], hit.start) || !parse_number(fields[2], hit.end)) {
    return std::nullopt;
  }
  if (more.edits && !parse_number(fields[6], hit.edits)) return std::nullopt;
  if (!parse_merge_columns(more, fields.data() + usual, hit)) return std::nullopt;
  return hit;
}

// FIMO's columns, see lib/writer/matrix_formatter.cpp.
std::optional<PrintedHit> parse_fimo(MergeColumns more, std::string_view line) {
  constexpr std::size_t kUsual = 10;
  std::array<std::string_view, kUsual + 3> fields;
  PrintedHit hit{};
  if (split_at_tabs(line, fields) != kUsual + count_of(more) || !parse_number(fields[3], hit.start) ||
      !parse_number(fields[4], hit.end) || !parse_merge_columns(more, fields.data() + kUsual, hit)) {
    return std::nullopt;
  }
  --hit.start;
  hit.record = fields[2];
  hit.pattern = fields[0];
  hit.minus = fields[5] == "-";
  return hit;
}

// The value of an attribute of GFF3; nothing when it is missing.
std::optional<std::string_view> attribute(std::string_view attributes, std::string_view key) {
  while (!attributes.empty()) {
    std::string_view value = take_to(attributes, ';');
    if (take_to(value, '=') == key) return value;
  }
  return std::nullopt;
}

// Names stay escaped: they are only compared with each other.
std::optional<PrintedHit> parse_gff3(MergeColumns more, std::string_view line) {
  constexpr std::size_t kUsual = 9;
  std::array<std::string_view, kUsual + 5> fields;
  PrintedHit hit{};
  if (split_at_tabs(line, fields) != kUsual + count_of(more) || !parse_number(fields[3], hit.start) ||
      !parse_number(fields[4], hit.end)) {
    return std::nullopt;
  }
  const auto name = attribute(fields[8], "Name");
  const auto edits = attribute(fields[8], "edits");
  if (!name || (edits && !parse_number(*edits, hit.edits))) return std::nullopt;
  if (!parse_merge_columns(more, fields.data() + kUsual, hit)) return std::nullopt;
  --hit.start;
  hit.record = fields[0];
  hit.pattern = *name;
  hit.minus = fields[6] == "-";
  return hit;
}

// A title is ">record:start-end(strand) edits=N pattern=NAME", and more between (lib/writer/fasta_formatter.cpp).
std::optional<PrintedHit> parse_fasta(MergeColumns more, std::string_view record) {
  std::string_view title = take_to(record, '\n');
  std::string_view rest = take_to(title, '\t');
  PrintedHit hit{};
  std::array<std::string_view, 5> columns;
  if (count_of(more) != 0 && split_at_tabs(title, columns) != count_of(more)) return std::nullopt;
  std::string_view place = take_to(rest, ' ');
  const std::size_t colon = place.rfind(':');
  if (!place.starts_with('>') || !place.ends_with(')') || colon == std::string_view::npos) return std::nullopt;
  hit.record = place.substr(1, colon - 1);
  place.remove_prefix(colon + 1);
  hit.minus = place.ends_with("(-)");
  if (!parse_number(take_to(place, '-'), hit.start) || !parse_number(take_to(place, '('), hit.end)) return std::nullopt;
  while (!rest.empty() && !rest.starts_with("pattern=")) {
    std::string_view value = take_to(rest, ' ');
    if (take_to(value, '=') == "edits" && !parse_number(value, hit.edits)) return std::nullopt;
  }
  if (rest.empty() || !parse_merge_columns(more, columns.data(), hit)) return std::nullopt;
  take_to(rest, '=');
  hit.pattern = rest;
  return hit;
}

// How many bases of the record a CIGAR covers; -1 if it is not a CIGAR.
std::int64_t covered(std::string_view cigar) {
  std::int64_t total = 0;
  std::int64_t run = 0;
  for (const char c : cigar) {
    if (c >= '0' && c <= '9') {
      run = 10 * run + (c - '0');
      continue;
    }
    if (std::strchr("MIDNSHP=X", c) == nullptr) return -1;
    if (std::strchr("MDN=X", c) != nullptr) total += run;
    run = 0;
  }
  return total;
}

// The bases that a CIGAR clips.
std::uint32_t clipped(std::string_view cigar) {
  std::uint32_t total = 0;
  std::uint32_t run = 0;
  for (const char c : cigar) {
    const bool digit = c >= '0' && c <= '9';
    if (c == 'S') total += run;
    run = digit ? 10 * run + static_cast<std::uint32_t>(c - '0') : 0;
  }
  return total;
}

std::optional<PrintedHit> parse_sam(std::string_view line) {
  std::array<std::string_view, 6> fields;
  unsigned flag = 0;
  std::int64_t position = 0;
  if (split_at_tabs(line, fields) < 6 || !parse_number(fields[1], flag) || !parse_number(fields[3], position)) {
    return std::nullopt;
  }
  const std::int64_t length = covered(fields[5]);
  constexpr std::string_view kEdits = "\tXE:i:";
  const std::size_t tag = line.find(kEdits);
  PrintedHit hit{fields[2], position - 1, position - 1 + length, fields[0], (flag & BAM_FREVERSE) != 0};
  if (length < 0 || tag == std::string_view::npos) return std::nullopt;
  const std::string_view value = line.substr(tag + kEdits.size());
  if (!parse_number(value.substr(0, value.find_first_of("\t\n")), hit.edits)) return std::nullopt;
  hit.hang = clipped(fields[5]);
  hit.edits += hit.hang;
  return hit;
}

template <class Integer>
Integer integer_at(std::string_view bytes, std::size_t at) {
  Integer value = 0;
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The size of a BAM tag's value. `rest`: the bytes after the tag's type. 0 for an unknown type.
std::size_t tag_bytes(char type, std::string_view rest) {
  switch (type) {
    case 'A':
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'Z':
    case 'H': return rest.find('\0') == std::string_view::npos ? 0 : rest.find('\0') + 1;
    default: return 0;
  }
}

// The value of the tag XE, if there is one.
std::optional<std::uint32_t> edits_in(std::string_view tags) {
  while (tags.size() > 3) {
    const char type = tags[2];
    const std::string_view rest = tags.substr(3);
    const std::size_t bytes = tag_bytes(type, rest);
    if (bytes == 0 || bytes > rest.size()) return std::nullopt;
    if (tags.starts_with("XE")) {
      if (bytes == 1) return integer_at<std::uint8_t>(rest, 0);
      if (bytes == 2) return integer_at<std::uint16_t>(rest, 0);
      return integer_at<std::uint32_t>(rest, 0);
    }
    tags = rest.substr(bytes);
  }
  return std::nullopt;
}

// Offsets of fields in a BAM record, counted from the end of its size.
constexpr std::size_t kNameBytesAt = 8;
constexpr std::size_t kCigarCountAt = 12;
constexpr std::size_t kFlagAt = 14;
constexpr std::size_t kBasesAt = 16;
constexpr std::size_t kNameAt = 32;

std::optional<PrintedHit> parse_bam(std::string_view record) {
  if (record.size() < kNameAt) return std::nullopt;
  const std::size_t name_bytes = integer_at<std::uint8_t>(record, kNameBytesAt);
  const std::size_t cigar_count = integer_at<std::uint16_t>(record, kCigarCountAt);
  const std::size_t bases = integer_at<std::uint32_t>(record, kBasesAt);
  const std::size_t tags_at = kNameAt + name_bytes + 4 * cigar_count + (bases + 1) / 2 + bases;
  if (name_bytes == 0 || tags_at > record.size()) return std::nullopt;
  const std::int64_t start = integer_at<std::int32_t>(record, 4);
  PrintedHit hit{record.substr(0, 4), start, start, record.substr(kNameAt, name_bytes - 1),
                 (integer_at<std::uint16_t>(record, kFlagAt) & BAM_FREVERSE) != 0};
  for (std::size_t i = 0; i < cigar_count; ++i) {
    const auto run = integer_at<std::uint32_t>(record, kNameAt + name_bytes + 4 * i);
    if ((bam_cigar_type(bam_cigar_op(run)) & 2) != 0) hit.end += bam_cigar_oplen(run);
    if (bam_cigar_op(run) == BAM_CSOFT_CLIP) hit.hang += bam_cigar_oplen(run);
  }
  const auto edits = edits_in(record.substr(tags_at));
  if (!edits) return std::nullopt;
  hit.edits = *edits + hit.hang;
  return hit;
}

}  // namespace

HitParser::HitParser(PartKind kind, MergeColumns more, std::string_view header) : kind_(kind), more_(more) {
  if (kind != PartKind::tsv) return;
  if (header.ends_with('\n')) header.remove_suffix(1);
  while (!header.empty() && columns_ < kMaxColumns) {
    const std::string_view name = take_to(header, '\t');
    if (name == "edits") edits_ = columns_;
    if (name == "number") number_ = columns_;
    if (name == "origin") origin_ = columns_;
    if (name == "points") points_ = columns_;
    if (name == "cigar") cigar_ = columns_;
    if (name == "best") best_ = columns_;
    if (name == "strand") strand_ = columns_;
    ++columns_;
  }
}

std::optional<PrintedHit> HitParser::parse(std::string_view text) const {
  switch (kind_) {
    case PartKind::bed: return parse_bed(more_, text);
    case PartKind::count: {
      MergeColumns more = more_;
      more.edits = true;
      return parse_bed(more, text);
    }
    case PartKind::tsv: return parse_tsv(text);
    case PartKind::fimo: return parse_fimo(more_, text);
    case PartKind::gff3: return parse_gff3(more_, text);
    case PartKind::fasta: return parse_fasta(more_, text);
    case PartKind::sam: return parse_sam(text);
    case PartKind::bam: return parse_bam(text);
    case PartKind::table:
    case PartKind::json: break;
  }
  return std::nullopt;
}

std::optional<PrintedHit> HitParser::parse_tsv(std::string_view line) const {
  constexpr std::size_t kFirstColumns = 5;  // every line has these
  std::array<std::string_view, kMaxColumns + 1> fields;
  PrintedHit hit{};
  if (columns_ < kFirstColumns || split_at_tabs(line, fields) != columns_ || !parse_number(fields[1], hit.start) ||
      !parse_number(fields[2], hit.end)) {
    return std::nullopt;
  }
  hit.record = fields[0];
  hit.pattern = fields[3];
  hit.minus = fields[strand_] == "-";
  if (edits_ != 0 && !parse_number(fields[edits_], hit.edits)) return std::nullopt;
  if (cigar_ != 0) hit.hang = clipped(fields[cigar_]);
  hit.edits += hit.hang;
  if (number_ != 0 && !parse_number(fields[number_], hit.number)) return std::nullopt;
  if (origin_ != 0 && !parse_number(fields[origin_], hit.origin)) return std::nullopt;
  if (points_ != 0 && !parse_number(fields[points_], hit.points)) return std::nullopt;
  return hit;
}

void HitParser::set_standing(const Standing& standing, std::string& text) const {
  if (kind_ == PartKind::tsv) {
    std::size_t begin = 0;
    for (std::size_t column = 0; column < best_; ++column) begin = text.find('\t', begin) + 1;
    const std::size_t end = text.find('\t', text.find('\t', begin) + 1);
    text.replace(begin, end - begin,
                 fmt::format("{}\t{}", standing.best,
                             standing.next_edits ? fmt::format("{}", *standing.next_edits) : std::string(".")));
  } else if (kind_ == PartKind::sam) {
    text.insert(text.size() - 1, standing_tags(standing, false));
  } else if (kind_ == PartKind::bam) {
    text += standing_tags(standing, true);
  }
}

std::string_view without(MergeColumns more, PartKind kind, std::string_view line) {
  if (kind == PartKind::tsv) more.hang = false;
  std::size_t columns = count_of(more) + (kind == PartKind::bed && more.edits ? 1 : 0);
  line.remove_suffix(1);
  while (columns-- > 0) line = line.substr(0, line.rfind('\t'));
  return line;
}

bool is_mapped(PartKind kind, std::string_view text) {
  unsigned flag = 0;
  if (kind == PartKind::bam && text.size() >= kNameAt) flag = integer_at<std::uint16_t>(text, kFlagAt);
  if (kind == PartKind::sam) {
    take_to(text, '\t');
    parse_number(take_to(text, '\t'), flag);
  }
  return (flag & BAM_FUNMAP) == 0;
}

void set_secondary(PartKind kind, bool secondary, std::string& text) {
  const auto changed = [secondary](unsigned flag) {
    return secondary ? flag | unsigned{BAM_FSECONDARY} : flag & ~unsigned{BAM_FSECONDARY};
  };
  if (kind == PartKind::bam) {
    const auto flag = static_cast<std::uint16_t>(changed(integer_at<std::uint16_t>(text, kFlagAt)));
    std::memcpy(text.data() + kFlagAt, &flag, sizeof flag);
    return;
  }
  const std::size_t begin = text.find('\t') + 1;
  const std::size_t end = text.find('\t', begin);
  unsigned flag = 0;
  parse_number(std::string_view(text).substr(begin, end - begin), flag);
  text.replace(begin, end - begin, fmt::format("{}", changed(flag)));
}

}  // namespace basesweep
