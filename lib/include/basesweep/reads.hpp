// basesweep as a library: reads sorted by the barcodes of samples, trimmed, and counted by guide.
//
//   const basesweep::ReadTrimmer trimmer({.first = {.adapters_3prime = {"AGATCGGAAGAGC"}, .min_length = 30}});
//   basesweep::read_files({"reads.fq.gz"}, [&](std::span<const basesweep::NamedRead> reads) {
//     const std::vector<basesweep::TrimmedRead> trimmed = trimmer.trim(reads);
//     for (std::size_t i = 0; i < reads.size(); ++i) use(reads[i].bases.substr(trimmed[i].begin, trimmed[i].size()));
//   });
//
// Results are those of `basesweep demux`, `trim` and `count`, and docs/reads.md explains the rules. They do not depend
// on threads, on the device, or on how reads are divided among calls. Bases are 0-based and half-open.
#pragma once

#include <basesweep/error.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basesweep {

// A read in memory, owned by the caller. It has fewer than 2^32 bases, without line breaks. A letter other than A, C,
// G, T and U, in either case, matches no base.
struct NamedRead {
  std::string_view name{};
  std::string_view bases{};
  std::string_view qualities{};  // as in FASTQ, one character for each base; empty: not known
};

struct ReadFileOptions {
  std::vector<std::string> second_paths{};  // files of the second mates, one for each path
  bool interleaved = false;                 // consecutive reads are mates
  bool drop_alignment = false;              // aligned reads are taken as they came from the sequencer; else an error
  int threads = 0;                          // that decompress; 0: as many as the process may use
};

// Calls take(reads) for all reads of files, many at a time, in order; mates follow each other, and a pair is never
// divided. FASTA, FASTQ, or SAM, BAM or CRAM without alignments, plain or compressed; "-" is standard input. The reads
// are valid until take() returns. Throws IoError, UsageError for files that do not go together, DataError for what is
// not a read after the reads before it, and whatever take() throws, which ends the reading.
BASESWEEP_API void read_files(const std::vector<std::string>& paths,
                              const std::function<void(std::span<const NamedRead> reads)>& take,
                              const ReadFileOptions& options = {});

// A sample and its barcodes, 5' to 3' as they are in the reads. Letters are IUPAC codes.
struct BarcodedSample {
  std::string name;        // letters, digits, '.', '_' and '-'
  std::string barcode;     // at the start of the read, or of the first mate
  std::string left{};      // what comes before the barcode, as far as it is known
  std::string right{};     // and after it
  std::string barcode2{};  // at the end of the read; of pairs at the start of the second mate; "": there is none
  std::string left2{};
  std::string right2{};
  std::optional<std::uint32_t> edits{};  // the most of each barcode; nothing: see DemultiplexerOptions
};

struct DemultiplexerOptions {
  // At most one of these two. The most edits (mismatches, inserted and deleted bases) of a barcode with its context.
  std::optional<std::uint32_t> edits{};
  std::optional<double> error_rate{};     // as a part of its length; without both, 0.30, or less if barcodes are short
  std::uint32_t context = 20;             // bases of each flank that are searched with the barcode
  std::uint32_t margin = 2;               // every other sample must have at least this many edits more
  std::optional<std::uint32_t> window{};  // bases at the ends of reads that are searched; nothing: 150, or the kit's
  bool anywhere = false;                  // search whole reads
  bool either_end = false;                // one of two barcodes is enough
  bool paired = false;                    // consecutive reads are mates
  enum class Strands { automatic, both, plus, minus };
  Strands strands = Strands::automatic;      // automatic: both of single reads, plus of pairs
  int threads = 0;                           // that work on a call; 0: as many as the process may use
  std::string device = "auto";               // "auto", "cpu", "gpu", "gpu:N"
  std::optional<std::int64_t> read_bases{};  // of all reads, if known: device "auto" weighs it
};

