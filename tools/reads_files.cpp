#include "tools/reads_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

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

void check_reads_files(const SearchJobOptions& o, Reader& reader) {
  if (!o.writes_reads()) return;
  const std::optional<Format> format = reader.format();
  if (!format) return;
  if (format == Format::twobit)
    throw UsageError(
        "--matching-reads and --other-reads write records as they are, which .2bit cannot be: convert it to FASTA");
  for (const std::string& path : {o.matching_reads, o.other_reads}) check_reads_file(path, *format);
}

}  // namespace basesweep
