// Regions: --region and BED. One that is printed is read as it was.
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
  fuzz::refuses([&] { add_bed(file.path(), regions); });
  check(regions);
  return 0;
}
