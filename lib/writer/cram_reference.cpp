#include "lib/writer/cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>
#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/reader/twobit_file.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/writer/text_index.hpp"

namespace basesweep {
namespace {

constexpr const char* kText = "reference.fa";
constexpr const char* kIndex = "reference.fa.fai";
constexpr const char* kBlockIndex = "reference.fa.gzi";

struct DestroyIndex {
  void operator()(faidx_t* index) const noexcept { fai_destroy(index); }
};

bool is_lack_of_space(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO; }

// The path with links resolved. Throws unless it is a file that HTSlib can fetch records from.
std::string seekable_reference(const std::string& path) {
  const auto refuse = [&path](const char* what) {
    throw UsageError(
        fmt::format("reference '{}': CRAM needs a plain or BGZF file of FASTA; this is {}", input_name(path), what));
  };
  if (path == "-") refuse("stdin");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw IoError(path, "cannot read", errno);
  if (S_ISDIR(status.st_mode)) throw IoError(path, "cannot read", EISDIR);
  if (!S_ISREG(status.st_mode)) refuse("not a regular file");
  const std::shared_ptr<InputFile> file = open_input(path, 1);
  if (is_twobit(*file)) refuse(".2bit");
  const Compression compression = file->compression();
  if (compression == Compression::gzip) refuse("plain gzip");
  if (is_read_from_start(compression)) refuse(compression_name(compression));
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) throw IoError(path, "cannot read", errno);
  return resolved;
}

}  // namespace

CramReference::CramReference(const std::string& path)
    : path_(path), target_(seekable_reference(path)), folder_({kText, kIndex, kBlockIndex}) {
  hts_set_log_level(HTS_LOG_OFF);
  if (symlink(target_.c_str(), folder_.path(kText).c_str()) != 0) {
    throw IoError(folder_.path(), "cannot make a link in this folder", errno);
  }
  errno = 0;
  if (fai_build3(folder_.path(kText).c_str(), folder_.path(kIndex).c_str(), folder_.path(kBlockIndex).c_str()) == 0) {
    keep_records_with_bases();
    return;
  }
  if (is_lack_of_space(errno)) throw IoError(folder_.path(), "cannot write an index to this folder", errno);
  throw DataError(
      fmt::format("{}: CRAM needs an index, and this file cannot be indexed: {}", path_, why_not_indexed(path_)));
}

// HTSlib indexes a record without bases if blank lines with CR LF follow its title, and then cannot read that index for
// CRAM, whose header does not list such records either.
void CramReference::keep_records_with_bases() const {
  const std::string path = folder_.path(kIndex);
  const std::string index = read_all(path);
  std::string kept;
  for_each_line(index, [&kept](std::string_view line, std::size_t) {
    std::array<std::string_view, 3> fields;
    if (split_at_tabs(line, fields) < 2 || fields[1] != "0") kept.append(line).append("\n");
  });
  if (kept == index) return;
  std::ofstream file(path, std::ios::binary);
  file << kept;
  file.close();
  if (!file) throw IoError(folder_.path(), "cannot write an index to this folder", EIO);
}

// HTSlib 1.16 crashes when it cannot read the index, because it then closes it twice (refs_load_fai). So the index is
// read here first.
std::string CramReference::indexed_path() const {
  try {
    read_all(folder_.path(kIndex));
  } catch (const IoError&) {
    throw IoError(folder_.path(), "cannot read an index back from this folder", EIO);
  }
  return folder_.path(kText);
}

void CramReference::check(const sam_hdr_t& header) const {
  constexpr std::size_t kMaxNameBytes = 8000;  // HTSlib reads lines of an index into 8,192 bytes
  const std::unique_ptr<faidx_t, DestroyIndex> index(
      fai_load3(folder_.path(kText).c_str(), folder_.path(kIndex).c_str(), folder_.path(kBlockIndex).c_str(), 0));
  if (index == nullptr) throw IoError(folder_.path(), "cannot read an index back from this folder", errno);
  bool same = faidx_nseq(index.get()) == sam_hdr_nref(&header);
  for (int i = 0; same && i < faidx_nseq(index.get()); ++i) {
    const char* name = faidx_iseq(index.get(), i);
    if (std::strlen(name) > kMaxNameBytes) {
      throw DataError(fmt::format("{}: record '{}': the name is too long for CRAM, which allows {} letters", path_,
                                  name, kMaxNameBytes));
    }
    same = std::strcmp(name, sam_hdr_tid2name(&header, i)) == 0 &&
           faidx_seq_len(index.get(), name) == sam_hdr_tid2len(&header, i);
  }
  if (!same)
    throw DataError(path_ +
                    ": the file changed while basesweep was running: its records are not those that were read before");
}

}  // namespace basesweep
