#include "summaries.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "text.hpp"

namespace nb = nanobind;

namespace basesweep::python {

nb::dict summary_of(const SearchSummary& summary) {
  nb::dict told;
  told["rows"] = summary.hits;
  told["truncated"] = summary.truncated;
  told["warnings"] = list_of(summary.warnings);
  return told;
}

nb::dict summary_of(const PcrSummary& summary) {
  nb::dict told;
  told["rows"] = summary.products;
  told["truncated"] = summary.truncated;
  told["warnings"] = list_of(summary.warnings);
  return told;
}

nb::dict summary_of(const MapperSummary& summary) {
  nb::dict told;
  told["rows"] = summary.alignments;
  told["reads"] = summary.reads;
  told["mapped"] = summary.mapped;
  told["skipped"] = summary.skipped;
  told["warnings"] = list_of(summary.warnings);
  return told;
}

// The totals of guides are columns, too: one value for each guide.
nb::dict summary_of(const GuidesResult& result) {
  std::vector<std::uint64_t> places;
  std::vector<std::vector<std::uint64_t>> counts;
  std::vector<std::optional<double>> mit;
  std::vector<std::optional<double>> cfd;
  std::vector<bool> unique;
  for (const GuideRow& row : result.rows) {
    places.push_back(row.places);
    counts.push_back(row.counts);
    mit.push_back(row.mit_specificity);
    cfd.push_back(row.cfd_specificity);
    unique.push_back(row.unique);
  }
  nb::dict told;
  told["places"] = places;
  told["counts"] = counts;
  told["mit_specificity"] = mit;
  told["cfd_specificity"] = cfd;
  told["unique"] = unique;
  told["warnings"] = list_of(result.warnings);
  return told;
}

}  // namespace basesweep::python
