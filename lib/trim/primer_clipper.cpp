#include "lib/trim/primer_clipper.hpp"

#include <algorithm>
#include <cstdlib>

#include "lib/base/per_thread.hpp"
#include "lib/trim/bam_fields.hpp"

namespace basesweep {

// An alignment before and after clipping.
struct PrimerClipper::Clipped {
  AlignedPart before;
  AlignedPart after;
  LostPrimers lost{};

  bool emptied() const { return lost.any() && !after.has_bases(); }
};

namespace {

using Clipped = PrimerClipper::Clipped;

constexpr unsigned kPaired = 1, kProper = 2, kUnmapped = 4, kMateUnmapped = 8, kReverse = 16, kMateReverse = 32;

// TLEN after clipping. Programs measure it from one 5' end to the other, or from one outer end to the other; a length
// that is neither stays as it is.
std::int64_t template_length(const BamFields& record, const Clipped& own, const Clipped& mate) {
  if (own.emptied() || mate.emptied()) return 0;
  const std::int64_t old_length = record.template_length;
  const unsigned flag = record.flag;
  const auto five_prime = [](const AlignedPart& part, bool reverse) { return reverse ? part.end() : part.begin; };
  const auto between = [&](const AlignedPart& a, const AlignedPart& b) {
    return five_prime(b, (flag & kMateReverse) != 0) - five_prime(a, (flag & kReverse) != 0);
  };
  if (old_length == between(own.before, mate.before)) return between(own.after, mate.after);
  const auto span = [](const AlignedPart& a, const AlignedPart& b) {
    return std::max(a.end(), b.end()) - std::min(a.begin, b.begin);
  };
  if (std::abs(old_length) != span(own.before, mate.before)) return old_length;
  const std::int64_t length = span(own.after, mate.after);
  return old_length < 0 ? -length : length;
}

// Writes the fields about the mate.
void write_mate(const Clipped& mate, BamFields& record) {
  if (!mate.lost.any()) return;
  if (mate.emptied()) {
    record.flag = (record.flag | kMateUnmapped) & ~kProper;
    record.drop("MC");
    return;
  }
  record.mate_position = static_cast<std::int32_t>(mate.after.begin);
  record.replace_text("MC", cigar_text(mate.after.cigar));
}

void write_own(const Clipped& own, BamFields& record) {
  record.drop("NM");
  record.drop("MD");
  if (!own.emptied()) {
    record.position = static_cast<std::int32_t>(own.after.begin);
    record.cigar = own.after.cigar;
    return;
  }
  // The read keeps its position, which is its place in the order.
  record.flag = (record.flag | kUnmapped) & ~kProper;
  record.quality = 0;
  record.cigar.clear();
  record.template_length = 0;
}

void count(const Clipped& own, ClipCounts& counts) {
  ++counts.clipped;
  counts.both += own.lost.left && own.lost.right ? 1 : 0;
  counts.emptied += own.emptied() ? 1 : 0;
  counts.clipped_bases += aligned_bases(own.before.cigar) - aligned_bases(own.after.cigar);
  if (own.lost.left) ++counts.primers[0][*own.lost.left];
  if (own.lost.right) ++counts.primers[1][*own.lost.right];
}

}  // namespace

void ClipCounts::add(const ClipCounts& other) {
  alignments += other.alignments;
  bases += other.bases;
  clipped += other.clipped;
  both += other.both;
  emptied += other.emptied;
  unmapped += other.unmapped;
  clipped_bases += other.clipped_bases;
  unknown_mates += other.unknown_mates;
  for (const std::size_t side : {0, 1}) {
    for (std::size_t i = 0; i < other.primers[side].size(); ++i) primers[side][i] += other.primers[side][i];
  }
}

PrimerClipper::PrimerClipper(const PrimerScheme& scheme, std::span<const RecordInfo> references,
                             std::uint32_t tolerance)
    : primers_(scheme.primers.size()), references_(references.size()), places_(scheme, references, tolerance) {}

ClipCounts PrimerClipper::counts() const {
  ClipCounts counts;
  for (std::vector<std::uint64_t>& primers : counts.primers) primers.resize(primers_, 0);
  return counts;
}

bool PrimerClipper::has_place(std::int32_t reference, std::int32_t position) const {
  return reference >= 0 && static_cast<std::size_t>(reference) < references_ && position >= 0;
}

// Clips the mate, if the record knows its CIGAR.
bool PrimerClipper::clip_mate(const BamFields& record, Clipped& mate, ClipCounts& counts) const {
  const bool mapped = (record.flag & kPaired) != 0 && (record.flag & kMateUnmapped) == 0 &&
                      has_place(record.mate_reference, record.mate_position);
  if (!mapped) return false;
  mate.before.begin = record.mate_position;
  if (!parse_cigar(record.text_tag("MC"), mate.before.cigar) || !mate.before.has_bases()) {
    ++counts.unknown_mates;
    return false;
  }
  mate.after = mate.before;
  mate.lost = places_.clip(record.mate_reference, mate.after);
  return true;
}

void PrimerClipper::clip(std::string_view bytes, std::string& to, ClipCounts& counts) const {
  struct Scratch {
    Clipped own, mate;
    BamFields record;
  };
  auto& [own, mate, record] = per_thread<Scratch>();
  record.parse(bytes);
  ++counts.alignments;
  counts.bases += record.bases;
  const bool mapped =
      (record.flag & kUnmapped) == 0 && has_place(record.reference, record.position) && !record.cigar.empty();
  counts.unmapped += mapped ? 0 : 1;
  own.before = own.after = {record.position, record.cigar};
  own.lost = mapped ? places_.clip(record.reference, own.after) : LostPrimers();
  if (clip_mate(record, mate, counts)) {
    if (mapped && record.reference == record.mate_reference && (own.lost.any() || mate.lost.any()))
      record.template_length = static_cast<std::int32_t>(template_length(record, own, mate));
    write_mate(mate, record);
  }
  if (own.lost.any()) {
    count(own, counts);
    write_own(own, record);
  }
  record.append(to);
}

}  // namespace basesweep
