#include "lib/report/chunk_summary.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& path) {
  throw DataError(path + ": the part is damaged: its summary is not one");
}

void add(const std::vector<std::uint64_t>& more, const std::string& path, std::vector<std::uint64_t>& sum) {
  if (sum.empty()) sum.resize(more.size());
  if (!more.empty() && more.size() != sum.size()) refuse(path);
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
    if (!json.at("report").is_object()) refuse(path);
    summary.report = json.at("report").dump();
    summary.truncated = json.at("truncated").get<bool>();
    if (!json.contains("counts")) return summary;
    summary.counts = json.at("counts").get<std::vector<std::uint64_t>>();
    summary.fine.by_source = json.at("by_source").get<bool>();
    summary.fine.by_edits = json.at("by_edits").get<bool>();
    summary.fine.width = json.at("width").get<std::uint32_t>();
    summary.fine.counts = json.at("fine").get<std::vector<std::vector<std::uint64_t>>>();
  } catch (const nlohmann::json::exception&) {
    refuse(path);
  }
  return summary;
}

void add_counts(const ChunkSummary& more, const std::string& path, ChunkSummary& sum) {
  if (!more.counts) refuse(path);
  if (!sum.counts) sum.counts.emplace();
  add(*more.counts, path, *sum.counts);
  const FineCounts& fine = more.fine;
  if (sum.fine.counts.empty()) {
    sum.fine.by_source = fine.by_source;
    sum.fine.by_edits = fine.by_edits;
    sum.fine.width = fine.width;
  }
  if (sum.fine.width != fine.width) refuse(path);
  sum.fine.counts.resize(std::max(sum.fine.counts.size(), fine.counts.size()));
  for (std::size_t i = 0; i < fine.counts.size(); ++i) add(fine.counts[i], path, sum.fine.counts[i]);
}

}  // namespace basesweep
