// The edits that an approximate search allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace basesweep {

// The edits that `match` allows. Exactly one of `edits` and `rate` is set; or neither, if every pattern has its own
// edits.
struct EditOptions {
  std::optional<std::uint32_t> edits{};  // mismatches and indels together
  std::optional<double> rate{};          // edits as a part of the pattern's length, see edits_at_rate()
  std::optional<std::uint32_t> max_mismatches{};
  std::optional<std::uint32_t> max_indels{};
  std::uint32_t clamp_5prime = 0;  // this many bases at the pattern's 5' end match without edit
  std::uint32_t clamp_3prime = 0;  // the same for its 3' end
  std::optional<std::uint32_t> max_dna_bulges{};
  std::optional<std::uint32_t> max_rna_bulges{};
  // The pattern's 5' end may hang over an end of a record when at least this many of its bases, codes N not counted,
  // are inside. At least 1; nothing: it may not.
  std::optional<std::uint32_t> overhang_5prime{};
  std::optional<std::uint32_t> overhang_3prime{};  // the same for its 3' end
};

// floor(rate x length), with products that are whole except for rounding taken as whole (0.29 x 100 is 29).
std::uint64_t edits_at_rate(double rate, std::size_t length);

}  // namespace basesweep
