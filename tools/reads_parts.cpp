#include "tools/reads_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "lib/base/error.hpp"
#include "lib/compiled/field_bytes.hpp"

namespace basesweep {
namespace {

void write_parameter(const std::string& key, const ParameterValue& value, FieldWriter& to) {
  to.text(key);
  to.number(static_cast<std::uint8_t>(value.index()));
  std::visit(
      [&to](const auto& one) {
        using Value = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          to.text(one);
        } else if constexpr (!std::is_same_v<Value, std::monostate>) {
          to.number(one);
        }
      },
      value);
}

ParameterValue read_value(FieldReader& from) {
  switch (from.choice(static_cast<std::uint8_t>(std::variant_size_v<ParameterValue> - 1))) {
    case 1: return std::string(from.text());
    case 2: return from.number<std::int64_t>();
    case 3: return from.number<std::uint64_t>();
    case 4: return from.number<double>();
    default: return {};
  }
}

std::string print_query(const ReadsQuery& query) {
  FieldWriter to;
  to.number(static_cast<std::uint32_t>(query.parameters.size()));
  for (const auto& [key, value] : query.parameters) write_parameter(key, value, to);
  to.number(static_cast<std::uint8_t>(query.format));
  to.number(static_cast<std::uint8_t>(query.paired));
  to.number(static_cast<std::uint8_t>(query.files.table));
  to.number(static_cast<std::uint32_t>(query.files.mates_apart.size()));
  for (const bool apart : query.files.mates_apart) to.number(static_cast<std::uint8_t>(apart));
  to.texts(query.header_lines);
  to.text(query.command_line);
  to.text(query.own);
  return to.bytes();
}

}  // namespace

PartHead reads_part(const std::string& command, const ReadsOptions& o, const Chunk& chunk, const ReadsQuery& query,
                    const std::string& reference) {
  RunParameters label{{"command", command}};
  // A label has parameters with blanks between them. What it leaves out is in the query.
  for (const auto& [key, value] : query.parameters) {
    if (word_of(value).find_first_of(" \t\r\n") == std::string::npos) label.emplace_back(key, value);
  }
  PartHead head{.label = chunk.label(label), .words = o.words(), .inputs = o.read_files()};
  head.reference = reference;
  head.query = print_query(query);
  return head;
}

ReadsQuery reads_query_of(const PartSet& parts) {
  FieldReader from(std::as_bytes(std::span(parts.head().query)));
  ReadsQuery query;
  const auto parameters = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < parameters && from.ok(); ++i) {
    std::string key(from.text());
    query.parameters.emplace_back(std::move(key), read_value(from));
  }
  query.format = from.choice(OutputFormat::part);
  query.paired = from.choice(std::uint8_t{1}) != 0;
  query.files.table = from.choice(std::uint8_t{1}) != 0;
  const auto files = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < files && from.ok(); ++i) {
    query.files.mates_apart.push_back(from.choice(std::uint8_t{1}) != 0);
  }
  query.header_lines = from.texts();
  query.command_line = from.text();
  query.own = from.text();
  if (!from.at_end()) throw damaged_query(parts);
  return query;
}

void check_reads_merge(const ReadsOptions& o, const ReadsQuery& query, const PartSet& parts,
                       const WrittenFiles& written) {
  check_run_options(o, parts.paths(), written);
  if (o.format && *o.format != query.format) {
    throw UsageError(
        fmt::format("--format {}: the chunks wrote {}: run them with it", word_of(*o.format), noun_of(query.format)));
  }
  const auto table = std::find_if(written.begin(), written.end(),
                                  [](const auto& file) { return file.first == std::string_view("--table"); });
  if (table != written.end() && !table->second.empty() && !query.files.table)
    throw UsageError("--table: the chunks made no table: run them with it");
}

DataError damaged_query(const PartSet& parts) {
  return damaged_part(parts.paths().front(), "what it says of its run is not complete");
}

}  // namespace basesweep
