#include "kernels/reads/seeds/choices.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/reads/seeds/step.hpp"

namespace basesweep::seeds {
namespace {

// Seconds on one core of a Zen 3 with AVX2, fitted to the measurements in README.md. On a GPU all of them are smaller
// by about the same factor.
constexpr double kLookUp = 2e-8;    // to look up a seed
constexpr double kPosition = 3e-9;  // to compare the rest of the seed at a position of its bucket
constexpr double kWindow = 1.5e-7;  // for a window, whatever its size
constexpr double kCell = 7e-12;     // to verify one row at one position
constexpr double kMoreRows = 30;    // rows that cost as much as a position does besides its rows

}  // namespace

std::uint32_t gram_for(std::uint32_t positions) {
  std::uint32_t gram = kMinGram;
  while (gram < kMaxGram && std::uint64_t{4} << 2 * gram < positions) ++gram;
  return gram;
}

bool is_swept(const ReadQuery& query, std::uint32_t positions, Candidates candidates) {
  if (candidates != Candidates::automatic) return candidates == Candidates::sweep;
  // Expected in random text.
  const auto occurrences = [positions](std::uint32_t length) { return positions / std::pow(4.0, length); };
  const std::uint32_t seeds = query.edits + 1U;
  const std::uint32_t gram = gram_for(positions);
  const std::uint32_t shorter = query.length / seeds;
  const std::uint32_t longer = query.length % seeds;  // seeds of one position more
  const double listed =
      (seeds - longer) * occurrences(std::min(shorter, gram)) + longer * occurrences(std::min(shorter + 1, gram));
  const double windows = (seeds - longer) * occurrences(shorter) + longer * occurrences(shorter + 1);
  const double searched = std::min(windows * (4.0 * query.edits + 1), static_cast<double>(positions));
  const double verified = kCell * (query.length + kMoreRows);  // seconds for a position
  return positions * verified < seeds * kLookUp + listed * kPosition + windows * kWindow + searched * verified;
}

std::uint32_t stretch_positions(const ReadQuery& query) {
  return std::max(4096U, 4 * (std::uint32_t{query.length} + query.edits));
}

}  // namespace basesweep::seeds
