// basesweep as a library: in-silico PCR, the products of primer pairs in nucleotide sequence.
//
//   basesweep::Pcr pcr({{"V4", "GTGYCAGCMGCCGCGGTAA", "GGACTACNVGGGTWTCTAAT"}}, {.edits = 2});
//   for (const basesweep::PcrProduct& product : pcr.find(sequence)) use(product.start, product.end);
//
// Products are those of `basesweep pcr`, in its order, and `basesweep pcr --help` explains the options at length.
// Coordinates are 0-based and half-open, on the forward strand.
#pragma once

#include <basesweep/basesweep.hpp>

namespace basesweep {

// Primers and probe are nucleotides and IUPAC codes, 5' to 3', in either case; U is T, I (inosine) is N.
struct NamedPair {
  std::string name;  // must be unique
  std::string forward;
  std::string reverse;
  std::optional<std::int64_t> min_size{};  // of its products, in place of those in PcrOptions
  std::optional<std::int64_t> max_size{};
  std::optional<std::uint32_t> edits{};  // of each primer; nothing: PcrOptions must have them
  std::string pool{};                    // with PcrOptions::pool: primers of one pool are joined
};

struct PcrOptions {
  // Limits of each primer, as in SearchOptions.
  std::optional<std::uint32_t> edits{};
  std::optional<double> error_rate{};
  std::optional<std::uint32_t> max_mismatches{};
  std::optional<std::uint32_t> max_indels{};
  std::optional<std::uint32_t> max_dna_bulges{};
  std::optional<std::uint32_t> max_rna_bulges{};
  std::uint32_t clamp_5prime = 0;
  std::uint32_t clamp_3prime = 0;

  std::int64_t min_size = 0;  // of products, in bases, with the primers
  std::int64_t max_size = 5000;
  bool single = false;  // also products of one primer of a pair with itself
  bool pool = false;    // all primers of a pool with all, instead of pairs
  enum class Report { all, best, best_per_record };
  Report report = Report::all;    // best: those with the fewest edits of the pair in all text, or in the record
  bool skip_soft_masked = false;  // primers never match lower case
  bool circular = false;          // all records are circular, or those with these names, which must come
  std::vector<std::string> circular_records{};
  std::optional<std::uint64_t> max_products{};  // stop after this many
  bool text = false;                            // set text of each product

  // See SearchOptions.
  int threads = 0;
  std::string device = "auto";
  std::string algorithm = "auto";
  std::optional<std::int64_t> text_bases{};
  std::optional<std::uint64_t> table_bytes{};
};

// Where a primer matches.
struct PrimerSite {
  std::uint32_t primer = 0;         // 2 i is the forward primer of pair i, 2 i + 1 its reverse primer
  std::int64_t start = 0, end = 0;  // bases [start, end) of the record
  std::uint16_t edits = 0;          // mismatches and indels
};

struct PcrProduct {
  std::int64_t record = 0;          // in memory: index of the sequence; in files: number among those that have bases
  std::int64_t start = 0, end = 0;  // bases [start, end) of the record; over the origin of a circular record it ends
                                    // past the record's length
  char strand = '+';                // '+': `forward` is on the left
  PrimerSite forward{};  // with `single` both are the same primer, with `pool` any two, the first given first
  PrimerSite reverse{};
  // Valid until the function that takes the product returns.
  std::string_view record_name{};
  std::string_view text{};  // with PcrOptions::text: the product, upper case, as its strand reads it

  std::int64_t size() const { return end - start; }
};

struct PcrSummary {
  std::uint64_t products = 0;
  bool truncated = false;             // there were more than max_products
  std::vector<std::string> warnings;  // see SearchSummary; and pairs with a primer that seems to be turned round
};

// The columns of a table of pairs, by name or by number from 1. "": found by the header or the order.
struct PairFileOptions {
  std::string name_column{};
  std::string forward_column{};
  std::string reverse_column{};
  std::function<void(const std::string& sentence)> warn{};  // see PatternFileOptions
};

// Reads pairs from a file in any form that `basesweep pcr` takes; probes are left out. Throws IoError, DataError, and
// UsageError for a column that the file does not have.
BASESWEEP_API std::vector<NamedPair> load_pairs(const std::string& path, const PairFileOptions& options = {});

// Pairs prepared for any number of texts. See Searcher for thread safety, errors and callbacks.
class BASESWEEP_API Pcr {
 public:
  using Take = std::function<void(const PcrProduct& product)>;

  // Throws UsageError for options that conflict, for a pair without primer or edits, with a letter that is none, or
  // with the name of another pair.
  explicit Pcr(std::vector<NamedPair> pairs, PcrOptions options = {});
  ~Pcr();
  Pcr(Pcr&&) noexcept;
  Pcr& operator=(Pcr&&) noexcept;

  // All products in one sequence, without record_name and text.
  std::vector<PcrProduct> find(std::string_view bases) const;
  // Calls take(product) for every product, one after another, in order.
  PcrSummary search(std::span<const NamedSequence> records, const Take& take,
                    const ProgressFunction& progress = {}) const;
  // Calls take(batch) for all products, many at a time, in the same order.
  PcrSummary search(std::span<const NamedSequence> records, const ColumnOptions& columns, const TakeBatch& take) const;
  // The same for files: FASTA or FASTQ, plain or compressed, or .2bit; "-" is standard input.
  PcrSummary search_files(const std::vector<std::string>& paths, const Take& take,
                          const ProgressFunction& progress = {}) const;
  PcrSummary search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                          const TakeBatch& take) const;

  // Writes all products to a file, as the program does, but @PG has no options, and GFF3 lists no records. Throws
  // UsageError for a format that they do not have, a file that is read too, and columns of a format without them;
  // DataError for names that the format cannot hold; and what searching throws.
  PcrSummary write(std::span<const NamedSequence> records, const std::string& path,
                   const FileOptions& options = {}) const;
  PcrSummary write_files(const std::vector<std::string>& paths, const std::string& path,
                         const FileOptions& options = {}) const;

  // The columns that a batch may have. With PcrOptions::pool `pair` is text, since any two primers make a name.
  std::vector<ColumnInfo> columns() const;

  const std::vector<NamedPair>& pairs() const noexcept;
  // The algorithm and the device.
  const std::string& method() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