// The sample of a read, or of a mate, and what is left of it.
struct SortedRead {
  std::optional<std::uint32_t> sample{};  // index in samples()
  std::string_view reason{};  // "assigned", or why it has no sample: "none", "ambiguous", "two-barcodes" ...
  char strand = '.';          // '+': as the barcodes are given; '-': the other way; '.': not known, or as good on both
  std::optional<std::uint32_t> edits{};       // of the best sample
  std::optional<std::uint32_t> next_edits{};  // of the next best, if it is near
  std::uint32_t begin = 0, end = 0;           // the bases without barcodes and flanks, in the orientation of the read

  std::uint32_t size() const noexcept { return end - begin; }
};

// Samples prepared for any number of reads. See Searcher for thread safety.
class BASESWEEP_API Demultiplexer {
 public:
  // Throws UsageError for options that are out of range or conflict; DataError for a sample without a barcode or with
  // letters that are no bases, and for two samples that could not be told apart; DeviceError when device is "gpu" and
  // none is usable.
  explicit Demultiplexer(const std::vector<BarcodedSample>& samples, DemultiplexerOptions options = {});
  explicit Demultiplexer(std::initializer_list<BarcodedSample> samples, DemultiplexerOptions options = {})
      : Demultiplexer(std::vector(samples), std::move(options)) {}
  // The samples of a sheet, with the flanks and the barcodes of a kit if one is named: "RBK114-24". Throws IoError too.
  static Demultiplexer load(const std::string& sheet, const std::string& kit = "", DemultiplexerOptions options = {});
  ~Demultiplexer();
  Demultiplexer(Demultiplexer&&) noexcept;
  Demultiplexer& operator=(Demultiplexer&&) noexcept;

  // One result for each read. Throws UsageError for an odd number of mates.
  std::vector<SortedRead> sort(std::span<const NamedRead> reads) const;

  // The names of the samples.
  const std::vector<std::string>& samples() const noexcept;
  // Sentences about samples that are near to each other.
  const std::vector<std::string>& warnings() const noexcept;
  // The algorithm and the device.
  const std::string& method() const noexcept;

 private:
  struct State;
  explicit Demultiplexer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What is cut from single reads, or from one mate of pairs.
struct MateTrimming {
  // As the options -a, -g and -b of `basesweep trim` have them: "name=ADAPTER", "ADAPTER$", "FRONT...BACK",
  // "ADAPTER;o=5". No files.
  std::vector<std::string> adapters_3prime{};
  std::vector<std::string> adapters_5prime{};
  std::vector<std::string> adapters_either{};
  std::uint32_t cut_front = 0, cut_back = 0;  // bases that are cut first
  int quality_front = 0, quality_back = 0;    // cut ends whose qualities are lower; 0: do not
  std::optional<std::int64_t> length{};       // keep so many bases; below 0: the last ones
  std::optional<std::uint64_t> min_length{};  // shorter reads are not kept
  std::optional<std::uint64_t> max_length{};
};

struct ReadTrimmerOptions {
  MateTrimming first{};           // of single reads, or of first mates
  MateTrimming second{};          // of second mates
  bool paired = false;            // consecutive reads are mates, which are kept or not together
  double error_rate = 0.1;        // of adapters: edits per base of the part that is in the read; from 1: edits
  std::uint32_t min_overlap = 3;  // bases of an adapter that must be in the read
  bool indels = true;
  std::uint32_t times = 1;  // adapters that are cut from a read, one after another
  // Of pairs: the overlap of the mates says where fragments end. Nothing: if there are no adapters. min_length is 1
  // then, unless it is given.
  std::optional<bool> by_overlap{};
  bool revcomp = false;  // of single reads: the reverse complement is searched too, and taken if it fits better
  bool poly_a = false;
  bool trim_n = false;
  std::optional<int> nextseq{};        // cut 3' ends by quality, where G is a base of no quality
  std::optional<double> max_n{};       // of a kept read; below 1: a part of its bases
  std::optional<double> max_errors{};  // expected by the qualities
  bool discard_trimmed = false;        // keep reads without adapter only
  bool discard_untrimmed = false;      // keep reads with adapter only
  int threads = 0;                     // that work on a call; 0: as many as the process may use
};

// What is left of a read, or of a mate.
struct TrimmedRead {
  bool kept = true;
  std::string_view reason{};  // "written", or why the read is not kept: "too-short", "untrimmed" ...
  std::uint32_t begin = 0, end = 0;
  bool turned = false;  // with `revcomp`: the reverse complement of these bases has the adapter

