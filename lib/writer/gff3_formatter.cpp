#include <fmt/format.h>

#include "lib/align/overhangs.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/gff3.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

class Gff3Formatter final : public Formatter {
 public:
  Gff3Formatter(const PatternSet& patterns, const HitDetails& details)
      : patterns_(patterns), circular_(details.circular), more_(details.merge) {
    for (const Pattern& pattern : patterns.patterns()) names_.push_back(gff3_attribute(pattern.name));
    for (const std::string& file : details.files) files_.push_back(";file=" + gff3_attribute(file));
  }

  bool needs_records() const override { return circular_.any(); }
  NameRule names() const override { return NameRule::named; }
  bool lists_records() const override { return true; }
  bool needs_letters() const override { return false; }

  std::string header(std::span<const RecordInfo> records) const override { return gff3_header(records, circular_); }

  void append(const PlacedHit& hit, Text& text) const override {
    const Query& query = patterns_.queries()[hit.hit.query];
    const std::string& name = names_[query.pattern];
    const std::string record = gff3_seqid(hit.record_name);
    const char strand = strand_letter(query.strand);
    const bool approximate = patterns_.approximate();
    text.append(fmt::format("{}\tbasesweep\t{}\t{}\t{}\t{}\t{}\t.\t", record,
                            approximate ? "nucleotide_match" : "nucleotide_motif", hit.start + 1, hit.end(),
                            hit_score(hit.hit, query), strand));
    // The identifier is made of what tells hits apart, so it does not depend on the other hits.
    text.append(fmt::format("ID={}:{}:{}-{}:{}", name, record, hit.start + 1, hit.end(), strand));
    const PatternPart inside = part_inside(query, hit.hit);
    if (inside.end - inside.begin < query.sets.size()) text.append(fmt::format(":{}-{}", inside.begin, inside.end));
    text.append(fmt::format(";Name={}", name));
    if (approximate) text.append(fmt::format(";edits={};indels={}", hit.hit.edits, hit.hit.indels));
    if (patterns_.overhangs()) text.append(fmt::format(";pattern_start={};pattern_end={}", inside.begin, inside.end));
    if (!files_.empty()) text.append(files_[hit.source]);
    append_merge_columns(hit, query, more_, text);
    text.append("\n");
  }

 private:
  const PatternSet& patterns_;
  const CircularRecords circular_;
  const MergeColumns more_;
  std::vector<std::string> names_;  // of each pattern, escaped
  std::vector<std::string> files_;  // the attribute of each file; empty: not written
};

}  // namespace

std::unique_ptr<Formatter> make_gff3_formatter(const PatternSet& patterns, const HitDetails& details) {
  return std::make_unique<Gff3Formatter>(patterns, details);
}

}  // namespace basesweep
