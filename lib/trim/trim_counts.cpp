#include "lib/trim/trim_counts.hpp"

namespace basesweep {

void TrimCounts::add(const TrimCounts& other) {
  reads += other.reads;
  turned += other.turned;
  for (std::size_t i = 0; i < kTrimReasons; ++i) reasons[i] += other.reasons[i];
  for (std::size_t i = 0; i < 2; ++i) {
    Mate& own = mates[i];
    const Mate& more = other.mates[i];
    own.with_adapter += more.with_adapter;
    for (std::size_t k = 0; k < more.adapters.size(); ++k) own.adapters[k] += more.adapters[k];
    own.bases += more.bases;
    own.quality_bases += more.quality_bases;
    own.adapter_bases += more.adapter_bases;
    own.with_primer += more.with_primer;
    own.primer_bases += more.primer_bases;
    own.poly_a_bases += more.poly_a_bases;
    own.written_bases += more.written_bases;
    own.lengths_before.add(more.lengths_before);
    own.lengths_after.add(more.lengths_after);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < other.primers[i].size(); ++k) primers[i][k] += other.primers[i][k];
  }
  by_both += other.by_both;
  by_overlap += other.by_overlap;
  by_adapter += other.by_adapter;
  differing += other.differing;
  dimers += other.dimers;
}

}  // namespace basesweep
