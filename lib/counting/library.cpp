#include "lib/counting/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/header_words.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// Titles of columns in libraries of Addgene, MAGeCK, guide-counter and 10x, see plain_word(). The first of a list that
// a table has is taken.
constexpr std::array<std::string_view, 6> kSequenceTitles{"sequence", "seq",         "bases",
                                                          "spacer",   "protospacer", "target"};
constexpr std::array<std::string_view, 14> kNameTitles{"name",     "guide_name", "sgrna_name", "id",     "guide_id",
                                                       "sgrna_id", "grna_id",    "guide",      "sgrna",  "grna",
                                                       "uid",      "barcode_id", "feature",    "barcode"};
constexpr std::array<std::string_view, 10> kGeneTitles{"gene",
                                                       "gene_symbol",
                                                       "gene_name",
                                                       "target_gene",
                                                       "target_gene_symbol",
                                                       "target_gene_name",
                                                       "annotated_gene_symbol",
                                                       "symbol",
                                                       "gene_id",
                                                       "target_gene_id"};

bool is_base(char c) { return is_single_base(iupac_set(c)); }

bool all_bases(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_base); }

// Whether the text may be a sequence that has a letter which no guide may have.
bool all_codes(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return iupac_set(c) != 0; });
}

class LibraryParser {
 public:
  LibraryParser(const std::string& name, EqualSequences equal) : equal_(equal) { library_.path = name; }

  GuideLibrary parse(const std::string& text) {
    const std::string_view start = trimmed(std::string_view(text).substr(0, 1U << 10), " \t\r\n");
    start.starts_with('>') ? read_fasta(text) : read_table(text);
    close();
    if (library_.guides.empty()) throw DataError(fmt::format("{}: no guides in this file", library_.path));
    return std::move(library_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw DataError(fmt::format("{}: line {}: {}", library_.path, line, what));
  }

  void read_fasta(std::string_view text) {
    for_each_line(text, [this](std::string_view line, std::size_t number) {
      line = trimmed(line, " \t");
      if (line.empty()) return;
      if (line.front() == '>') {
        close();
        start(std::string(name_in_title(line.substr(1))), "", number);
      } else {
        extend(line, number);
      }
    });
  }

  void read_table(std::string_view text) {
    const TableLines lines = table_lines(text);
    if (lines.rows.empty()) return;
    const Separator separator = separator_of(lines, lines.rows.front().text);
    expect(lines.rows.size());
    for (const TableLine& line : lines.rows) {
      rows_.push_back(split_cells(line.text, separator));
      numbers_.push_back(line.number);
      width_ = std::max(width_, rows_.back().size());
    }
    const std::size_t sequence = find_sequences();
    const bool header = is_header(sequence);
    first_ = header ? 1 : 0;
    std::vector<std::string> titles(width_);
    for (std::size_t column = 0; header && column < rows_[0].size(); ++column) {
      titles[column] = plain_word(rows_[0][column]);
    }
    const std::size_t name = find_names(titles, sequence);
    const std::optional<std::size_t> gene = find_genes(titles, sequence, name);
    for (std::size_t row = first_; row < rows_.size(); ++row) {
      const std::string& bases = cell(row, sequence);
      start(name == sequence && all_bases(bases) ? letters_of(bases) : cell(row, name), gene ? cell(row, *gene) : "",
            numbers_[row]);
      extend(bases, numbers_[row]);
      close();
    }
  }

  // Makes room for the rows of the table.
  void expect(std::size_t rows) {
    rows_.reserve(rows);
    numbers_.reserve(rows);
    names_.reserve(rows);
    sequences_.reserve(rows);
    library_.guides.reserve(rows);
  }

  const std::string& cell(std::size_t row, std::size_t column) const {
    static const std::string none;
    return column < rows_[row].size() ? rows_[row][column] : none;
  }

  // The column of sequences: of those with the most cells that are bases the one with the longest. Genes and names may
  // be bases by chance ("CAT"), but not all of them.
  std::size_t find_sequences() const {
    std::size_t best = 0;
    std::pair<std::size_t, std::size_t> most{0, 0};  // cells, letters
    for (std::size_t column = 0; column < width_; ++column) {
      std::pair<std::size_t, std::size_t> found{0, 0};
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (!all_bases(cell(row, column))) continue;
        ++found.first;
        found.second += cell(row, column).size();
      }
      if (found <= most) continue;
      most = found;
      best = column;
    }
    if (2 * most.first >= rows_.size() - 1 && most.first > 0) return best;
    fail(numbers_.front(), "expected a table of guides: no column holds sequences of A, C, G and T");
  }

  // Whether the first row has titles.
  bool is_header(std::size_t sequence) const {
    const std::string& first = cell(0, sequence);
    if (all_bases(first)) return false;
    const bool is_title =
        std::find(kSequenceTitles.begin(), kSequenceTitles.end(), plain_word(first)) != kSequenceTitles.end();
    return is_title || !all_codes(first);
  }

  template <std::size_t N>
  std::optional<std::size_t> titled(const std::vector<std::string>& titles,
                                    const std::array<std::string_view, N>& words,
                                    std::initializer_list<std::size_t> taken) const {
    for (const std::string_view word : words) {
      for (std::size_t column = 0; column < titles.size(); ++column) {
        const bool free = std::find(taken.begin(), taken.end(), column) == taken.end();
        if (free && titles[column] == word && has_values(column)) return column;
      }
    }
    return std::nullopt;
  }

