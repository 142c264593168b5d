#include "tools/outputs.hpp"

#include "lib/writer/cram_sink.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/part_output.hpp"

namespace basesweep {

class Outputs::File {
 public:
  File(std::string option, std::string path, const OutputForm& form, OutputCompression compression, int threads)
      : option_(std::move(option)), path_(std::move(path)), index_kind_(form.index) {
    if (form.format == OutputFormat::cram) {
      cram_.emplace(path_, threads, form.cram_reference);
    } else {
      file_.emplace(path_, threads, compression);
    }
  }

  const std::string& option() const { return option_; }
  const std::string& path() const { return path_; }
  ByteSink& sink() { return cram_ ? static_cast<ByteSink&>(*cram_) : *file_; }

  // Puts everything on the disk, and makes the index.
  void finish() {
    cram_ ? cram_->file().finish() : file_->finish();
    if (index_kind_) {
      index_.emplace(cram_ ? cram_->file().written_to() : file_->written_to(), path_, *index_kind_);
    }
  }
  void commit() {
    if (index_) index_->remove_outdated();
    cram_ ? cram_->file().commit() : file_->commit();
    if (index_) index_->place();
  }

 private:
  const std::string option_;
  const std::string path_;
  const std::optional<HitFile> index_kind_;
  std::optional<OutputFile> file_;  // one of both
  std::optional<CramSink> cram_;
  std::optional<HitIndex> index_;
};

Outputs::Outputs(int threads) : threads_(threads) {}

Outputs::~Outputs() = default;

ByteSink& Outputs::add(const std::string& option, const std::string& path, const OutputForm& form) {
  const auto compression = form.format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name;
  files_.push_back(std::make_unique<File>(option, path, form, compression, threads_));
  return files_.back()->sink();
}

PartOutput& Outputs::add_part(const std::string& path, const PartHead& head) {
  files_.push_back(std::make_unique<File>("--output", path, OutputForm(), OutputCompression::binary, threads_));
  part_ = std::make_unique<PartOutput>(files_.back()->sink(), head);
  return *part_;
}

std::vector<std::pair<std::string, std::string>> Outputs::names() const {
  std::vector<std::pair<std::string, std::string>> names;
  names.reserve(files_.size());
  for (const auto& file : files_) names.emplace_back(file->option(), file->path());
  return names;
}

void Outputs::commit() {
  for (const auto& file : files_) file->finish();  // all are on the disk before any gets its name
  for (const auto& file : files_) file->commit();
}

}  // namespace basesweep
