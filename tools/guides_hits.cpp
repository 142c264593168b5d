#include "tools/guides_hits.hpp"

namespace basesweep {
namespace {

std::optional<HitFile> indexed(const GuidesOptions& o) {
  if (!o.write_index) return std::nullopt;
  switch (hits_format(o)) {
    case OutputFormat::bed: return HitFile::bed;
    case OutputFormat::sam: return HitFile::sam;
    case OutputFormat::bam: return HitFile::bam;
    case OutputFormat::cram: return HitFile::cram;
    default: return HitFile::guide_tsv;
  }
}

}  // namespace

GuideHitsFile::GuideHitsFile(const GuidesOptions& o, const std::shared_ptr<CompressionPool>& pool)
    : path_(o.hits), indexed_(indexed(o)) {
  const OutputFormat format = hits_format(o);
  if (format == OutputFormat::cram) {
    cram_.emplace(path_, pool->threads(), reference_of_cram(o));
  } else {
    file_.emplace(path_, pool, format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name);
  }
}

void GuideHitsFile::finish() {
  cram_ ? cram_->file().finish() : file_->finish();
  if (!indexed_) return;
  index_.emplace(cram_ ? cram_->file().written_to() : file_->written_to(), path_, *indexed_);
}

void GuideHitsFile::commit() {
  if (index_) index_->remove_outdated();
  cram_ ? cram_->file().commit() : file_->commit();
  if (index_) index_->place();
}

}  // namespace basesweep
