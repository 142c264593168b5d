// The JSON report of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lib/parts/part.hpp"
#include "lib/parts/run_origin.hpp"
#include "lib/reader/left_out.hpp"
#include "lib/search/device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Null, text or a number.
using ParameterValue = std::variant<std::monostate, std::string, std::int64_t, std::uint64_t, double>;
// The value as text; "none" for null.
std::string word_of(const ParameterValue& value);
using RunParameters = std::vector<std::pair<std::string, ParameterValue>>;

// A run, as its report describes it. In the report, everything but its origin, `timings` and `machine` is the same for
// any number of threads, device or batch size.
struct RunReport {
  std::string command;  // "motif"
  RunOrigin origin{};
  RunParameters parameters;              // options that change the result, by name
  LeftOut left_out{};                    // of the sequences of patterns
  std::string matcher;                   // Matcher::describe() or Finder::describe()
  std::vector<std::string> choices{};    // the reasons for automatic choices, see MatcherOptions::log
  std::vector<DeviceBatches> batches{};  // Matcher::batches() or Finder::batches()
  int threads = 1;
  double seconds = 0;             // of the whole run
  std::optional<PartLabel> part;  // if the run was one chunk of several
};

// The report as JSON, schema "basesweep-report/1"; see docs/report.md. `add_findings` adds what the command found
// (lib/report/findings.hpp), between the keys that all reports begin with and those that all end with.
std::string json_report(const RunReport& run, const std::function<void(nlohmann::ordered_json& report)>& add_findings);

}  // namespace basesweep
