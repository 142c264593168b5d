#include "lib/reader/fai.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/url_file.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

bool is_older(const struct stat& a, const struct stat& b) {
  return std::tuple(a.st_mtim.tv_sec, a.st_mtim.tv_nsec) < std::tuple(b.st_mtim.tv_sec, b.st_mtim.tv_nsec);
}

// Whether the place of the record's last base is a number of 64 bits.
bool has_end(const FaiRecord& record) {
  if (record.info.length == 0 || record.line_bases == 0) return true;
  std::int64_t end = 0;
  return !__builtin_mul_overflow((record.info.length - 1) / record.line_bases, record.line_bytes, &end) &&
         !__builtin_add_overflow(end, record.offset, &end) && !__builtin_add_overflow(end, record.line_bases, &end);
}

// Parses a line: name, number of bases, three more numbers.
bool parse(std::string_view line, FaiRecord& record) {
  std::array<std::string_view, 6> fields;
  if (split_at_tabs(line, fields) != 5 || fields[0].empty()) return false;
  record.info.name = fields[0];
  return parse_place(fields[1], record.info.length) && parse_place(fields[2], record.offset) &&
         parse_place(fields[3], record.line_bases) && parse_place(fields[4], record.line_bytes) && has_end(record);
}

}  // namespace

std::vector<FaiRecord> read_fai_file(const std::string& index) {
  std::vector<FaiRecord> records;
  const std::string text = read_all(index);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_to(rest, '\n');
    if (!parse(line, records.emplace_back())) {
      throw DataError(fmt::format(
          "{}: line {}: expected a name and four numbers, separated by tabs, as 'samtools faidx' writes them", index,
          records.size()));
    }
  }
  return records;
}

bool has_fai(const std::string& path) {
  const std::string index = index_name(path, ".fai");
  if (is_url(path)) return url_exists(index);
  struct stat text_status {};
  struct stat index_status {};
  return stat(path.c_str(), &text_status) == 0 && stat(index.c_str(), &index_status) == 0 &&
         S_ISREG(text_status.st_mode) && S_ISREG(index_status.st_mode) && !is_older(index_status, text_status);
}

}  // namespace basesweep
