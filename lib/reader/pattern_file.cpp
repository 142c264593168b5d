#include "lib/reader/pattern_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/file_type.hpp"
#include "lib/reader/flat_file.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/pattern_table.hpp"
#include "lib/reader/primer_report.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kBlanks = " \t\r";  // in a line

void read_fasta(std::string_view text, PatternList& patterns) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return;
    line.remove_prefix(first);
    if (line.front() == '>') {
      patterns.start(name_in_title(line.substr(1)), number, line.substr(1));
    } else {
      patterns.extend(line.substr(0, line.find_last_not_of(kBlanks) + 1), number);
    }
  });
}

// Reads FASTQ, whose sequences and qualities may have several lines. Places are record numbers.
class FastqReader {
 public:
  explicit FastqReader(PatternList& patterns) : patterns_(patterns) {}

  void read(std::string_view text) {
    for_each_line(
        text, [this](std::string_view line, std::size_t) { take(line.substr(0, line.find_last_not_of(kBlanks) + 1)); });
    if (part_ == RecordLine::sequence) patterns_.fail(record_, "expected '+' and qualities behind the sequence");
    if (part_ == RecordLine::qualities && qualities_ < letters_) patterns_.fail(record_, wrong_qualities());
  }

 private:
  enum class RecordLine { title, sequence, qualities };

  void take(std::string_view line) {
    if (part_ == RecordLine::sequence && line.starts_with('+')) {
      part_ = RecordLine::qualities;
    } else if (part_ == RecordLine::sequence) {
      letters_ += line.size();
      patterns_.extend(line, record_);
    } else if (part_ == RecordLine::qualities && qualities_ < letters_) {
      qualities_ += line.size();
      if (qualities_ > letters_) patterns_.fail(record_, wrong_qualities());
    } else if (!line.empty()) {
      take_title(line);
    }
  }

  void take_title(std::string_view line) {
    ++record_;
    if (line.front() != '@') patterns_.fail(record_, fmt::format("expected '@' and a name, found '{}'", shown(line)));
    patterns_.start(name_in_title(line.substr(1)), record_, line.substr(1));
    part_ = RecordLine::sequence;
    letters_ = 0;
    qualities_ = 0;
  }

  std::string wrong_qualities() const {
    return fmt::format("expected as many qualities as letters, {}, found {}", letters_, qualities_);
  }

  PatternList& patterns_;
  RecordLine part_ = RecordLine::title;
  std::size_t record_ = 0;
  std::size_t letters_ = 0;  // of the record
  std::size_t qualities_ = 0;
};

// Primers of reports are named as those of pairs are.
void read_report(const std::vector<ReportedPair>& pairs, PatternList& patterns) {
  for (const ReportedPair& pair : pairs) {
    const auto add = [&](const std::string& name, const std::string& sequence, std::size_t line) {
      if (sequence.empty()) return;
      patterns.start(name, line, name);
      patterns.extend(sequence, line);
    };
    add(pair.name + "_F", pair.forward, pair.line);
    add(pair.name + "_R", pair.reverse, pair.reverse_line);
    add(pair.name + "_probe", pair.probe, pair.line);
  }
}

enum class PatternFormat { fasta, fastq, genbank, embl, cas_offinder, report, table };

PatternFormat format_of(std::string_view start) {
  if (start.starts_with('>')) return PatternFormat::fasta;
  if (start.starts_with('@')) return PatternFormat::fastq;
  if (start.starts_with("LOCUS ")) return PatternFormat::genbank;
  if (start.starts_with("ID   ")) return PatternFormat::embl;
  if (is_cas_offinder(start)) return PatternFormat::cas_offinder;
  return PatternFormat::table;
}

const char* to_string(PatternFormat format) {
  switch (format) {
    case PatternFormat::fasta: return "FASTA";
    case PatternFormat::fastq: return "FASTQ";
    case PatternFormat::genbank: return "GenBank";
    case PatternFormat::embl: return "EMBL";
    case PatternFormat::cas_offinder: return "an input of Cas-OFFinder";
    case PatternFormat::report: return "the output of a program that designs primers";
    case PatternFormat::table: break;
  }
  return "a table";
}

}  // namespace

std::vector<Pattern> read_patterns(const std::string& path, const ColumnChoice& columns, PatternRows* rows,
                                   RepeatedNames repeated, LeftOut* left_out) {
  Compression compression = Compression::none;
  const std::string text = read_all(path, &compression);
  const std::string name = input_name(path);
  const std::string_view start =
      std::string_view(text).substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (const auto other = explain_pattern_type({start, compression, name})) throw DataError(*other);
  PatternFormat format = format_of(start);
  std::optional<std::vector<ReportedPair>> report;
  if (format == PatternFormat::table && (report = read_primer_report(name, text))) format = PatternFormat::report;
  if (columns.any() && format != PatternFormat::table) {
    throw UsageError(
        fmt::format("{} is {}: --name-column and --pattern-column are for tables", name, to_string(format)));
  }
  PatternList patterns(name, format == PatternFormat::fastq ? "record" : "line",
                       format == PatternFormat::table ? NamedBy::column : NamedBy::first_word, repeated);
  if (format == PatternFormat::cas_offinder && rows == nullptr) {
    throw DataError(
        fmt::format("{}: this is an input of Cas-OFFinder: 'basesweep guides -f {}' reads it, without other "
                    "-f and -p",
                    name, name));
  }
  switch (format) {
    case PatternFormat::fasta: read_fasta(text, patterns); break;
    case PatternFormat::fastq: FastqReader(patterns).read(start); break;
    case PatternFormat::genbank: read_flat_file(text, kGenBank, patterns); break;
    case PatternFormat::embl: read_flat_file(text, kEmbl, patterns); break;
    case PatternFormat::cas_offinder: rows->cas_offinder = read_cas_offinder(text, patterns); break;
    case PatternFormat::report: read_report(*report, patterns); break;
    case PatternFormat::table: read_table(name, text, columns, patterns, rows); break;
  }
  std::vector<Pattern> all = patterns.finish();
  if (left_out != nullptr) *left_out += patterns.left_out();
  if (rows != nullptr && format != PatternFormat::table) {
    rows->header = {"name", "sequence"};
    for (const Pattern& pattern : all) rows->rows.push_back({pattern.name, pattern.sequence});
  }
  return all;
}

}  // namespace basesweep
