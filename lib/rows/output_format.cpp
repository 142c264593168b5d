#include "lib/rows/output_format.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/word_list.hpp"

namespace basesweep {
namespace {

struct KnownFormat {
  OutputFormat format;
  const char* word;
  const char* noun;  // in messages
  std::vector<std::string> endings;
  std::vector<std::string> other_endings{};  // that messages do not name
};

const std::vector<KnownFormat>& known_formats() {
  static const std::vector<KnownFormat> formats = {{OutputFormat::bed, "bed", "BED", {"bed"}},
                                                   {OutputFormat::tsv, "tsv", "TSV", {"tsv"}},
                                                   {OutputFormat::csv, "csv", "CSV", {"csv"}},
                                                   {OutputFormat::jsonl, "jsonl", "JSON lines", {"jsonl"}, {"ndjson"}},
                                                   {OutputFormat::fimo, "fimo", "FIMO's TSV", {}},
                                                   {OutputFormat::mageck, "mageck", "MAGeCK's table", {"txt"}},
                                                   {OutputFormat::gff3, "gff3", "GFF3", {"gff3", "gff"}},
                                                   {OutputFormat::fasta, "fasta", "FASTA", {"fa", "fasta", "fna"}},
                                                   {OutputFormat::fastq, "fastq", "FASTQ", {"fq", "fastq"}},
                                                   {OutputFormat::sam, "sam", "SAM", {"sam"}},
                                                   {OutputFormat::bam, "bam", "BAM", {"bam"}},
                                                   {OutputFormat::cram, "cram", "CRAM", {"cram"}},
                                                   {OutputFormat::counts, "count", "counts", {"tsv", "txt"}},
                                                   {OutputFormat::report, "report", "a report", {"json"}},
                                                   {OutputFormat::plan, "plan", "a plan", {"tsv", "txt", "plan"}},
                                                   {OutputFormat::twobit, "2bit", ".2bit", {"2bit"}},
                                                   {OutputFormat::compiled, "compiled", "a compiled set", {"bsx"}},
                                                   {OutputFormat::part, "part", "a part", {"bsp"}}};
  return formats;
}

const KnownFormat& describe(OutputFormat format) {
  return *std::find_if(known_formats().begin(), known_formats().end(),
                       [format](const KnownFormat& known) { return known.format == format; });
}

bool has(const KnownFormat& format, const std::string& ending) {
  const auto in = [&ending](const std::vector<std::string>& endings) {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
  };
  return in(format.endings) || in(format.other_endings);
}

bool is_known(const std::string& ending) {
  // Formats of other programs whose endings have a digit or many letters.
  constexpr std::array kOthers{"bz2", "lz4", "7z", "gff2", "jsonlines", "parquet", "feather", "bigbed"};
  return std::find(kOthers.begin(), kOthers.end(), ending) != kOthers.end() ||
         std::any_of(known_formats().begin(), known_formats().end(),
                     [&ending](const KnownFormat& format) { return has(format, ending); });
}

// The text after the last dot of the file's name, in lower case; "" when that is not an ending.
std::string ending_of(std::string_view path) {
  constexpr std::size_t kMaxLetters = 5;
  const std::string_view name = file_name(path);
  if (name.find('.') == std::string_view::npos) return "";
  const std::string ending = lower_case(std::string(name.substr(name.rfind('.') + 1)));
  const bool letters = std::all_of(ending.begin(), ending.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return (letters && ending.size() <= kMaxLetters) || is_known(ending) ? ending : "";
}

std::string ending_before_gz(const std::string& path) {
  constexpr std::size_t kGzBytes = 3;
  return ending_of(ends_in_gz(path) ? path.substr(0, path.size() - kGzBytes) : path);
}

// Whether the output exists and is not a regular file.
bool is_stream(const std::string& path) {
  struct stat status {};
  return path == "-" || (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

bool is_compressed(OutputFormat format) {
  return format == OutputFormat::bam || format == OutputFormat::cram || format == OutputFormat::twobit ||
         format == OutputFormat::compiled || format == OutputFormat::part;
}

// Throws UsageError for a name with a placeholder in braces.
void refuse_placeholder(const std::string& path) {
  const std::string_view name = file_name(path);
  const std::size_t open = name.find('{');
  const std::size_t close = open == std::string_view::npos ? open : name.find('}', open);
  if (close == std::string_view::npos) return;
  throw UsageError(
      fmt::format("{}: nothing is put in for {}, so the file would have it in its name: leave the braces out", path,
                  name.substr(open, close + 1 - open)));
}

[[noreturn]] void refuse(const std::string& path, const std::string& ending, std::span<const OutputFormat> formats,
                         bool has_option) {
  std::vector<std::string> endings;
  for (const OutputFormat format : formats) {
    for (const std::string& one : describe(format).endings) endings.push_back("." + one);
  }
  const std::string names = list_words(endings, "or");
  if (formats.size() == 1) {
    throw UsageError(
        fmt::format("{}: the output is {}, not .{}: name the file {}", path, describe(formats[0]).noun, ending, names));
  }
  throw UsageError(fmt::format("{}: this command cannot write .{}: name the file {}{}", path, ending, names,
                               has_option ? ", or choose with --format" : ""));
}

}  // namespace

std::vector<OutputFormat> with_tables(std::initializer_list<OutputFormat> formats) {
  std::vector<OutputFormat> all;
  for (const OutputFormat format : formats) {
    if (format == OutputFormat::tsv) {
      all.insert(all.end(), kTableFormats.begin(), kTableFormats.end());
    } else {
      all.push_back(format);
    }
  }
  return all;
}

const char* word_of(OutputFormat format) { return describe(format).word; }

std::optional<OutputFormat> format_of_word(std::string_view word) {
  for (const KnownFormat& known : known_formats()) {
    if (word == known.word) return known.format;
  }
  return std::nullopt;
}

const char* noun_of(OutputFormat format) { return describe(format).noun; }

std::string list_tables(std::string_view last) {
  std::vector<std::string> nouns;
  for (const OutputFormat format : kTableFormats) nouns.emplace_back(noun_of(format));
  return list_words(nouns, last);
}

bool ends_in_gz(std::string_view path) { return ending_of(path) == "gz"; }

std::optional<OutputFormat> format_of_name(const std::string& path, std::span<const OutputFormat> formats,
                                           bool has_option) {
  if (is_stream(path)) return std::nullopt;
  refuse_placeholder(path);
  const bool gz = ends_in_gz(path);
  const std::string ending = ending_before_gz(path);
  if (ending.empty()) return std::nullopt;
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&ending](OutputFormat format) { return has(describe(format), ending); });
  if (found == formats.end()) refuse(path, ending, formats, has_option);
  if (gz && is_compressed(*found)) {
    throw UsageError(
        fmt::format("{}: {} is already compressed: name the file .{}", path, describe(*found).noun, ending));
  }
  return *found;
}

bool names_another_format(const std::string& path, std::string_view word) {
  if (is_stream(path)) return false;
  const std::string ending = ending_before_gz(path);
  if (ending.empty() || !is_known(ending)) return false;
  return std::none_of(known_formats().begin(), known_formats().end(), [&](const KnownFormat& format) {
    return word == format.word && (has(format, ending) || (format.format == OutputFormat::fimo && ending == "tsv"));
  });
}

void check_output_name(const std::string& path) {
  if (is_stream(path)) return;
  refuse_placeholder(path);
  constexpr std::array<std::string_view, 12> kCompressed{"zst", "zstd", "bz2", "xz", "lz4", "lzma",
                                                         "lz",  "br",   "zip", "7z", "rar", "z"};
  const std::string_view name = file_name(path);
  const std::string ending = lower_case(
      std::string(name.substr(name.find('.') == std::string_view::npos ? name.size() : name.rfind('.') + 1)));
  if (std::find(kCompressed.begin(), kCompressed.end(), ending) == kCompressed.end()) return;
  throw UsageError(
      fmt::format("{}: this program cannot write .{}: name the file .gz, which is compressed, or without .{}", path,
                  ending, ending));
}

}  // namespace basesweep
