#include "lib/writer/read_formatter.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/alignment_rows.hpp"
#include "lib/writer/differences.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_header.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {
namespace {

// The primary or another alignment of a read.
struct Alignment {
  SamPlace place;
  std::int64_t end;
  bool minus;
};

// The fields of a read's records that describe its mate. `proper` and `template_length` are for the primary record
// only.
struct Mate {
  unsigned flag = 0;
  SamPlace place{};
  bool proper = false;
  std::int64_t template_length = 0;
};

// Memory that is kept from one read to the next.
struct Scratch {
  Tracer tracer;
  std::vector<CigarRun> cigar;
  Differences differences;
  std::string text;     // of the reference
  std::string letters;  // of the read, reverse-complemented
  std::string qualities;
};

// Reverse-complements the read.
void turn(const Read& read, Scratch& scratch) {
  const auto complement = [](char letter) { return kComplementLetters[static_cast<unsigned char>(letter)]; };
  scratch.letters.resize(read.letters.size());
  std::transform(read.letters.rbegin(), read.letters.rend(), scratch.letters.begin(), complement);
  scratch.qualities.assign(read.quality.rbegin(), read.quality.rend());
}

// TLEN: the bases from the leftmost to the rightmost of both mates, positive for the leftmost mate and negative for the
// other. When both start at the same place, the first mate counts as leftmost.
std::int64_t template_length(const Alignment& own, const Alignment& mate, bool is_first) {
  const std::int64_t length = std::max(own.end, mate.end) - std::min(own.place.start, mate.place.start);
  const bool leftmost = own.place.start != mate.place.start ? own.place.start < mate.place.start : is_first;
  return leftmost ? length : -length;
}

// Whether the mates are on different strands and point towards each other.
bool face(const Alignment& a, const Alignment& b) {
  if (a.minus == b.minus) return false;
  const Alignment& plus = a.minus ? b : a;
  const Alignment& minus = a.minus ? a : b;
  return plus.place.start <= minus.place.start && plus.end <= minus.end;
}

}  // namespace

struct ReadFormatter::State {
  const Reference& reference;
  ReadFormatOptions options;
  ReadGroup read_group;

  Alignment alignment(const Hit& hit) const;
  Mate mate_of(const std::optional<Alignment>& own, const std::optional<Alignment>& mate, bool is_first) const;
  void append_aligned(const PlacedRead& placed, const Mate& mate, RowText& text,
                      const std::function<void(RowText&)>& flush) const;
  void append_unaligned(const Read& read, const Mate& mate, RowText& text) const;
  void put_alignment(const Hit& hit, Scratch& scratch, SamRecord& record) const;
  void append(const SamRecord& record, RowText& text) const {
    if (options.rows != nullptr) return options.rows->append(AlignmentRow{{}, record}, text);
    options.binary ? append_bam(record, text) : append_sam(record, text);
  }
};

Alignment ReadFormatter::State::alignment(const Hit& hit) const {
  const PackedBatch& text = *reference.text;
  const Segment& segment = text.segments()[text.segment_at(hit.position)];
  const std::int64_t start = segment.offset + (hit.position - segment.position);
  const auto index = static_cast<std::size_t>(segment.reference);
  return {
      {static_cast<std::int32_t>(index), reference.records[index].name, start}, start + hit.length, hit.query % 2 != 0};
}

Mate ReadFormatter::State::mate_of(const std::optional<Alignment>& own, const std::optional<Alignment>& mate,
                                   bool is_first) const {
  Mate found;
  found.flag = BAM_FPAIRED | (is_first ? BAM_FREAD1 : BAM_FREAD2);
  if (!mate) {
    found.flag |= BAM_FMUNMAP;
    // SAM gives an unaligned mate the place of the aligned one.
    if (own) found.place = own->place;
    return found;
  }
  if (mate->minus) found.flag |= BAM_FMREVERSE;
  found.place = mate->place;
  if (!own || own->place.reference != mate->place.reference) return found;
  found.template_length = template_length(*own, *mate, is_first);
  const std::int64_t insert = std::abs(found.template_length);
  found.proper = face(*own, *mate) && insert >= options.min_insert && insert <= options.max_insert;
  return found;
}

