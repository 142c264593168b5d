// The label of a part, which is the output of one chunk, by which `merge` recognises the parts of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/error.hpp"

namespace basesweep {

struct PartLabel {
  std::string version;      // of basesweep
  std::string parameters;   // "key=value", separated by spaces: everything that affects the result
  std::string plan;         // MD5 of the plan
  std::uint32_t chunk = 1;  // from 1
  std::uint32_t chunks = 1;
  bool operator==(const PartLabel&) const = default;
};

// The label as text: "basesweep-part", version, parameters, plan, i/N, separated by tabs.
// It is the first section of a part, and the key "part" in the report of a chunk.
std::string print_part(const PartLabel& label);
// Nothing when the text is not a label.
std::optional<PartLabel> parse_part(std::string_view text);

// The error for a part that no chunk wrote, although its checksums fit.
DataError damaged_part(const std::string& path, std::string_view why);

// The value of a parameter; empty when the label does not have it.
std::string parameter(const PartLabel& label, std::string_view key);

}  // namespace basesweep
