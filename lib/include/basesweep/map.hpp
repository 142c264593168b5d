// basesweep as a library: reads placed on a reference, with edits.
//
//   basesweep::Mapper mapper("genome.fa", {.edits = 2});
//   mapper.map_files({"reads.fq.gz"}, {.columns = {"read", "record", "start", "strand", "mapq"}},
//                    [](const basesweep::Batch& batch) { use(batch.integers("start"), batch.integers("mapq")); });
//
// Alignments are those of `basesweep map`, in its order: reads as they come, the primary alignment of a read first. A
// read is aligned from end to end, each by itself: pairs have no meaning here. Coordinates are 0-based and half-open,
// on the forward strand.
#pragma once

#include <basesweep/basesweep.hpp>

namespace basesweep {

struct MapperOptions {
  // One of these two. A read may have at most this many mismatches, inserted and deleted bases together.
  std::optional<std::uint32_t> edits{};
  std::optional<double> error_rate{};  // as a part (from 0, below 1) of the read's length, rounded down
  enum class Report { best, sites, all };
  Report report = Report::best;                  // best: all alignments with the fewest edits
  std::optional<std::uint64_t> max_secondary{};  // rows of a read besides the primary one; nothing: all
  bool unmapped = false;  // also a row for each read without alignment, in which all but the read is absent
  enum class Strands { both, plus, minus };
  Strands strands = Strands::both;  // of the reference
  // See SearchOptions.
  int threads = 0;
  std::string device = "auto";
  std::string algorithm = "auto";
  std::optional<std::int64_t> read_bases{};  // bases of all reads, if known: device "auto" weighs it
};

struct MapperSummary {
  std::uint64_t reads = 0;
  std::uint64_t mapped = 0;      // reads with an alignment
  std::uint64_t alignments = 0;  // of all reads, including those without a row because of max_secondary
  std::uint64_t skipped = 0;     // reads that are too long, not longer than their edits, or without A, C, G or T
  std::vector<std::string> warnings;
};

struct ReferenceRecord {
  std::string name;
  std::int64_t length = 0;  // bases
};

// A reference prepared for any number of reads. See Searcher for thread safety, errors and callbacks.
class BASESWEEP_API Mapper {
 public:
  // The reference: a file, FASTA or .2bit, plain or compressed; or sequences in memory, which are copied. Names of its
  // records must be unique and without letters that SAM forbids. Throws UsageError for options that conflict; IoError;
  // DataError for bytes that are not sequence, FASTQ, names, no bases, or 2^32 - 2^16 bases or more in all; DeviceError
  // when device is "gpu" and none is usable or its memory does not suffice.
  explicit Mapper(const std::string& reference, MapperOptions options = {});
  explicit Mapper(std::span<const NamedSequence> reference, MapperOptions options = {});
  ~Mapper();
  Mapper(Mapper&&) noexcept;
  Mapper& operator=(Mapper&&) noexcept;

  // Calls take(batch) for all alignments, many at a time, in order. Reads must have names that SAM allows; a name ends
  // at its first blank. Throws UsageError for a column that columns() does not have.
  MapperSummary map(std::span<const NamedSequence> reads, const ColumnOptions& columns, const TakeBatch& take) const;
  // The same for files of reads: FASTA, FASTQ, SAM, BAM or CRAM, plain or compressed; "-" is standard input.
  MapperSummary map_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                          const TakeBatch& take) const;

  // Writes all alignments to a file, as the program does, but @PG has no options. Reads
  // without alignments are left out unless MapperOptions::unmapped is set. Throws UsageError for a format that they do
  // not have, and a file that is read too; DataError for names that the format cannot
  // hold; and what searching throws.
  MapperSummary write(std::span<const NamedSequence> reads, const std::string& path,
                      const FileOptions& options = {}) const;
  MapperSummary write_files(const std::vector<std::string>& paths, const std::string& path,
                            const FileOptions& options = {}) const;

  // The columns that a batch may have. The table of `record` has all records(), so that a code is their index.
  std::vector<ColumnInfo> columns() const;
  // The records of the reference that have bases.
  const std::vector<ReferenceRecord>& records() const noexcept;
  // The algorithm and the device.
  const std::string& method() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
