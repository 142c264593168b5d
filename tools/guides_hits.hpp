// The file of --hits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/writer/cram_sink.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/guides_options.hpp"

namespace basesweep {

// Takes the places in the format of the file's name; CRAM as BAM.
class GuideHitsFile final : public ByteSink {
 public:
  // Throws as OutputFile and CramFile.
  GuideHitsFile(const GuidesOptions& options, const std::shared_ptr<CompressionPool>& pool);

  void write(std::string_view bytes) override { sink().write(bytes); }
  // Puts everything on the disk, and makes the index that --write-index asks for. Throws IoError.
  void finish();
  // Gives the files their names. Throws IoError.
  void commit();

 private:
  ByteSink& sink() { return cram_ ? static_cast<ByteSink&>(*cram_) : *file_; }

  const std::string path_;
  const std::optional<HitFile> indexed_;
  std::optional<OutputFile> file_;
  std::optional<CramSink> cram_;
  std::optional<HitIndex> index_;
};

}  // namespace basesweep
