#include "lib/trim/primer_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/reader/fasta_text.hpp"
#include "lib/reader/primer_role.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kNameColumn = 3;
constexpr std::size_t kStrandColumn = 5;
constexpr std::size_t kSequenceColumn = 6;

class SchemeParser {
 public:
  explicit SchemeParser(const std::string& path) { scheme_.path = path; }

  PrimerScheme parse() {
    const std::string text = read_all(scheme_.path);
    for (const TableLine& row : table_lines(text).rows) {
      line_ = row.number;
      add(split_cells(row.text, row.text.find('\t') == std::string_view::npos ? Separator::blank : Separator::tab));
    }
    if (scheme_.primers.empty()) throw DataError(fmt::format("{}: the file has no primers", scheme_.path));
    return std::move(scheme_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(fmt::format("{}: line {}: {}", scheme_.path, line_, what));
  }

  void add(const Cells& cells) {
    SchemePrimer primer;
    primer.line = line_;
    if (!is_bed_row(cells) || cells.size() <= kNameColumn || cells[kNameColumn].empty())
      fail("expected a primer of BED: record, begin, end, name, and then score, strand, sequence");
    primer.record = cells[0];
    parse_place(cells[1], primer.begin);
    parse_place(cells[2], primer.end);
    primer.name = cells[kNameColumn];
    if (primer.begin >= primer.end) fail(fmt::format("primer '{}' ends before it begins", primer.name));
    if (!names_.insert(primer.name).second) fail(fmt::format("primer '{}' comes twice", primer.name));
    set_side(cells.size() > kStrandColumn ? cells[kStrandColumn] : "", primer);
    if (cells.size() > kSequenceColumn) set_sequence(cells[kSequenceColumn], primer);
    scheme_.primers.push_back(std::move(primer));
  }

  void set_side(const std::string& strand, SchemePrimer& primer) {
    const PrimerRole role = primer_role(primer.name);
    const bool has_strand = strand == "+" || strand == "-";
    if (!has_strand && role.pair.empty()) {
      fail(
          fmt::format("primer '{}': expected a name that ends in _LEFT or _RIGHT, or + or - in column 6", primer.name));
    }
    primer.forward = has_strand ? strand == "+" : role.forward;
    if (has_strand && !role.pair.empty() && role.forward != primer.forward) {
      fail(fmt::format("primer '{}' is on strand {}, but its name says that it is a {} primer", primer.name, strand,
                       role.forward ? "left" : "right"));
    }
    const std::string& amplicon = role.pair.empty() ? primer.name : role.pair;
    const auto [place, is_new] = amplicons_.try_emplace(amplicon, scheme_.amplicons.size());
    if (is_new) scheme_.amplicons.push_back(amplicon);
    primer.amplicon = place->second;
  }

  void set_sequence(const std::string& text, SchemePrimer& primer) {
    for (const char letter : text) {
      const BaseSet set = pattern_letter_set(letter);
      if (set == 0)
        fail(fmt::format("primer '{}': {} is not an IUPAC letter of a base", primer.name, printable(letter)));
      primer.sequence += iupac_letter(set);
    }
  }

  PrimerScheme scheme_;
  std::size_t line_ = 0;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::size_t> amplicons_;
};

}  // namespace

PrimerScheme read_primer_scheme(const std::string& path) { return SchemeParser(path).parse(); }

void add_sequences(const std::string& reference, PrimerScheme& scheme) {
  std::unordered_map<std::string, std::string> records;
  for (const SchemePrimer& primer : scheme.primers) {
    if (primer.sequence.empty()) records.try_emplace(primer.record);
  }
  std::unordered_set<std::string> seen;
  for_each_fasta_record(reference, [&](const std::string& name, const std::string& sequence) {
    const auto record = records.find(name);
    if (record == records.end()) return;
    if (!seen.insert(name).second) throw DataError(fmt::format("{}: record '{}' comes twice", reference, name));
    record->second = sequence;
  });
  for (SchemePrimer& primer : scheme.primers) {
    if (!primer.sequence.empty()) continue;
    const auto fail = [&](const std::string& what) {
      throw DataError(fmt::format("{}: {}, but primer '{}' of {} is there (line {})", reference, what, primer.name,
                                  scheme.path, primer.line));
    };
    const std::string& record = records[primer.record];
    if (!seen.contains(primer.record)) fail(fmt::format("it has no record '{}'", primer.record));
    if (primer.end > static_cast<std::int64_t>(record.size()))
      fail(fmt::format("record '{}' has {} bases, fewer than {}", primer.record, record.size(), primer.end));
    std::string letters =
        record.substr(static_cast<std::size_t>(primer.begin), static_cast<std::size_t>(primer.end - primer.begin));
    for (char& letter : letters) {
      const BaseSet set = iupac_set(letter);
      if (set == 0) fail(fmt::format("record '{}' has {} in its bases", primer.record, printable(letter)));
      letter = iupac_letter(set);
    }
    primer.sequence = primer.forward ? letters : reverse_complement(letters);
  }
}

}  // namespace basesweep
