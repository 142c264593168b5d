#include "kernels/papers/drk/index.hpp"

namespace basesweep::drk {

template <class Policy>
Fingerprints make_index(const RoomOptions& options) {
  return {options.patterns, options.queries, [](const QueryText& text, std::uint32_t length) -> std::uint64_t {
            return Policy::value(first_fingerprint(Policy(length), length, TextNumbers<QueryText>{text, 0}));
          }};
}

template Fingerprints make_index<Modulo>(const RoomOptions& options);
template Fingerprints make_index<Wom32>(const RoomOptions& options);
template Fingerprints make_index<Wom64>(const RoomOptions& options);

}  // namespace basesweep::drk
