#include "lib/writer/index_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// A line of a file, which may be as long as a chromosome.
struct ScannedLine {
  std::size_t number;      // from 1
  std::string_view begin;  // its first kKept bytes, or all
  std::size_t bytes;       // without its line end
  std::size_t end_bytes;   // of its line end: 0, 1 (LF) or 2 (CR LF)
};

// Calls use(line) for each line until it returns false.
void scan_lines(const std::string& path, const std::function<bool(const ScannedLine&)>& use) {
  constexpr std::size_t kKept = 4096;
  constexpr std::size_t kStep = 1U << 16;
  const std::shared_ptr<InputFile> file = open_input(path, 1);
  std::vector<char> buffer(kStep);
  std::string begin;
  std::size_t bytes = 0;
  std::size_t number = 0;
  bool after_cr = false;
  const auto end_line = [&](bool ended) {
    const std::size_t cr = after_cr ? 1 : 0;
    const ScannedLine line{++number, std::string_view(begin).substr(0, bytes - cr), bytes - cr, ended ? 1 + cr : 0};
    const bool more = use(line);
    begin.clear();
    bytes = 0;
    after_cr = false;
    return more;
  };
  while (const std::size_t got = file->read(buffer.data(), buffer.size())) {
    std::string_view text(buffer.data(), got);
    while (!text.empty()) {
      const std::size_t line_end = text.find('\n');
      const std::string_view part = text.substr(0, line_end);
      begin += part.substr(0, kKept - std::min(kKept, begin.size()));
      bytes += part.size();
      if (!part.empty()) after_cr = part.back() == '\r';
      text.remove_prefix(part.size());
      if (line_end == std::string_view::npos) break;
      text.remove_prefix(1);
      if (!end_line(true)) return;
    }
  }
  if (bytes != 0) end_line(false);
}

// Follows the lines of FASTA up to the first that an index cannot have.
class FastaLines {
 public:
  bool take(const ScannedLine& line) {
    if (line.number == 1 && byte_order_mark(line.begin) != 0) {
      fault_ = "it begins with a byte order mark, which programs for indices do not know: remove it with 'tail -c +4'";
    } else if (line.begin.find('\r') != std::string_view::npos) {
      fault_ = fmt::format(
          "line {}: it has a line end of CR alone, which programs for indices do not know: turn it into LF with tr "
          "'\\r' '\\n'",
          line.number);
    } else if (line.begin.find('\r') != std::string_view::npos) {
      fault_ = fmt::format(
          "line {}: it has a line end of CR alone, which programs for indices do not know: turn it into LF "
          "with tr '\\r' '\\n'",
          line.number);
    } else if (line.begin.starts_with('>')) {
      record_ = name_in_title(line.begin.substr(1));
      first_ = last_ = {};
    } else if (line.bytes != 0 || first_.number != 0) {
      compare(line);
    }
    return fault_.empty();
  }

  std::string finish() {
    if (fault_.empty() && first_.number == 0 && !record_.empty()) {
      fault_ = fmt::format("the last record must have bases, but '{}' has none", record_);
    }
    return fault_;
  }

 private:
  struct Length {
    std::size_t number = 0;  // of the line; 0: there is none
    std::size_t bytes = 0;
    std::size_t end_bytes = 0;
  };

  // `line`: of the sequence, or blank.
  void compare(const ScannedLine& line) {
    const Length length{line.number, line.bytes, line.end_bytes};
    if (first_.number == 0) {
      first_ = last_ = length;
      return;
    }
    if (line.bytes == 0) {  // it may stand at the end of the record
      last_ = length;
      return;
    }
    const auto tell = [&](const Length& other) {
      fault_ = fmt::format(
          "line {}: record '{}': {} bases, but {} in line {}: all lines of a record, except its last, must have "
          "the same length, as 'seqkit seq -w 60' makes them",
          other.number, record_, other.bytes, first_.bytes, first_.number);
    };
    if (last_.bytes != first_.bytes) return tell(last_);
    if (line.bytes > first_.bytes) return tell(length);
    if (last_.end_bytes != first_.end_bytes) {
      fault_ = fmt::format("line {}: record '{}': it ends in {}, but line {} in {}", last_.number, record_,
                           end_of(last_), first_.number, end_of(first_));
    }
    last_ = length;
  }

  static const char* end_of(const Length& line) { return line.end_bytes == 2 ? "CR LF" : "LF"; }

  std::string record_;
  Length first_;  // of the record's sequence
  Length last_;
  std::string fault_;
};

}  // namespace

std::string fasta_index_fault(const std::string& path) {
  FastaLines lines;
  scan_lines(path, [&lines](const ScannedLine& line) { return lines.take(line); });
  return lines.finish();
}

std::string hit_index_fault(const std::string& path, std::size_t record_column, std::size_t start_column) {
  std::set<std::string, std::less<>> records;
  std::string record;
  std::int64_t start = 0;
  std::string fault;
  scan_lines(path, [&](const ScannedLine& line) {
    std::vector<std::string_view> fields(std::max(record_column, start_column) + 1);
    std::int64_t from = 0;
    if (line.begin.starts_with('#') || split_at_tabs(line.begin, fields) < fields.size()) return true;
    if (!parse_number(fields[start_column], from)) return true;  // names of columns
    const std::string_view name = fields[record_column];
    if (records.empty() || name != record) {
      if (records.count(name) != 0) {
        fault = fmt::format(
            "line {}: record '{}' comes again, behind '{}': an index needs all hits of a record together, so records "
            "of several inputs need names of their own: rename them, or index the hits of each input by itself",
            line.number, name, record);
        return false;
      }
      record = name;
      records.insert(record);
    } else if (from < start) {
      fault = fmt::format(
          "line {}: record '{}': the hit starts before the one above it: two records have this name, and an index "
          "needs names of their own",
          line.number, name);
      return false;
    }
    start = from;
    return true;
  });
  return fault;
}

}  // namespace basesweep
