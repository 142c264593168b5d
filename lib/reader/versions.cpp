#include "lib/reader/versions.hpp"

#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <htslib/hts.h>
#include <isa-l.h>
#include <tbb/version.h>

#include <nlohmann/json.hpp>
#include <seqan3/version.hpp>

namespace basesweep {

std::vector<LibraryVersion> library_versions() {
  const auto dotted = [](int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); };
  std::string hts = hts_version();
  if ((hts_features() & HTS_FEATURE_LIBDEFLATE) != 0) hts += " with libdeflate";
  return {{"glibc", gnu_get_libc_version(), true},
          {"HTSlib", hts, true},
          {"oneTBB", TBB_runtime_version(), true},
          {"ISA-L", dotted(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION), false},
          {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100), false},
          {"SeqAn", seqan3::seqan3_version_cstring, false},
          {"nlohmann-json",
           dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH), false}};
}

}  // namespace basesweep
