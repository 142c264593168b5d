#include "lib/reader/index_titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "lib/base/sequence_text.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// Text between the bases of two indexed records: titles and blank lines, if the index is complete.
struct Between {
  std::string_view title;  // the last line that begins with '>', without the '>'
  bool titled = false;     // the last line is a title
  bool has_bases = false;  // there is another line, which belongs to a record that the index lacks
};

Between look_between(std::string_view text) {
  Between found;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    found.titled = line.starts_with('>');
    if (found.titled) {
      found.title = line.substr(1);
    } else if (!line.empty()) {
      found.has_bases = true;
      break;
    }
  }
  return found;
}

std::string read(InputFile& file, std::int64_t begin, std::int64_t end) {
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  std::size_t have = 0;
  if (file.seekable()) {
    have = file.read_at(text.data(), text.size(), begin);
  } else {
    file.seek(begin);
    for (std::size_t got = 1; have < text.size() && got != 0; have += got) {
      got = file.read(text.data() + have, text.size() - have);
    }
  }
  text.resize(have);
  return text;
}

// The error for a record with this title that the index lacks.
DataError not_indexed(const InputFile& file, const FastaWindows& windows, std::string_view title) {
  const std::string_view name = name_in_title(title);
  const bool known = std::any_of(windows.titles.begin(), windows.titles.end(),
                                 [name](const FastaTitle& indexed) { return indexed.name == name; });
  if (known) {
    return DataError(
        fmt::format("{}: the name '{}' is used twice, so the file cannot be indexed: give each record a name "
                    "of its own",
                    file.path(), name));
  }
  return DataError(
      fmt::format("{}: the file has records that its index lacks: index it again; all records need different "
                  "names",
                  file.path()));
}

}  // namespace

DataError not_as_indexed(const std::string& path, const std::string& record) {
  return DataError(fmt::format(
      "{}: record '{}' is not where the index says: index the file again with 'samtools faidx'", path, record));
}

void check_titles(InputFile& file, const FastaWindows& windows) {
  for (const FastaTitle& title : windows.titles) {
    std::string text = read(file, title.begin, title.end);
    if (title.begin == 0) text.erase(0, byte_order_mark(text));
    const Between between = look_between(text);
    if (between.has_bases && !name_in_title(between.title).empty()) throw not_indexed(file, windows, between.title);
    const bool sound = between.titled && is_line_end(text.back()) && name_in_title(between.title) == title.name;
    if (!sound) throw not_as_indexed(file.path(), title.name);
  }
  constexpr std::int64_t kStepBytes = 1 << 16;
  std::string rest;
  std::string title;
  for (std::int64_t at = windows.end, got = kStepBytes; got == kStepBytes; at += got) {
    const std::string next = read(file, at, at + kStepBytes);
    got = static_cast<std::int64_t>(next.size());
    rest += next;
    const Between after = look_between(rest);
    if (!after.title.empty()) title = after.title;
    if (after.has_bases) throw not_indexed(file, windows, title);
    rest = rest.substr(whole_lines(rest), 1);  // the first character shows whether a line that goes on is a title
  }
}

void check_titles(const std::string& path, const std::vector<FaiRecord>& records, const std::string& gzi) {
  const std::shared_ptr<InputFile> file = open_input(path, 1);
  if (!file->seekable()) file->load_index(gzi);
  check_titles(*file, windows_of(path, records, 0, RegionSet::of_names(), 0, 0));
}

}  // namespace basesweep
