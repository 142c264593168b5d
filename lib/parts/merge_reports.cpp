#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/base/error.hpp"
#include "lib/parts/merge_hits.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

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
          value[i] = value[i].get<std::int64_t>() + more[key][i].get<std::int64_t>();
        }
      }
    } else if (value.is_null()) {
      value = more[key];
    } else if (value.is_number_integer() && more[key].is_number_integer()) {
      value = value.get<std::int64_t>() + more[key].get<std::int64_t>();
    }
  }
}

// The same for each pair of objects in two lists.
void add_lists(const Json& more, Json& sum) {
  for (std::size_t i = 0; i < sum.size() && i < more.size(); ++i) add_numbers(more[i], sum[i]);
}

// Which guides have an exact copy, in the report of a chunk: a letter for each, 1 or 0.
constexpr const char* kWithCopy = "with_exact_copy";

// A guide has an exact copy in the input if it has one in some chunk.
void add_copies(const Json& more, Json& sum) {
  const auto letters = more.get<std::string>();
  auto all = sum.get<std::string>();
  if (letters.size() != all.size()) throw DataError("reports of chunks have different numbers of guides");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (letters[i] == '1') all[i] = '1';
  }
  sum = all;
}

// Puts the number of guides without exact copy in the place of these letters.
void count_copies(Json& merged) {
  const auto letters = merged.at(kWithCopy).get<std::string>();
  Json counted = Json::object();
  for (auto& [key, value] : merged.items()) {
    if (key != kWithCopy) {
      counted[key] = std::move(value);
    } else {
      counted["guides_without_exact_copy"] = std::count(letters.begin(), letters.end(), '0');
    }
  }
  merged = std::move(counted);
}

// The same for the counts of patterns, pairs or matrices only. Their other numbers, such as widths and limits, have no
// sums.
void add_counts(const Json& more, Json& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    for (const char* counts : {"counts", "counts_by_edits"}) {
      if (sum[i].contains(counts)) add_numbers(more.at(i).at(counts), sum[i][counts]);
    }
  }
}

// The fields of a part's report that the merged report keeps.
Json origin_of(const PartHead& part, const Json& report) {
  Json origin = Json::object();
  origin["chunk"] = fmt::format("{}/{}", part.label.chunk, part.label.chunks);
  origin["command_line"] = report.at("command_line");
  origin["outputs"] = report.at("outputs");
  origin["timings"] = report.at("timings");
  return origin;
}

// Collects what parts say of the machines that they ran on.
class Machines {
 public:
  void add(const Json& machine) {
    matchers_.insert(machine.at("matcher").get<std::string>());
    threads_ = std::max(threads_, machine.at("threads").get<int>());
    for (const Json& choice : machine.at("choices")) {
      if (std::find(choices_.begin(), choices_.end(), choice) == choices_.end()) choices_.push_back(choice);
    }
  }
  Json all() const {
    std::string names;
    for (const std::string& name : matchers_) names += (names.empty() ? "" : "; ") + name;
    return {{"matcher", names}, {"threads", threads_}, {"choices", choices_}};
  }

 private:
  std::set<std::string> matchers_;
  int threads_ = 0;
  Json choices_ = Json::array();  // of all, each once
};

}  // namespace

std::string merge_reports(const std::vector<PartHead>& parts, const RunOrigin& origin) {
  const PartLabel& label = parts.front().label;
  const bool match = parameter(label, "command") == "match";
  const bool guides = parameter(label, "command") == "guides";
  if (parameter(label, "overlapping") == "no" || (match && parameter(label, "report") == "best") ||
      parameter(label, "records") == "cut" ||
      (!parameter(label, "max_hits").empty() && parameter(label, "max_hits") != "none")) {
    throw DataError(
        "reports of chunks cannot be added up when --report best or best-per-record, --non-overlapping or --max-hits "
        "choose among all "
        "hits: merge the hits instead");
  }
  if (parameter(label, "command") == "pcr" && parameter(label, "pool") == "yes") {
    throw DataError(
        "reports of chunks with --pool list different pairs and cannot be added up: merge the products instead");
  }
  Json merged = Json::parse(parts.front().json);
  Machines machines;
  Json origins = Json::array();
  double seconds = 0;
  std::string started;
  try {
    for (const PartHead& part : parts) {
      const Json report = Json::parse(part.json);
      machines.add(report.at("machine"));
      origins.push_back(origin_of(part, report));
      const Json& timings = report.at("timings");
      seconds += timings.at("seconds").get<double>();
      const auto start = timings.at("started").get<std::string>();
      if (started.empty() || start < started) started = start;
      if (&part == &parts.front()) continue;
      if (merged.contains("inputs")) add_lists(report.at("inputs"), merged["inputs"]);
      for (const char* list : {"patterns", "pairs", "matrices"}) {
        if (merged.contains(list)) add_counts(report.at(list), merged[list]);
      }
      for (const char* number : {"hits", "unprinted_hits", "products"}) {
        if (merged.contains(number))
          merged[number] = merged[number].get<std::int64_t>() + report.at(number).get<std::int64_t>();
      }
      if (merged.contains("places")) add_numbers(report.at("places"), merged["places"]);
      if (merged.contains("reads")) add_numbers(report.at("reads"), merged["reads"]);
      if (guides) add_copies(report.at(kWithCopy), merged.at(kWithCopy));
    }
    if (guides) count_copies(merged);
  } catch (const nlohmann::json::exception&) {
    throw DataError("a report lacks fields that basesweep writes; is the file damaged?");
  }
  merged.erase("part");
  add_origin(origin, merged);
  merged["parts"] = std::move(origins);
  merged["machine"] = machines.all();
  merged["timings"] = {{"started", started}, {"seconds", seconds}};
  return merged.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep
