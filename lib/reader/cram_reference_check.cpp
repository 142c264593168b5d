#include "lib/reader/cram_reference_check.hpp"

#include <fmt/format.h>
#include <htslib/kstring.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "lib/base/error.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {
namespace {

void drop_tag(sam_hdr_t* header, const char* record, const char* tag) {
  if (sam_hdr_remove_tag_id(header, "SQ", "SN", record, tag) < 0) throw std::bad_alloc();
}

}  // namespace

// For each record that --cram-reference does not have, HTSlib looks for a file by its digest (M5), then reads the one
// that the header names (UR). A run that names a reference shall not depend on other files. Without --cram-reference,
// names of files that cannot be read are dropped: HTSlib would look for them on the network, or print a line of its
// own.
void CramReferenceCheck::settle(sam_hdr_t* own) const {
  const bool given = !path_.empty();
  for (int i = 0; i < sam_hdr_nref(header_); ++i) {
    const char* const name = sam_hdr_tid2name(header_, i);
    if (given) drop_tag(own, name, "M5");
    if (given || !unreadable_file(name).empty()) drop_tag(own, name, "UR");
  }
}

std::string CramReferenceCheck::tag_of(const char* record, const char* tag) const {
  kstring_t value = KS_INITIALIZE;
  const int found = sam_hdr_find_tag_id(header_, "SQ", "SN", record, tag, &value);
  std::string text(found == 0 && value.s != nullptr ? value.s : "");
  ks_free(&value);
  return text;
}

// The file that the header names as the reference of the record; "" if it names none.
std::string CramReferenceCheck::file_of_header(const char* record) const {
  std::string path = tag_of(record, "UR");
  if (path.starts_with("file:")) path.erase(0, 5);
  return path;
}

// The same if it cannot be read; otherwise "".
std::string CramReferenceCheck::unreadable_file(const char* record) const {
  std::string path = file_of_header(record);
  if (access(path.c_str(), R_OK) == 0) path.clear();
  return path;
}

std::string CramReferenceCheck::absent_file() const {
  for (int i = 0; i < sam_hdr_nref(header_); ++i) {
    const std::string path = unreadable_file(sam_hdr_tid2name(header_, i));
    if (!path.empty()) return fmt::format(", since {} cannot be read", path);
  }
  return "";
}

std::string CramReferenceCheck::absent_record() const {
  const Index index(fai_load3(path_.c_str(), nullptr, nullptr, 0));
  for (int i = 0; index != nullptr && i < sam_hdr_nref(header_); ++i) {
    const char* const name = sam_hdr_tid2name(header_, i);
    if (faidx_has_seq(index.get(), name) == 0) return fmt::format(" (it lacks record '{}' of the header)", name);
  }
  return "";
}

std::string CramReferenceCheck::fault_of(std::int32_t record) {
  const auto number = static_cast<std::size_t>(record);
  if (number < checked_.size() && checked_[number]) return "";
  checked_.resize(std::max(checked_.size(), number + 1));
  checked_[number] = true;
  const char* const name = sam_hdr_tid2name(header_, record);
  const std::string digest = tag_of(name, "M5");
  const std::string path = path_.empty() ? file_of_header(name) : path_;
  if (digest.empty() || path.empty() || access((path + ".fai").c_str(), R_OK) != 0) return "";
  if (index_ == nullptr || path != index_path_) index_.reset(fai_load3(path.c_str(), nullptr, nullptr, 0));
  index_path_ = path;
  if (index_ == nullptr || faidx_has_seq(index_.get(), name) == 0) return "";
  hts_pos_t length = 0;
  char* const letters = faidx_fetch_seq64(index_.get(), name, 0, HTS_POS_MAX - 1, &length);
  if (letters == nullptr || length < 0) throw IoError(path, "cannot read the reference of CRAM", errno);
  std::transform(letters, letters + length, letters,
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  Md5 md5;
  md5.add({letters, static_cast<std::size_t>(length)});
  std::free(letters);
  if (md5.take() == digest) return "";
  return fmt::format("record '{}' of {} is not the reference that it was written with (its M5 differs)", name,
                     path_.empty() ? path : "--cram-reference");
}

}  // namespace basesweep
