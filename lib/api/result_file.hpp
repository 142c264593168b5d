// The file that a call writes its results to.
#pragma once

#include <basesweep/batch.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/rows/output_format.hpp"
#include "lib/rows/rows.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/cram_sink.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {

// Appears when it is complete.
class ResultFile {
 public:
  // `formats`: those that the results have. `read`: files that are read, which cannot be written too. Throws UsageError
  // for another format and for columns of one without them, IoError, and what CramFile throws.
  ResultFile(const std::string& path, const FileOptions& options, std::span<const OutputFormat> formats,
             const std::vector<std::string>& read, int threads);

  OutputFormat format() const { return format_; }
  ByteSink& sink() { return cram_ ? static_cast<ByteSink&>(*cram_) : *file_; }
  // Gives the file its name. Throws IoError.
  void commit();

 private:
  const OutputFormat format_;
  std::optional<OutputFile> file_;  // one of both
  std::optional<CramSink> cram_;
};

// The columns of a table.
inline LineOptions lines_of(const FileOptions& options, CircularRecords circular = {}) {
  return {.columns = {.only = options.columns}, .circular = std::move(circular)};
}

// A formatter of SAM or BAM, with @PG but without the options of the call. `files`: the names of the inputs.
std::unique_ptr<Formatter> make_sam(std::shared_ptr<const SamRows> rows, OutputFormat format,
                                    const std::vector<std::string>& files, CircularRecords circular = {});

}  // namespace basesweep
