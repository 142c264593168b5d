// basesweep as a library: the off-targets of CRISPR guides.
//
//   basesweep::Guides guides({{"VEGFA", "GGGTGGGGGGAGTTTGCTCC"}}, {.mismatches = 4});
//   for (const basesweep::GuideRow& row : guides.search_files({"genome.fa.gz"}).rows) use(row.places,
//   row.cfd_specificity);
//
// Places and rows are those of `basesweep guides`, in its order, and docs/guides.md says what a place, a bulge and a
// score are. Coordinates are 0-based and half-open, on the forward strand.
#pragma once

#include <basesweep/basesweep.hpp>

namespace basesweep {

struct NamedGuide {
  std::string name;   // must be unique
  std::string bases;  // 5' to 3', IUPAC codes allowed, with or without the PAM: see GuideOptions::pam_in_guide
};

struct GuideOptions {
  std::vector<std::string> pams{"NGG"};  // IUPAC codes; of several at one place the first counts
  bool pam_5prime = false;               // the PAM comes before the guide, as TTTV of Cas12a does; otherwise after
  // Whether `bases` hold the PAM, or codes in its place such as NNN. Nothing: they do if those of all guides do, PAMs
  // next to 19 bases or more; UsageError if four or more shorter ones all end in a PAM, or only some have such codes.
  std::optional<bool> pam_in_guide{};
  // A place has at most these.
  std::uint32_t mismatches = 4;
  std::uint32_t max_dna_bulges = 0;   // bases of the text without one of the guide, in one stretch; up to 9
  std::uint32_t max_rna_bulges = 0;   // bases of the guide without one of the text
  std::uint32_t seed = 0;             // this many bases next to the PAM are in no bulge
  std::uint32_t seed_mismatches = 0;  // at most this many of their mismatches; needs `seed`
  bool skip_soft_masked = false;      // no place touches lower case
  // See SearchOptions.
  int threads = 0;
  std::string device = "auto";
  std::optional<std::int64_t> text_bases{};
};

enum class BulgeKind : std::uint8_t { none, dna, rna };

// Scores are there for guides of 20 bases before NGG, from 0 to 1.
struct OffTarget {
  std::int64_t record = 0;          // in memory: index of the sequence; in files: number among those that have bases
  std::int64_t start = 0, end = 0;  // bases [start, end) of the record, with the PAM
  std::uint32_t guide = 0;          // index in Guides::guides()
  char strand = '+';
  BulgeKind bulge = BulgeKind::none;
  std::uint32_t bulge_size = 0;
  std::uint32_t mismatches = 0;
  std::optional<double> mit{};  // without bulge only
  std::optional<double> cfd{};
  // Valid until the function that takes the place returns. Guide and text with the PAM, a letter for each column, from
  // 5' to 3' of the guide: '-' in bulges, mismatches of the text in lower case.
  std::string_view record_name{};
  std::string_view aligned_guide{};
  std::string_view aligned_text{};
};

// The totals of a guide over all of the text.
struct GuideRow {
  std::uint64_t places = 0;
  std::vector<std::uint64_t> counts{};  // of places: element size of bulge x (mismatches allowed + 1) + mismatches
  // 0 to 100; nothing: the guide has no scores, or no place that is scored (for MIT: no place without bulge).
  std::optional<double> mit_specificity{};
  std::optional<double> cfd_specificity{};
  bool unique = false;  // an exact copy is its only place
};

struct GuidesResult {
  std::vector<GuideRow> rows;  // one for each guide
  std::vector<std::string> warnings;
};

// Guides prepared for any number of texts. See Searcher for thread safety, errors and callbacks.
class BASESWEEP_API Guides {
 public:
  using Take = std::function<void(const OffTarget& place)>;

  // Throws UsageError for options that are out of range, for letters that are no bases, a guide without the PAM that
  // pam_in_guide promises, one with fewer than 15 or more than 30 bases without its PAM, a name that is used twice;
  // DeviceError when device is "gpu" and none is usable.
  explicit Guides(std::vector<NamedGuide> guides, GuideOptions options = {});
  ~Guides();
  Guides(Guides&&) noexcept;
  Guides& operator=(Guides&&) noexcept;

  // All places in one sequence, without record_name and the aligned letters.
  std::vector<OffTarget> find(std::string_view bases) const;
  // Adds up all places, and calls take(place), if it is given, for each, one after another, in order.
  GuidesResult search(std::span<const NamedSequence> records, const Take& take = {},
                      const ProgressFunction& progress = {}) const;
  // The same, but calls take(batch) for all places, many at a time, in the same order.
  GuidesResult search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                      const TakeBatch& take) const;
  // The same for files: FASTA or FASTQ, plain or compressed, or .2bit; "-" is standard input.
  GuidesResult search_files(const std::vector<std::string>& paths, const Take& take = {},
                            const ProgressFunction& progress = {}) const;
  GuidesResult search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                            const TakeBatch& take) const;

  // Writes all places to a file, as the program does, but @PG has no options, and GFF3 lists no records. Throws
  // UsageError for a format that they do not have, a file that is read too, and columns of a format without them;
  // DataError for names that the format cannot hold; and what searching throws.
  GuidesResult write(std::span<const NamedSequence> records, const std::string& path,
                     const FileOptions& options = {}) const;
  GuidesResult write_files(const std::vector<std::string>& paths, const std::string& path,
                           const FileOptions& options = {}) const;

  // The columns that a batch may have.
  std::vector<ColumnInfo> columns() const;

  const std::vector<NamedGuide>& guides() const noexcept;
  // The algorithm and the device.
  const std::string& method() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
