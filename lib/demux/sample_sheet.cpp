#include "lib/demux/sample_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/nearest.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/sample_distances.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/reader/written_sequence.hpp"
#include "lib/search/edit_options.hpp"

namespace basesweep {
namespace {

enum Column : std::size_t {
  kSample,
  kBarcode,
  kBarcode2,
  kLeft,
  kRight,
  kLeft2,
  kRight2,
  kEdits,
  kStructure,
  kLane,
  kColumns
};

// The names of a column in any case, without blanks, '_', '-' and '.'; one that comes first is taken before the others.
constexpr std::array<std::array<std::string_view, 4>, kColumns> kNames{{{"sample", "sampleid", "samplename", "alias"},
                                                                        {"barcode", "barcode1", "index", "index1"},
                                                                        {"barcode2", "index2"},
                                                                        {"left", "left1"},
                                                                        {"right", "right1"},
                                                                        {"left2"},
                                                                        {"right2"},
                                                                        {"edits"},
                                                                        {"structure", "readstructure"},
                                                                        {"lane"}}};

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != ' ' && c != '_' && c != '-' && c != '.')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

// Whether the line begins a section of Illumina's sheets, "[Data]"; `name` gets its name in lower case.
bool is_section(std::string_view line, std::string& name) {
  line = trimmed(line, " \t\"");
  if (line.empty() || line.front() != '[' || line.find(']') == std::string_view::npos) return false;
  name = plain_name(line.substr(1, line.find(']') - 1));
  return true;
}

class SheetReader {
 public:
  SheetReader(std::string text, const std::string& name, const BarcodeKit* kit) : text_(std::move(text)), kit_(kit) {
    sheet_.path = name;
  }

