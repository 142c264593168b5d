// Formats hits as text or bytes: the interface, BED and TSV.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/align/standings.hpp"
#include "lib/base/circular_records.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/record_info.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

// A hit with everything that is written about it, independent of its batch.
struct PlacedHit {
  std::string_view record_name;
  std::int64_t record;  // number among the records with bases of the whole input, from 0: its index in a SAM header
  std::int64_t start;   // in the record, 0-based
  Hit hit;              // its position, in the batch, is not used here
  std::string_view letters;  // the matched text, forward strand, upper case; empty unless the formatter needs it
  std::string_view left{};   // the text before it, in the same way; empty unless the formatter wants a flank
  std::string_view right{};  // the text behind it
  std::uint32_t source = 0;  // index of the record's file among the inputs
  std::int64_t circular_length = 0;  // see Segment
  Standing standing{};               // of its group, with --report best-per-record

  // Exclusive; past the record's end if the hit is over_origin().
  std::int64_t end() const { return start + hit.length; }
  bool over_origin() const { return circular_length != 0 && end() > circular_length; }
};

// Calls use(PlacedHit) for the hits of a batch, which must be ordered by position. What a PlacedHit points to lives
// until the next call. `flank`: bases on both sides that come with the letters, fewer at the ends of a record.
// `standings`: of the batch's records; null: not known.
template <class Use>
void for_each_hit(const PackedBatch& batch, std::span<const Hit> hits, bool with_letters, Use use,
                  std::uint32_t flank = 0, const BatchStandings* standings = nullptr) {
  if (hits.empty()) return;
  const std::vector<Segment>& segments = batch.segments();
  std::size_t segment = batch.segment_at(hits.front().position);
  std::string letters;
  for (const Hit& hit : hits) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    const Segment& own = segments[segment];
    PlacedHit placed{batch.name(own), own.reference, own.offset + (hit.position - own.position), hit, {}};
    placed.source = own.source;
    if (with_letters) {
      const std::uint32_t end = hit.position + hit.length;
      const std::uint32_t left = std::min(flank, hit.position - own.position);
      const std::uint32_t right = std::min(flank, own.end - end);
      letters.resize(std::size_t{left} + hit.length + right);
      batch.copy_letters(hit.position - left, end + right, letters.data());
      const std::string_view all = letters;
      placed.left = all.substr(0, left);
      placed.letters = all.substr(left, hit.length);
      placed.right = all.substr(left + hit.length);
    }
    placed.circular_length = own.circular_length;
    if (standings != nullptr) placed.standing = standings->of(own.record, hit.query);
    use(placed);
  }
}

// A growing buffer of bytes. Unlike std::string it does not set new bytes to 0.
class Text {
 public:
  // Makes room for `bytes` more and returns where to write them. Then call advance() with the place behind the last.
  char* reserve(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(size_ + bytes);
    return data_.get() + size_;
  }
  void advance(char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void append(std::string_view bytes);
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t min_bytes);

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// The message for hits on FASTQ that are to be written in a format whose header lists the records.
inline constexpr std::string_view kNeedsFasta =
    "SAM and BAM list every record in their header, so they are only for hits on FASTA; this is FASTQ: choose "
    "--format tsv or bed";

// One output format. Thread-safe once made.
class Formatter {
 public:
  virtual ~Formatter() = default;

  // Whether header() lists the records, so that all must be known before the first hit is written.
  virtual bool needs_records() const { return false; }
  // Whether header() lists the records when they are known beforehand.
  virtual bool lists_records() const { return needs_records(); }
  // The bytes before the first hit. `records`: all records with bases.
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  // Whether a hit over the origin of a circular record is written as two, [start, length) and [0, end - length).
  virtual bool splits_at_origin() const { return false; }
  // The rule for names of records, which append() writes as they are unless it escapes them.
  virtual NameRule names() const { return NameRule::any; }
  // Whether append() uses PlacedHit::letters.
  virtual bool needs_letters() const = 0;
  // The bases on both sides of a hit that append() uses, with its letters: PlacedHit::left and right.
  virtual std::uint32_t flank() const { return 0; }
  virtual void append(const PlacedHit& hit, Text& text) const = 0;

