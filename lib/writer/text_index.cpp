#include "lib/writer/text_index.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>
#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/fai.hpp"
#include "lib/reader/index_titles.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/writer/index_fault.hpp"
#include "lib/writer/sync.hpp"
#include "lib/writer/temporaries.hpp"

namespace basesweep {

// A file that has a temporary name in its folder until it is complete.
class NewFile {
 public:
  explicit NewFile(std::string target) : target_(std::move(target)), temporary_(target_ + ".XXXXXX") {
    const int fd = make();
    if (fd < 0) throw IoError(target_, "cannot write", errno);
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
  // Puts the file on the disk and gives it its name.
  void place() {
    sync_file(temporary_, target_);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
      throw IoError(target_, "cannot rename into place", errno);
    placed_ = true;
    sync_folder_of(target_, target_);
  }

 private:
  int make() {
    const SignalsWait guard;
    const int fd = mkstemp(temporary_.data());
    if (fd < 0) return fd;
    try {
      watched_ = Temporary(temporary_, Temporary::Kind::file);
    } catch (...) {  // memory may give out; no destructor runs for an object that was not made
      close(fd);
      unlink(temporary_.c_str());
      throw;
    }
    return fd;
  }

  std::string target_;
  std::string temporary_;
  bool placed_ = false;
  Temporary watched_;
};

namespace {

tbx_conf_t columns_of(HitFile kind) {
  if (kind == HitFile::bed) return tbx_conf_bed;
  if (kind == HitFile::gff3) return tbx_conf_gff;
  if (kind == HitFile::guide_tsv) return {TBX_GENERIC | TBX_UCSC, 5, 6, 6, '#', 0};  // it has no column of ends
  return {TBX_GENERIC | TBX_UCSC, 1, 2, 3, '#', 1};                                  // the first line names the columns
}

bool is_alignments(HitFile kind) { return kind == HitFile::sam || kind == HitFile::bam || kind == HitFile::cram; }

// The endings of the indices that a file of this kind may have, the usual one first.
std::vector<std::string> index_endings(HitFile kind) {
  if (kind == HitFile::cram) return {".crai"};
  return {is_alignments(kind) ? ".bai" : ".tbi", ".csi"};
}

// The result of an attempt to make an index.
struct Built {
  bool done;
  int error;  // errno; ERANGE: a record is too long for this kind of index
};

// Throws if an allocation has failed since errno was 0. HTSlib 1.16 then may make an index that lacks entries, and
// succeed.
void check_memory() {
  if (errno == ENOMEM) throw std::bad_alloc();
}

// HTSlib's helper threads would take a read error for the end of the file, so there are none. `min_shift`: 0 for .tbi
// and .bai, otherwise that of .csi.
Built build(const std::string& path, const std::string& index, HitFile kind, int min_shift) {
  errno = 0;
  int failed = 0;
  if (is_alignments(kind)) {
    failed = sam_index_build3(path.c_str(), index.c_str(), min_shift, 0);
  } else {
    const tbx_conf_t conf = columns_of(kind);
    failed = tbx_index_build3(path.c_str(), index.c_str(), min_shift, 0, &conf);
  }
  if (failed == 0) check_memory();
  return {failed == 0, failed == 0 ? 0 : errno};
}

// Whether the system is at fault, and not the file. HTSlib leaves other values in errno too, such as ENOTTY.
bool is_system_error(int code) {
  constexpr std::array kCodes = {EIO,    ENOSPC, EDQUOT, EFBIG, ENOMEM, EACCES, ENOENT,
                                 EMFILE, ENFILE, EAGAIN, EINTR, EPERM,  EROFS};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

}  // namespace

std::string why_not_indexed(const std::string& path) {
  const std::string fault = fasta_index_fault(path);
  if (!fault.empty()) return fault;
  return "all lines of a record, except its last, must have the same length, and the last record must have bases";
}

void write_fasta_index(const std::string& path) {
  const Compression compression = open_input(path, 1)->compression();
  if (is_read_from_start(compression)) {
    throw DataError(
        fmt::format("{}: {} cannot be indexed; compress it with bgzip", path, compression_name(compression)));
  }
  NewFile fai(path + ".fai");
  NewFile gzi(path + ".gzi");
  errno = 0;
  if (fai_build3(path.c_str(), fai.path().c_str(), gzi.path().c_str()) != 0) {
    if (is_system_error(errno)) throw IoError(path + ".fai", "cannot be made", errno);
    throw DataError(fmt::format("{}: cannot be indexed: {}", path, why_not_indexed(path)));
  }
  check_memory();
  std::vector<FaiRecord> records = read_fai_file(fai.path());
  std::erase_if(records, [](const FaiRecord& record) { return record.info.length == 0; });
  check_titles(path, records, gzi.path());
  if (compression == Compression::bgzf) gzi.place();
  fai.place();
}

HitIndex::HitIndex(const std::string& path, const std::string& target, HitFile kind) {
  constexpr int kShift = 14;  // as samtools and tabix do
  hts_set_log_level(HTS_LOG_OFF);
  const std::vector<std::string> endings = index_endings(kind);
  for (const std::string& ending : endings) outdated_.push_back(target + ending);
  for (const std::string& ending : endings) {
    file_ = std::make_unique<NewFile>(target + ending);
    const Built built = build(path, file_->path(), kind, ending == ".csi" ? kShift : 0);
    if (built.done) return;
    if (is_system_error(built.error)) throw IoError(target + ending, "cannot be made", built.error);
    if (built.error != ERANGE) break;  // the record is too long for the usual index
  }
  const tbx_conf_t columns = columns_of(kind);
  const std::string fault = is_alignments(kind) ? ""
                                                : hit_index_fault(path, static_cast<std::size_t>(columns.sc - 1),
                                                                  static_cast<std::size_t>(columns.bc - 1));
  throw DataError(fmt::format("{}: cannot be indexed: {}", target,
                              fault.empty() ? "expected hits sorted by record and start" : fault));
}

HitIndex::~HitIndex() = default;

void HitIndex::remove_outdated() const {
  bool any = false;
  for (const std::string& path : outdated_) any = unlink(path.c_str()) == 0 || any;
  if (any) sync_folder_of(outdated_.front(), outdated_.front());
}

void HitIndex::place() { file_->place(); }

}  // namespace basesweep
