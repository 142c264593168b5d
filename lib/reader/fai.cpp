#include "lib/reader/fai.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <tuple>

#include "lib/error.hpp"

namespace basesweep {
namespace {

bool is_older(const struct stat& a, const struct stat& b) {
  return std::tuple(a.st_mtim.tv_sec, a.st_mtim.tv_nsec) < std::tuple(b.st_mtim.tv_sec, b.st_mtim.tv_nsec);
}

// Whether all of `text` is a number that is not negative.
bool parse(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr std::int64_t kMost = std::int64_t{1} << 47;  // so that no sum overflows
  return error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= kMost;
}

// Whether a line is name, number of bases, three more numbers.
bool parse(std::string_view line, FaiRecord& record) {
  const std::size_t name_end = line.find('\t');
  if (name_end == 0 || name_end == std::string_view::npos) return false;
  record.info.name = line.substr(0, name_end);
  const std::array<std::int64_t*, 4> numbers{&record.info.length, &record.offset, &record.line_bases,
                                             &record.line_bytes};
  for (std::int64_t* number : numbers) {
    line.remove_prefix(line.find('\t') + 1);
    const bool last = number == numbers.back();
    const std::size_t end = last ? line.size() : line.find('\t');
    if (end == std::string_view::npos || !parse(line.substr(0, end), *number)) return false;
  }
  return true;
}

}  // namespace

std::vector<FaiRecord> read_fai_file(const std::string& index) {
  std::ifstream in(index, std::ios::binary);
  if (!in) throw IoError(index, "cannot open", errno);
  std::vector<FaiRecord> records;
  for (std::string line; std::getline(in, line);) {
    if (!parse(line, records.emplace_back())) {
      throw DataError(
          fmt::format("{}: line {}: expected a name and four numbers, tabs between, as samtools faidx writes", index,
                      records.size()));
    }
  }
  if (in.bad()) throw IoError(index, "cannot read");
  return records;
}

bool has_fai(const std::string& path) {
  const std::string index = path + ".fai";
  struct stat text_status {};
  struct stat index_status {};
  return stat(path.c_str(), &text_status) == 0 && stat(index.c_str(), &index_status) == 0 &&
         S_ISREG(text_status.st_mode) && S_ISREG(index_status.st_mode) && !is_older(index_status, text_status);
}

std::optional<std::vector<RecordInfo>> read_fai(const std::string& path) {
  if (!has_fai(path)) return std::nullopt;
  std::vector<RecordInfo> records;
  for (FaiRecord& record : read_fai_file(path + ".fai")) records.push_back(std::move(record.info));
  return records;
}

}  // namespace basesweep
