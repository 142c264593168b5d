#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/guides/guide_formatter.hpp"
#include "lib/guides/scores.hpp"
#include "lib/writer/differences.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_query.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {
namespace {

// Memory of one thread.
struct Scratch {
  AlignmentText text;
  std::string letters;  // SEQ
  std::vector<CigarRun> precise;
  std::vector<CigarRun> joined;
  Differences differences;
  std::string tags;
};

// The rows of the alignment with its PAM, along the forward strand.
struct Rows {
  std::string guide;
  std::string text;
};

Rows rows_of(const GuideAlignment& aligned, std::string_view pam, Strand strand) {
  Rows rows{guide_with_pam(aligned, pam), std::string(aligned.text)};
  rows.text.insert(aligned.pam_5prime ? 0 : rows.text.size(), aligned.pam);
  if (strand == Strand::plus) return rows;
  for (std::string* row : {&rows.guide, &rows.text}) {
    std::reverse(row->begin(), row->end());
    std::transform(row->begin(), row->end(), row->begin(), complement_letter);
  }
  return rows;
}

// The runs of =, X, I and D between the rows.
void find_runs(const Rows& rows, std::vector<CigarRun>& runs) {
  runs.clear();
  for (std::size_t i = 0; i < rows.guide.size(); ++i) {
    const char op = rows.guide[i] == '-'                         ? 'D'
                    : rows.text[i] == '-'                        ? 'I'
                    : letters_match(rows.guide[i], rows.text[i]) ? '='
                                                                 : 'X';
    if (!runs.empty() && runs.back().op == op) {
      ++runs.back().length;
    } else {
      runs.push_back({1, op});
    }
  }
}

void add_count(const char* tag, std::uint32_t value, bool binary, std::string& tags) {
  if (!binary) {
    fmt::format_to(std::back_inserter(tags), "\t{}:i:{}", tag, value);
    return;
  }
  char bytes[1 + sizeof value];
  tags.append(tag).append(bytes, put_shortest(bytes, value));
}

// A score as a number of single precision, which SAM shows as samtools shows that of BAM.
void add_score(const char* tag, std::uint32_t score, bool binary, std::string& tags) {
  const auto value = static_cast<float>(static_cast<double>(score) / kFullScore);
  if (!binary) {
    fmt::format_to(std::back_inserter(tags), "\t{}:f:{:g}", tag, value);
    return;
  }
  char bytes[sizeof value];
  put_integer(bytes, value);
  tags.append(tag).append("f").append(bytes, sizeof bytes);
}

class GuideSam final : public GuideFormatter {
 public:
  GuideSam(const GuideSet& guides, const SamOptions& options)
      : GuideFormatter(guides), options_(options), read_group_(parse_read_group(options.read_group)) {
    SamQueryNames names("guide");
    for (std::size_t i = 0; i < guides.guides().size(); ++i) {
      names_.push_back(guides.repeats(i) ? "" : names.add(guides.guides()[i].name));
    }
  }

  bool needs_records() const override { return true; }
  std::string header(std::span<const RecordInfo> records) const override {
    return sam_file_header(options_, read_group_, records);
  }
  NameRule names() const override { return NameRule::any; }

  void append(const PlacedGuide& placed, Text& text) const override {
    const GuidePlace& place = placed.place;
    Scratch& scratch = per_thread<Scratch>();
    const GuideAlignment aligned = scratch.text.align(guides_, place, placed.letters);
    const Rows rows = rows_of(aligned, guides_.pams()[place.pam], place.strand);
    find_runs(rows, scratch.precise);
    scratch.letters = rows.guide;
    std::erase(scratch.letters, '-');
    find_differences(scratch.letters, placed.letters, scratch.precise, scratch.differences);
    if (!options_.distinguish) join_matches(scratch.precise, scratch.joined);

    SamRecord record;
    record.name = names_[place.guide];
    if (!placed.first) record.flag |= sam_flag::secondary;
    if (place.strand == Strand::minus) record.flag |= sam_flag::reverse;
    record.place = {static_cast<std::int32_t>(placed.record), placed.record_name, placed.start};
    record.end = placed.end;
    record.mapq = kUnknownMapq;
    record.cigar = options_.distinguish ? scratch.precise : scratch.joined;
    record.letters = scratch.letters;
    record.alignment = {.differences = scratch.differences.count,
                        .text = scratch.differences.text,
                        .edits = std::uint32_t{place.shape.mismatches} + place.shape.size};
    record.read_group = read_group_.id;
    set_tags(placed, scratch.tags);
    record.last_tags = scratch.tags;
    options_.binary ? append_bam(record, text) : append_sam(record, text);
  }

 private:
  void set_tags(const PlacedGuide& placed, std::string& tags) const {
    const Shape& shape = placed.place.shape;
    const bool binary = options_.binary;
    tags.clear();
    add_count("XM", shape.mismatches, binary, tags);
    if (shape.bulge == Bulge::dna) add_count("XD", shape.size, binary, tags);
    if (shape.bulge == Bulge::rna) add_count("XR", shape.size, binary, tags);
    if (!placed.scores) return;
    if (placed.scores->mit) add_score("YM", *placed.scores->mit, binary, tags);
    add_score("YC", placed.scores->cfd, binary, tags);
  }

  SamOptions options_;
  ReadGroup read_group_;
  std::vector<std::string> names_;  // QNAME of each guide; "" for one that repeats another
};

}  // namespace

std::unique_ptr<GuideFormatter> make_guide_sam(const GuideSet& guides, const SamOptions& options) {
  return std::make_unique<GuideSam>(guides, options);
}

}  // namespace basesweep
