#include "tools/count_samples.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/whole_text.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

template <std::size_t N>
void drop_ending(std::string_view& name, const std::array<std::string_view, N>& endings) {
  for (const std::string_view ending : endings) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    return;
  }
}

std::string name_of_file(const std::string& path) {
  if (path == "-") return "stdin";
  std::string_view name = is_url(path) ? file_name(std::string_view(path).substr(0, path.find('?'))) : file_name(path);
  drop_ending(name, std::array<std::string_view, 6>{".gz", ".bgz", ".bgzf", ".zst", ".bz2", ".xz"});
  drop_ending(name, std::array<std::string_view, 8>{".fastq", ".fq", ".fasta", ".fa", ".fna", ".bam", ".sam", ".cram"});
  return std::string(name);
}

// The name of a pair of files: that of the first without its "_1", "_R1" or "_R1_001", if the second differs in the
// number alone.
std::string name_of_pair(const std::string& first, const std::string& second) {
  const std::string one = name_of_file(first);
  const std::string two = name_of_file(second);
  for (const std::string_view tail : {"", "_001"}) {
    for (const std::string_view tag : {"_R1", ".R1", "-R1", "_r1", "_1", ".1", "-1"}) {
      const std::string ending = std::string(tag) + std::string(tail);
      std::string of_second = ending;
      of_second[tag.size() - 1] = '2';
      if (one.size() <= ending.size() || !one.ends_with(ending)) continue;
      const std::string name = one.substr(0, one.size() - ending.size());
      if (two == name + of_second) return name;
    }
  }
  return one;
}

std::vector<std::string> given_names(const CountOptions& o) {
  if (o.samples_file.empty()) return o.samples;
  std::vector<std::string> names;
  const std::string text = read_all(o.samples_file);
  for_each_line(text, [&](std::string_view line, std::size_t) {
    line = trimmed(line, " \t");
    if (!line.empty()) names.emplace_back(line);
  });
  return names;
}

void check_name(const std::string& name, const std::string& origin) {
  if (name.empty()) throw UsageError(fmt::format("{}: a sample needs a name", origin));
  if (!name_fault(name, NameRule::text).empty()) {
    throw UsageError(
        fmt::format("{}: sample '{}': a name may not hold control characters, such as tabs", origin, printable(name)));
  }
}

}  // namespace

CountSamples find_samples(const CountOptions& o) {
  const std::vector<std::string>& files = o.first_mates.empty() ? o.inputs : o.first_mates;
  const bool given = !o.samples.empty() || !o.samples_file.empty();
  std::vector<std::string> names = given_names(o);
  const std::string origin = o.samples_file.empty() ? "--sample" : "--samples " + o.samples_file;
  if (given && names.size() != files.size()) {
    throw UsageError(fmt::format(
        "{}: {} for {}: expected one for each", origin, counted(names.size(), "name"),
        o.first_mates.empty() ? counted(files.size(), "file") : counted(files.size(), "pair") + " of files"));
  }
  for (std::size_t i = 0; !given && i < files.size(); ++i) {
    names.push_back(o.first_mates.empty() ? name_of_file(files[i]) : name_of_pair(files[i], o.second_mates[i]));
  }
  CountSamples samples;
  std::unordered_map<std::string, std::uint32_t> numbers;  // of the samples
  for (std::size_t i = 0; i < files.size(); ++i) {
    check_name(names[i], given ? origin : input_name(files[i]));
    const auto [known, fresh] = numbers.try_emplace(names[i], static_cast<std::uint32_t>(samples.names.size()));
    if (!fresh && !given) {
      throw UsageError(
          fmt::format("{}: another file would be sample '{}' too: name the samples with --sample, with "
                      "the same name twice to add the files up",
                      input_name(files[i]), names[i]));
    }
    samples.of_inputs.push_back(known->second);
    if (fresh) samples.names.push_back(names[i]);
  }
  return samples;
}

}  // namespace basesweep
