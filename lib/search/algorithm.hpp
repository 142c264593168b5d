// The algorithms and their names. The functions are defined in kernels/registry.
#pragma once

#include <vector>

namespace basesweep {

enum class Algorithm {
  automatic,
  planes,
  drk2s,
  ac_dfa,
  ac_nfa,
  set_horspool,
  sbom,
  wu_manber,
  sog,
  crk,
  drk,
  drk_wom32,
  drk_wom64,
  hrk,
  qgrams,
  hmm,
  myers,
  bitsliced,
  pigeonhole,
  hamming,
  neighbors
};

// The algorithms for exact and for approximate search, in the order of the enum, without `automatic`.
const std::vector<Algorithm>& exact_algorithms();
const std::vector<Algorithm>& approximate_algorithms();
// The algorithms for reads, without `automatic`: hmm, myers, bitsliced.
const std::vector<Algorithm>& read_algorithms();

const char* to_string(Algorithm algorithm);

}  // namespace basesweep
