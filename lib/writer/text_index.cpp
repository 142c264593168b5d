#include "lib/writer/text_index.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>
#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "lib/base/error.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/writer/temporaries.hpp"

namespace basesweep {
namespace {

// A file that has a temporary name in its folder until it is complete.
class NewFile {
 public:
  explicit NewFile(std::string target) : target_(std::move(target)), temporary_(target_ + ".XXXXXX") {
    const int fd = mkstemp(temporary_.data());
    if (fd < 0) throw IoError(target_, "cannot write", errno);
    watched_ = Temporary(temporary_, Temporary::Kind::file);
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0) { /* it stays private */
    }
    close(fd);
  }
  ~NewFile() {
    if (!placed_) unlink(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& path() const { return temporary_; }
  void place() {
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
      throw IoError(target_, "cannot rename into place", errno);
    placed_ = true;
  }

 private:
  std::string target_;
  std::string temporary_;
  bool placed_ = false;
  Temporary watched_;
};

tbx_conf_t columns_of(HitFile kind) {
  if (kind == HitFile::bed) return tbx_conf_bed;
  return {TBX_GENERIC | TBX_UCSC, 1, 2, 3, '#', 1};  // the first line names the columns
}

// Returns whether the file could be indexed. `min_shift`: 0 for .tbi and .bai, otherwise that of .csi.
bool build(const std::string& path, const std::string& index, HitFile kind, int min_shift, int threads) {
  if (kind == HitFile::sam || kind == HitFile::bam) {
    return sam_index_build3(path.c_str(), index.c_str(), min_shift, threads) == 0;
  }
  const tbx_conf_t conf = columns_of(kind);
  return tbx_index_build3(path.c_str(), index.c_str(), min_shift, threads, &conf) == 0;
}

}  // namespace

void write_fasta_index(const std::string& path) {
  const Compression compression = InputFile::open(path, 1)->compression();
  if (compression == Compression::gzip) {
    throw DataError(fmt::format("{}: gzip cannot be indexed; compress it with bgzip", path));
  }
  NewFile fai(path + ".fai");
  NewFile gzi(path + ".gzi");
  if (fai_build3(path.c_str(), fai.path().c_str(), gzi.path().c_str()) != 0) {
    throw DataError(
        fmt::format("{}: cannot be indexed: all lines of a record, except its last, must have the same length", path));
  }
  if (compression == Compression::bgzf) gzi.place();
  fai.place();
}

void write_hit_index(const std::string& path, HitFile kind, int threads) {
  constexpr int kShift = 14;  // as samtools and tabix do
  hts_set_log_level(HTS_LOG_OFF);
  const bool alignments = kind == HitFile::sam || kind == HitFile::bam;
  const std::string_view usual = alignments ? ".bai" : ".tbi";
  for (const std::string_view extension : {usual, std::string_view(".csi")}) {
    NewFile index(path + std::string(extension));
    if (!build(path, index.path(), kind, extension == usual ? 0 : kShift, threads)) continue;
    index.place();
    // An index of the other kind would belong to an earlier file, and readers may look for that one first.
    unlink((path + std::string(extension == usual ? ".csi" : usual)).c_str());
    return;
  }
  throw DataError(fmt::format("{}: cannot be indexed: expected hits sorted by record and start", path));
}

}  // namespace basesweep
