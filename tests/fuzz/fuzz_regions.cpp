// Regions: --region and BED; and annotations, which are BED or GFF3.
#include <limits>

#include "lib/guides/annotation.hpp"
#include "lib/reader/read_regions.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

void check(const RegionSet& regions) {
  for (const auto& [record, list] : regions.by_name()) {
    std::int64_t end = -1;
    for (const Region& region : list) {
      fuzz::require(region.begin > end && region.end > region.begin, "regions are sorted, disjoint and not empty");
      end = region.end;
    }
  }
}

void check(const Annotation& annotation) {
  for (const std::string& record : annotation.records()) {
    const RecordFeatures* features = annotation.of(record);
    fuzz::require(features != nullptr, "records have features");
    std::vector<Feature> all;
    features->overlapping(-1, std::numeric_limits<std::int64_t>::max(), all);
    for (const Feature& feature : all) {
      fuzz::require(feature.kind < annotation.kinds().size() && feature.name < annotation.names().size(),
                    "a feature has a kind and a name");
      std::vector<Feature> found;
      features->overlapping(feature.begin, feature.begin + 1, found);
      std::size_t expected = 0;
      for (const Feature& f : all) expected += f.begin <= feature.begin && f.end > feature.begin;
      fuzz::require(found.size() == expected, "all features at a base are found");
    }
    std::string names;
    annotation.append_names(all, names);
    fuzz::require(!names.empty() && names.find_first_of("\t\n") == std::string::npos, "names fit into a column");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  RegionSet regions = RegionSet::of_names();
  fuzz::refuses([&] {
    for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
      add_region(std::string(text.substr(at, text.find('\n', at) - at)), regions);
    }
  });
  check(regions);
  const fuzz::MemoryFile file(text);
  fuzz::refuses([&] { add_bed(file.path(), AbsentRecord::warned, regions); });
  check(regions);
  fuzz::refuses([&] { check(Annotation::read(file.path())); });
  return 0;
}
