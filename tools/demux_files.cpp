#include "tools/demux_files.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

namespace fs = std::filesystem;

// Of a sheet that parts hold, lines are not known.
std::string at_line(std::size_t line, std::string_view before) {
  return line == 0 ? "" : fmt::format("{}line {}", before, line);
}

// `first` and `second`: of the samples; the last number may be that of the reads of none.
DataError equal_files(const SampleSheet& sheet, std::size_t first, std::size_t second, const std::string& file) {
  const std::vector<SheetSample>& samples = sheet.samples;
  const bool none = second == samples.size();
  const SheetSample& sample = samples[none ? first : second];
  const std::string other =
      none ? "no sample" : fmt::format("'{}'{}", samples[first].name, at_line(samples[first].line, ", "));
  return DataError(
      fmt::format("{}{}: reads of the sample '{}' would be written to {}, and so would those of {}: rename the sample, "
                  "or name files otherwise, as by --name '{{sample}}.reads'",
                  sheet.path, at_line(sample.line, ": "), sample.name, file, other));
}

}  // namespace

void check_sample_files(const SampleSheet& sheet, const SampleFiles& files) {
  std::unordered_map<std::string_view, std::size_t> owners;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const std::string& name : files[i]) {
      const auto [known, is_new] = owners.try_emplace(name, i);
      if (!is_new) throw equal_files(sheet, known->second, i, name);
    }
  }
}

void check_folder(const std::string& folder, const SampleFiles& files, const OtherFiles& others, bool replace) {
  std::vector<std::string> names{"summary.tsv", "reasons.tsv"};
  for (const std::vector<std::string>& of_sample : files) names.insert(names.end(), of_sample.begin(), of_sample.end());
  refuse_in_folder(others.written, folder, names);
  std::error_code failed;  // opening the file reports the error
  for (const std::string& name : names) {
    const fs::path path = fs::path(folder) / name;
    if (!fs::exists(path, failed)) continue;
    for (const std::string& input : others.read) {
      if (fs::equivalent(path, input, failed))
        throw UsageError(fmt::format("{}: the same file is input and output", path.string()));
    }
    if (!replace) throw UsageError(fmt::format("{} is there already: --force replaces such files", path.string()));
  }
}

}  // namespace basesweep
