#include "lib/trim/read_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace basesweep {
namespace {

constexpr std::uint32_t kLeastTail = 3;

// The length of the tail that begins with letter(0) and goes on with letter(1), ...
template <class Letter>
std::uint32_t tail_length(std::size_t size, char base, Letter letter) {
  std::int64_t score = 0;
  std::int64_t best_score = 0;
  std::size_t others = 0;
  std::size_t best = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (letter(i) == base) {
      ++score;
    } else {
      score -= 2;
      ++others;
    }
    if (score > best_score && others * 5 <= i + 1) {
      best_score = score;
      best = i + 1;
    }
  }
  return best < kLeastTail ? 0 : static_cast<std::uint32_t>(best);
}

// How many bases to cut from an end whose qualities are quality(0), quality(1), ...
template <class Quality>
std::size_t cut_of(std::size_t size, int limit, Quality quality) {
  std::int64_t sum = 0;
  std::int64_t most = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += limit - quality(i);
    if (sum < 0) break;
    if (sum > most) {
      most = sum;
      cut = i + 1;
    }
  }
  return cut;
}

}  // namespace

ReadRange quality_range(std::string_view quality, int front_limit, int back_limit) {
  const std::size_t size = quality.size();
  const std::size_t front = cut_of(size, front_limit, [&](std::size_t i) { return quality[i] - kQualityBase; });
  const std::size_t back =
      cut_of(size, back_limit, [&](std::size_t i) { return quality[size - 1 - i] - kQualityBase; });
  if (front + back >= size) return {};
  return {static_cast<std::uint32_t>(front), static_cast<std::uint32_t>(size - back)};
}

std::uint32_t nextseq_end(std::string_view bases, std::string_view quality, int limit) {
  const std::size_t size = quality.size();
  return static_cast<std::uint32_t>(size - cut_of(size, limit, [&](std::size_t i) {
                                      const std::size_t at = size - 1 - i;
                                      return bases[at] == 'G' ? limit - 1 : quality[at] - kQualityBase;
                                    }));
}

std::uint32_t poly_a_begin(std::string_view bases) {
  const std::size_t size = bases.size();
  return static_cast<std::uint32_t>(size) - tail_length(size, 'A', [&](std::size_t i) { return bases[size - 1 - i]; });
}

std::uint32_t poly_t_end(std::string_view bases) {
  return tail_length(bases.size(), 'T', [&](std::size_t i) { return bases[i]; });
}

ReadRange known_range(std::string_view bases) {
  const auto first = std::find_if_not(bases.begin(), bases.end(), is_unknown);
  if (first == bases.end()) return {};
  const auto last = std::find_if_not(bases.rbegin(), bases.rend(), is_unknown);
  return {static_cast<std::uint32_t>(first - bases.begin()), static_cast<std::uint32_t>(bases.rend() - last)};
}

std::size_t count_unknown(std::string_view bases) {
  return static_cast<std::size_t>(
      std::count_if(bases.begin(), bases.end(), [](char letter) { return is_unknown(letter) || letter == 'n'; }));
}

double expected_errors(std::string_view quality) {
  static const std::array<double, 256> probabilities = [] {
    std::array<double, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::pow(10.0, -(static_cast<double>(i) - kQualityBase) / 10);
    return all;
  }();
  double sum = 0;
  for (const char one : quality) sum += probabilities[static_cast<unsigned char>(one)];
  return sum;
}

}  // namespace basesweep
