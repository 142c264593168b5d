// What an output says of itself when it is one of several that are to be merged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace basesweep {

struct PartLabel {
  std::string version;
  std::string parameters;  // "key=value" with spaces between: what bears on the result
  std::string plan;        // its digest
  std::uint32_t chunk = 1;
  std::uint32_t chunks = 1;
  bool operator==(const PartLabel&) const = default;
};

// "basesweep-part", version, parameters, plan, i/N, with tabs between: after "#" the first line of BED, TSV and counts,
// after "@CO" and a tab a header line of SAM.
std::string print_part(const PartLabel& label);
// Nothing where the text is none.
std::optional<PartLabel> parse_part(std::string_view text);

// The value of a parameter; empty where it is not there.
std::string parameter(const PartLabel& label, std::string_view key);

}  // namespace basesweep
