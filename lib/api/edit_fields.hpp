// The limits that SearchOptions and PcrOptions have under the names of kEditLimits.
#pragma once

#include "lib/search/edit_options.hpp"

namespace basesweep {

// Calls use(name, value, member) for each limit: its value in the options, and the member of EditOptions.
template <class Options, class Use>
void for_each_limit(Options& o, Use use) {
  use("edits", o.edits, &EditOptions::edits);
  use("error_rate", o.error_rate, &EditOptions::rate);
  use("max_mismatches", o.max_mismatches, &EditOptions::max_mismatches);
  use("max_indels", o.max_indels, &EditOptions::max_indels);
  use("max_dna_bulges", o.max_dna_bulges, &EditOptions::max_dna_bulges);
  use("max_rna_bulges", o.max_rna_bulges, &EditOptions::max_rna_bulges);
  use("clamp_5prime", o.clamp_5prime, &EditOptions::clamp_5prime);
  use("clamp_3prime", o.clamp_3prime, &EditOptions::clamp_3prime);
  if constexpr (requires { o.overhang_5prime; }) {
    use("overhang_5prime", o.overhang_5prime, &EditOptions::overhang_5prime);
    use("overhang_3prime", o.overhang_3prime, &EditOptions::overhang_3prime);
  }
}

template <class Options>
EditOptions edits_of(const Options& o) {
  EditOptions edits;
  for_each_limit(o, [&edits](const char*, const auto& value, auto member) { edits.*member = value; });
  return edits;
}

}  // namespace basesweep
