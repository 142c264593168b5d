#include "lib/writer/alignment_lines.hpp"

#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <new>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/writer/bam_record.hpp"

namespace basesweep {

struct AlignmentLines::Header {
  explicit Header(const std::string& text) : header(sam_hdr_parse(text.size(), text.c_str())) {
    if (header == nullptr) throw DataError("HTSlib does not accept the header of the alignments");
    sam_hdr_nref(header);
  }
  ~Header() { sam_hdr_destroy(header); }
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  sam_hdr_t* header;
};

AlignmentLines::AlignmentLines(const std::string& header) : header_(std::make_unique<Header>(header)) {}

AlignmentLines::~AlignmentLines() = default;

void AlignmentLines::append(std::string_view records, Text& text) const {
  struct Line {
    kstring_t text = KS_INITIALIZE;
    BamRecord record;
    ~Line() { ks_free(&text); }
  };
  auto& line = per_thread<Line>();
  while (!records.empty()) {
    records = line.record.parse(records);
    if (sam_format1(header_->header, line.record.get(), &line.text) < 0) throw std::bad_alloc();
    text.append({line.text.s, line.text.l});
    text.append("\n");
  }
}

}  // namespace basesweep
