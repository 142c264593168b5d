// Melting temperatures of primers and products.
#include <cmath>

#include "lib/products/melting.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_melting {

namespace {

bool same(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

TEST_CASE("melting: the lowest of all sequences that a code allows", "[pcr]") {
  const MeltingConditions tube;
  const double with_a = *primer_melting("ACGTTGCAAGCTAGCTAGGA", tube);
  const double with_g = *primer_melting("ACGTTGCAAGCTGGCTAGGA", tube);
  CHECK(with_a < with_g);
  CHECK(*primer_melting("ACGTTGCAAGCTRGCTAGGA", tube) == with_a);
  CHECK_FALSE(primer_melting("A", tube));
}

TEST_CASE("melting: a sequence and its reverse complement melt together, and salt and primer raise it", "[pcr]") {
  const MeltingConditions tube;
  const double melting = *primer_melting("ACGTTGCAAGCTAGCTAGGA", tube);
  CHECK(same(*primer_melting("TCCTAGCTAGCTTGCAACGT", tube), melting));
  CHECK(*primer_melting("ACGTTGCAAGCTAGCTAGGA", {.monovalent_mM = 100}) > melting);
  CHECK(*primer_melting("ACGTTGCAAGCTAGCTAGGA", {.oligo_nM = 500}) > melting);
  CHECK(*primer_melting("ACGTTGCAAGCTAGCTAGGA", {.dntp_mM = 1.5}) < melting);  // they bind the divalent ions
}

TEST_CASE("melting: products follow the published formula", "[pcr]") {
  const MeltingConditions tube{.monovalent_mM = 50, .divalent_mM = 0, .dntp_mM = 0};
  CHECK(same(*product_melting(500, 200, tube), 81.5 + 16.6 * std::log10(0.05) + 0.41 * 40 - 600.0 / 500));
  CHECK_FALSE(product_melting(0, 0, tube));
  // 120 sqrt(1.5 - 0.6) mM of monovalent ions have the effect of the divalent ones that are free.
  CHECK(same(MeltingConditions().monovalent_equivalent_mM(), 50 + 120 * std::sqrt(0.9)));
}

}  // namespace basesweep::test_melting
