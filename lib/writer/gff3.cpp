#include "lib/writer/gff3.hpp"

#include <fmt/format.h>

#include <charconv>

#include "lib/writer/escape.hpp"

namespace basesweep {
std::string gff3_seqid(std::string_view record) { return escaped(record, Escape::seqid); }

std::string gff3_attribute(std::string_view value) { return escaped(value, Escape::attribute); }

std::string gff3_unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i, 3);
    unsigned value = 0;
    const bool escaped = digits.size() == 3 && digits.front() == '%' &&
                         std::from_chars(&digits[1], &digits[1] + 2, value, 16).ptr == &digits[1] + 2;
    plain += escaped ? static_cast<char>(value) : text[i];
    if (escaped) i += 2;
  }
  return plain;
}

std::string gff3_header(std::span<const RecordInfo> records, const CircularRecords& circular) {
  std::string lines = "##gff-version 3\n";
  for (const RecordInfo& record : records) {
    lines += fmt::format("##sequence-region {} 1 {}\n", gff3_seqid(record.name), record.length);
  }
  for (const RecordInfo& record : records) {
    if (!circular.contains(record.name)) continue;
    lines += fmt::format("{}\tbasesweep\tregion\t1\t{}\t.\t.\t.\tID={};Is_circular=true\n", gff3_seqid(record.name),
                         record.length, gff3_attribute(record.name));
  }
  return lines;
}

}  // namespace basesweep
