#include "lib/reader/read_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  if (!parse_number(text, number) || number < 0) return std::nullopt;
  return std::min(number, kToTheEnd);
}

// Whether the text has a letter and no digit, so that it was not meant as a number.
bool is_word(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return std::none_of(text.begin(), text.end(), is_digit) && std::any_of(text.begin(), text.end(), is_letter);
}

// Parses "from" or "from-to", 1-based, commas allowed; nothing if the text is neither.
std::optional<Region> range_in(std::string text) {
  std::erase(text, ',');
  const std::size_t dash = text.find('-');
  const auto from = number_in(std::string_view(text).substr(0, dash));
  if (!from) return std::nullopt;
  if (dash == std::string::npos || dash + 1 == text.size()) return Region{*from - 1, kToTheEnd};
  const auto to = number_in(std::string_view(text).substr(dash + 1));
  if (!to) return std::nullopt;
  return Region{*from - 1, *to};
}

}  // namespace

bool names_columns(std::string_view start, std::string_view end) { return is_word(start) && is_word(end); }

void add_region(const std::string& text, RegionSet& regions) {
  const auto refuse = [&text](const std::string& what) {
    throw UsageError(fmt::format("--region {}: {}", text, what));
  };
  const bool braced = text.starts_with('{');
  const std::size_t brace = text.rfind('}');
  const bool closed = brace + 1 == text.size() || text.compare(brace + 1, 1, ":") == 0;
  const bool either = !braced && text.find(':') != std::string::npos;
  const std::string cure = either ? fmt::format("; a record of this name is written {{{}}}", text) : "";
  if (braced && (brace == std::string::npos || !closed)) refuse("expected {record} or {record}:from-to");
  const std::size_t colon = braced ? text.find(':', brace) : text.rfind(':');
  std::string name = braced ? text.substr(1, brace - 1) : text.substr(0, colon);
  Region region{0, kToTheEnd};
  if (colon != std::string::npos) {
    const std::optional<Region> range = range_in(text.substr(colon + 1));
    if (range) {
      region = *range;
    } else if (braced) {
      refuse("expected {record}:from-to");
    } else {
      name = text;  // the colon belongs to the name
    }
  }
  if (name.empty()) refuse("expected record, record:from or record:from-to");
  if (region.begin < 0) refuse("positions count from 1" + cure);
  if (region.begin >= region.end) refuse("the region ends before it begins" + cure);
  if (either && name != text) {
    regions.add({text, name, region});
  } else {
    regions.add(name, region);
  }
}

std::vector<NamedRegion> parse_bed(std::string_view text, const std::string& path) {
  std::vector<NamedRegion> all;
  bool first = true;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const std::string_view word = first_word(line);
    const bool browser_line = (word == "track" || word == "browser") && !line.substr(word.size()).starts_with('\t');
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#' || browser_line) return;
    constexpr std::size_t kNeeded = 3;
    std::array<std::string_view, kNeeded + 1> fields;
    const auto refuse = [&](const std::string& what) {
      throw DataError(fmt::format("{}: line {}: {}", input_name(path), number, what));
    };
    if (split_at_tabs(line, fields) < kNeeded || fields[0].empty()) {
      refuse("expected record, start and end, separated by tabs");
    }
    const auto begin = number_in(fields[1]);
    const auto end = number_in(fields[2]);
    if (std::exchange(first, false) && names_columns(fields[1], fields[2])) {
      if (line.find("\tabs_summit") != std::string_view::npos) {
        refuse("this is MACS's table of peaks, whose starts count from 1: give its .narrowPeak or .bed file");
      }
      return;
    }
    if (!begin || !end) refuse("start and end must be whole numbers");
    if (*begin > *end) refuse("the region ends before it begins");
    if (*begin == kToTheEnd) refuse("no record is that long");
    all.push_back({std::string(fields[0]), *begin, *end, std::string(fields[3])});
  });
  return all;
}

std::vector<NamedRegion> read_bed(const std::string& path) { return parse_bed(read_all(path), path); }

void check_names(const std::vector<NamedRegion>& regions, const std::string& path) {
  for (const NamedRegion& region : regions) {
    for (const std::string* name : {&region.record, &region.name}) {
      if (name_fault(*name, NameRule::text).empty()) continue;
      throw DataError(fmt::format("{}: region {}:{}-{}: the name '{}' may not hold control characters", path,
                                  region.record, region.begin, region.end, *name));
    }
  }
}

void add_bed(const std::string& path, AbsentRecord absent, RegionSet& regions) {
  add_bed(read_bed(path), absent, regions);
}

void add_bed(const std::vector<NamedRegion>& bed, AbsentRecord absent, RegionSet& regions) {
  std::map<std::string, std::vector<Region>> by_record;
  for (const NamedRegion& region : bed) by_record[region.record].push_back({region.begin, region.end});
  for (auto& [record, own] : by_record) {  // RegionSet::add() is quick when regions come in order
    std::sort(own.begin(), own.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });
    for (const Region& region : own) regions.add(record, region, absent);
  }
}

}  // namespace basesweep
