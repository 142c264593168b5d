#include "lib/api/hit_bytes.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "lib/align/overhangs.hpp"
#include "lib/align/trace.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/aligned_letters.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kTexts = 7;

// A hit is encoded as this struct, then its texts: record name, text, CIGAR, the two aligned, upstream, downstream.
struct Head {
  std::int64_t record, start, end;
  std::uint32_t pattern;
  std::array<std::uint32_t, kTexts> bytes;
  std::uint16_t edits, indels, insertions;
  PatternPart inside;
  Standing standing;
  char strand;
};

// Memory that is kept from one hit to the next.
struct Scratch {
  Tracer tracer;
  AlignedLetters aligned;
  std::string cigar;
};

class HitEncoder final : public Formatter {
 public:
  HitEncoder(const PatternSet& patterns, const HitTexts& texts) : patterns_(patterns), texts_(texts) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override {
    return texts_.alignments || texts_.aligned || texts_.flank != 0 ? need::letters : 0U;
  }
  std::uint32_t flank() const override { return texts_.flank; }

  void append(const Row& row, RowText& text) const override {
    const auto& hit = static_cast<const PlacedHit&>(row);
    const Query& query = patterns_.queries()[hit.hit.query];
    auto& [tracer, aligned, cigar] = per_thread<Scratch>();
    std::span<const CigarRun> runs;
    const CigarRun all{hit.hit.length, '='};
    if (texts_.alignments || texts_.aligned) {
      runs = patterns_.approximate() ? tracer.trace(query, hit.letters, hit.hit) : std::span(&all, 1);
    }
    cigar.clear();
    for (const CigarRun& run : texts_.alignments ? runs : std::span<const CigarRun>()) {
      cigar += std::to_string(run.length) += run.op;
    }
    aligned.pattern.clear();
    aligned.text.clear();
    if (texts_.aligned) draw_alignment(query, hit.letters, runs, aligned);
    const bool plus = query.strand == Strand::plus;
    const std::string_view matched = texts_.alignments ? hit.letters : std::string_view();
    // The letters of the record are turned round for strand -, the others are not.
    const std::array<std::pair<std::string_view, bool>, kTexts> texts{{{hit.record_name, false},
                                                                       {matched, true},
                                                                       {cigar, false},
                                                                       {aligned.pattern, false},
                                                                       {aligned.text, false},
                                                                       {plus ? hit.left : hit.right, true},
                                                                       {plus ? hit.right : hit.left, true}}};
    Head head{.record = hit.record,
              .start = hit.start,
              .end = hit.end,
              .pattern = query.pattern,
              .bytes = {},
              .edits = hit.hit.edits,
              .indels = hit.hit.indels,
              .insertions = static_cast<std::uint16_t>(edit_kinds(hit.hit, query).insertions),
              .inside = part_inside(query, hit.hit),
              .standing = hit.standing,
              .strand = strand_letter(query.strand)};
    std::size_t most = sizeof head;
    for (std::size_t i = 0; i < kTexts; ++i) {
      head.bytes[i] = static_cast<std::uint32_t>(texts[i].first.size());
      most += head.bytes[i];
    }
    char* to = text.reserve(most);
    std::memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (const auto& [letters, turned] : texts) to = turned ? put_matched(to, letters, query.strand) : put(to, letters);
    text.advance(to);
  }

 private:
  const PatternSet& patterns_;
  const HitTexts texts_;
};

}  // namespace

std::unique_ptr<Formatter> make_hit_encoder(const PatternSet& patterns, const HitTexts& texts) {
  return std::make_unique<HitEncoder>(patterns, texts);
}

void HitDecoder::write(std::string_view bytes) {
  while (!bytes.empty()) {
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    SearchHit hit{head.record, head.start, head.end, head.pattern, head.strand, head.edits, head.indels};
    hit.mismatches = static_cast<std::uint16_t>(head.edits - head.indels);
    hit.insertions = head.insertions;
    hit.deletions = static_cast<std::uint16_t>(head.indels - head.insertions);
    hit.pattern_start = head.inside.begin;
    hit.pattern_end = head.inside.end;
    hit.best = head.standing.best;
    hit.next_edits = head.standing.next_edits;
    const std::array<std::string_view*, kTexts> texts{&hit.record_name,     &hit.text,         &hit.cigar,
                                                      &hit.aligned_pattern, &hit.aligned_text, &hit.upstream,
                                                      &hit.downstream};
    for (std::size_t i = 0; i < kTexts; ++i) {
      *texts[i] = bytes.substr(0, head.bytes[i]);
      bytes.remove_prefix(head.bytes[i]);
    }
    take_(hit);
  }
}

}  // namespace basesweep
