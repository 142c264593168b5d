// basesweep as a library: searches nucleotide sequence, in memory or in files, for patterns.
//
//   basesweep::Searcher searcher({{"EcoRI", "GAATTC"}});
//   for (const basesweep::SearchHit& hit : searcher.find(sequence)) use(hit.start, hit.end, hit.strand);
//
// Coordinates are 0-based and half-open, on the forward strand. Hits come in the order record, start, end, strand (+
// first), pattern, and are the same on any device, with any algorithm and any number of threads. `basesweep motif
// --help` and `basesweep match --help` explain the options at length.
#pragma once

#include <basesweep/batch.hpp>
#include <basesweep/error.hpp>
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

// A pattern: nucleotides and IUPAC codes, in either case; U is T, I (inosine) is N. "TNGGNAG|GTGGNAG" are two sequences
// of one pattern, whose hits count together.
struct NamedPattern {
  std::string name;  // must be unique
  std::string bases;
  // Limits of this pattern, in place of those in SearchOptions. With any of them the search is approximate, and then
  // every pattern without `edits` needs those of SearchOptions.
  std::optional<std::uint32_t> edits{};
  std::optional<std::uint32_t> clamp_5prime{};
  std::optional<std::uint32_t> clamp_3prime{};
};

// A sequence to search, owned by the caller: letters, '-', '*' and '.', without line breaks. A byte that is not A, C,
// G, T or U, in either case, matches nothing in an exact search and costs an edit in an approximate one.
struct NamedSequence {
  std::string_view name;
  std::string_view bases;
};

struct SearchOptions {
  // Without these two: exact search, as `basesweep motif`, unless patterns have limits of their own. With one of them:
  // approximate search, as `basesweep match`.
  std::optional<std::uint32_t> edits{};  // mismatches, inserted and deleted bases together
  std::optional<double> error_rate{};    // edits as a part (from 0, below 1) of the pattern's length, rounded down

  // For approximate search only.
  std::optional<std::uint32_t> max_mismatches{};
  std::optional<std::uint32_t> max_indels{};
  std::optional<std::uint32_t> max_dna_bulges{};  // bases of the text without one of the pattern
  std::optional<std::uint32_t> max_rna_bulges{};  // bases of the pattern without one of the text
  std::uint32_t clamp_5prime = 0;                 // bases at the pattern's 5' end that must match without edit
  std::uint32_t clamp_3prime = 0;
  // A pattern may hang over the ends of a sequence with its 5' end, if at least this many of its bases are inside.
  std::optional<std::uint32_t> overhang_5prime{};
  std::optional<std::uint32_t> overhang_3prime{};  // the same for its 3' end
  enum class Report { sites, minima, best, all, best_per_record };
  Report report = Report::sites;  // which of the overlapping alignments around a match are hits
  bool best_of_record = false;    // for best_per_record: the patterns of a record compete with each other

  enum class Strands { both, plus, minus };
  Strands strands = Strands::both;
  bool both_strands_of_palindromes = false;  // false: palindromic patterns are reported once, as +
  bool skip_soft_masked = false;             // drop hits that touch lower case
  bool non_overlapping = false;  // per record, pattern and strand drop hits that start before the last kept one's end
  // Circular records: all, or those with these names, which must come. Hits over the origin are found too, see
  // SearchHit::end. The longest circular record that can be searched with edits has 2^28 bases. Not with `flank`.
  bool circular = false;
  std::vector<std::string> circular_records{};
  std::optional<std::uint64_t> max_hits{};  // stop after this many; not for counting
  bool alignments = false;                  // set text and cigar of each hit
  bool aligned = false;                     // set aligned_pattern and aligned_text of each hit
  std::uint32_t flank = 0;                  // set upstream and downstream to this many bases; at most 10,000

  int threads = 0;                           // searching threads; 0: as many as the process may use
  std::string device = "auto";               // "auto", "cpu", "gpu", "gpu:N", "gpu:N,N" or "gpu:all"
  std::string algorithm = "auto";            // or a name that the program's --algorithm takes
  std::optional<std::int64_t> text_bases{};  // bases that will be searched, if known: device "auto" weighs it
  // Most bytes for the table of a large set with edits; nothing: half of the free memory, at most 16 GiB.
  std::optional<std::uint64_t> table_bytes{};
};

// A place where a pattern matches.
struct SearchHit {
  std::int64_t record = 0;          // in memory: index of the sequence; in files: number among those that have bases
  std::int64_t start = 0, end = 0;  // bases [start, end) of the record, 0-based; in a circular record, a hit over the
                                    // origin starts in the record and ends past its length
  std::uint32_t pattern = 0;        // index in the patterns given to Searcher
  char strand = '+';                // '-': the reverse complement matches
  std::uint16_t edits = 0;          // mismatches and indels together
  std::uint16_t indels = 0;         // inserted and deleted bases among the edits
  std::uint16_t mismatches = 0;     // the other edits
  std::uint16_t insertions = 0;     // bases of the pattern that the text lacks, I in CIGAR
  std::uint16_t deletions = 0;      // bases of the text that the pattern lacks, D in CIGAR
  // The part of the pattern that is inside the record; all of it unless the hit hangs over.
  std::uint32_t pattern_start = 0, pattern_end = 0;
  // With best_per_record: how many hits of the group are as good, and the fewest edits of another site.
  std::uint64_t best = 0;
  std::optional<std::uint32_t> next_edits{};
  // Valid until the function that takes the hit returns.
  std::string_view record_name{};
  std::string_view text{};  // with `alignments`: the matched text, upper case, as the pattern's strand reads it
  // With `alignments`: along the forward strand, of =, X, I (no text), D (no pattern), S (outside of the record).
  std::string_view cigar{};
  // With `aligned`: pattern and text above each other, '-' for gaps, as the pattern's strand reads.
  std::string_view aligned_pattern{};
  std::string_view aligned_text{};
  // With `flank`: the text before and after the hit as the pattern's strand reads it, upper case; shorter at the ends
  // of the record.
  std::string_view upstream{};
  std::string_view downstream{};
};

