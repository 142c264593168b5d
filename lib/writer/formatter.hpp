// Prints hits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"
#include "lib/record_info.hpp"

namespace basesweep {

// A hit that can be told from a batch of its own: everything that is printed about it.
struct PlacedHit {
  std::string_view record_name;
  std::int64_t record;  // counted over the whole input, from 0, among those that have bases: its place in a header
  std::int64_t start;   // 0-based, in the record
  Hit hit;
  std::string_view letters;  // the text it covers, forward strand, upper case; empty unless the formatter needs it

  std::int64_t end() const { return start + hit.length; }
};

// Calls use(PlacedHit) for the hits of a batch, in their order, which must be that of the columns. What the hit points
// to lives until the next call.
template <class Use>
void for_each_hit(const PackedBatch& batch, std::span<const Hit> hits, bool with_letters, Use use) {
  if (hits.empty()) return;
  const std::vector<Piece>& pieces = batch.pieces();
  std::size_t piece = batch.piece_at(hits.front().column);
  std::string letters;
  for (const Hit& hit : hits) {
    while (piece + 1 < pieces.size() && pieces[piece + 1].column <= hit.column) ++piece;
    if (with_letters) {
      letters.resize(hit.length);
      batch.copy_letters(hit.column, hit.column + hit.length, letters.data());
    }
    use(PlacedHit{batch.name(pieces[piece]), pieces[piece].reference,
                  pieces[piece].offset + (hit.column - pieces[piece].column), hit, letters});
  }
}

// Bytes that grow, without being set to 0 first.
class Text {
 public:
  // Room for `bytes` more; write there, then call advance with where that ended.
  char* reserve(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(size_ + bytes);
    return data_.get() + size_;
  }
  void advance(char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void append(std::string_view bytes);
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t least_bytes);

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Why a format that needs records refuses FASTQ.
inline constexpr std::string_view kNeedsFasta =
    "SAM and BAM are for hits on FASTA text, since they list every record in their header; this is FASTQ: choose "
    "--format "
    "tsv or bed";

// One output format. Thread-safe once made.
class Formatter {
 public:
  virtual ~Formatter() = default;

  // Whether header() says something of the records, so that all must be known.
  virtual bool needs_records() const { return false; }
  // What stands before the first hit. `records`: those that have bases.
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  virtual bool needs_letters() const = 0;
  virtual void append(const PlacedHit& hit, Text& text) const = 0;

  // The hits of a batch, in their order, which must be that of the columns.
  Text format(const PackedBatch& batch, std::span<const Hit> hits) const;
};

// Columns behind the usual ones of BED and TSV, which merging parts needs.
enum class MergeColumns {
  none,
  edits,            // TSV of an approximate search has them anyway
  edits_and_number  // of the record (PlacedHit::record), since names may be used twice
};

// BED: record, start, end, pattern, score, strand; score = round(1000 (1 - edits / length of the pattern)).
std::unique_ptr<Formatter> make_bed_formatter(const PatternSet& patterns, MergeColumns more = MergeColumns::none);

// TSV with a header line: record, start, end, pattern, strand, for an approximate search edits, indels and CIGAR (=, X,
// I, D along the forward strand), then the matched text as the pattern's strand reads it.
std::unique_ptr<Formatter> make_tsv_formatter(const PatternSet& patterns, MergeColumns more = MergeColumns::none);

}  // namespace basesweep
