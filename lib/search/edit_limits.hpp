// The fields of EditOptions, each described once: the command line, reports, @PG, parts, compiled sets and the library
// walk this list.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "lib/search/edit_options.hpp"

namespace basesweep {

struct EditLimit {
  const char* key;    // in reports and in the library
  const char* names;  // on the command line
  const char* help;   // with {} in place of what has the edits ("primer")
  std::variant<std::optional<std::uint32_t> EditOptions::*, std::optional<double> EditOptions::*,
               std::uint32_t EditOptions::*>
      member;
  std::uint32_t min = 0;
  std::uint32_t max = 999'999'999;
  bool compiled = true;  // compiled sets keep it
};

inline constexpr std::uint32_t kMostEnds = 1'000'000;  // bases of clamps and overhangs

inline constexpr std::array kEditLimits{
    EditLimit{"edits", "-k,--edits", "Maximum number of edits: mismatches, insertions and deletions",
              &EditOptions::edits},
    EditLimit{"error_rate", "-e,--error-rate",
              "Maximum number of edits as a fraction (0.1, or 10%) of the {}'s length, rounded down",
              &EditOptions::rate},
    EditLimit{"max_mismatches", "--max-mismatches", "Allow at most N mismatches among the edits",
              &EditOptions::max_mismatches},
    EditLimit{"max_indels", "--max-indels", "Allow at most N inserted or deleted bases among the edits",
              &EditOptions::max_indels},
    EditLimit{"max_dna_bulges", "--max-dna-bulges",
              "Allow at most N text bases without a {} base (D in CIGAR) among the indels",
              &EditOptions::max_dna_bulges},
    EditLimit{"max_rna_bulges", "--max-rna-bulges",
              "Allow at most N {} bases without a text base (I in CIGAR) among the indels",
              &EditOptions::max_rna_bulges},
    EditLimit{"clamp_5prime", "--clamp-5prime", "The first N bases of the {} (5' end) must match without an edit",
              &EditOptions::clamp_5prime, 0, kMostEnds},
    EditLimit{"clamp_3prime", "--clamp-3prime", "The last N bases of the {} (3' end) must match without an edit",
              &EditOptions::clamp_3prime, 0, kMostEnds},
    EditLimit{"overhang_5prime", "--overhang-5prime",
              "The {}'s 5' end may hang over the ends of a record if at least N of its bases are inside",
              &EditOptions::overhang_5prime, 1, kMostEnds, false},
    EditLimit{"overhang_3prime", "--overhang-3prime",
              "The {}'s 3' end may hang over the ends of a record if at least N of its bases are inside",
              &EditOptions::overhang_3prime, 1, kMostEnds, false},
};

constexpr bool is_overhang(const EditLimit& limit) { return !limit.compiled; }

// The first of its names: "-k".
constexpr std::string_view first_name(const EditLimit& limit) {
  const std::string_view names = limit.names;
  return names.substr(0, names.find(','));
}

}  // namespace basesweep
