#include "lib/writer/sam_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"

namespace basesweep {
namespace {

// `id`: of the line; `previous`: the ID of the program that ran before; "": none.
void add_program(std::string_view command_line, std::string& text, const std::string& id = "basesweep",
                 const std::string& previous = "") {
  text += "@PG\tID:" + id + "\tPN:basesweep\tVN:" BASESWEEP_VERSION;
  if (!previous.empty()) text += "\tPP:" + previous;
  if (!command_line.empty()) {
    text += "\tCL:";
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
    std::replace_copy_if(command_line.begin(), command_line.end(), std::back_inserter(text), control, ' ');
  }
  text += '\n';
}

// Adds a line that follows the last one of the lines before it.
void add_next_program(std::span<const std::string_view> lines, std::string_view command_line, std::string& text) {
  std::vector<std::string> ids;
  for (const std::string_view line : lines) {
    if (!line.starts_with("@PG\t")) continue;
    for (std::string_view rest = line; !rest.empty();) {
      const std::string_view field = take_to(rest, '\t');
      if (field.starts_with("ID:")) ids.emplace_back(field.substr(3));
    }
  }
  std::string id = "basesweep";
  for (int i = 1; std::find(ids.begin(), ids.end(), id) != ids.end(); ++i) id = fmt::format("basesweep.{}", i);
  add_program(command_line, text, id, ids.empty() ? "" : ids.back());
}

// A line @HD without an order by coordinate.
std::string without_order(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const std::string_view field = take_to(line, '\t');
    if (!text.empty() && field.starts_with("SS:coordinate")) continue;
    text.append(text.empty() ? "" : "\t").append(field == "SO:coordinate" ? "SO:unknown" : field);
  }
  return text;
}

}  // namespace

std::string sam_header_text(const SamHeader& header) {
  std::string text = fmt::format("@HD\tVN:1.6\t{}\n", header.order);
  for (std::size_t i = 0; i < header.records.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "@SQ\tSN:{}\tLN:{}", header.records[i].name, header.records[i].length);
    if (header.circular != nullptr && header.circular->contains(header.records[i].name)) text += "\tTP:circular";
    if (!header.md5.empty()) text.append("\tM5:").append(header.md5[i]);
    text += '\n';
  }
  text += header.read_group_lines;
  if (header.program) add_program(header.command_line, text);
  if (!header.comment.empty()) text.append("@CO\t").append(header.comment).append("\n");
  return text;
}

std::string unaligned_header_text(std::span<const std::string> lines, const std::optional<std::string>& read_groups,
                                  std::string_view command_line) {
  std::string text = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n";
  if (read_groups) text += *read_groups;
  for (const std::string& line : lines) {
    if (!read_groups || !line.starts_with("@RG\t")) text += line + "\n";
  }
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  add_next_program(views, command_line, text);
  return text;
}

std::string changed_header_text(std::string_view text, std::string_view command_line) {
  std::string changed;
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(take_to(text, '\n'));
    const std::string_view line = lines.back();
    changed.append(line.starts_with("@HD\t") ? without_order(line) : std::string(line)).append("\n");
  }
  add_next_program(lines, command_line, changed);
  return changed;
}

std::string bam_header(std::string_view text, std::span<const RecordInfo> records) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw DataError("too many records for BAM: their header lines take more than 2 GB");
  }
  std::string bytes("BAM\1");
  append_int32(bytes, text.size());
  bytes += text;
  append_int32(bytes, records.size());
  for (const RecordInfo& record : records) {
    append_int32(bytes, record.name.size() + 1);
    bytes += record.name;
    bytes += '\0';
    append_int32(bytes, static_cast<std::size_t>(record.length));
  }
  return bytes;
}

}  // namespace basesweep
