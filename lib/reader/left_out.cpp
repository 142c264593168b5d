#include "lib/reader/left_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace basesweep {
namespace {

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

LeftOut& LeftOut::operator+=(const LeftOut& more) {
  blanks += more.blanks;
  ends += more.ends;
  modifications += more.modifications;
  cut_marks += more.cut_marks;
  doubtful += more.doubtful;
  leading_marks += more.leading_marks;
  short_alternatives += more.short_alternatives;
  return *this;
}

std::string LeftOut::sentence() const {
  std::vector<std::string> parts;
  if (blanks != 0) parts.push_back(counted(blanks, "blank", "blanks"));
  if (ends != 0) parts.push_back(counted(ends, "mark of an end (5', 3')", "marks of ends (5', 3')"));
  if (modifications != 0) parts.push_back(counted(modifications, "modification", "modifications"));
  if (cut_marks != 0) parts.push_back(counted(cut_marks, "cut mark", "cut marks"));
  if (parts.empty()) return "";
  const std::string last = parts.back();
  parts.pop_back();
  const bool single = blanks + ends + modifications + cut_marks == 1;
  return fmt::format("{}{}{} {} left out", fmt::join(parts, ", "), parts.empty() ? "" : " and ", last,
                     single ? "was" : "were");
}

}  // namespace basesweep