  SampleSheet read() {
    TableLines lines = table_lines(text_);
    keep_data_section(lines.rows);
    if (lines.rows.empty()) fail("it is empty: expected a line of column names, then a line for each sample");
    read_header(lines);
    for (std::size_t i = 1; i < lines.rows.size(); ++i) add(lines.rows[i]);
    if (sheet_.samples.empty()) fail("it has no samples: expected a line for each of them below the column names");
    warn_of_case();
    return std::move(sheet_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw DataError(fmt::format("{}: {}", sheet_.path, what)); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
    throw DataError(fmt::format("{}: line {}: {}", sheet_.path, line, what));
  }

  // Of Illumina's sheets, leaves the lines of the section that has samples.
  void keep_data_section(std::vector<TableLine>& rows) const {
    std::string name;
    if (std::none_of(rows.begin(), rows.end(), [&](const TableLine& row) { return is_section(row.text, name); }))
      return;
    std::vector<TableLine> data;
    std::string sections;
    bool inside = false;
    for (const TableLine& row : rows) {
      if (is_section(row.text, name)) {
        if (inside) break;
        inside = name == "data" || name == "bclconvertdata";
        sections += (sections.empty() ? "[" : ", [") + name + "]";
      } else if (inside) {
        data.push_back(row);
      }
    }
    if (!inside && data.empty()) {
      fail(
          fmt::format("it has the sections {}: expected [Data] or [BCLConvert_Data], which has the samples", sections));
    }
    rows = std::move(data);
  }

  void read_header(const TableLines& lines) {
    const TableLine& header = lines.rows.front();
    separator_ = separator_of(lines, header.text);
    header_ = split_cells(header.text, separator_);
    std::vector<bool> known(header_.size(), false);
    for (std::size_t column = 0; column < kColumns; ++column) {
      for (const std::string_view name : kNames[column]) {
        if (name.empty()) continue;
        for (std::size_t cell = 0; cell < header_.size(); ++cell) {
          if (plain_name(header_[cell]) != name) continue;
          known[cell] = true;
          if (places_[column] && plain_name(header_[*places_[column]]) == name) {
            fail_at(header.number, fmt::format("there are two columns '{}'", header_[cell]));
          }
          if (!places_[column]) places_[column] = cell;
        }
      }
    }
    for (const Column needed : {kSample, kBarcode}) {
      if (places_[needed]) continue;
      fail_at(header.number, fmt::format("expected a column '{}' among the column names, found {}{}",
                                         kNames[needed].front(), fmt::join(header_, ", "),
                                         header_.size() == 1 ? " (columns have tabs or commas between them)" : ""));
    }
    for (std::size_t cell = 0; cell < header_.size(); ++cell) {
      if (!known[cell]) warn_of_unknown(header.number, header_[cell]);
    }
    sheet_.same_at_ends = kit_ != nullptr && kit_->has_second() && !places_[kBarcode2];
  }

  // A column that is not known may be for other programs, but one that is nearly known is probably misspelt.
  void warn_of_unknown(std::size_t line, const std::string& name) {
    const std::vector<std::string> names{"barcode2", "left", "right", "left2", "right2", "edits", "structure"};
    const std::string advice = did_you_mean(plain_name(name), names);
    if (!advice.empty())
      sheet_.warnings.push_back(
          fmt::format("{}: line {}: the column '{}' is not used{}", sheet_.path, line, name, advice));
  }

  std::string cell(const Cells& cells, Column column) const {
    return places_[column] && *places_[column] < cells.size() ? cells[*places_[column]] : "";
  }

  void add(const TableLine& row) {
    const Cells cells = split_cells(row.text, separator_);
    if (cells.size() > header_.size() &&
        std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(header_.size()), cells.end(),
                    [](const std::string& more) { return !more.empty(); })) {
      fail_at(row.number,
              fmt::format("it has {} columns, but there are {} column names", cells.size(), header_.size()));
    }
    SheetSample sample;
    sample.line = row.number;
    sample.name = cell(cells, kSample);
    check_name(sample);
    sample.structure = cell(cells, kStructure);
    read_barcodes(cells, sample);
    if (const std::string edits = cell(cells, kEdits); !edits.empty()) {
      std::uint32_t number = 0;
      if (!parse_number(edits, number) || number > BarcodeScorer::kMaxCost)
        fail_at(row.number, fmt::format("column edits: expected a whole number of at most {}, found '{}'",
                                        BarcodeScorer::kMaxCost, edits));
      sample.edits = number;
    }
    if (!is_repeated(sample, cell(cells, kLane))) sheet_.samples.push_back(std::move(sample));
  }

  void check_name(const SheetSample& sample) const {
    if (sample.name.empty()) fail_at(sample.line, "it has no sample name");
    const auto allowed = [](unsigned char c) {
      return (c < 128 && std::isalnum(c) != 0) || c == '.' || c == '_' || c == '-';
    };
    if (!std::all_of(sample.name.begin(), sample.name.end(), allowed)) {
      fail_at(sample.line, fmt::format("the sample name '{}' has letters that names of files should not have: use "
                                       "letters, digits, '.', '_' and '-'",
                                       sample.name));
    }
    if (sample.name.front() == '.' || sample.name.front() == '-')
      fail_at(sample.line, fmt::format("the sample name '{}' begins with '{}': names of files should begin with a "
                                       "letter, a digit or '_'",
                                       sample.name, sample.name.front()));
    if (sample.name == "unassigned")
      fail_at(sample.line, "'unassigned' is no name for a sample: reads of no sample are written under it");
  }

  // Names that differ in case only are those of one file on many systems.
  void warn_of_case() {
    std::unordered_map<std::string, std::string> known;
    for (const SheetSample& sample : sheet_.samples) {
      const auto [other, is_new] = known.try_emplace(lower_case(std::string(sample.name)), sample.name);
      if (is_new) continue;
      sheet_.warnings.push_back(
          fmt::format("{}: line {}: the names '{}' and '{}' differ in case only, so that their files would be the same "
                      "on file systems of macOS and Windows",
                      sheet_.path, sample.line, other->second, sample.name));
    }
  }

