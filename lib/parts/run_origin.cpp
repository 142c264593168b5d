#include "lib/parts/run_origin.hpp"

#include <nlohmann/json.hpp>

#include "lib/base/stream_names.hpp"

namespace basesweep {

void add_origin(const RunOrigin& origin, nlohmann::ordered_json& report) {
  using Json = nlohmann::ordered_json;
  report["command_line"] = origin.command_line;
  Json outputs = Json::array();
  for (const auto& [option, path] : origin.outputs) {
    Json output = Json::object();
    output["option"] = option;
    output["path"] = output_name(path);
    outputs.push_back(std::move(output));
  }
  report["outputs"] = std::move(outputs);
}

}  // namespace basesweep
