#include "tools/format_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/word_list.hpp"

namespace basesweep {
namespace {

struct FormatOption {
  const char* name;
  std::vector<OutputFormat> formats;
  const char* advice = "";  // with --count
};

const std::vector<FormatOption>& all_options() {
  using enum OutputFormat;
  static const std::vector<FormatOption> options = {
      {"--flank", with_tables({tsv, fasta})},
      {"--with-file", with_tables({tsv, gff3, fasta}), ": use --per-file"},
      {"--edit-columns", with_tables({tsv})},
      {"--aligned", with_tables({tsv})},
      {"--sequence", {fasta}},
      {"--eqx", {sam, bam}},
      {"--no-PG", {sam, bam, cram}},
      {"--read-group", {sam, bam, cram}},
  };
  return options;
}

const FormatOption* find_option(std::string_view name) {
  const auto found = std::find_if(all_options().begin(), all_options().end(),
                                  [name](const FormatOption& option) { return option.name == name; });
  return found == all_options().end() ? nullptr : &*found;
}

}  // namespace

bool has_room(OutputFormat format, std::string_view option, std::string_view value) {
  if (option == "--columns") {
    constexpr std::array kWithMore{OutputFormat::bed, OutputFormat::gff3, OutputFormat::fasta};
    const bool adds = value.starts_with('+');
    return is_table(format) || format == OutputFormat::counts ||
           (adds && std::find(kWithMore.begin(), kWithMore.end(), format) != kWithMore.end());
  }
  const FormatOption* const known = find_option(option);
  return known == nullptr || std::find(known->formats.begin(), known->formats.end(), format) != known->formats.end();
}

void check_format_options(const std::function<bool(const std::string& option)>& is_given, OutputFormat format) {
  for (const FormatOption& option : all_options()) {
    if (!is_given(option.name) || has_room(format, option.name, "")) continue;
    if (format == OutputFormat::counts)
      throw UsageError(fmt::format("{} and --count conflict{}", option.name, option.advice));
    std::vector<std::string> nouns;
    std::vector<std::string> words;
    for (const OutputFormat one : option.formats) {
      nouns.emplace_back(noun_of(one));
      words.emplace_back(word_of(one));
    }
    throw UsageError(fmt::format("{} needs {} output: use --format {}", option.name, list_words(nouns, "or"),
                                 list_words(words, "or")));
  }
}

}  // namespace basesweep