void ReadFormatter::State::append_aligned(const PlacedRead& placed, const Mate& mate, RowText& text,
                                          const std::function<void(RowText&)>& flush) const {
  auto& scratch = per_thread<Scratch>();
  const Read& read = *placed.read;
  bool turned = false;
  for (const Hit& hit : placed.hits) {
    const bool primary = &hit == &placed.hits.front();
    const Alignment at = alignment(hit);
    if (at.minus && !std::exchange(turned, true)) turn(read, scratch);
    SamRecord record;
    record.name = read.name;
    record.flag = mate.flag | (at.minus ? BAM_FREVERSE : 0) | (primary ? 0 : BAM_FSECONDARY) |
                  (primary && mate.proper ? BAM_FPROPER_PAIR : 0);
    record.place = at.place;
    record.end = at.end;
    record.mapq = primary ? placed.mapq : 0;
    record.mate = mate.place;
    record.template_length = primary ? mate.template_length : 0;
    record.letters = at.minus ? scratch.letters : read.letters;
    record.qualities = at.minus ? scratch.qualities : read.quality;
    record.read_group = read_group.id;
    record.last_tags = read.tags;
    put_alignment(hit, scratch, record);
    record.alignment->found = placed.found;
    append(record, text);
    if (flush) flush(text);
  }
}

// Sets CIGAR, NM, MD, AS and XE. A hit without edits covers the same letters as the read, so the reference is not read.
void ReadFormatter::State::put_alignment(const Hit& hit, Scratch& scratch, SamRecord& record) const {
  std::string_view letters = record.letters;
  if (hit.edits != 0) {
    scratch.text.resize(hit.length);
    reference.text->copy_letters(hit.position, hit.position + hit.length, scratch.text.data());
    letters = scratch.text;
  }
  const auto precise = scratch.tracer.trace(record.letters, letters, {hit.edits, hit.indels});
  find_differences(record.letters, letters, precise, scratch.differences);
  if (!options.distinguish) join_matches(precise, scratch.cigar);
  record.cigar = options.distinguish ? precise : scratch.cigar;
  record.alignment = {.differences = scratch.differences.count,
                      .text = scratch.differences.text,
                      .score = -std::int64_t{hit.edits},
                      .edits = hit.edits};
}

void ReadFormatter::State::append_unaligned(const Read& read, const Mate& mate, RowText& text) const {
  SamRecord record;
  record.name = read.name;
  record.flag = mate.flag | BAM_FUNMAP;
  record.place = mate.place;
  record.mate = mate.place;
  record.letters = read.letters;
  record.qualities = read.quality;
  record.read_group = read_group.id;
  record.last_tags = read.tags;
  append(record, text);
}

ReadFormatter::ReadFormatter(const Reference& reference, ReadFormatOptions options) {
  ReadGroup read_group = parse_read_group(options.read_group);
  state_ = std::make_unique<State>(State{reference, std::move(options), std::move(read_group)});
}

ReadFormatter::~ReadFormatter() = default;

std::string ReadFormatter::header_text() const {
  return sam_header_text({.order = "SO:unsorted\tGO:query",
                          .records = state_->reference.records,
                          .md5 = state_->reference.md5,
                          .read_group_lines = state_->read_group.line + state_->options.kept_read_groups,
                          .program = state_->options.program,
                          .command_line = state_->options.command_line});
}

std::string ReadFormatter::header() const {
  return state_->options.binary ? bam_header(header_text(), state_->reference.records) : header_text();
}

void ReadFormatter::finish(RowText& text) const {
  if (state_->options.rows != nullptr) state_->options.rows->finish(text);
}

bool ReadFormatter::makes_blocks() const { return state_->options.rows != nullptr; }

void ReadFormatter::append(std::span<const PlacedRead> reads, RowText& text,
                           const std::function<void(RowText&)>& flush) const {
  assert(reads.size() == (state_->options.paired ? 2 : 1));
  std::array<std::optional<Alignment>, 2> primaries;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!reads[i].hits.empty()) primaries[i] = state_->alignment(reads[i].hits.front());
  }
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Mate mate = reads.size() == 2 ? state_->mate_of(primaries[i], primaries[1 - i], i == 0) : Mate{};
    if (primaries[i]) {
      state_->append_aligned(reads[i], mate, text, flush);
    } else if (!state_->options.hits_only) {
      state_->append_unaligned(*reads[i].read, mate, text);
    }
  }
}

}  // namespace basesweep
