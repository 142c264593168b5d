#include "lib/guides/guide_sam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/guides/placed_guide.hpp"
#include "lib/guides/scores.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

// Memory of one thread.
struct Scratch {
  AlignedLetters rows;
  std::string letters;  // SEQ
  std::vector<CigarRun> precise;
};

// Turns the rows of an alignment on strand - to the forward strand.
void turn(AlignedLetters& rows) {
  for (std::string* row : {&rows.pattern, &rows.text}) {
    std::reverse(row->begin(), row->end());
    std::transform(row->begin(), row->end(), row->begin(), complement_letter);
  }
}

// The runs of =, X, I and D between the rows.
void find_runs(const AlignedLetters& rows, std::vector<CigarRun>& runs) {
  runs.clear();
  for (std::size_t i = 0; i < rows.pattern.size(); ++i) {
    const char op = rows.pattern[i] == '-'                         ? 'D'
                    : rows.text[i] == '-'                          ? 'I'
                    : letters_match(rows.pattern[i], rows.text[i]) ? '='
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

void set_tags(const PlacedGuide& placed, bool binary, std::string& tags) {
  const GuideShape& shape = placed.place.shape;
  tags.clear();
  add_count("XM", shape.mismatches, binary, tags);
  if (shape.bulge == Bulge::dna) add_count("XD", shape.size, binary, tags);
  if (shape.bulge == Bulge::rna) add_count("XR", shape.size, binary, tags);
  if (!placed.scores) return;
  if (placed.scores->mit) add_score("YM", *placed.scores->mit, binary, tags);
  add_score("YC", placed.scores->cfd, binary, tags);
}

class GuideSam final : public SamRows {
 public:
  GuideSam(const GuideSet& guides, bool distinguish) : guides_(guides), distinguish_(distinguish) {
    SamQueryNames names("guide");
    for (std::size_t i = 0; i < guides.guides().size(); ++i) {
      names_.push_back(guides.repeats(i) ? "" : names.add(guides.guides()[i].name));
    }
  }

  void describe(const Row& row, int /*alignment*/, bool binary, SamScratch& scratch, SamRecord& record) const override {
    const auto& placed = static_cast<const PlacedGuide&>(row);
    const GuidePlace& place = placed.place;
    auto& [rows, letters, precise] = per_thread<Scratch>();
    draw_place(guides_, placed, rows);
    if (place.strand == Strand::minus) turn(rows);
    find_runs(rows, precise);
    letters = rows.pattern;
    std::erase(letters, '-');
    find_differences(letters, placed.letters, precise, scratch.differences);
    if (!distinguish_) join_matches(precise, scratch.cigar);
    set_tags(placed, binary, scratch.tags);

    record.name = names_[place.guide];
    if (!placed.first) record.flag |= sam_flag::secondary;
    if (place.strand == Strand::minus) record.flag |= sam_flag::reverse;
    record.place = {static_cast<std::int32_t>(placed.record), placed.record_name, placed.start};
    record.end = placed.end;
    record.mapq = kUnknownMapq;
    record.cigar = distinguish_ ? precise : scratch.cigar;
    record.letters = letters;
    record.alignment = {.differences = scratch.differences.count,
                        .text = scratch.differences.text,
                        .edits = std::uint32_t{place.shape.mismatches} + place.shape.size};
    record.last_tags = scratch.tags;
  }

 private:
  const GuideSet& guides_;
  const bool distinguish_;
  std::vector<std::string> names_;  // QNAME of each guide; "" for one that repeats another
};

}  // namespace

std::shared_ptr<const SamRows> make_guide_sam(const GuideSet& guides, bool distinguish) {
  return std::make_shared<GuideSam>(guides, distinguish);
}

}  // namespace basesweep
