#include "tools/outputs.hpp"

#include "lib/writer/cram_sink.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/part_output.hpp"

namespace basesweep {

class Outputs::File {
 public:
  File(std::string option, std::string path, const OutputForm& form, OutputCompression compression,
       const std::shared_ptr<CompressionPool>& pool, std::optional<int> level)
      : option_(std::move(option)), path_(std::move(path)), index_kind_(form.index) {
    if (form.format == OutputFormat::cram) {
      cram_.emplace(path_, pool->threads(), form.cram_reference);
    } else {
      file_.emplace(path_, pool, compression, level);
    }
  }

  const std::string& option() const { return option_; }
  const std::string& path() const { return path_; }
  ByteSink& sink() { return cram_ ? static_cast<ByteSink&>(*cram_) : *file_; }

  // The file with all of its bytes, except what OutputFile itself still holds.
  OutputFile& complete() { return cram_ ? cram_->file().finish() : *file_; }
  // To be called when the file is on the disk, before it gets its name.
  void make_index() {
    if (index_kind_) index_.emplace(complete().written_to(), path_, *index_kind_);
  }
  HitIndex* index() { return index_ ? &*index_ : nullptr; }

 private:
  const std::string option_;
  const std::string path_;
  const std::optional<HitFile> index_kind_;
  std::optional<OutputFile> file_;  // one of both
  std::optional<CramSink> cram_;
  std::optional<HitIndex> index_;
};

Outputs::Outputs(std::shared_ptr<CompressionPool> pool, std::optional<int> level)
    : pool_(std::move(pool)), level_(level) {}

Outputs::~Outputs() = default;

ByteSink& Outputs::add(const std::string& option, const std::string& path, const OutputForm& form) {
  const auto compression = form.format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name;
  files_.push_back(std::make_unique<File>(option, path, form, compression, pool_, level_));
  return files_.back()->sink();
}

PartOutput& Outputs::add_part(const std::string& path, const PartHead& head) {
  files_.push_back(std::make_unique<File>("--output", path, OutputForm(), OutputCompression::binary, pool_, level_));
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
  std::vector<OutputFile*> files;
  files.reserve(files_.size());
  for (const auto& file : files_) files.push_back(&file->complete());
  finish_files(files, pool_->threads());  // all are on the disk before any gets its name
  std::vector<HitIndex*> indices;
  for (const auto& file : files_) {
    file->make_index();
    if (file->index() != nullptr) indices.push_back(file->index());
  }
  for (const HitIndex* index : indices) index->remove_outdated();
  place_files(files);
  for (HitIndex* index : indices) index->place();
}

}  // namespace basesweep
