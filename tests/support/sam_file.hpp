// Reads SAM, BAM and CRAM with HTSlib.
#pragma once

#include <htslib/sam.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace support {

struct CloseSam {
  void operator()(samFile* file) const noexcept { sam_close(file); }
};
struct FreeHeader {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};
struct FreeRecord {
  void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
};

struct SamContent {
  std::unique_ptr<sam_hdr_t, FreeHeader> header;
  std::vector<std::unique_ptr<bam1_t, FreeRecord>> records;

  // SAM lines without line ends.
  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    kstring_t line = KS_INITIALIZE;
    for (const auto& record : records) {
      REQUIRE(sam_format1(header.get(), record.get(), &line) >= 0);
      found.emplace_back(line.s, line.l);
    }
    free(ks_release(&line));
    return found;
  }
};

// `reference`: the FASTA file that a CRAM file needs.
inline SamContent read_sam(const std::string& path, const std::string& reference = "") {
  SamContent found;
  const std::unique_ptr<samFile, CloseSam> file(sam_open(path.c_str(), "r"));
  REQUIRE(file != nullptr);
  if (!reference.empty()) REQUIRE(hts_set_fai_filename(file.get(), reference.c_str()) == 0);
  found.header.reset(sam_hdr_read(file.get()));
  REQUIRE(found.header != nullptr);
  while (true) {
    std::unique_ptr<bam1_t, FreeRecord> record(bam_init1());
    const int got = sam_read1(file.get(), found.header.get(), record.get());
    REQUIRE(got >= -1);
    if (got < 0) return found;
    found.records.push_back(std::move(record));
  }
}

inline bool same(const bam1_t& a, const bam1_t& b) {
  return a.core.tid == b.core.tid && a.core.pos == b.core.pos && a.core.bin == b.core.bin &&
         a.core.qual == b.core.qual && a.core.l_extranul == b.core.l_extranul && a.core.flag == b.core.flag &&
         a.core.l_qname == b.core.l_qname && a.core.n_cigar == b.core.n_cigar && a.core.l_qseq == b.core.l_qseq &&
         a.core.mtid == b.core.mtid && a.core.mpos == b.core.mpos && a.core.isize == b.core.isize &&
         a.l_data == b.l_data && std::memcmp(a.data, b.data, static_cast<std::size_t>(a.l_data)) == 0;
}

}  // namespace support
