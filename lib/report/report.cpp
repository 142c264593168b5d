#include "lib/report/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it: a null that becomes
// one when the first value comes is broken, and ends the program, if memory gives out meanwhile.
using Json = nlohmann::ordered_json;

// The part that all reports begin with.
Json head_of(const RunReport& run) {
  Json report = Json::object();
  report["schema"] = "basesweep-report/1";
  report["version"] = BASESWEEP_VERSION;
  report["command"] = run.command;
  add_origin(run.origin, report);
  if (run.part) report["part"] = print_part(*run.part);
  Json parameters = Json::object();
  for (const auto& [key, value] : run.parameters) {
    parameters[key] = std::visit(
        [](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
            return Json(nullptr);
          } else {
            return Json(held);
          }
        },
        value);
  }
  report["parameters"] = std::move(parameters);
  if (run.left_out.any()) {
    Json left_out = Json::object();
    left_out["blanks"] = run.left_out.blanks;
    left_out["ends"] = run.left_out.ends;
    left_out["modifications"] = run.left_out.modifications;
    left_out["cut_marks"] = run.left_out.cut_marks;
    report["left_out"] = std::move(left_out);
  }
  return report;
}

}  // namespace

std::string word_of(const ParameterValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return std::string("none");
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

std::string json_report(const RunReport& run, const std::function<void(Json& report)>& add_findings) {
  Json report = head_of(run);
  add_findings(report);
  Json& machine = report["machine"] = Json::object();
  if (!run.matcher.empty()) machine["matcher"] = run.matcher;
  machine["threads"] = run.threads;
  machine["choices"] = run.choices;
  for (const DeviceBatches& one : run.batches) report["machine"]["batches"][one.device] = one.batches;
  report["timings"] = {{"started", run.origin.started}, {"seconds", run.seconds}};
  // Names need not be UTF-8; JSON must be.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep
