#include <fmt/format.h>

#include <cctype>

#include "lib/align/overhangs.hpp"
#include "lib/writer/escape.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

// The characters that GFF3 allows unescaped in the first column.
bool plain_in_seqid(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view(".:^*$@!+_?-|").find(c) != std::string_view::npos;
}

bool plain_in_attribute(char c) {
  return (c >= ' ' || c < 0) && c != '\x7f' && std::string_view("%;=&,").find(c) == std::string_view::npos;
}

std::string seqid(std::string_view record) {
  std::string id;
  append_escaped(record, plain_in_seqid, id);
  return id;
}

std::string attribute(std::string_view value) {
  std::string text;
  append_escaped(value, plain_in_attribute, text);
  return text;
}

// The line that says that a record is circular, so that ends of hits may exceed its length.
std::string landmark(const RecordInfo& record) {
  return fmt::format("{}\tbasesweep\tregion\t1\t{}\t.\t.\t.\tID={};Is_circular=true\n", seqid(record.name),
                     record.length, attribute(record.name));
}

class Gff3Formatter final : public Formatter {
 public:
  Gff3Formatter(const PatternSet& patterns, const HitDetails& details)
      : patterns_(patterns), circular_(details.circular), more_(details.merge) {
    for (const Pattern& pattern : patterns.patterns()) names_.push_back(attribute(pattern.name));
    for (const std::string& file : details.files) files_.push_back(";file=" + attribute(file));
  }

  bool needs_records() const override { return circular_.any(); }
  bool lists_records() const override { return true; }
  bool needs_letters() const override { return false; }

  std::string header(std::span<const RecordInfo> records) const override {
    std::string lines = "##gff-version 3\n";
    for (const RecordInfo& record : records) {
      lines += fmt::format("##sequence-region {} 1 {}\n", seqid(record.name), record.length);
    }
    for (const RecordInfo& record : records) {
      if (circular_.contains(record.name)) lines += landmark(record);
    }
    return lines;
  }

  void append(const PlacedHit& hit, Text& text) const override {
    const Query& query = patterns_.queries()[hit.hit.query];
    const std::string& name = names_[query.pattern];
    const std::string record = seqid(hit.record_name);
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