// How often a pattern was found on a strand.
struct HitCount {
  std::uint32_t pattern;
  char strand;
  std::uint64_t hits;
  bool operator==(const HitCount&) const = default;
};

struct SearchSummary {
  std::uint64_t hits = 0;
  bool truncated = false;             // there were more hits than max_hits
  std::vector<std::string> warnings;  // an empty file, a record name used twice, protein
};

// The columns of a table of patterns, by name or by number from 1. "": found by the header or the content.
struct PatternFileOptions {
  std::string name_column{};     // of the patterns' names
  std::string pattern_column{};  // of their sequences
  // Gets a sentence if blanks, marks of ends (5'-), modifications (/5Phos/) or cut marks (G^AATTC) were left out of
  // sequences.
  std::function<void(const std::string& sentence)> warn{};
};

// Reads patterns from a file, plain or compressed: FASTA, FASTQ, EMBL, GenBank, BED with sequences, tables with or
// without a header, one sequence a line, or the output of primer3 or Primer-BLAST. Columns `edits`, `clamp_5prime` and
// `clamp_3prime` become limits of the pattern. Throws IoError, DataError, and UsageError for a column that the file
// does not have.
BASESWEEP_API std::vector<NamedPattern> load_patterns(const std::string& path, const PatternFileOptions& options = {});

// The version of the library that is loaded: "1.0.0-rc1".
BASESWEEP_API const char* version() noexcept;

// Patterns prepared for searching any number of texts. Its functions may be called from several threads at once, but
// not from destructors of static or thread_local objects. A searcher that was moved from may only be assigned to or
// destroyed. Searching throws UsageError for wrong calls (no file, no function), DataError for bytes that are not
// sequence, after the hits before them, IoError for files, DeviceError when the memory of a GPU does not suffice, and
// whatever the caller's function throws, which ends the search.
class BASESWEEP_API Searcher {
 public:
  using Take = std::function<void(const SearchHit& hit)>;

  // Throws UsageError for options that conflict, and for a pattern that is empty, holds another letter, has the name
  // of another pattern, or cannot be searched by the algorithm that was chosen by name. Throws DeviceError when
  // device is "gpu" and none is usable.
  explicit Searcher(std::vector<NamedPattern> patterns, SearchOptions options = {});
  explicit Searcher(std::initializer_list<NamedPattern> patterns, SearchOptions options = {})
      : Searcher(std::vector(patterns), std::move(options)) {}
  // Searches with a compiled set, which `basesweep compile` wrote: with its patterns, edits, limits, clamps, strands
  // and palindromes, and the table that it may have. These may be left out of the options, or given once more. Throws
  // as the constructor does; UsageError also for one that differs and for a set of primer pairs; IoError; and DataError
  // for a file that is not a set, is not complete, was changed, or is of another version of basesweep.
  static Searcher load(const std::string& path, SearchOptions options = {});
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  // All hits in one sequence, without record_name and the other texts.
  std::vector<SearchHit> find(std::string_view bases) const;

  // Calls take(hit) for every hit, one after another, in order.
  SearchSummary search(std::span<const NamedSequence> records, const Take& take,
                       const ProgressFunction& progress = {}) const;
  // Calls take(batch) for all hits, many at a time, in the same order. Throws UsageError for a column that columns()
  // does not have.
  SearchSummary search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                       const TakeBatch& take) const;

  // The same for files: FASTA or FASTQ, plain or compressed, or .2bit; "-" is standard input.
  SearchSummary search_files(const std::vector<std::string>& paths, const Take& take,
                             const ProgressFunction& progress = {}) const;
  SearchSummary search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                             const TakeBatch& take) const;

  // Writes all hits to a file, as the program does, but @PG has no options, and GFF3 lists no records. Throws
  // UsageError for a format that they do not have, a file that is read too, and columns of a format without them;
  // DataError for names that the format cannot hold; and what searching throws.
  SearchSummary write(std::span<const NamedSequence> records, const std::string& path,
                      const FileOptions& options = {}) const;
  SearchSummary write_files(const std::vector<std::string>& paths, const std::string& path,
                            const FileOptions& options = {}) const;

  // The number of hits of each pattern on each strand that is searched, in the order of the patterns, + first.
  std::vector<HitCount> count(std::span<const NamedSequence> records, const ProgressFunction& progress = {}) const;
  std::vector<HitCount> count_files(const std::vector<std::string>& paths, const ProgressFunction& progress = {}) const;

  // The columns that a batch may have. It has the columns of edits in any case, `upstream` and `downstream` only with
  // SearchOptions::flank, `best` and `next_edits` only with Report::best_per_record.
  std::vector<ColumnInfo> columns() const;

  const std::vector<NamedPattern>& patterns() const noexcept;
  // The algorithm and the device, such as "planes on cpu (avx2)".
  const std::string& method() const noexcept;

 private:
  struct State;
  explicit Searcher(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace basesweep
