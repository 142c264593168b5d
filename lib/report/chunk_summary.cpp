#include "lib/report/chunk_summary.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "lib/parts/part.hpp"
#include "lib/search/match_result.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

bool can_be(const ChunkSummary& counted, const CountShape& shape) {
  const FineCounts& fine = counted.fine;
  return counted.counts->size() == shape.queries && fine.width == (fine.by_edits ? shape.max_edits + 1 : 1) &&
         fine.counts.size() <= (fine.by_source ? shape.inputs : 1) &&
         std::all_of(fine.counts.begin(), fine.counts.end(),
                     [&](const auto& of) { return of.empty() || of.size() == shape.queries * fine.width; });
}

void add(const std::vector<std::uint64_t>& more, std::vector<std::uint64_t>& sum) {
  if (sum.empty()) sum.resize(more.size());
  std::transform(more.begin(), more.end(), sum.begin(), sum.begin(), std::plus());
}

}  // namespace

std::string print_summary(const ChunkSummary& summary) {
  Json json = Json::object();
  json["report"] = Json::parse(summary.report);
  json["truncated"] = summary.truncated;
  if (summary.counts) {
    json["counts"] = *summary.counts;
    json["by_source"] = summary.fine.by_source;
    json["by_edits"] = summary.fine.by_edits;
    json["width"] = summary.fine.width;
    json["fine"] = summary.fine.counts;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ChunkSummary parse_summary(std::string_view text, const std::string& path) {
  ChunkSummary summary;
  try {
    const Json json = Json::parse(text);
    summary.report = Json(json.at("report").get_ref<const Json::object_t&>()).dump();
    summary.truncated = json.at("truncated").get<bool>();
    if (!json.contains("counts")) return summary;
    summary.counts = json.at("counts").get<std::vector<std::uint64_t>>();
    summary.fine.by_source = json.at("by_source").get<bool>();
    summary.fine.by_edits = json.at("by_edits").get<bool>();
    summary.fine.width = json.at("width").get<std::uint32_t>();
    summary.fine.counts = json.at("fine").get<std::vector<std::vector<std::uint64_t>>>();
  } catch (const nlohmann::json::exception&) {
    throw damaged_part(path, "its summary is not one");
  }
  return summary;
}

void add_counts(const ChunkSummary& more, const std::string& path, const CountShape& shape, ChunkSummary& sum) {
  if (!more.counts || !can_be(more, shape)) throw damaged_part(path, "its counts are not those of its patterns");
  const FineCounts& fine = more.fine;
  if (!sum.counts) {
    sum.counts.emplace();
    sum.fine = {.by_source = fine.by_source, .by_edits = fine.by_edits, .width = fine.width};
  }
  if (sum.fine.by_source != fine.by_source || sum.fine.by_edits != fine.by_edits) {
    throw damaged_part(path, "its counts are not those of the parts before");
  }
  add(*more.counts, *sum.counts);
  sum.fine.counts.resize(std::max(sum.fine.counts.size(), fine.counts.size()));
  for (std::size_t i = 0; i < fine.counts.size(); ++i) {
    if (!fine.counts[i].empty()) add(fine.counts[i], sum.fine.counts[i]);
  }
}

}  // namespace basesweep