  // Formats the hits of a batch, which must be ordered by position. `standings`: as for for_each_hit().
  Text format(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings = nullptr) const;
};

// Columns that the output of a chunk has after the usual ones, in this order; FASTA has them in its titles. `merge`
// needs them and removes them.
struct MergeColumns {
  bool edits = false;   // BED only; the other formats show the edits of an approximate search anyway
  bool hang = false;    // how many bases hang over; not in TSV, which shows them anyway
  bool number = false;  // of the record (PlacedHit::record), since two records may have the same name
  // Two: the record's length if the hit is over_origin(), else 0; the number of the pattern from 0.
  bool origin = false;
  bool points = false;  // of matrices: the score in steps, since the one in bits is rounded
  bool operator==(const MergeColumns&) const = default;
};

// The columns that the parts of a run need. `hang`: patterns may hang over. `choosing`: hits of one record are compared
// with each other.
constexpr MergeColumns merge_columns(bool approximate, bool hang, bool choosing, bool circular) {
  return {
      .edits = approximate || choosing || circular, .hang = hang, .number = choosing || circular, .origin = circular};
}

// Details of hits that are written on request.
struct HitDetails {
  MergeColumns merge{};
  bool edit_kinds = false;           // mismatches, insertions and deletions; in approximate search
  bool aligned = false;              // pattern and text drawn with gaps; in approximate search
  std::uint32_t flank = 0;           // bases on both sides; at most kMaxFlank
  std::vector<std::string> files{};  // names of the inputs, to be written with each hit; empty: they are not
  CircularRecords circular{};        // GFF3 lists them
  bool standing = false;             // PlacedHit::standing
};
inline constexpr std::uint32_t kMaxFlank = 10'000;

// Numbers of edits by kind, named as in CIGAR.
struct EditKinds {
  std::uint32_t mismatches;
  std::uint32_t insertions;  // bases of the pattern that the text lacks
  std::uint32_t deletions;   // bases of the text that the pattern lacks
};
EditKinds edit_kinds(const Hit& hit, const Query& query);

// Writes "record TAB start TAB end" to `to`, at most place_bytes(), and returns the place behind it.
char* put_place(char* to, const PlacedHit& hit);
std::size_t place_bytes(const PlacedHit& hit);

// BED: record, start, end, pattern, score, strand; score = round(1000 (1 - edits / length of the pattern)), where bases
// that hang over the record's ends count like edits. Without columns for merging, splits_at_origin().
std::unique_ptr<Formatter> make_bed_formatter(const PatternSet& patterns, MergeColumns more = {});

// TSV with a header line: record, start, end, pattern, strand, then for an approximate search edits, indels and CIGAR
// (=, X, I, D along the forward strand), then the matched text, reverse-complemented for strand -. Further columns: see
// HitDetails and tsv_columns.hpp.
std::unique_ptr<Formatter> make_tsv_formatter(const PatternSet& patterns, const HitDetails& details = {});

// FASTA: the matched text of each hit, reverse-complemented for strand -, with its flanks in lower case. The title is
// "record:start-end(strand)", then edits=N in an approximate search, file=NAME if requested, and pattern=NAME.
std::unique_ptr<Formatter> make_fasta_formatter(const PatternSet& patterns, const HitDetails& details = {});

// GFF3: a feature for each hit, with its pattern as Name, and a ##sequence-region line for each known record. The score
// is that of BED. A circular record has a line of type region with Is_circular=true, so all records must be known.
std::unique_ptr<Formatter> make_gff3_formatter(const PatternSet& patterns, const HitDetails& details = {});

// Appends the columns for merging but for the edits, each after a tab.
void append_merge_columns(const PlacedHit& hit, const Query& query, MergeColumns more, Text& text);

// The score of BED: 1000 (1 - edits / length of the pattern), rounded half up; bases that hang over count like edits.
std::int64_t hit_score(const Hit& hit, const Query& query);

}  // namespace basesweep
