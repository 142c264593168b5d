#include "lib/writer/read_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "lib/base/fields.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/base/sam_tags.hpp"
#include "lib/reads/modified_bases.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {
namespace {

constexpr unsigned kUnmapped = 4;
constexpr unsigned kMateUnmapped = 8;

char of(const std::array<char, 256>& letters, char letter) { return letters[static_cast<unsigned char>(letter)]; }

// The tag of a field of a title such as "BC:Z:ACGT"; "" if the field is no tag.
std::string_view tag_of(std::string_view field) {
  return field.size() >= 5 && field[2] == ':' && field[4] == ':' && is_sam_tag(field.substr(0, 2)) ? field.substr(0, 2)
                                                                                                   : std::string_view();
}

// Whether the comment says first which mate the read is, as Illumina's " 1:N:0:ACGT".
bool is_mate_comment(std::string_view comment) {
  return comment.size() >= 5 && comment[0] == ' ' && (comment[1] == '1' || comment[1] == '2') && comment[2] == ':' &&
         (comment[3] == 'N' || comment[3] == 'Y') && comment[4] == ':';
}

bool has_tag(std::string_view tags, std::string_view tag) {
  while (!tags.empty()) {
    if (tag_of(take_to(tags, '\t')) == tag) return true;
  }
  return false;
}

// Whether the new tags replace an old one: they have it, or they have the bases that it was made of, so that it would
// speak of others (CB of CR; UB and MI of RX).
bool is_replaced(std::string_view tag, std::string_view new_tags) {
  if (has_tag(new_tags, tag)) return true;
  if (tag == "CB") return has_tag(new_tags, "CR");
  return (tag == "UB" || tag == "MI") && has_tag(new_tags, "RX");
}

}  // namespace

// The parts of a read as they are written.
struct ReadWriter::Pieces {
  std::string_view bases;
  std::string_view quality;
  std::string_view name_before;  // the name up to the tail
  std::string_view name_tail;
  std::string_view name_after;    // that of a mate, such as "/1"
  std::string_view mate_comment;  // the begin of the comment where it differs from the read's own
  std::string_view comment;       // the title after the name, with the blank or tab before it
  std::string_view title_tail;
  std::string_view old_tags;  // of the title, those that stay, each after a tab
  std::string_view new_tags;
  bool turned;

  char* put_bases(char* to) const {
    if (!turned) return put(to, bases);
    return put_reverse_complement(to, bases);
  }
  char* put_quality(char* to) const {
    return turned ? std::copy(quality.rbegin(), quality.rend(), to) : put(to, quality);
  }
};

void ReadWriter::append(const ReadList& list, const InputRead& read, const WrittenRead& written, int mate,
                        Text& text) const {
  const std::size_t length = written.end - written.begin;
  Pieces pieces{};
  pieces.bases = (written.bases.data() != nullptr ? written.bases : read.bases).substr(written.begin, length);
  pieces.quality = read.quality.empty() ? std::string_view() : read.quality.substr(written.begin, length);
  pieces.turned = written.turned;
  pieces.name_before = read.pair;
  if (!written.alone) pieces.name_after = read.name.substr(read.pair.size());
  // A mate that is exchanged with the other has the other's number.
  const bool numbered = mate != 0 && !pieces.name_after.empty() && written.exchanged;
  const char number[] = {numbered ? pieces.name_after.front() : '/', mate == 1 ? '1' : '2'};
  if (numbered) pieces.name_after = {number, sizeof number};
  pieces.name_tail = written.name_tail;
  pieces.title_tail = written.title_tail;
  pieces.comment = {read.name.data() + read.name.size(), read.title.data() + read.title.size()};
  if (written.exchanged && is_mate_comment(pieces.comment)) {
    pieces.mate_comment = mate == 1 ? " 1" : " 2";
    pieces.comment.remove_prefix(pieces.mate_comment.size());
  }
  pieces.new_tags = written.tags;
  struct OldTags {
    std::string kept, cut;
  };
  auto& old = per_thread<OldTags>();
  old.kept.clear();
  old.cut.clear();
  const std::size_t tab = pieces.comment.find('\t');
  const bool has_tags =
      tab != std::string_view::npos && (title_tags_ || pieces.comment.find("\tMM:Z:", tab) != std::string_view::npos);
  if (has_tags) {
    std::string_view fields = pieces.comment.substr(tab + 1);
    pieces.comment = pieces.comment.substr(0, tab);
    while (!fields.empty()) {
      const std::string_view field = take_to(fields, '\t');
      const std::string_view tag = tag_of(field);
      if (tag.empty() || !is_replaced(tag, written.tags)) old.kept.append("\t").append(field);
    }
    try {
      const WrittenBases bases{read.bases, written.begin, written.end, written.turned, written.bases};
      if (append_cut_tags(old.kept, bases, old.cut)) left_out_tags_ = true;
    } catch (const std::runtime_error& fault) {
      throw list.fault(read, fault.what());
    }
    pieces.old_tags = old.cut;
  }
  if (written.tagged) pieces.comment = {};
  if (format_ == OutputFormat::fastq || format_ == OutputFormat::fasta) {
    append_lines(list, read, pieces, title_tags_ || written.tagged, text);
  } else {
    append_record(list, read, pieces, mate, text);
  }
}

