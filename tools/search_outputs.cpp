#include "tools/search_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

// The kind of index that --write-index makes. Throws UsageError if the output cannot be indexed.
HitFile indexed_file(const SearchJobOptions& o, OutputFormat format, bool is_part) {
  if (is_part) throw UsageError("--write-index and --chunk conflict: give it to 'basesweep merge'");
  const auto gz = [&o] { return ends_in_gz(o.output); };
  if (!o.count && o.output != "-") {
    if (format == OutputFormat::bam) return HitFile::bam;
    if (format == OutputFormat::bed && gz()) return HitFile::bed;
    if (format == OutputFormat::tsv && gz() && !o.shown.any()) return HitFile::tsv;
    if (format == OutputFormat::gff3 && gz()) return HitFile::gff3;
    if (format == OutputFormat::sam && gz()) return HitFile::sam;
  }
  throw UsageError(
      "--write-index needs a file of hits that is BAM, or BED, TSV with its usual columns, GFF3 or SAM with a name "
      "that ends in .gz");
}

OutputCompression compression(const SearchJobOptions& o, OutputFormat format, bool is_part) {
  if (is_part) return OutputCompression::binary;
  return !o.count && format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name;
}

}  // namespace

void check_reads_files(const SearchJobOptions& o, Reader& reader) {
  if (!o.writes_reads()) return;
  const std::optional<Format> format = reader.format();
  if (!format) return;
  if (format == Format::twobit)
    throw UsageError(
        "--matching-reads and --other-reads write records as they are, which .2bit cannot be: convert it to FASTA");
  for (const std::string& path : {o.matching_reads, o.other_reads}) check_reads_file(path, *format);
}

SearchOutputs::SearchOutputs(const SearchJobOptions& o, OutputFormat format, const std::optional<PartHead>& part,
                             Run& run)
    : options_(o),
      threads_(run.threads()),
      index_(o.write_index ? std::optional(indexed_file(o, format, part.has_value())) : std::nullopt),
      output_(o.output, run.compression(), compression(o, format, part.has_value())) {
  run.open_report();
  if (!o.matching_reads.empty()) matching_reads_.emplace(o.matching_reads, run.compression());
  if (!o.other_reads.empty()) other_reads_.emplace(o.other_reads, run.compression());
  if (part) part_.emplace(output_, *part);
}

void SearchOutputs::commit() {
  std::vector<OutputFile*> files = {&output_};
  for (auto* reads : {&matching_reads_, &other_reads_}) {
    if (*reads) files.push_back(&**reads);
  }
  finish_files(files, threads_);  // all files are on the disk before any gets its name
  std::optional<HitIndex> index;
  if (index_) index.emplace(output_.written_to(), options_.output, *index_);
  if (index) index->remove_outdated();
  commit_files(files, threads_);
  if (index) index->place();
}

}  // namespace basesweep
