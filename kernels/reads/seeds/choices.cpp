#include "kernels/reads/seeds/choices.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/reads/seeds/blocks.hpp"
#include "kernels/reads/seeds/erroneous.hpp"
#include "kernels/reads/seeds/step.hpp"

namespace basesweep::seeds {
namespace {

// Seconds on one core of a Zen 3 with AVX2, fitted to the measurements in README.md. On a GPU all of them are smaller
// by about the same factor.
constexpr double kLookUp = 2e-8;               // to look up a seed
constexpr double kPosition = 3e-9;             // to compare the rest of the seed at a position of its bucket
constexpr double kErroneousPosition = 8e-9;    // the same for a seed that may have errors
constexpr double kWord[] = {0, 7e-8, 3.5e-8};  // to make a q-gram that begins a seed, by its errors
constexpr double kWindow = 1.5e-7;             // for a window, whatever its size
constexpr double kCell = 7e-12;                // to verify one row at one position
constexpr double kMoreRows = 30;               // rows that cost as much as a position does besides its rows
constexpr double kBlock = 2e-8;                // to look for the smallest block around a seed

// The words that text of `length` bases may have where it starts like a random seed of that length, except for `errors`
// edits. Counted for lengths from 4 to 15 (README.md) and fitted.
double words_of(std::uint32_t length, std::uint32_t errors) {
  const double n = length;
  if (errors == 0) return 1;
  const double words = errors == 1 ? 9 * n - 8 : 165 + 278.5 * (n - 4) + 32.2 * (n - 4) * (n - 8);
  return std::clamp(words, 1.0, std::pow(4.0, n));
}

// Returns the time to verify one position of a window.
double position_seconds(const ReadQuery& query) { return kCell * (query.length + kMoreRows); }

// Returns the time to verify the window of one seed.
double window_seconds(const ReadQuery& query) { return kWindow + (4.0 * query.edits + 1) * position_seconds(query); }

// An estimate of the share of places in random text at which a block of `rows` rows occurs.
double share_with_block(const ReadQuery& query, std::uint32_t rows) {
  const double part = (query.edits + 1.0) / query.length;  // of the rows that may have errors
  const double errors = rows * part;
  const auto information = [](double p) { return p > 0 ? -p * std::log(p) : 0.0; };
  // Not std::lgamma() for the binomial coefficient: it writes a global variable, and threads call this.
  const double log_words =
      rows * (information(part) + information(1 - part)) + errors * std::log(8.0) + std::log(errors + 1);
  return std::min(1.0, std::exp(log_words - rows * std::log(4.0)));
}

double sweep_seconds(const ReadQuery& query, std::uint32_t positions) { return positions * position_seconds(query); }

// The cost of looking up a query's seeds. add() adds that of `count` seeds of the same length and errors.
struct LookUps {
  double seconds = 0;
  double windows = 0;