  // Illumina's sheets repeat a sample on each of its lanes.
  bool is_repeated(const SheetSample& sample, const std::string& lane) {
    const auto [known, is_new] = by_name_.try_emplace(sample.name, sheet_.samples.size());
    if (is_new) {
      lanes_.push_back(lane);
      return false;
    }
    const SheetSample& other = sheet_.samples[known->second];
    const bool same = sample.first.letters == other.first.letters && sample.second.letters == other.second.letters;
    if (same && lane != lanes_[known->second]) return true;
    fail_at(sample.line,
            fmt::format("the sample '{}' is on line {} already{}", sample.name, other.line,
                        lane != lanes_[known->second] ? ", with other barcodes: give the lanes one by one" : ""));
  }

  void read_barcodes(const Cells& cells, SheetSample& sample) const {
    std::string first = cell(cells, kBarcode), second = cell(cells, kBarcode2);
    // Both barcodes may be in one cell, as SAM has them in BC.
    const std::size_t middle = first.find_first_of("-+");
    if (second.empty() && !places_[kBarcode2] && !sheet_.same_at_ends && middle != std::string::npos && middle != 0 &&
        named(first).empty()) {
      second = first.substr(middle + 1);
      first.resize(middle);
    }
    sample.first = barcode(sample.line, kBarcode, first);
    sample.second = barcode(sample.line, kBarcode2, second);
    if (sample.first.letters.empty()) fail_at(sample.line, fmt::format("the sample '{}' has no barcode", sample.name));
    if (sheet_.same_at_ends) {
      sample.second = sample.first;
      sample.second.letters = reverse_complement(sample.first.letters);
    }
    add_flanks(sample.line, cells, kLeft, kRight, sample.first);
    if (!sample.second.letters.empty()) add_flanks(sample.line, cells, kLeft2, kRight2, sample.second);
  }

  std::string_view named(const std::string& text) const {
    return kit_ == nullptr || text.empty() ? std::string_view() : kit_->find(text);
  }

  SheetBarcode barcode(std::size_t line, Column column, const std::string& text) const {
    SheetBarcode read;
    read.name = text;
    if (const std::string_view of_kit = named(text); !of_kit.empty()) {
      read.letters = of_kit;
      return read;
    }
    read.letters = letters(line, column, text);
    if (read.letters.size() > kMaxBarcodeLetters)
      fail_at(line, fmt::format("a barcode of {} letters: at most {} are possible, the rest may be in the columns left "
                                "and right",
                                read.letters.size(), kMaxBarcodeLetters));
    read.name = read.letters;
    return read;
  }

  void add_flanks(std::size_t line, const Cells& cells, Column left, Column right, SheetBarcode& barcode) const {
    barcode.left = letters(line, left, cell(cells, left));
    barcode.right = letters(line, right, cell(cells, right));
    if (kit_ == nullptr) return;
    if (!places_[left]) barcode.left = left == kLeft ? kit_->left : kit_->left2;
    if (!places_[right]) barcode.right = right == kRight ? kit_->right : kit_->right2;
  }

  // The message about a barcode that is neither a sequence nor a name of the kit.
  std::string not_of_kit(const std::string& place, const std::string& text) const {
    if (kit_->barcodes.empty())
      return fmt::format("column {}: '{}' is not a sequence, and the kit {} has no barcodes with names", place, text,
                         kit_->name);
    return fmt::format("column {}: the kit {} has no barcode '{}': it has {}", place, kit_->name, text, kit_->names());
  }