  std::uint32_t size() const noexcept { return end - begin; }
};

// Adapters and rules prepared for any number of reads. See Searcher for thread safety.
class BASESWEEP_API ReadTrimmer {
 public:
  // Throws UsageError for an adapter that cannot be read, and for options that are out of range or conflict.
  explicit ReadTrimmer(const ReadTrimmerOptions& options);
  ~ReadTrimmer();
  ReadTrimmer(ReadTrimmer&&) noexcept;
  ReadTrimmer& operator=(ReadTrimmer&&) noexcept;

  // One result for each read. Throws UsageError for an odd number of mates, and DataError for a read without the
  // qualities that the options need, or with more or fewer of them than bases.
  std::vector<TrimmedRead> trim(std::span<const NamedRead> reads) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The adapters that follow the fragments of pairs, first and second mates by turns, as `basesweep trim` finds them in
// the first 20,000 pairs: of the first mate and of the second; "": too few pairs have one.
BASESWEEP_API std::pair<std::string, std::string> guess_adapters(std::span<const NamedRead> mates);

// A guide, or another tag of 4 to 64 bases, that reads are counted for.
struct CountedGuide {
  std::string name;   // must be unique
  std::string bases;  // A, C, G and T; must be unique
  std::string gene{};
};

// Reads a library from FASTA or from a table (MAGeCK's, guide-counter's, 10x's). Throws IoError, and DataError that
// names the line.
BASESWEEP_API std::vector<CountedGuide> load_library(const std::string& path);

// Where guides may begin in reads, from the first of these bases to the last.
struct GuideStarts {
  std::uint32_t first = 0, last = 0;
  bool operator==(const GuideStarts&) const = default;
};

struct GuideReadOptions {
  std::uint32_t edits = 1;  // 0 or 1
  bool indels = false;      // the edit may be an inserted or a deleted base; otherwise it is a mismatch
  enum class Strands { plus, minus, both };
  Strands strands = Strands::plus;      // minus: reads have the reverse complements of guides
  std::optional<GuideStarts> starts{};  // nothing: those that the first 10,000 reads of a call show, see find_starts()
  int threads = 0;                      // that work on a call; 0: as many as the process may use
};

struct GuideReads {
  std::uint64_t reads = 0;
  std::uint64_t exact = 0;              // that count for a guide without an edit
  std::uint64_t edited = 0;             // that count for one with an edit
  std::uint64_t ambiguous = 0;          // that fit several guides equally well
  std::vector<std::uint64_t> guides{};  // the reads of each guide

  std::uint64_t unmatched() const noexcept { return reads - exact - edited - ambiguous; }
};

// Guides prepared for any number of reads. See Searcher for thread safety.
class BASESWEEP_API GuideReadCounter {
 public:
  // Throws UsageError for options that are out of range, DataError for guides that are not as CountedGuide says.
  explicit GuideReadCounter(std::vector<CountedGuide> guides, GuideReadOptions options = {});
  explicit GuideReadCounter(std::initializer_list<CountedGuide> guides, GuideReadOptions options = {})
      : GuideReadCounter(std::vector(guides), std::move(options)) {}
  ~GuideReadCounter();
  GuideReadCounter(GuideReadCounter&&) noexcept;
  GuideReadCounter& operator=(GuideReadCounter&&) noexcept;

  // Where guides begin in the first 10,000 reads, on the strand that is searched; nothing: too few reads show it, and
  // guides may be anywhere. Give it to the calls of count() when the reads of a sample come in several calls.
  std::optional<GuideStarts> find_starts(std::span<const NamedRead> reads) const;
  GuideReads count(std::span<const NamedRead> reads) const;
  GuideReads count(std::span<const NamedRead> reads, const std::optional<GuideStarts>& starts) const;

  const std::vector<CountedGuide>& guides() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
