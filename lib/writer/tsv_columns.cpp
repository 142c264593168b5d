#include "lib/writer/tsv_columns.hpp"

#include <cstdint>

#include "lib/align/overhangs.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/writer/aligned_letters.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

void append(std::int64_t number, Text& text) { text.advance(put(text.reserve(kNumberDigits), number)); }

void append_cigar(const TsvLine& line, Text& text) {
  char* to = text.reserve(line.cigar.size() * (kNumberDigits + 1));
  for (const CigarRun& run : line.cigar) {
    to = put(to, run.length);
    *to++ = run.op;
  }
  text.advance(to);
}

void append_stranded(std::string_view letters, Strand strand, Text& text) {
  char* const to = text.reserve(letters.size());
  text.advance(put_matched(to, letters, strand));
}

void append_matched(const TsvLine& line, Text& text) { append_stranded(line.hit.letters, line.query.strand, text); }

void append_upstream(const TsvLine& line, Text& text) {
  const Strand strand = line.query.strand;
  append_stranded(strand == Strand::plus ? line.hit.left : line.hit.right, strand, text);
}

void append_downstream(const TsvLine& line, Text& text) {
  const Strand strand = line.query.strand;
  append_stranded(strand == Strand::plus ? line.hit.right : line.hit.left, strand, text);
}

EditKinds kinds(const TsvLine& line) { return edit_kinds(line.hit.hit, line.query); }

const AlignedLetters& aligned(const TsvLine& line) {
  auto& letters = per_thread<AlignedLetters>();
  draw_alignment(line.query, line.hit.letters, line.cigar, letters);
  return letters;
}

constexpr TsvColumn kEdits{"edits", [](const TsvLine& line, Text& text) { append(line.hit.hit.edits, text); }};
constexpr TsvColumn kIndels{"indels", [](const TsvLine& line, Text& text) { append(line.hit.hit.indels, text); }};
constexpr TsvColumn kMismatches{"mismatches",
                                [](const TsvLine& line, Text& text) { append(kinds(line).mismatches, text); }};
constexpr TsvColumn kInsertions{"insertions",
                                [](const TsvLine& line, Text& text) { append(kinds(line).insertions, text); }};
constexpr TsvColumn kDeletions{"deletions",
                               [](const TsvLine& line, Text& text) { append(kinds(line).deletions, text); }};
constexpr TsvColumn kCigar{"cigar", append_cigar};
constexpr TsvColumn kAlignedPattern{"aligned_pattern",
                                    [](const TsvLine& line, Text& text) { text.append(aligned(line).pattern); }};
constexpr TsvColumn kAlignedText{"aligned_text",
                                 [](const TsvLine& line, Text& text) { text.append(aligned(line).text); }};
constexpr TsvColumn kPatternStart{"pattern_start", [](const TsvLine& line, Text& text) {
                                    append(part_inside(line.query, line.hit.hit).begin, text);
                                  }};
constexpr TsvColumn kPatternEnd{
    "pattern_end", [](const TsvLine& line, Text& text) { append(part_inside(line.query, line.hit.hit).end, text); }};

// "." stands for a number that is not known.
constexpr TsvColumn kBest{"best", [](const TsvLine& line, Text& text) {
                            const Standing& standing = line.hit.standing;
                            standing.best == 0 ? text.append(".")
                                               : append(static_cast<std::int64_t>(standing.best), text);
                          }};
constexpr TsvColumn kNextEdits{"next_edits", [](const TsvLine& line, Text& text) {
                                 const auto& edits = line.hit.standing.next_edits;
                                 edits ? append(*edits, text) : text.append(".");
                               }};
constexpr TsvColumn kFile{"file",
                          [](const TsvLine& line, Text& text) { text.append(line.details.files[line.hit.source]); }};
constexpr TsvColumn kUpstream{"upstream", append_upstream};
constexpr TsvColumn kDownstream{"downstream", append_downstream};
constexpr TsvColumn kMatched{"matched", append_matched};
constexpr TsvColumn kOrigin{"origin", [](const TsvLine& line, Text& text) {
                              append(line.hit.over_origin() ? line.hit.circular_length : 0, text);
                            }};
constexpr TsvColumn kPatternNumber{"pattern_number",
                                   [](const TsvLine& line, Text& text) { append(line.query.pattern, text); }};
constexpr TsvColumn kNumber{"number", [](const TsvLine& line, Text& text) { append(line.hit.record, text); }};

}  // namespace

std::vector<TsvColumn> tsv_columns(const PatternSet& patterns, const HitDetails& details) {
  std::vector<TsvColumn> columns;
  const auto add = [&columns](bool wanted, std::initializer_list<TsvColumn> more) {
    if (wanted) columns.insert(columns.end(), more);
  };
  const bool approximate = patterns.approximate();
  add(approximate, {kEdits, kIndels});
  add(details.edit_kinds, {kMismatches, kInsertions, kDeletions});
  add(approximate, {kCigar});
  add(patterns.overhangs(), {kPatternStart, kPatternEnd});
  add(details.standing, {kBest, kNextEdits});
  add(details.aligned, {kAlignedPattern, kAlignedText});
  add(!details.files.empty(), {kFile});
  add(details.flank != 0, {kUpstream, kDownstream});
  add(true, {kMatched});
  add(details.merge.number, {kNumber});  // which `merge` removes, like the next two
  add(details.merge.origin, {kOrigin, kPatternNumber});
  return columns;
}

}  // namespace basesweep