  std::string letters(std::size_t line, Column column, const std::string& text) const {
    if (text.empty()) return "";
    const auto place = places_[column] ? header_[*places_[column]] : std::string(kNames[column].front());
    const WrittenSequence written = read_written(text);
    std::string fault = written.fault;
    if (fault.empty() && written.letters.find('|') != std::string::npos)
      fault = "'|' is not a nucleotide or IUPAC code";
    const bool has_digit = text.find_first_of("0123456789") != std::string::npos;
    if (!fault.empty() && kit_ != nullptr && column <= kBarcode2 && has_digit) fail_at(line, not_of_kit(place, text));
    if (!fault.empty()) {
      fail_at(line, fmt::format("column {}: '{}': {}{}", place, text, fault,
                                kit_ == nullptr && column <= kBarcode2 ? " (names of barcodes need --kit)" : ""));
    }
    std::string letters = written.letters;
    std::replace(letters.begin(), letters.end(), 'U', 'T');
    std::replace(letters.begin(), letters.end(), 'I', 'N');
    return letters;
  }

  const std::string text_;
  const BarcodeKit* const kit_;
  SampleSheet sheet_;
  Separator separator_ = Separator::tab;
  Cells header_;
  std::array<std::optional<std::size_t>, kColumns> places_{};
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<std::string> lanes_;  // of each sample, its first
};

// The different barcodes of one side.
class BarcodeList {
 public:
  BarcodeList(const SheetSearch& search, std::vector<Barcode>& barcodes, std::vector<std::string>& names)
      : search_(search), barcodes_(barcodes), names_(names) {}

  std::uint32_t add(const SheetBarcode& given, const std::optional<std::uint32_t>& edits) {
    if (given.letters.empty()) return SampleBarcodes::kNoBarcode;
    Barcode barcode{given.left, given.letters, given.right};
    const std::string pattern = pattern_of(barcode, search_.patterns.context);
    const auto by_rate = static_cast<std::uint32_t>(edits_at_rate(search_.patterns.error_rate, pattern.size()));
    barcode.limit = std::min<std::uint32_t>(edits.value_or(search_.edits.value_or(by_rate)),
                                            BarcodeScorer::kMaxCost - search_.margin);
    if (!edits && !search_.edits)
      barcode.own_limit =
          1 + static_cast<std::uint32_t>(edits_at_rate(search_.patterns.error_rate, given.letters.size()));
    const std::string key = fmt::format("{} {} {} {}", given.left, given.letters, given.right, barcode.limit);
    const auto [known, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(barcodes_.size()));
    if (is_new) {
      barcodes_.push_back(std::move(barcode));
      names_.push_back(given.name);
    }
    return known->second;
  }

 private:
  const SheetSearch& search_;
  std::vector<Barcode>& barcodes_;
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace

bool SampleSheet::has_second() const {
  return std::any_of(samples.begin(), samples.end(),
                     [](const SheetSample& one) { return !one.second.letters.empty(); });
}

SampleSheet parse_sample_sheet(std::string text, const std::string& name, const BarcodeKit* kit) {
  return SheetReader(std::move(text), name, kit).read();
}

SampleSheet read_sample_sheet(const std::string& path, const BarcodeKit* kit) {
  return parse_sample_sheet(read_all(path), input_name(path), kit);
}

bool SampleSheet::has_structure() const {
  return std::any_of(samples.begin(), samples.end(), [](const SheetSample& one) { return !one.structure.empty(); });
}

SheetBarcodes barcodes_of(SampleSheet& sheet, const SheetSearch& search) {
  SheetBarcodes all;
  BarcodeList first(search, all.first, all.first_names);
  BarcodeList second(search, all.second, all.second_names);
  for (const SheetSample& sample : sheet.samples) {
    all.samples.push_back({first.add(sample.first, sample.edits), second.add(sample.second, sample.edits)});
  }
  check_distances(sheet, search, all);
  return all;
}

PatternLengths pattern_lengths(const SheetBarcodes& barcodes, std::uint32_t context) {
  PatternLengths lengths;
  for (const auto* side : {&barcodes.first, &barcodes.second}) {
    for (const Barcode& barcode : *side) {
      const std::size_t letters = pattern_of(barcode, context).size();
      lengths.longest = std::max(lengths.longest, letters);
      lengths.needed = std::max(lengths.needed, letters - std::min<std::size_t>(letters, barcode.limit));
    }
  }
  return lengths;
}

}  // namespace basesweep
