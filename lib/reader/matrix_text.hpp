// The parsers of matrix formats, and what they share. Private to the reader.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/matrices/file_matrix.hpp"

namespace basesweep {

// A line that is not blank, without blanks at its ends.
struct MatrixLine {
  std::string_view text;
  std::size_t number;  // in the file, from 1
};

// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line);

// Collects the matrices of a file and says what is wrong with them.
class MatrixList {
 public:
  // `file`: as messages name it.
  MatrixList(std::string file, MatrixFormat format) : file_(std::move(file)), format_(format) {}

  // Starts a matrix. Throws DataError for an empty id and for one that cannot stand in a table.
  FileMatrix& start(std::string_view id, std::string_view name, std::size_t line);
  bool empty() const { return matrices_.empty(); }
  FileMatrix& last() { return matrices_.back(); }
  // A number of 0 or more.
  double number(std::string_view word, std::size_t line) const;
  // The bases of the columns, from a line of four letters whose first word is no letter. Throws DataError; `behind`:
  // that word, for the message.
  std::array<unsigned, 4> columns(const std::vector<std::string_view>& words, std::size_t line,
                                  const char* behind) const;
  // Adds a position: four numbers in the order A, C, G, T, or in that of `codes`.
  void add_position(const std::vector<std::string_view>& words, std::size_t line,
                    const std::array<unsigned, 4>& codes = kFileOrder);
  // Checks the last matrix, which is complete. `line`: the last one of it.
  void complete(std::size_t line);
  // Throws DataError unless there are matrices.
  std::vector<FileMatrix> finish();

  // Errors about the last matrix, and about the file.
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;
  [[noreturn]] void fail_file(std::size_t line, const std::string& what) const;

 private:
  void check_probabilities(std::size_t line);

  const std::string file_;
  const MatrixFormat format_;
  std::vector<FileMatrix> matrices_;
  std::vector<std::size_t> lines_;  // of the positions of the last matrix
};

// One identifier may be that of several matrices of a file: '/' and the name of each are put behind it.
void tell_apart(std::vector<FileMatrix>& matrices);

// Whether the line names the columns of a matrix of CIS-BP: "Pos", then four letters.
bool is_cis_bp_head(const MatrixLine& line);

// A matrix of a file with titles that start with '>': the title, and the lines up to the next.
struct TitledMatrix {
  MatrixLine title;
  std::vector<MatrixLine> rows;
};

// Each reads all of a file's lines.
std::vector<FileMatrix> read_jaspar(const std::vector<TitledMatrix>& blocks, MatrixList list);
std::vector<FileMatrix> read_rows(const std::vector<TitledMatrix>& blocks, MatrixFormat format, MatrixList list);
std::vector<FileMatrix> read_meme(const std::vector<MatrixLine>& lines, MatrixList list);
// `file_title`: the identifier of a matrix that has none.
std::vector<FileMatrix> read_cis_bp(const std::vector<MatrixLine>& lines, std::string_view file_title, MatrixList list);
std::vector<FileMatrix> read_transfac(const std::vector<MatrixLine>& lines, MatrixList list);

}  // namespace basesweep
