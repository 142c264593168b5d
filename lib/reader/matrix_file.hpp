// Reads files of weight matrices: JASPAR, MEME, HOMER, TRANSFAC, CIS-BP and cluster-buster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/matrices/file_matrix.hpp"

namespace basesweep {

// The matrices of a file, plain or compressed ("-": stdin), in its order; at least one. The format is recognised by
// the content unless it is given. Throws DataError, which names the file, the matrix and the line, for text that is
// not such a file, for numbers that are negative or not finite, rows that do not fit each other, positions without
// counts, probabilities that do not sum to 1 (0.02 apart at most), other alphabets than ACGT and ACGU, and a matrix of
// no or more than kMaxMatrixWidth positions; also for text that fits two formats. Throws like InputFile.
std::vector<FileMatrix> read_matrices(const std::string& path, std::optional<MatrixFormat> format = std::nullopt);

// The rates of MEME's file of a background model: lines of a letter and its rate; those of longer words are ignored, as
// are lines that start with #. Throws DataError.
PerBase read_background(const std::string& path);

}  // namespace basesweep
