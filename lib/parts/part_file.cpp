#include "lib/parts/part_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kBamMagic("BAM\1", 4);
constexpr std::string_view kComment = "@CO\t";
constexpr std::size_t kMaxReport = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& path) {
  throw DataError(fmt::format("{}: not the output of a chunk: expected a file that 'basesweep ... --chunk i/N' wrote",
                              input_name(path)));
}

[[noreturn]] void truncated(const std::string& path) {
  throw DataError(fmt::format("{}: truncated", input_name(path)));
}

std::string_view without_line_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// Finds the label in a SAM header and removes its line.
std::optional<PartLabel> take_label(std::string& header) {
  std::optional<PartLabel> label;
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t end = std::min(header.find('\n', at), header.size() - 1) + 1;
    const std::string_view line = without_line_end(std::string_view(header).substr(at, end - at));
    const auto found = line.starts_with(kComment) ? parse_part(line.substr(kComment.size())) : std::nullopt;
    if (found) {
      label = found;
      header.erase(at, end - at);
    } else {
      at = end;
    }
  }
  return label;
}

std::int32_t read_int32(ByteStream& stream, const std::string& path) {
  const std::string_view bytes = stream.bytes(sizeof(std::int32_t));
  if (bytes.size() < sizeof(std::int32_t)) truncated(path);
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  if (value < 0) refuse(path);
  return value;
}

// Appends the next `count` bytes of the stream.
void append_bytes(ByteStream& stream, std::size_t count, const std::string& path, std::string& to) {
  const std::string_view bytes = stream.bytes(count);
  if (bytes.size() < count) truncated(path);
  to += bytes;
}

std::optional<PartLabel> read_bam_head(ByteStream& stream, PartHead& head) {
  stream.bytes(kBamMagic.size());
  std::string text;
  append_bytes(stream, static_cast<std::size_t>(read_int32(stream, head.path)), head.path, text);
  std::optional<PartLabel> label = take_label(text);
  head.header = kBamMagic;
  append_int32(head.header, text.size());
  head.header += text;
  const std::int32_t references = read_int32(stream, head.path);
  append_int32(head.header, static_cast<std::size_t>(references));
  for (std::int32_t i = 0; i < references; ++i) {
    const auto name_bytes = static_cast<std::size_t>(read_int32(stream, head.path));
    append_int32(head.header, name_bytes);
    append_bytes(stream, name_bytes + sizeof(std::int32_t), head.path, head.header);
  }
  return label;
}

std::optional<PartLabel> read_sam_head(ByteStream& stream, PartHead& head) {
  while (stream.peek(1) == "@") head.header += stream.line();
  return take_label(head.header);
}

std::optional<PartLabel> read_json(ByteStream& stream, PartHead& head) {
  for (std::string_view bytes = stream.some(); !bytes.empty(); bytes = stream.some()) {
    head.json += bytes;
    if (head.json.size() > kMaxReport) {
      throw DataError(
          fmt::format("{}: larger than {} GiB, which no report is", input_name(head.path), kMaxReport >> 30));
    }
  }
  const auto report = nlohmann::json::parse(head.json, nullptr, false);
  if (!report.is_object() || !report.contains("part") || !report["part"].is_string()) return std::nullopt;
  return parse_part(report["part"].get<std::string>());
}

PartKind kind_of(const PartLabel& label) {
  if (!parameter(label, "table").empty()) return PartKind::table;
  const std::string output = parameter(label, "output");
  if (output == "bed") return PartKind::bed;
  if (output == "tsv") return PartKind::tsv;
  if (output == "fimo") return PartKind::fimo;
  if (output == "gff3") return PartKind::gff3;
  if (output == "fasta") return PartKind::fasta;
  return PartKind::count;
}

// The next line, which remains to be read.
std::string_view next_line(ByteStream& stream) {
  for (std::size_t size = 256;; size *= 2) {
    const std::string_view bytes = stream.peek(size);
    const std::size_t end = bytes.find('\n');
    if (end != std::string_view::npos || bytes.size() < size) return bytes.substr(0, end);
  }
}

// Directives, and the lines of circular records (lib/writer/gff3_formatter.cpp).
bool is_gff3_header(std::string_view line) {
  if (line.starts_with("##")) return true;
  std::array<std::string_view, 3> fields;
  return split_at_tabs(line, fields) == fields.size() && fields[2] == "region";
}

