// Melting temperatures of primers and products.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace basesweep {

// The contents of the tube. The defaults are those of primer3's oligotm.
struct MeltingConditions {
  double monovalent_mM = 50;
  double divalent_mM = 1.5;
  double dntp_mM = 0.6;
  double oligo_nM = 50;

  // Monovalent ions that have the effect of all (von Ahsen et al. 2001), in mM.
  double monovalent_equivalent_mM() const;
};

// The melting temperature of a primer with its perfect complement, in degrees Celsius: nearest neighbours, and their
// correction for salt (SantaLucia 1998). `sequence`: IUPAC letters and I, upper case; the lowest temperature of all
// sequences that they allow counts. Nothing for fewer than two bases.
std::optional<double> primer_melting(std::string_view sequence, const MeltingConditions& conditions);

// The melting temperature of a product, in degrees Celsius: 81.5 + 16.6 log10(Na+) + 0.41 %GC - 600 / length (Bolton
// and McCarthy 1962, as primer3 writes it), from its size in bases and how many of its bases are G or C. Nothing for
// size 0.
std::optional<double> product_melting(std::size_t size, std::size_t gc, const MeltingConditions& conditions);

}  // namespace basesweep
