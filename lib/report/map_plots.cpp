#include "lib/report/map_plots.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lib/report/plots.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

// [[value, value + 1, count], ...], each value divided by `scale`.
Json bins_of(const std::vector<std::uint64_t>& counts, double scale) {
  Json bins = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) bins.push_back({static_cast<double>(i) / scale, static_cast<double>(i + 1) / scale, counts[i]});
  }
  return bins;
}

}  // namespace

void add_map_plots(const MappedReads& reads, const Reference& reference, Json& report) {
  constexpr double kTenths = 10;
  Json plots = Json::object();
  plots["edits"] = reads.edits;
  plots["identity"] = bins_of(reads.identity, kTenths);
  plots["mapq"] = bins_of(reads.mapq, 1);
  plots["ambiguous"] = reads.mapq.empty() ? 0 : reads.mapq.front();
  plots["lengths"] = bins_of(reads.lengths);
  if (!reads.inserts.counts().empty()) plots["inserts"] = bins_of(reads.inserts);
  LongestRecords longest;
  longest.add_all(reference.records);
  plots["coverage"] = density_rows(longest, reads.along);
  report["plots"] = std::move(plots);
}

}  // namespace basesweep
