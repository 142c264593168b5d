// A weight matrix as its file has it, before scores are made of it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace basesweep {

// A number for each base, by its code (lib/base/dna.hpp): A, C, T, G.
using PerBase = std::array<double, 4>;

// The letter of a base code in messages about matrices, and codes in the order A, C, G, T in which files have them.
inline constexpr std::array<unsigned, 4> kFileOrder{0, 1, 3, 2};

enum class MatrixFormat { jaspar, meme, homer, transfac, cluster_buster, cis_bp };

const char* to_string(MatrixFormat format);

// Positions of the longest matrix.
inline constexpr std::size_t kMaxMatrixWidth = 64;

struct FileMatrix {
  std::string id;        // unique in a run
  std::string name{};    // of the factor; empty: none
  std::string file{};    // that it is from, as messages name it
  std::size_t line = 0;  // where it begins, from 1
  MatrixFormat format = MatrixFormat::jaspar;
  std::vector<PerBase> columns{};       // one for each position of the matrix
  bool probabilities = false;           // the columns are probabilities; else counts
  double sites = 20;                    // of probabilities: the number of sites that they are from
  std::optional<double> threshold{};    // of HOMER: a sum of natural logarithms of odds
  std::optional<PerBase> background{};  // of the file, as it stands there
};

}  // namespace basesweep
