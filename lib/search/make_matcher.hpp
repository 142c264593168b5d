// Makes matchers. make_matcher() is defined in kernels/registry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lib/search/algorithm.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

class PatternSet;     // lib/search/pattern_set.hpp
struct StoredTables;  // lib/search/stored_tables.hpp
struct TextSample;    // lib/search/text_sample.hpp

struct MatcherOptions : SearcherOptions {
  Algorithm algorithm = Algorithm::automatic;
  Output output = Output::occurrences;
  // The most memory for the table of a large set (neighbors); nothing: default_table_bytes(). Where it does not suffice
  // for the best table, another one or another algorithm is taken.
  std::optional<std::uint64_t> table_bytes{};
  // Tables for these patterns that were built before; null: none. They live longer than the matcher.
  const StoredTables* tables = nullptr;
  // A sample of the text; null: it is taken for random. Automatic choices for exact search on the CPU depend on it.
  // Lives as long as make_matcher() runs.
  const TextSample* text = nullptr;
};

// Makes the matcher; `patterns` must outlive it. Throws UsageError when an algorithm chosen by name cannot take a
// pattern, DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options);

}  // namespace basesweep
