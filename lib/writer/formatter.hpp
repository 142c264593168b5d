// Formats hits as text or bytes: the interface, BED and TSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/align/standings.hpp"
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
  Standing standing{};       // of its group, with --report best-per-record

  std::int64_t end() const { return start + hit.length; }  // exclusive
};

// Calls use(PlacedHit) for the hits of a batch, which must be ordered by position. What a PlacedHit points to lives
// until the next call. `standings`: of the batch's records; null: not known.
template <class Use>
void for_each_hit(const PackedBatch& batch, std::span<const Hit> hits, bool with_letters, Use use,
                  const BatchStandings* standings = nullptr) {
  if (hits.empty()) return;
  const std::vector<Segment>& segments = batch.segments();
  std::size_t segment = batch.segment_at(hits.front().position);
  std::string letters;
  for (const Hit& hit : hits) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    if (with_letters) {
      letters.resize(hit.length);
      batch.copy_letters(hit.position, hit.position + hit.length, letters.data());
    }
    use(PlacedHit{batch.name(segments[segment]), segments[segment].reference,
                  segments[segment].offset + (hit.position - segments[segment].position), hit, letters,
                  standings == nullptr ? Standing() : standings->of(segments[segment].record, hit.query)});
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
  // The bytes before the first hit. `records`: all records with bases.
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  // Whether append() uses PlacedHit::letters.
  virtual bool needs_letters() const = 0;
  virtual void append(const PlacedHit& hit, Text& text) const = 0;

  // Formats the hits of a batch, which must be ordered by position. `standings`: as for for_each_hit().
  Text format(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings = nullptr) const;
};

// Columns that the output of a chunk has after the usual ones of BED and TSV. `merge` needs them and removes them.
enum class MergeColumns {
  none,
  edits,            // BED only; TSV of an approximate search has the column anyway
  edits_and_number  // also the number of the record (PlacedHit::record), since two records may have the same name
};

// Details of hits that are written on request.
struct HitDetails {
  MergeColumns merge = MergeColumns::none;
  bool edit_kinds = false;  // mismatches, insertions and deletions; in approximate search
  bool aligned = false;     // pattern and text drawn with gaps; in approximate search
  bool standing = false;    // PlacedHit::standing
};

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
// that hang over the record's ends count like edits.
std::unique_ptr<Formatter> make_bed_formatter(const PatternSet& patterns, MergeColumns more = MergeColumns::none);

// TSV with a header line: record, start, end, pattern, strand, then for an approximate search edits, indels and CIGAR
// (=, X, I, D along the forward strand), then the matched text, reverse-complemented for strand -. Further columns: see
// HitDetails and tsv_columns.hpp.
std::unique_ptr<Formatter> make_tsv_formatter(const PatternSet& patterns, const HitDetails& details = {});

}  // namespace basesweep
