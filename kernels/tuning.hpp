// How the papers' algorithms are run where they leave that open, for tests and measurements.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/matcher.hpp"

namespace basesweep {

// How a GPU kernel gets at its tables and its text. Each stage has what those before it have (Kouzinopoulos,
// Michailidis, Margaritis 2015, section 4).
enum class Stage {
  plain,             // as they lie in the device's memory
  read_only_tables,  // tables through the read-only path
  shared_text,       // a block's text fetched side by side into shared memory first
  vector_loads       // that in words of 16 bytes
};
inline constexpr Stage kStages[] = {Stage::plain, Stage::read_only_tables, Stage::shared_text, Stage::vector_loads};

// Output never depends on it.
struct Tuning {
  std::uint32_t block = 0;            // columns of a block (wu-manber) or q-gram (sog, qgrams); 0: by the patterns
  std::uint32_t step = 0;             // of qgrams; 0: by the patterns
  Stage stage = Stage::vector_loads;  // of set-horspool, sbom, wu-manber, sog, and ac-nfa with supply links
  bool supply_links = false;          // ac-nfa: follow them one at a time, as far as a thread has to
};

// What the UsageError of make_matcher() would say of an algorithm asked for by name, or nothing.
std::optional<std::string> decline_reason(Algorithm algorithm, const PatternSet& patterns);

// As make_matcher(patterns, options), for an algorithm asked for by name.
std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning);

}  // namespace basesweep
