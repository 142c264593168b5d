#include "lib/reader/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/matrix_text.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kForms = "a file of JASPAR, MEME, HOMER, TRANSFAC, CIS-BP or cluster-buster";

// The lines that are neither blank nor comments. TRANSFAC and MEME have no comments that begin with #.
std::vector<MatrixLine> lines_of(std::string_view text) {
  std::vector<MatrixLine> lines;
  for_each_line(text, [&lines](std::string_view line, std::size_t number) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') return;
    lines.push_back({line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin), number});
  });
  return lines;
}

std::vector<TitledMatrix> titled(const std::string& file, const std::vector<MatrixLine>& lines) {
  std::vector<TitledMatrix> blocks;
  for (const MatrixLine& line : lines) {
    if (line.text.starts_with('>')) {
      blocks.push_back({line, {}});
    } else if (blocks.empty()) {
      throw DataError(
          fmt::format("{}: line {}: expected {}: a title that begins with '>' first", file, line.number, kForms));
    } else {
      blocks.back().rows.push_back(line);
    }
  }
  return blocks;
}

// HOMER has consensus, name and threshold in a title, with tabs between them.
bool has_homer_title(const TitledMatrix& block) {
  std::string_view rest = block.title.text.substr(1);
  take_to(rest, '\t');
  if (take_to(rest, '\t').empty()) return false;
  double number = 0;
  return parse_number(take_to(rest, '\t'), number);
}

bool is_sequence(std::string_view row) {
  return row.size() > 1 &&
         std::all_of(row.begin(), row.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

// JASPAR has a row for each base, the others a row of four numbers for each position.
MatrixFormat titled_format(const std::string& file, const std::vector<TitledMatrix>& blocks) {
  if (!blocks.empty() && has_homer_title(blocks.front())) return MatrixFormat::homer;
  bool bases = true;
  bool positions = true;
  for (const TitledMatrix& block : blocks) {
    for (const MatrixLine& row : block.rows) {
      const char first = row.text.front();
      const bool letter = (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '[';
      if (letter && is_sequence(row.text)) {
        throw DataError(
            fmt::format("{}: line {}: expected numbers, found sequence (is this FASTA?)", file, row.number));
      }
      if (letter) return MatrixFormat::jaspar;
      if (words_of(row.text).size() != 4) positions = false;
    }
    if (block.rows.size() != 4) bases = false;
  }
  if (bases && positions) {
    throw DataError(
        fmt::format("{}: rows may stand for bases (JASPAR) or for positions (cluster-buster): choose with "
                    "--matrix-format",
                    file));
  }
  return bases ? MatrixFormat::jaspar : MatrixFormat::cluster_buster;
}

// Whether the file is a single matrix of JASPAR without a title: four rows, of numbers or of a letter and numbers.
bool is_bare(const std::vector<MatrixLine>& lines) {
  if (lines.size() != 4) return false;
  return std::all_of(lines.begin(), lines.end(), [](const MatrixLine& line) {
    std::vector<std::string_view> words = words_of(line.text);
    if (words.front().size() == 1 && (iupac_set(words.front().front()) & 15U) != 0) words.erase(words.begin());
    double number = 0;
    return !words.empty() && (words.front().front() == '[' || parse_number(words.front(), number));
  });
}

// The title of such a matrix: the name of its file, without folders and endings.
std::string bare_title(const std::string& path) {
  std::string name = path == "-" ? "stdin" : path.substr(path.find_last_of('/') + 1);
  for (const std::string_view ending : {".gz", ".bz2", ".xz", ".zst", ".pfm", ".jaspar", ".txt"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return ">" + name;
}

bool is_code(std::string_view word) {
  return word.size() == 2 && word[0] >= 'A' && word[0] <= 'Z' && ((word[1] >= 'A' && word[1] <= 'Z') || word[1] == '0');
}

MatrixFormat format_of(const std::string& file, const std::vector<MatrixLine>& lines) {
  if (lines.empty()) throw DataError(fmt::format("{}: no matrices in this file", file));
  const std::string_view first = lines.front().text;
  if (first.starts_with('>')) return titled_format(file, titled(file, lines));
  const auto meme = std::find_if(lines.begin(), lines.end(),
                                 [](const MatrixLine& line) { return line.text.starts_with("MEME version"); });
  if (meme != lines.end()) return MatrixFormat::meme;
  const bool headed = is_cis_bp_head(lines.front()) || first.starts_with("TF\t") || first.starts_with("RBP\t");
  if (headed && std::any_of(lines.begin(), lines.end(), is_cis_bp_head)) return MatrixFormat::cis_bp;
  if (is_code(words_of(first).front()) || first.starts_with("//")) return MatrixFormat::transfac;
  throw DataError(fmt::format("{}: line {}: expected {}", file, lines.front().number, kForms));
}

}  // namespace

std::vector<FileMatrix> read_matrices(const std::string& path, std::optional<MatrixFormat> format) {
  const std::string text = read_all(path);
  const std::string file = input_name(path);
  std::vector<MatrixLine> lines = lines_of(text);
  const std::string title = bare_title(path);
  if (is_bare(lines)) lines.insert(lines.begin(), {title, lines.front().number});
  const MatrixFormat form = format ? *format : format_of(file, lines);
  MatrixList list(file, form);
  switch (form) {
    case MatrixFormat::jaspar: return read_jaspar(titled(file, lines), std::move(list));
    case MatrixFormat::meme: return read_meme(lines, std::move(list));
    case MatrixFormat::transfac: return read_transfac(lines, std::move(list));
    case MatrixFormat::cis_bp: return read_cis_bp(lines, std::string_view(title).substr(1), std::move(list));
    case MatrixFormat::homer:
    case MatrixFormat::cluster_buster: break;
  }
  return read_rows(titled(file, lines), form, std::move(list));
}

PerBase read_background(const std::string& path) {
  const std::string text = read_all(path);
  const std::string file = input_name(path);
  PerBase rates{};
  BaseSet seen = 0;
  for (const MatrixLine& line : lines_of(text)) {
    const std::vector<std::string_view> words = words_of(line.text);
    const auto fail = [&](const std::string& what) {
      throw DataError(fmt::format("{}: line {}: {}", file, line.number, what));
    };
    if (words.size() != 2) fail("expected a letter and its rate");
    if (words[0].size() != 1) continue;  // of a word, in a model of higher order
    const BaseSet set = iupac_set(words[0].front());
    if (!is_single_base(set)) fail(fmt::format("'{}' is not A, C, G or T", words[0]));
    if ((seen & set) != 0) fail(fmt::format("a second rate of {}", words[0]));
    seen |= set;
    double& rate = rates[single_base(set)];
    if (!parse_number(words[1], rate) || !(rate > 0 && rate <= 1)) {
      fail(fmt::format("'{}' is not a rate above 0 and at most 1", words[1]));
    }
  }
  if (seen != 15) throw DataError(fmt::format("{}: expected rates of A, C, G and T", file));
  const double sum = rates[0] + rates[1] + rates[2] + rates[3];
  if (std::abs(sum - 1) > 0.02) throw DataError(fmt::format("{}: the rates sum to {:.4g}, not to 1", file, sum));
  return rates;
}

}  // namespace basesweep
