#include "lib/api/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/same_file.hpp"

namespace basesweep {
namespace {

OutputFormat format_of(const std::string& path, const FileOptions& options, std::span<const OutputFormat> formats) {
  if (options.format.empty()) {
    const bool table = std::find(formats.begin(), formats.end(), OutputFormat::tsv) != formats.end();
    return format_of_name(path, formats, false).value_or(table ? OutputFormat::tsv : formats.front());
  }
  check_output_name(path);
  const std::optional<OutputFormat> format = format_of_word(options.format);
  if (format && std::find(formats.begin(), formats.end(), *format) != formats.end()) return *format;
  std::vector<std::string> words;
  for (const OutputFormat one : formats) words.emplace_back(word_of(one));
  throw UsageError(fmt::format("format '{}' is none of: {}", options.format, fmt::join(words, ", ")));
}

}  // namespace

ResultFile::ResultFile(const std::string& path, const FileOptions& options, std::span<const OutputFormat> formats,
                       const std::vector<std::string>& read, int threads)
    : format_(format_of(path, options, formats)) {
  refuse_read_and_written(read, path);
  refuse_read_and_written({options.cram_reference}, path);
  if (!options.columns.empty() && !is_table(format_)) {
    throw UsageError(fmt::format("{} has no columns to choose; {} have", noun_of(format_), list_tables("and")));
  }
  if (format_ == OutputFormat::cram) {
    cram_.emplace(path, threads, options.cram_reference);
  } else {
    const auto compression = format_ == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name;
    file_.emplace(path, threads, compression);
  }
}

void ResultFile::commit() { cram_ ? cram_->file().commit() : file_->commit(); }

std::unique_ptr<Formatter> make_sam(std::shared_ptr<const SamRows> rows, OutputFormat format,
                                    const std::vector<std::string>& files, CircularRecords circular) {
  return make_sam_formatter(std::move(rows), {.binary = format != OutputFormat::sam,
                                              .circular = std::move(circular),
                                              .path = files.size() == 1 ? files.front() : ""});
}

}  // namespace basesweep
