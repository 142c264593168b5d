#include "lib/report/map_plots.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lib/report/plot_bins.hpp"
#include "lib/report/plots.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

// A bin for each value, divided by `scale`.
Json bins_of(const std::vector<std::uint64_t>& counts, double scale) {
  return bins_between(counts, [scale](std::size_t i) { return static_cast<double>(i) / scale; });
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