void ReadWriter::append_lines(const ReadList& list, const InputRead& read, const Pieces& pieces, bool tags,
                              Text& text) const {
  const bool fastq = format_ == OutputFormat::fastq;
  const bool unknown = fastq && pieces.quality.size() != pieces.bases.size();
  if (unknown && !read.block->alignments) throw list.fault(read, "FASTQ needs qualities, which FASTA does not have");
  char* to = text.reserve(pieces.name_before.size() + pieces.name_tail.size() + pieces.name_after.size() +
                          pieces.mate_comment.size() + pieces.comment.size() + pieces.title_tail.size() +
                          pieces.old_tags.size() + pieces.new_tags.size() + 2 * pieces.bases.size() + 8);
  *to++ = fastq ? '@' : '>';
  for (const std::string_view piece :
       {pieces.name_before, pieces.name_tail, pieces.name_after, pieces.mate_comment, pieces.comment})
    to = put(to, piece);
  if (!pieces.title_tail.empty()) {
    *to++ = ' ';
    to = put(to, pieces.title_tail);
  }
  to = put(to, pieces.old_tags);
  if (tags) to = put(to, pieces.new_tags);
  *to++ = '\n';
  to = pieces.put_bases(to);
  if (fastq) to = put(to, "\n+\n");
  if (fastq) to = unknown ? std::fill_n(to, pieces.bases.size(), kUnknownQuality) : pieces.put_quality(to);
  *to++ = '\n';
  text.advance(to);
}

void ReadWriter::append_record(const ReadList& list, const InputRead& read, const Pieces& pieces, int mate,
                               Text& text) const {
  struct Scratch {
    std::string name, letters, quality, tags;
  };
  auto& scratch = per_thread<Scratch>();
  scratch.name.assign(pieces.name_before).append(pieces.name_tail);
  if (mate == 0) scratch.name.append(pieces.name_after);
  if (!is_sam_query_name(scratch.name)) {
    throw list.fault(
        read, fmt::format("SAM does not allow its name (1 to {} letters of ! to ~ without @)", kMaxSamNameLetters));
  }
  scratch.letters.resize(pieces.bases.size());
  pieces.put_bases(scratch.letters.data());
  for (char& letter : scratch.letters) letter = of(kSamLetters, letter);
  scratch.quality.resize(pieces.quality.size());
  pieces.put_quality(scratch.quality.data());
  scratch.tags.clear();
  try {
    for (std::string_view tags : {pieces.old_tags, pieces.new_tags}) {
      while (!tags.empty()) {
        tags.remove_prefix(1);
        const std::string_view field = tags.substr(0, tags.find('\t'));
        tags.remove_prefix(field.size());
        if (!tag_of(field).empty()) append_sam_tag(field, format_ == OutputFormat::bam, scratch.tags);
      }
    }
  } catch (const std::runtime_error& fault) {
    throw list.fault(read, fault.what());
  }
  SamRecord record;
  record.name = scratch.name;
  record.flag = kUnmapped;
  if (mate != 0) {
    record.flag |= sam_flag::paired | kMateUnmapped | (mate == 1 ? sam_flag::read1 : sam_flag::read2);
  }
  record.letters = scratch.letters;
  record.qualities = scratch.quality;
  record.last_tags = scratch.tags;
  format_ == OutputFormat::bam ? append_bam(record, text) : append_sam(record, text);
}

}  // namespace basesweep