// Other text: the label is the first line, and its parameter `output` says which format this is.
std::optional<PartLabel> read_text_head(ByteStream& stream, PartHead& head) {
  std::string_view line = without_line_end(stream.line());
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  std::optional<PartLabel> label = parse_part(line);
  if (!label) return label;
  head.kind = kind_of(*label);
  const std::array with_names{PartKind::tsv, PartKind::fimo, PartKind::count, PartKind::table};
  if (std::find(with_names.begin(), with_names.end(), head.kind) != with_names.end()) head.header = stream.line();
  while (head.kind == PartKind::gff3 && is_gff3_header(next_line(stream))) head.header += stream.line();
  return label;
}

const char* word_of(PartKind kind) {
  switch (kind) {
    case PartKind::bed: return "BED";
    case PartKind::tsv: return "TSV";
    case PartKind::fimo: return "FIMO's TSV";
    case PartKind::gff3: return "GFF3";
    case PartKind::fasta: return "FASTA";
    case PartKind::count: return "counts";
    case PartKind::table: return "a table";
    case PartKind::sam: return "SAM";
    case PartKind::bam: return "BAM";
    case PartKind::json: return "a report";
  }
  return "";
}

// The reason why two parts are not of one run; empty if they are.
std::string difference(const PartHead& a, const PartHead& b) {
  if (a.kind != b.kind) return fmt::format("the first is {}, the second {}", word_of(a.kind), word_of(b.kind));
  if (a.label.version != b.label.version) {
    return fmt::format("they were written by versions {} and {}", a.label.version, b.label.version);
  }
  if (a.label.parameters != b.label.parameters) {
    return fmt::format("their parameters differ:\n  {}\n  {}", a.label.parameters, b.label.parameters);
  }
  if (a.label.chunks != b.label.chunks)
    return fmt::format("the first is one of {} chunks, the second one of {}", a.label.chunks, b.label.chunks);
  if (a.label.plan != b.label.plan) return "their plans differ: other inputs, or the same inputs cut in another way";
  if (a.digest != b.digest) return "their header lines differ";
  return "";
}

}  // namespace

PartHead read_head(const std::string& path, ByteStream& stream) {
  PartHead head{path, PartKind::bed, {}, ""};
  const std::string first(stream.peek(kBamMagic.size()));
  std::optional<PartLabel> label;
  if (first == kBamMagic) {
    head.kind = PartKind::bam;
    label = read_bam_head(stream, head);
  } else if (first.starts_with('@')) {
    head.kind = PartKind::sam;
    label = read_sam_head(stream, head);
  } else if (first.starts_with('{')) {
    head.kind = PartKind::json;
    label = read_json(stream, head);
  } else {
    label = read_text_head(stream, head);
  }
  if (!label) refuse(path);
  head.label = *label;
  Md5 md5;
  md5.add(head.header);
  head.digest = md5.take();
  return head;
}

void check_parts(std::vector<PartHead>& parts) {
  for (const PartHead& part : parts) {
    if (const std::string what = difference(parts.front(), part); !what.empty()) {
      throw DataError(
          fmt::format("{} and {} are not of one run: {}", input_name(parts.front().path), input_name(part.path), what));
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const PartHead& a, const PartHead& b) { return a.label.chunk < b.label.chunk; });
  const std::uint32_t chunks = parts.front().label.chunks;
  constexpr std::uint32_t kMaxNamed = 10;
  std::string missing;
  std::uint32_t missing_count = 0;
  std::size_t next = 0;
  for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
    if (next == parts.size() || parts[next].label.chunk != chunk) {
      if (++missing_count <= kMaxNamed) missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", chunk, chunks);
      continue;
    }
    const PartHead& part = parts[next++];
    if (next < parts.size() && parts[next].label.chunk == chunk) {
      throw DataError(fmt::format("chunk {}/{} is given twice: {} and {}", chunk, chunks, input_name(part.path),
                                  input_name(parts[next].path)));
    }
  }
  if (missing_count > kMaxNamed) missing += fmt::format(" and {} more", missing_count - kMaxNamed);
  if (missing_count != 0) throw DataError("missing: chunk " + missing);
}

}  // namespace basesweep