  void add(double count, std::uint32_t length, std::uint32_t errors, std::uint32_t positions) {
    if (count == 0) return;
    const std::uint32_t gram = std::min(length, gram_for(positions));
    const std::uint32_t rows = errors == 0 ? length : std::min(length, kMaxRows);
    const double words = words_of(gram, errors);
    const double listed = positions * words / std::pow(4.0, gram);
    seconds += count * (words * (kWord[errors] + kLookUp) + listed * (errors == 0 ? kPosition : kErroneousPosition));
    windows += count * positions * words_of(rows, errors) / std::pow(4.0, rows);
  }
};

// Expected in random text.
double index_seconds(const ReadQuery& query, std::uint32_t positions, std::uint32_t seeds, bool with_blocks) {
  const std::uint32_t shorter = query.length / seeds;
  const std::uint32_t longer = query.length % seeds;  // seeds of one position more
  const std::uint32_t few = errors_of(query, 0, seeds);
  const std::uint32_t more = (query.edits + 1U) % seeds;  // seeds that may have one error more
  LookUps look_ups;
  // Which seeds are longer and which may have more errors is taken as independent.
  for (const std::uint32_t length : {shorter, shorter + 1}) {
    const double share = (length == shorter ? seeds - longer : longer) / static_cast<double>(seeds);
    look_ups.add(share * (seeds - more), length, few, positions);
    look_ups.add(share * more, length, few + 1, positions);
  }
  if (with_blocks) {
    look_ups.seconds += look_ups.windows * kBlock;
    // The largest block has between half and all of these rows.
    look_ups.windows *= share_with_block(query, SeedBlocks::kMaxBlockRows / 2);
  }
  const double searched = std::min(look_ups.windows * (4.0 * query.edits + 1), static_cast<double>(positions));
  return look_ups.seconds + look_ups.windows * kWindow + searched * position_seconds(query);
}

// Whether a query can be cut into so few seeds: none may have more than kMaxSeedErrors, and each must have more
// positions than errors.
bool can_be_cut(const ReadQuery& query, std::uint32_t seeds) {
  const std::uint32_t errors = errors_of(query, seeds - 1, seeds);
  return errors <= kMaxSeedErrors && query.length / seeds > errors;
}

std::uint32_t fewest_seeds(const ReadQuery& query) {
  std::uint32_t seeds = query.edits / (kMaxSeedErrors + 1) + 1;
  while (seeds <= query.edits && !can_be_cut(query, seeds)) ++seeds;
  return seeds;
}

// The cheapest number of seeds, of those that are allowed, and its time.
struct CheapestSeeds {
  std::uint32_t seeds;
  double seconds;
};

CheapestSeeds cheapest_seeds(const ReadQuery& query, std::uint32_t positions) {
  const std::uint32_t exact = query.edits + 1U;
  CheapestSeeds best{exact, index_seconds(query, positions, exact, has_blocks(query, exact))};
  for (std::uint32_t seeds = fewest_seeds(query); seeds <= query.edits; ++seeds) {
    if (!can_be_cut(query, seeds)) continue;
    const double seconds = index_seconds(query, positions, seeds, has_blocks(query, seeds));
    if (seconds < best.seconds) best = {seeds, seconds};
  }
  return best;
}

}  // namespace

std::uint32_t gram_for(std::uint32_t positions) {
  std::uint32_t gram = kMinGram;
  while (gram < kMaxGram && std::uint64_t{4} << 2 * gram < positions) ++gram;
  return gram;
}

bool has_blocks(const ReadQuery& query, std::uint32_t seeds) {
  return seeds > 1 && 2 * query.length / seeds < SeedBlocks::kMaxBlockRows && window_seconds(query) > 10 * kBlock;
}

bool is_swept(const ReadQuery& query, std::uint32_t positions, Candidates candidates) {
  if (candidates != Candidates::automatic) return candidates == Candidates::sweep;
  return sweep_seconds(query, positions) < index_seconds(query, positions, query.edits + 1U, false);
}

std::uint32_t seeds_for(const ReadQuery& query, std::uint32_t positions, Candidates candidates) {
  if (candidates == Candidates::sweep) return 0;
  if (candidates == Candidates::few_seeds) return fewest_seeds(query);
  const CheapestSeeds best = cheapest_seeds(query, positions);
  return candidates == Candidates::automatic && sweep_seconds(query, positions) < best.seconds ? 0 : best.seeds;
}

QuerySeconds expected_seconds(const ReadQuery& query, std::uint32_t positions) {
  constexpr double kCores = 80;  // that a GPU is as fast as, with the same seeds or a sweep (README.md)
  const double sweep = sweep_seconds(query, positions);
  return {std::min(sweep, cheapest_seeds(query, positions).seconds),
          std::min(sweep, index_seconds(query, positions, query.edits + 1U, false)) / kCores};
}

std::uint32_t stretch_positions(const ReadQuery& query) {
  return std::max(4096U, 4 * (std::uint32_t{query.length} + query.edits));
}

}  // namespace basesweep::seeds
