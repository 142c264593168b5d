#include "lib/writer/sam_record.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "lib/base/bam_bytes.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/standing_tags.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kFixedBytes = 256;  // more than all numbers and tag names of a record take
constexpr char kFirstQuality = '!';

char* put_field(char* to, std::string_view text) {
  *to++ = '\t';
  return put(to, text);
}

char* put_field(char* to, std::int64_t number) {
  *to++ = '\t';
  return put(to, number);
}

char* put_sam_tags(char* to, const SamAlignmentTags& tags) {
  to = put(put(to, "\tNM:i:"), std::int64_t{tags.differences});
  to = put(put(to, "\tMD:Z:"), tags.text);
  if (tags.score) to = put(put(to, "\tAS:i:"), *tags.score);
  if (tags.found) to = put(put(to, "\tNH:i:"), static_cast<std::int64_t>(*tags.found));
  return put(put(to, "\tXE:i:"), std::int64_t{tags.edits});
}

char* put_tag(char* to, std::string_view tag, std::int64_t value) { return put_shortest(put(to, tag), value); }

char* put_text_tag(char* to, std::string_view tag_and_type, std::string_view text) {
  to = put(put(to, tag_and_type), text);
  *to++ = '\0';
  return to;
}

char* put_bam_tags(char* to, const SamAlignmentTags& tags) {
  to = put_tag(to, "NM", tags.differences);
  to = put_text_tag(to, "MDZ", tags.text);
  if (tags.score) to = put_tag(to, "AS", *tags.score);
  if (tags.found) to = put_tag(to, "NH", static_cast<std::int64_t>(*tags.found));
  return put_tag(to, "XE", tags.edits);
}

std::uint32_t cigar_code(const CigarRun& run) {
  static_assert(std::string_view(BAM_CIGAR_STR).starts_with(kCigarLetters));
  return bam_cigar_gen(run.length, static_cast<std::uint32_t>(kCigarLetters.find(run.op)));
}

// Packs two letters into each byte.
char* put_packed(char* to, std::string_view letters) {
  const auto code = [letters](std::size_t i) {
    return unsigned{seq_nt16_table[static_cast<unsigned char>(letters[i])]};
  };
  std::size_t i = 0;
  for (; i + 1 < letters.size(); i += 2) *to++ = static_cast<char>(code(i) << 4 | code(i + 1));
  if (i < letters.size()) *to++ = static_cast<char>(code(i) << 4);
  return to;
}

// The bin of the BAI index, as HTSlib computes it; an unaligned record counts as one base long.
std::uint16_t bin_of(const SamRecord& record) {
  constexpr int kBinShift = 14;  // of the smallest bins of a BAI index
  constexpr int kBinLevels = 5;
  const std::int64_t end = record.cigar.empty() ? record.place.start + 1 : record.end;
  return static_cast<std::uint16_t>(hts_reg2bin(record.place.start, end, kBinShift, kBinLevels));
}

std::size_t max_bytes(const SamRecord& record) {
  return kFixedBytes + record.name.size() + record.place.name.size() + record.mate.name.size() +
         record.cigar.size() * (kNumberDigits + 1) + 2 * record.letters.size() +
         (record.alignment ? record.alignment->text.size() : 0) + record.read_group.size() + record.last_tags.size();
}

}  // namespace

std::string standing_tags(const Standing& standing, bool binary) {
  if (standing.best == 0) return "";
  const auto best = static_cast<std::int64_t>(standing.best);
  char bytes[kFixedBytes];
  char* to = bytes;
  if (binary) {
    to = put_tag(to, "XB", best);
    if (standing.next_edits) to = put_tag(to, "XN", *standing.next_edits);
  } else {
    to = put(put(to, "\tXB:i:"), best);
    if (standing.next_edits) to = put(put(to, "\tXN:i:"), std::int64_t{*standing.next_edits});
  }
  return {bytes, to};
}

void append_sam(const SamRecord& record, Text& text) {
  char* to = put(text.reserve(max_bytes(record)), record.name);
  to = put_field(to, record.flag);
  to = put_field(to, record.place.name);
  to = put_field(to, record.place.start + 1);
  to = put_field(to, record.mapq);
  *to++ = '\t';
  if (record.cigar.empty()) *to++ = '*';
  for (const CigarRun& run : record.cigar) {
    to = put(to, std::int64_t{run.length});
    *to++ = run.op;
  }
  const bool same = record.mate.reference >= 0 && record.mate.reference == record.place.reference;
  to = put_field(to, same ? std::string_view("=") : record.mate.name);
  to = put_field(to, record.mate.start + 1);
  to = put_field(to, record.template_length);
  to = put_field(to, record.letters.empty() ? std::string_view("*") : record.letters);
  to = put_field(to, record.qualities.empty() ? std::string_view("*") : record.qualities);
  if (record.alignment) to = put_sam_tags(to, *record.alignment);
  if (!record.read_group.empty()) to = put(put(to, "\tRG:Z:"), record.read_group);
  to = put(to, record.last_tags);
  *to++ = '\n';
  text.advance(to);
}

void append_bam(const SamRecord& record, Text& text) {
  assert(record.cigar.size() <= std::numeric_limits<std::uint16_t>::max());
  char* const begin = text.reserve(max_bytes(record));
  char* to = begin + sizeof(std::int32_t);
  to = put_int32(to, record.place.reference);
  to = put_int32(to, record.place.start);
  to = put_integer(to, static_cast<std::uint8_t>(record.name.size() + 1));
  to = put_integer(to, static_cast<std::uint8_t>(record.mapq));
  to = put_integer(to, bin_of(record));
  to = put_integer(to, static_cast<std::uint16_t>(record.cigar.size()));
  to = put_integer(to, static_cast<std::uint16_t>(record.flag));
  to = put_int32(to, static_cast<std::int64_t>(record.letters.size()));
  to = put_int32(to, record.mate.reference);
  to = put_int32(to, record.mate.start);
  to = put_int32(to, record.template_length);
  to = put(to, record.name);
  *to++ = '\0';
  for (const CigarRun& run : record.cigar) to = put_integer(to, cigar_code(run));
  to = put_packed(to, record.letters);
  to = record.qualities.empty()
           ? std::fill_n(to, record.letters.size(), '\xff')
           : std::transform(record.qualities.begin(), record.qualities.end(), to,
                            [](char quality) { return static_cast<char>(quality - kFirstQuality); });
  if (record.alignment) to = put_bam_tags(to, *record.alignment);
  if (!record.read_group.empty()) to = put_text_tag(to, "RGZ", record.read_group);
  to = put(to, record.last_tags);
  put_int32(begin, to - begin - static_cast<std::ptrdiff_t>(sizeof(std::int32_t)));
  text.advance(to);
}

}  // namespace basesweep
