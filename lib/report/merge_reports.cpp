#include "lib/report/merge_reports.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/parts/part.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

// The sum of integers. In reports that nobody wrote it may wrap around.
std::int64_t sum_of(const Json& a, const Json& b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.get<std::int64_t>()) +
                                   static_cast<std::uint64_t>(b.get<std::int64_t>()));
}

// Adds the integers of `more` to those of `sum` with the same key, also in nested objects. A null of `sum` gets the
// value of `more`.
void add_numbers(const Json& more, Json& sum) {
  for (auto& [key, value] : sum.items()) {
    if (!more.contains(key)) continue;
    if (value.is_object()) {
      add_numbers(more[key], value);
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size() && i < more[key].size(); ++i) {
        if (value[i].is_number_integer() && more[key][i].is_number_integer()) {
          value[i] = sum_of(value[i], more[key][i]);
        }
      }
    } else if (value.is_null()) {
      value = more[key];
    } else if (value.is_number_integer() && more[key].is_number_integer()) {
      value = sum_of(value, more[key]);
    }
  }
}

// The same for each pair of objects in two lists.
void add_lists(const Json& more, Json& sum) {
  for (std::size_t i = 0; i < sum.size() && i < more.size(); ++i) add_numbers(more[i], sum[i]);
}

// Throws an exception of JSON unless the inputs of a report are a list of objects.
void check_inputs(const Json& inputs) {
  for (const Json& input : inputs.get_ref<const Json::array_t&>())
    static_cast<void>(input.get_ref<const Json::object_t&>());
}

// The fields of a chunk's report that the merged report keeps.
Json origin_of(const ChunkReport& chunk, const Json& report) {
  Json origin = Json::object();
  origin["chunk"] = chunk.chunk;
  origin["command_line"] = report.at("command_line");
  origin["outputs"] = report.at("outputs");
  origin["timings"] = report.at("timings");
  return origin;
}

// Collects what parts say of the machines that they ran on.
class Machines {
 public:
  void add(const Json& machine) {
    if (machine.contains("matcher")) matchers_.insert(machine.at("matcher").get<std::string>());
    threads_ = std::max(threads_, machine.at("threads").get<int>());
    for (const Json& choice : machine.at("choices")) {
      if (std::find(choices_.begin(), choices_.end(), choice) == choices_.end()) choices_.push_back(choice);
    }
  }
  Json all() const {
    std::string names;
    for (const std::string& name : matchers_) names += (names.empty() ? "" : "; ") + name;
    Json all = Json::object();
    if (!names.empty()) all["matcher"] = names;
    all["threads"] = threads_;
    all["choices"] = choices_;
    return all;
  }

 private:
  std::set<std::string> matchers_;
  int threads_ = 0;
  Json choices_ = Json::array();  // of all, each once
};

}  // namespace

std::string merge_reports(const std::string& whole, const std::vector<ChunkReport>& chunks) {
  Json merged = Json::parse(whole);
  Machines machines;
  Json origins = Json::array();
  Json inputs;
  double seconds = 0;
  std::string started;
  for (const ChunkReport& chunk : chunks) {
    try {
      const Json report = Json::parse(chunk.report);
      machines.add(report.at("machine"));
      origins.push_back(origin_of(chunk, report));
      const Json& timings = report.at("timings");
      seconds += timings.at("seconds").get<double>();
      const auto start = timings.at("started").get<std::string>();
      if (started.empty() || start < started) started = start;
      if (!report.contains("inputs")) continue;
      check_inputs(report["inputs"]);
      if (inputs.is_null()) {
        inputs = report["inputs"];
      } else if (!chunk.read_all) {
        add_lists(report["inputs"], inputs);
      }
    } catch (const nlohmann::json::exception&) {
      throw damaged_part(chunk.path, "its report lacks what basesweep writes");
    }
  }
  if (merged.contains("inputs") && !inputs.is_null()) {
    Json& own = merged["inputs"];
    for (std::size_t i = 0; i < inputs.size() && i < own.size(); ++i) {
      // Hits, which `merge` chose; starts of guides, which all chunks found in the same reads.
      for (const char* key : {"hits", "starts"}) {
        if (own[i].contains(key)) inputs[i][key] = own[i][key];
      }
    }
    own = std::move(inputs);
  }
  merged.erase("part");
  merged["parts"] = std::move(origins);
  merged["machine"] = machines.all();
  merged["timings"] = {{"started", started}, {"seconds", seconds}};
  return merged.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep
