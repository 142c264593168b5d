// Alignments of reads as rows, which a part of `map` holds, and their formatting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/rows/row_codec.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {

// A record of which some is known to all: the names of references and the read group are not encoded. The CIGAR has =
// and X; SamRecord::last_tags are as SAM has them.
struct AlignmentRow : Row {
  SamRecord record{};
};

template <class Codec>
void code(Codec& codec, Coded<Codec, CigarRun>& run) {
  std::uint64_t both = std::uint64_t{run.length} << 4 | (kCigarLetters.find(run.op) & 0xf);
  codec.number(both);
  if constexpr (Codec::kDecodes) {
    if ((both & 0xf) >= kCigarLetters.size() || both >> 32 != 0) throw_row_fault();
    run = {static_cast<std::uint32_t>(both >> 4), kCigarLetters[both & 0xf]};
  }
}

template <class Codec>
void code(Codec& codec, Coded<Codec, SamPlace>& place) {
  codec.number(place.reference);
  codec.number(place.start);
}

template <class Codec>
void code(Codec& codec, Coded<Codec, AlignmentRow>& row) {
  auto& record = row.record;
  auto& tags = record.alignment;
  const auto [aligned, has_mate, qualities, last_tags, score, found] =
      codec.flags(tags.has_value(), record.mate.reference >= 0, !record.qualities.empty(), !record.last_tags.empty(),
                  tags && tags->score, tags && tags->found);
  codec.text(record.name);
  codec.number(record.flag);
  code(codec, record.place);
  codec.text(record.letters);
  if (qualities) codec.text(record.qualities);
  if (has_mate) {
    code(codec, record.mate);
    codec.number(record.template_length);
  }
  if (last_tags) codec.text(record.last_tags);
  if (!aligned) return;
  if constexpr (Codec::kDecodes) {
    tags.emplace();
    if (score) tags->score.emplace();
    if (found) tags->found.emplace();
  }
  codec.difference(record.end, record.place.start);
  codec.number(record.mapq);
  codec.list(record.cigar);
  codec.number(tags->differences);
  codec.text(tags->text);
  codec.number(tags->edits);
  if (score) codec.number(*tags->score);
  if (found) codec.number(*tags->found);
}

struct RecordFormat {
  bool binary = false;       // BAM
  bool distinguish = false;  // = and X in CIGAR instead of M
  std::string read_group{};  // ID; "": none
};

// Formats AlignmentRows as SAM or BAM. It makes no header.
class AlignmentFormatter final : public Formatter {
 public:
  // `records`: of the header; they must outlive this.
  AlignmentFormatter(const std::vector<RecordInfo>& records, RecordFormat format)
      : records_(records), format_(std::move(format)) {}

  // Whether SAM and BAM can hold the row, and the header has its records.
  bool can_be(const AlignmentRow& row) const;
  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return 0; }
  void append(const Row& row, RowText& text) const override;

 private:
  void set_name(SamPlace& place) const;

  const std::vector<RecordInfo>& records_;
  const RecordFormat format_;
};

}  // namespace basesweep
