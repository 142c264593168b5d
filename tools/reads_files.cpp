#include "tools/reads_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// Throws UsageError if the name of a file for records says that it holds another format than the input.
void check_reads_file(const std::string& path, Format format) {
  constexpr std::array<std::string_view, 7> kFasta{"fa", "fasta", "fna", "fas", "ffn", "frn", "mfa"};
  constexpr std::array<std::string_view, 2> kFastq{"fq", "fastq"};
  constexpr std::array<std::string_view, 8> kOther{"sam", "bam", "cram", "bed", "tsv", "gff", "gff3", "json"};
  std::string name = std::filesystem::path(path).filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::size_t dot = name.find_last_of('.');
  const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto in = [&ending](const auto& words) { return std::find(words.begin(), words.end(), ending) != words.end(); };
  const bool fastq = format == Format::fastq;
  if (in(kOther) || (fastq ? in(kFasta) : in(kFastq))) {
    throw UsageError(fmt::format("{}: records are written as they are, which is {}; name the file .{}", path,
                                 fastq ? "FASTQ" : "FASTA", fastq ? "fq" : "fa"));
  }
}

}  // namespace

void add_record_files(CLI::App& command, SearchJobOptions& o) {
  add_texts(
      command, "--matching-reads", "FILE", o.matching_reads,
      "Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given "
      "twice: first mates to the first file, second mates to the second",
      {.kept = false});
  add_texts(command, "--other-reads", "FILE", o.other_reads,
            "Write the other records, those without a hit, to this file; of pairs, those that do not match; it may be "
            "given twice too",
            {.kept = false});
}

OptionRow<SearchJobOptions> pairs_option() {
  OptionRow<SearchJobOptions> row{
      "--pairs", [](CLI::App& command, SearchJobOptions& o) {
        add_words(
            command, "--pairs", {"any", "both"}, 2,
            [&o](std::size_t word) { o.pairs = word == 0 ? PairChoice::any : PairChoice::both; },
            "Which pairs --matching-reads writes: those of which any mate has a hit (default), or both mates "
            "have one");
      }};
  row.key = "pairs";
  row.always = false;
  row.value = [](const SearchJobOptions& o) {
    if (!o.has_pairs()) return ParameterValue();
    return ParameterValue(o.pairs == PairChoice::both ? "both" : "any");
  };
  return row;
}

WrittenFiles record_files(const SearchJobOptions& o) {
  WrittenFiles files;
  for (const std::string& path : o.matching_reads) files.emplace_back("--matching-reads", path);
  for (const std::string& path : o.other_reads) files.emplace_back("--other-reads", path);
  return files;
}

void check_record_files(const SearchJobOptions& o) {
  const WrittenFiles files = record_files(o);
  if (!files.empty()) {
    const char* const option = files.front().first;
    const char* const other = o.max_hits        ? "--max-hits"
                              : o.regions.any() ? "--region"
                              : !o.is_chunk()   ? nullptr
                                                : "--chunk";
    if (other != nullptr) {
      throw UsageError(fmt::format("{} and {} conflict: the records must be searched whole", option, other));
    }
  }
  for (const auto& [option, paths] :
       {std::pair("--matching-reads", &o.matching_reads), {"--other-reads", &o.other_reads}}) {
    if (paths->size() > 2) throw UsageError(fmt::format("{} is given more than twice", option));
    if (paths->size() == 2 && !o.reads_pairs()) {
      throw UsageError(fmt::format(
          "{} is given twice, which is for pairs: first mates, then second mates (-1 and -2, or --interleaved)",
          option));
    }
  }
  if (o.pairs && !o.writes_reads()) throw UsageError("--pairs needs --matching-reads or --other-reads");
}

void refuse_reads(const SearchJobOptions& o) {
  if (o.format || o.is_chunk()) return;
  std::string_view name = o.output;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  if (!name.ends_with(".fq") && !name.ends_with(".fastq")) return;
  check_output_name(o.output);  // which may be wrong for another reason
  throw UsageError(fmt::format(
      "-o {0}: hits are not FASTQ; --matching-reads {0} writes the reads that have one, and -o names the file of hits",
      o.output));
}

void check_reads_files(const SearchJobOptions& o, FileSource& reader) {
  if (!o.writes_reads()) return;
  const std::optional<Format> format = reader.format();
  if (!format) return;
  if (format == Format::twobit)
    throw UsageError(
        "--matching-reads and --other-reads write records as they are, which .2bit cannot be: convert it to FASTA");
  for (const auto& [option, path] : record_files(o)) check_reads_file(path, *format);
  if (o.reads_pairs()) return;
  const SourceInfo& first = reader.sources().front();
  if (!first.alignments || !first.alignments->paired.value_or(false)) return;
  warner(o)(fmt::format(
      "{}: its reads are pairs (FLAG 1), but are searched and written singly; with --pairs any or both, mates "
      "stay together (they must be next to each other: 'samtools collate')",
      first.path));
}

}  // namespace basesweep
