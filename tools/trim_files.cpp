#include "tools/trim_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

constexpr std::array kFormats{OutputFormat::fastq, OutputFormat::fasta, OutputFormat::sam, OutputFormat::bam};

}  // namespace

void add_trim_files(CLI::App& command, TrimArguments& o) {
  begin_group(command, group::kOutput);
  add_text(command, "-o,--output", "FILE", o.output,
           "Output file; its ending chooses the format: .fq, .fastq, .fa, .fasta, .sam, .bam, and .gz after them; - is "
           "stdout (default), which gets the format of the input (BAM if that is CRAM)",
           {.kept = false, .in_merge = ""});
  add_format_option(command, o.format, kFormats, "Output format (default: from the output's name, else as the input)");
  const OptionRules of_files{.kept = false, .in_merge = ""};
  add_text(command, "-p,--paired-output", "FILE", o.second_output,
           "Output file of second mates; without it, mates are written by turns", of_files);
  const auto add_pair = [&](const char* names, const char* second, std::string(&files)[2], const char* help) {
    add_text(command, names, "FILE", files[0], help, of_files);
    add_text(command, second, "FILE", files[1], "The same of second mates", of_files);
  };
  add_pair("--untrimmed-output", "--untrimmed-paired-output", o.untrimmed,
           "Write reads without adapter to this file, not to -o");
  add_pair("--too-short-output", "--too-short-paired-output", o.too_short,
           "Write reads that are too short (-m) to this file");
  add_pair("--too-long-output", "--too-long-paired-output", o.too_long,
           "Write reads that are too long (-M) to this file");
  add_read_table_option(command, o.table);
}

WrittenFiles trim_written_files(const TrimArguments& o) {
  return {{"--paired-output", o.second_output},          {"--untrimmed-output", o.untrimmed[0]},
          {"--untrimmed-paired-output", o.untrimmed[1]}, {"--too-short-output", o.too_short[0]},
          {"--too-short-paired-output", o.too_short[1]}, {"--too-long-output", o.too_long[0]},
          {"--too-long-paired-output", o.too_long[1]},   {"--table", o.table}};
}

void check_trim_files(const TrimArguments& o) {
  if (o.is_chunk()) check_chunk_output(o);
  for (const auto& [option, files] :
       {std::pair("--untrimmed", &o.untrimmed), {"--too-short", &o.too_short}, {"--too-long", &o.too_long}}) {
    if ((*files)[0].empty() && !(*files)[1].empty())
      throw UsageError(fmt::format("{0}-paired-output needs {0}-output for first mates", option));
  }
}

void check_trim_merge(TrimArguments& o, const ReadsQuery& query, const PartSet& parts) {
  if (o.output.empty()) o.output = "-";
  check_trim_files(o);
  check_reads_merge(o, query, parts, trim_written_files(o));
}

const std::array<const char*, 2>& trim_file_options(TrimReason reason) {
  static constexpr std::array<const char*, 2> kWritten{"--output", "--paired-output"};
  static constexpr std::array<const char*, 2> kUntrimmed{"--untrimmed-output", "--untrimmed-paired-output"};
  static constexpr std::array<const char*, 2> kTooShort{"--too-short-output", "--too-short-paired-output"};
  static constexpr std::array<const char*, 2> kTooLong{"--too-long-output", "--too-long-paired-output"};
  switch (reason) {
    case TrimReason::untrimmed: return kUntrimmed;
    case TrimReason::too_short: return kTooShort;
    case TrimReason::too_long: return kTooLong;
    default: return kWritten;
  }
}

std::vector<TrimDestination> trim_destinations(const TrimArguments& o) {
  std::vector<TrimDestination> all;
  const auto add = [&all](TrimReason reason, const std::string& first, const std::string& second) {
    if (!first.empty()) all.push_back({reason, trim_file_options(reason), {first, second}});
  };
  add(TrimReason::written, o.output, o.second_output);
  add(TrimReason::untrimmed, o.untrimmed[0], o.untrimmed[1]);
  add(TrimReason::too_short, o.too_short[0], o.too_short[1]);
  add(TrimReason::too_long, o.too_long[0], o.too_long[1]);
  return all;
}

std::optional<OutputFormat> choose_trim_format(const TrimArguments& o) {
  return o.is_chunk() ? o.format : choose_format(o, kFormats);
}

void check_trim_names(const TrimArguments& o, OutputFormat format) {
  if (o.format) return;
  for (const TrimDestination& files : trim_destinations(o)) {
    for (std::size_t i = 0; i < 2; ++i) {
      const bool is_part = o.is_chunk() && i == 0 && files.reason == TrimReason::written;
      if (files.paths[i].empty() || is_part) continue;
      const std::optional<OutputFormat> named = format_of_name(files.paths[i], kFormats);
      if (named && *named != format) {
        throw UsageError(fmt::format("{} {}: all files of reads have one format, which is {}", files.options[i],
                                     files.paths[i], word_of(format)));
      }
    }
  }
}

void check_trim_reasons(const TrimArguments& o, const ReadsQuery& query, const std::vector<TrimReason>& reasons) {
  const std::vector<TrimDestination> given = trim_destinations(o);
  for (const TrimDestination& one : given) {
    if (std::find(reasons.begin(), reasons.end(), one.reason) == reasons.end())
      throw UsageError(fmt::format("{}: the chunks did not keep these reads: run them with it", one.options[0]));
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const std::array<const char*, 2>& options = trim_file_options(reasons[i]);
    if (i == given.size() || given[i].reason != reasons[i])
      throw UsageError(fmt::format("the chunks have reads for {}: give it here too", options[0]));
    const bool apart = !given[i].paths[1].empty();
    if (apart == query.files.mates_apart[i]) continue;
    throw UsageError(apart ? fmt::format("{}: the chunks have mates by turns: run them with it", options[1])
                           : fmt::format("the chunks have second mates for {}: give it here too", options[1]));
  }
}

}  // namespace basesweep
