// Formats reads as SAM or BAM, or as rows of a part.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "lib/reads/read_batch.hpp"
#include "lib/reads/reference.hpp"
#include "lib/search/hit.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A read and its alignments.
struct PlacedRead {
  const Read* read;
  std::span<const Hit> hits;  // the hits to write, primary first; empty: unmapped. Hit::query is odd on strand -
  std::uint64_t found;        // NH: number of hits, including those that are not written
  std::uint8_t mapq;          // of the primary alignment; secondary ones get 0
};

// Makes the output of reads. Thread-safe once made.
class ReadPrinter {
 public:
  virtual ~ReadPrinter() = default;
  // Appends what is written about one read, or about two mates, the first one first. `flush` is to be called after each
  // alignment, or after several, and may take the text so far, since a read in repeats may have very many; it may be
  // empty.
  virtual void append(std::span<const PlacedRead> reads, RowText& text,
                      const std::function<void(RowText&)>& flush) const = 0;
  // See Formatter.
  virtual void finish(RowText& /*text*/) const {}
  virtual bool makes_blocks() const { return false; }
};

struct ReadFormatOptions {
  bool binary = false;       // BAM, not yet compressed
  bool distinguish = false;  // = and X in CIGAR instead of M
  bool hits_only = false;    // leave out unmapped reads
  bool paired = false;
  std::int64_t min_insert = 0;  // template length of a proper pair
  std::int64_t max_insert = 1000;
  bool program = true;             // a @PG line
  std::string command_line{};      // CL of the @PG line
  std::string read_group{};        // an @RG line, see parse_read_group(); empty: none
  std::string kept_read_groups{};  // @RG lines of the input, each with its line end
  // Encodes AlignmentRows for a part, with `distinguish` and tags as SAM has them; null: SAM or BAM is made.
  const Formatter* rows = nullptr;
};

// SAM 1.6, in the order of the input (SO:unsorted, GO:query). Tags: NM and MD as `samtools calmd` computes them, AS
// (minus the edits), NH, XE (the edits as basesweep counts them), RG, and those that the
// reads kept (Read::tags), which must be in the form that `binary` says. Thread-safe once made.
class ReadFormatter final : public ReadPrinter {
 public:
  // `reference` must outlive this object. Throws UsageError for a malformed read group.
  ReadFormatter(const Reference& reference, ReadFormatOptions options);
  ~ReadFormatter() override;

  // The header as SAM text.
  std::string header_text() const;
  // The bytes before the first record: for BAM the header in binary form.
  std::string header() const;
  // Two mates with `paired`.
  void append(std::span<const PlacedRead> reads, RowText& text,
              const std::function<void(RowText&)>& flush = {}) const override;
  void finish(RowText& text) const override;
  bool makes_blocks() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
