// Formats places of guides.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "lib/base/line_names.hpp"
#include "lib/base/record_info.hpp"
#include "lib/guides/placed_guide.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {

// One output format of places. Thread-safe once made.
class GuideFormatter {
 public:
  explicit GuideFormatter(const GuideSet& guides) : guides_(guides) {}
  virtual ~GuideFormatter() = default;

  // As in Formatter.
  virtual bool needs_records() const { return false; }
  virtual bool lists_records() const { return needs_records(); }
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  virtual NameRule names() const = 0;
  virtual void append(const PlacedGuide& placed, Text& text) const = 0;

 protected:
  const GuideSet& guides_;
};

// TSV with a header line, in the columns of Cas-OFFinder 3: Id, Bulge type (X, DNA, RNA), crRNA and DNA aligned, with
// the PAM, - in bulges and mismatches in lower case, Chromosome, Location (0-based, of the leftmost base), Direction,
// Mismatches, Bulge Size; and MIT and CFD, the scores of the place, or '.'; with an annotation, the Features it
// overlaps.
std::unique_ptr<GuideFormatter> make_guide_tsv(const GuideSet& guides, const Annotation* annotation = nullptr);
// BED: record, start, end, guide, score = round(1000 (1 - (mismatches + bulge size) / bases of the guide)), strand.
std::unique_ptr<GuideFormatter> make_guide_bed(const GuideSet& guides);
// SAM or BAM as make_sam_formatter() writes them: SEQ is the guide with its PAM as it was given, NM, MD and XE (the
// mismatches and the size of the bulge) as there. XM:i are the mismatches, XD:i and XR:i the size of a DNA or RNA
// bulge, YM:f and YC:f the MIT and CFD scores where there are some. Throws UsageError as make_sam_formatter().
std::unique_ptr<GuideFormatter> make_guide_sam(const GuideSet& guides, const SamOptions& options);

}  // namespace basesweep
