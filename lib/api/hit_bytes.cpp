#include "lib/api/hit_bytes.hpp"

#include <algorithm>
#include <cstring>

#include "lib/align/overhangs.hpp"
#include "lib/align/trace.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

// A hit is encoded as this struct, then its record name, text and CIGAR.
struct Head {
  std::int64_t record, start, end;
  std::uint32_t pattern;
  std::uint32_t name_bytes, text_bytes, cigar_bytes;
  std::uint16_t edits, indels;
  PatternPart inside;
  Standing standing;
  char strand;
};

class HitEncoder final : public Formatter {
 public:
  HitEncoder(const PatternSet& patterns, bool alignments) : patterns_(patterns), alignments_(alignments) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  bool needs_letters() const override { return alignments_; }

  void append(const PlacedHit& hit, Text& text) const override {
    const Query& query = patterns_.queries()[hit.hit.query];
    thread_local Tracer tracer;
    std::span<const CigarRun> runs;
    const CigarRun all{hit.hit.length, '='};
    if (alignments_) {
      runs = patterns_.approximate() ? tracer.trace(query, hit.letters, hit.hit) : std::span(&all, 1);
    }
    const std::size_t most =
        sizeof(Head) + hit.record_name.size() + hit.letters.size() + runs.size() * (kNumberDigits + 1);
    char* const begin = text.reserve(most);
    char* const name = begin + sizeof(Head);
    char* const letters = put(name, hit.record_name);
    char* const cigar = put_matched(letters, hit.letters, query.strand);
    char* end = cigar;
    for (const CigarRun& run : runs) {
      end = put(end, run.length);
      *end++ = run.op;
    }
    const Head head{.record = hit.record,
                    .start = hit.start,
                    .end = hit.end(),
                    .pattern = query.pattern,
                    .name_bytes = static_cast<std::uint32_t>(letters - name),
                    .text_bytes = static_cast<std::uint32_t>(cigar - letters),
                    .cigar_bytes = static_cast<std::uint32_t>(end - cigar),
                    .edits = hit.hit.edits,
                    .indels = hit.hit.indels,
                    .inside = part_inside(query, hit.hit),
                    .standing = hit.standing,
                    .strand = strand_letter(query.strand)};
    std::memcpy(begin, &head, sizeof head);
    text.advance(end);
  }

 private:
  const PatternSet& patterns_;
  bool alignments_;
};

}  // namespace

std::unique_ptr<Formatter> make_hit_encoder(const PatternSet& patterns, bool alignments) {
  return std::make_unique<HitEncoder>(patterns, alignments);
}

void HitDecoder::write(std::string_view bytes) {
  while (!bytes.empty()) {
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    const auto cut = [&bytes](std::uint32_t size) {
      const std::string_view taken = bytes.substr(0, size);
      bytes.remove_prefix(size);
      return taken;
    };
    SearchHit hit{head.record,
                  head.start,
                  head.end,
                  head.pattern,
                  head.strand,
                  head.edits,
                  head.indels,
                  head.inside.begin,
                  head.inside.end,
                  head.standing.best,
                  head.standing.next_edits};
    hit.record_name = cut(head.name_bytes);
    hit.text = cut(head.text_bytes);
    hit.cigar = cut(head.cigar_bytes);
    take_(hit);
  }
}

}  // namespace basesweep