  bool has_values(std::size_t column) const {
    for (std::size_t row = first_; row < rows_.size(); ++row) {
      if (!cell(row, column).empty()) return true;
    }
    return false;
  }

  bool is_unique(std::size_t column) const {
    std::unordered_set<std::string_view> seen;
    for (std::size_t row = first_; row < rows_.size(); ++row) {
      if (cell(row, column).empty() || !seen.insert(cell(row, column)).second) return false;
    }
    return true;
  }

  std::size_t find_names(const std::vector<std::string>& titles, std::size_t sequence) const {
    if (const auto found = titled(titles, kNameTitles, {sequence})) {
      // Names of features of 10x may repeat, their ids do not.
      const auto id = titled(titles, std::array{std::string_view("id")}, {sequence});
      const bool of_10x = std::find(titles.begin(), titles.end(), "feature_type") != titles.end();
      const bool takes_id = id && titles[*found] == "name" && is_unique(*id) && (of_10x || !is_unique(*found));
      return takes_id ? *id : *found;
    }
    std::optional<std::size_t> first;
    for (std::size_t column = 0; column < width_; ++column) {
      if (column == sequence) continue;
      if (is_unique(column)) return column;
      if (!first && has_values(column)) first = column;
    }
    return first.value_or(sequence);
  }

  std::optional<std::size_t> find_genes(const std::vector<std::string>& titles, std::size_t sequence,
                                        std::size_t name) const {
    if (const auto found = titled(titles, kGeneTitles, {sequence, name})) return found;
    if (first_ == 1) return std::nullopt;
    for (std::size_t column = 0; column < width_; ++column) {
      if (column != sequence && column != name && has_values(column)) return column;
    }
    return std::nullopt;
  }

  static std::string letters_of(std::string_view text) {
    std::string letters(text);
    for (char& c : letters) c = base_letter(base_code(c));
    return letters;
  }

  void start(std::string name, std::string gene, std::size_t line) {
    if (name.empty()) fail(line, "the guide has no name");
    for (const std::string* text : {&name, &gene}) {
      if (!name_fault(*text, NameRule::text).empty())
        fail(line, fmt::format("'{}': a name may not hold control characters, such as tabs", printable(*text)));
    }
    const auto [known, fresh] = names_.try_emplace(name, line);
    if (!fresh) fail(line, fmt::format("guide '{}': the name is used twice, also in line {}", name, known->second));
    open_ = LibraryGuide{std::move(name), "", std::move(gene), line};
  }

  void extend(std::string_view bases, std::size_t line) {
    if (!open_) fail(line, "expected '>' and a name before the sequence");
    const auto wrong = std::find_if_not(bases.begin(), bases.end(), is_base);
    if (wrong != bases.end()) {
      fail(line, fmt::format("guide '{}', position {}: {} is not A, C, G or T", open_->name,
                             open_->sequence.size() + static_cast<std::size_t>(wrong - bases.begin()) + 1,
                             printable(*wrong)));
    }
    open_->sequence += letters_of(bases);
  }

  void close() {
    if (!open_) return;
    LibraryGuide guide = std::move(*open_);
    open_.reset();
    if (guide.sequence.empty()) fail(guide.line, fmt::format("guide '{}' has no sequence", guide.name));
    if (guide.sequence.size() < kMinTagLength || guide.sequence.size() > kMaxTagLength) {
      fail(guide.line, fmt::format("guide '{}' has {} bases: expected {} to {}", guide.name, guide.sequence.size(),
                                   kMinTagLength, kMaxTagLength));
    }
    library_.has_genes = library_.has_genes || !guide.gene.empty();
    const auto [known, fresh] = sequences_.try_emplace(guide.sequence, library_.guides.size());
    if (fresh) {
      library_.guides.push_back(std::move(guide));
    } else {
      merge(guide, library_.guides[known->second]);
    }
  }

  void merge(const LibraryGuide& guide, LibraryGuide& first) {
    if (equal_ == EqualSequences::refused) {
      fail(guide.line, fmt::format("guide '{}' has the sequence of guide '{}' in line {}, so that no read can tell "
                                   "them apart: --duplicates merge counts them as one",
                                   guide.name, first.name, first.line));
    }
    ++library_.merged;
    first.name += "|" + guide.name;
    std::string_view genes = first.gene;
    while (!genes.empty()) {
      if (take_to(genes, '|') == guide.gene) return;
    }
    if (!guide.gene.empty()) first.gene += (first.gene.empty() ? "" : "|") + guide.gene;
  }

  EqualSequences equal_;
  GuideLibrary library_;
  std::vector<Cells> rows_;
  std::vector<std::size_t> numbers_;  // of the rows' lines
  std::size_t width_ = 0;
  std::size_t first_ = 0;                                   // row of guides
  std::unordered_map<std::string, std::size_t> names_;      // the lines that have them
  std::unordered_map<std::string, std::size_t> sequences_;  // the guides that have them
  std::optional<LibraryGuide> open_;
};

}  // namespace

std::vector<std::string> sequences_of(const GuideLibrary& library) {
  std::vector<std::string> sequences;
  sequences.reserve(library.guides.size());
  for (const LibraryGuide& guide : library.guides) sequences.push_back(guide.sequence);
  return sequences;
}

GuideLibrary parse_library(const std::string& text, const std::string& name, EqualSequences equal) {
  return LibraryParser(name, equal).parse(text);
}

GuideLibrary read_library(const std::string& path, EqualSequences equal) {
  return parse_library(read_all(path), input_name(path), equal);
}

}  // namespace basesweep
