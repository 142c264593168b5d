#include "lib/reader/versions.hpp"

#include <bzlib.h>
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <htslib/hts.h>
#include <isa-l.h>
#include <lzma.h>
#include <tbb/version.h>
#include <zstd.h>

#include <nlohmann/json.hpp>

#include "lib/reader/url_file.hpp"

namespace basesweep {

std::vector<LibraryVersion> library_versions() {
  const auto dotted = [](int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); };
  std::string hts = hts_version();
  if ((hts_features() & HTS_FEATURE_LIBDEFLATE) != 0) hts += " with libdeflate";
  hts += reads_urls() ? ", reads URLs by libcurl" : ", reads no URLs: built without libcurl, or its plugin is missing";
  const std::string bzip2 = BZ2_bzlibVersion();  // "1.0.8, 13-Jul-2019"
  return {{"glibc", gnu_get_libc_version(), true},
          {"HTSlib", hts, true},
          {"oneTBB", TBB_runtime_version(), true},
          {"ISA-L", dotted(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION), false},
          {"libzstd", ZSTD_versionString(), true},
          {"libbz2", bzip2.substr(0, bzip2.find(',')), true},
          {"liblzma", lzma_version_string(), true},
          {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100), false},
          {"nlohmann-json",
           dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH), false}};
}

}  // namespace basesweep
