#include "kernels/seeds/plan.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/seeds/step.hpp"

namespace basesweep::seeds {
namespace {

// Seconds on one core of a Zen 3 with AVX2, fitted to what README.md lists; a GPU's are smaller by about one factor.
constexpr double kLookUp = 2e-8;    // of a piece
constexpr double kPosition = 3e-9;  // of a bucket, compared with the rest of the piece
constexpr double kWindow = 1.5e-7;  // whatever its size
constexpr double kCell = 7e-12;     // a row and a column, where columns cost as much as so many rows besides:
constexpr double kMoreRows = 30;

}  // namespace

std::uint32_t gram_for(std::uint32_t columns) {
  std::uint32_t gram = kLeastGram;
  while (gram < kMostGram && std::uint64_t{4} << 2 * gram < columns) ++gram;
  return gram;
}

bool is_swept(const SoughtEntry& entry, std::uint32_t columns, Candidates candidates) {
  if (candidates != Candidates::automatic) return candidates == Candidates::sweep;
  // In random text.
  const auto occurrences = [columns](std::uint32_t length) { return columns / std::pow(4.0, length); };
  const std::uint32_t pieces = entry.edits + 1U;
  const std::uint32_t gram = gram_for(columns);
  const std::uint32_t shorter = entry.length / pieces;
  const std::uint32_t longer = entry.length % pieces;  // pieces of one column more
  const double positions =
      (pieces - longer) * occurrences(std::min(shorter, gram)) + longer * occurrences(std::min(shorter + 1, gram));
  const double windows = (pieces - longer) * occurrences(shorter) + longer * occurrences(shorter + 1);
  const double searched = std::min(windows * (4.0 * entry.edits + 1), static_cast<double>(columns));
  const double column = kCell * (entry.length + kMoreRows);
  return columns * column < pieces * kLookUp + positions * kPosition + windows * kWindow + searched * column;
}

std::uint32_t stretch_columns(const SoughtEntry& entry) {
  return std::max(4096U, 4 * (std::uint32_t{entry.length} + entry.edits));
}

}  // namespace basesweep::seeds
