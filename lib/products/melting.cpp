#include "lib/products/melting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lib/base/dna.hpp"

namespace basesweep {
namespace {

constexpr double kGas = 1.987;  // cal / (K mol)
constexpr double kZeroCelsius = 273.15;

// Enthalpy in kcal/mol, entropy in cal/(K mol).
struct Energy {
  double enthalpy = 0;
  double entropy = 0;
  Energy operator+(const Energy& other) const { return {enthalpy + other.enthalpy, entropy + other.entropy}; }
};

// SantaLucia 1998, table 2: two neighbours 5' to 3', by the codes of lib/base/dna.hpp (A, C, T, G).
constexpr std::array<std::array<Energy, 4>, 4> kNeighbours{{
    {{{-7.9, -22.2}, {-8.4, -22.4}, {-7.2, -20.4}, {-7.8, -21.0}}},   // AA AC AT AG
    {{{-8.5, -22.7}, {-8.0, -19.9}, {-7.8, -21.0}, {-10.6, -27.2}}},  // CA CC CT CG
    {{{-7.2, -21.3}, {-8.2, -22.2}, {-7.9, -22.2}, {-8.5, -22.7}}},   // TA TC TT TG
    {{{-8.2, -22.2}, {-9.8, -24.4}, {-8.4, -22.4}, {-8.0, -19.9}}},   // GA GC GT GG
}};
constexpr Energy kEndAT{2.3, 4.1};
constexpr Energy kEndGC{0.1, -2.8};
constexpr double kSymmetry = -1.4;  // entropy of a sequence that is its own complement

constexpr Energy end_of(unsigned code) { return code == 0 || code == 2 ? kEndAT : kEndGC; }

bool self_complementary(const std::vector<BaseSet>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!is_single_base(sets[i]) || sets[i] != complement_set(sets[sets.size() - 1 - i])) return false;
  }
  return true;
}

double temperature(const Energy& energy, double constant) {
  return 1000 * energy.enthalpy / (energy.entropy + constant);
}

// The energy of the sequence with the largest 1000 H - kelvin S, among all that the sets allow.
Energy extreme(const std::vector<BaseSet>& sets, double kelvin) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const auto worth = [kelvin](const Energy& e) { return 1000 * e.enthalpy - kelvin * e.entropy; };
  struct Best {
    double worth = kNone;
    Energy energy{};
  };
  std::array<Best, 4> before;
  for (unsigned c = 0; c < 4; ++c) {
    if ((sets.front() >> c & 1) != 0) before[c] = {worth(end_of(c)), end_of(c)};
  }
  for (std::size_t i = 1; i < sets.size(); ++i) {
    std::array<Best, 4> here;
    for (unsigned c = 0; c < 4; ++c) {
      if ((sets[i] >> c & 1) == 0) continue;
      for (unsigned p = 0; p < 4; ++p) {
        if (before[p].worth == kNone) continue;
        Energy energy = before[p].energy + kNeighbours[p][c];
        if (i + 1 == sets.size()) energy = energy + end_of(c);
        if (worth(energy) > here[c].worth) here[c] = {worth(energy), energy};
      }
    }
    before = here;
  }
  return std::max_element(before.begin(), before.end(), [](const Best& a, const Best& b) { return a.worth < b.worth; })
      ->energy;
}

}  // namespace

double MeltingConditions::monovalent_equivalent_mM() const {
  if (divalent_mM <= dntp_mM) return monovalent_mM;
  return monovalent_mM + 120 * std::sqrt(divalent_mM - dntp_mM);
}

// The temperature is H / S with S < 0, so H / S <= t where H - t S >= 0. From any t, the sequence with the largest
// H - t S therefore gives a lower temperature, or the lowest is found (Dinkelbach 1967).
std::optional<double> primer_melting(std::string_view sequence, const MeltingConditions& conditions) {
  std::vector<BaseSet> sets;
  for (const char letter : sequence) sets.push_back(pattern_letter_set(letter));
  if (sets.size() < 2) return std::nullopt;
  const bool symmetric = self_complementary(sets);
  const double strands = conditions.oligo_nM * 1e-9 / (symmetric ? 1 : 4);
  const double salt =
      0.368 * static_cast<double>(sets.size() - 1) * std::log(conditions.monovalent_equivalent_mM() / 1000);
  const double constant = salt + kGas * std::log(strands) + (symmetric ? kSymmetry : 0);
  double lowest = temperature(extreme(sets, 0), constant);
  for (int round = 0; round < 100; ++round) {
    // `constant` is the same for all sequences and does not change which is the extreme one.
    const double next = temperature(extreme(sets, lowest), constant);
    if (next >= lowest - 1e-9) break;
    lowest = next;
  }
  return lowest - kZeroCelsius;
}

std::optional<double> product_melting(std::size_t size, std::size_t gc, const MeltingConditions& conditions) {
  if (size == 0) return std::nullopt;
  const auto length = static_cast<double>(size);
  return 81.5 + 16.6 * std::log10(conditions.monovalent_equivalent_mM() / 1000) +
         41 * static_cast<double>(gc) / length - 600 / length;
}

}  // namespace basesweep
