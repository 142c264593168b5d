#include "lib/base/sam_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kAlnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw DataError(path.empty() ? what : fmt::format("{}: {}", path, what));
}

// RNAME is [0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*.
void check_name(const std::string& name, std::size_t index, const std::string& path) {
  if (name.empty()) refuse(path, fmt::format("record {} has no name, which SAM needs", index + 1));
  for (const char& c : name) {
    const bool inside_only = c == '*' || c == '=';
    const bool allowed = kAlnum.find(c) != std::string_view::npos ||
                         std::string_view("!#$%&+./:;?@^_|~-").find(c) != std::string_view::npos ||
                         (inside_only && &c != name.data());
    if (!allowed) {
      refuse(path, fmt::format("record '{}': SAM does not allow {}{} its name", name, printable(c),
                               inside_only ? " at the start of" : " in"));
    }
  }
}

}  // namespace

bool is_sam_query_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxSamNameLetters && name != "*" &&
         std::all_of(name.begin(), name.end(), is_sam_query_letter);
}

void check_sam_records(std::span<const RecordInfo> records, const std::string& path) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordInfo& record = records[i];
    check_name(record.name, i, path);
    if (!names.insert(record.name).second) {
      refuse(path, fmt::format("record '{}': the name is used twice, which SAM does not allow", record.name));
    }
    if (record.length > kMaxSamBases) {
      refuse(path, fmt::format("record '{}': has {} bases, SAM allows {}", record.name, record.length, kMaxSamBases));
    }
  }
}

}  // namespace basesweep
