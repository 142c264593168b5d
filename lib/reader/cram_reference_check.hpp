// The reference that a CRAM file was written with. Private to the reader.
#pragma once

#include <htslib/faidx.h>
#include <htslib/sam.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace basesweep {

// Finds the reference records of a CRAM file where its header names them, or in the file that --cram-reference names.
class CramReferenceCheck {
 public:
  // `header` must outlive it. `path`: of --cram-reference; "" without it.
  CramReferenceCheck(sam_hdr_t* header, std::string path) : header_(header), path_(std::move(path)) {}

  // Drops from the header that HTSlib reads by what it would use other files than this run names.
  void settle(sam_hdr_t* own) const;

  // What differs from the reference that the file was written with, as a message; "" if nothing does. HTSlib does not
  // compare where a slice holds reads of several records. Throws IoError if the reference cannot be read.
  std::string fault_of(std::int32_t record);

  // For messages, without and with --cram-reference: what the first record of the header lacks that lacks something;
  // "" if none does.
  std::string absent_file() const;
  std::string absent_record() const;

 private:
  struct DestroyIndex {
    void operator()(faidx_t* index) const noexcept { fai_destroy(index); }
  };
  using Index = std::unique_ptr<faidx_t, DestroyIndex>;

  std::string tag_of(const char* record, const char* tag) const;
  std::string file_of_header(const char* record) const;
  std::string unreadable_file(const char* record) const;

  sam_hdr_t* header_;
  std::string path_;
  Index index_;
  std::string index_path_;
  std::vector<bool> checked_;  // by record
};

}  // namespace basesweep
