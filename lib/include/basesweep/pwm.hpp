// basesweep as a library: the sites of weight matrices in nucleotide sequence.
//
//   basesweep::Pwm pwm(basesweep::load_matrices("JASPAR.jaspar"), {.p_value = 1e-5});
//   for (const basesweep::PwmHit& hit : pwm.find(sequence)) use(hit.start, hit.matrix, hit.score);
//
// Hits are those of `basesweep pwm`, in its order, and docs/matrices.md says what a score, a p-value and a hit are.
// Coordinates are 0-based and half-open, on the forward strand.
#pragma once

#include <array>
#include <basesweep/basesweep.hpp>

namespace basesweep {

struct WeightMatrix {
  std::string id;                                     // must be unique
  std::string name{};                                 // of the factor
  std::vector<std::array<double, 4>> columns{};       // of each position, 1 to 64: what A, C, G and T have there
  bool probabilities = false;                         // the columns are probabilities; else counts
  double sites = 20;                                  // for probabilities: the number of sites that they come from
  std::optional<double> homer_threshold{};            // a sum of natural logarithms, for PwmOptions without a threshold
  std::optional<std::array<double, 4>> background{};  // rates of A, C, G and T
};

struct PwmOptions {
  // At most one of these. Without: homer_threshold for matrices that have one, a p-value of 1e-4 for the others.
  std::optional<double> p_value{};   // above 0, at most 1
  std::optional<double> score{};     // in bits
  std::optional<double> relative{};  // 0 to 1, from the matrix's least score to its greatest

  double pseudocount = 0.1;
  std::optional<std::array<double, 4>> background{};  // rates of A, C, G and T; else the matrix's own, else uniform
  enum class Strands { both, plus, minus };
  Strands strands = Strands::both;
  bool skip_soft_masked = false;            // no hit touches lower case
  bool non_overlapping = false;             // per record, matrix and strand, from left to right
  std::optional<std::uint64_t> max_hits{};  // stop after this many
  // See SearchOptions.
  int threads = 0;
  std::string device = "auto";
  std::optional<std::int64_t> text_bases{};
};

struct PwmHit {
  std::int64_t record = 0;          // in memory: index of the sequence; in files: number among those that have bases
  std::int64_t start = 0, end = 0;  // bases [start, end) of the record
  std::uint32_t matrix = 0;         // index in Pwm::matrices()
  char strand = '+';
  double score = 0;    // in bits
  double p_value = 0;  // of the score
  // Valid until the function that takes the hit returns.
  std::string_view record_name{};
  std::string_view text{};  // of the forward strand, upper case
};

// Reads matrices from a file of any kind that `basesweep pwm` takes. Throws IoError and DataError.
BASESWEEP_API std::vector<WeightMatrix> load_matrices(const std::string& path);

// Matrices prepared for any number of texts. See Searcher for thread safety, errors and callbacks.
class BASESWEEP_API Pwm {
 public:
  using Take = std::function<void(const PwmHit& hit)>;

  // Throws UsageError for options that conflict or are out of range, and for a matrix with another number of positions
  // or with numbers that are neither counts nor probabilities; DataError for a probability of 0 after the pseudocount
  // and for an id that is used twice; DeviceError when device is "gpu" and none is usable.
  explicit Pwm(std::vector<WeightMatrix> matrices, PwmOptions options = {});
  ~Pwm();
  Pwm(Pwm&&) noexcept;
  Pwm& operator=(Pwm&&) noexcept;

  // All hits in one sequence, without record_name and text.
  std::vector<PwmHit> find(std::string_view bases) const;
  // Calls take(hit) for every hit, one after another, in order.
  SearchSummary search(std::span<const NamedSequence> records, const Take& take,
                       const ProgressFunction& progress = {}) const;
  // Calls take(batch) for all hits, many at a time, in the same order.
  SearchSummary search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                       const TakeBatch& take) const;
  // The same for files: FASTA or FASTQ, plain or compressed, or .2bit; "-" is standard input.
  SearchSummary search_files(const std::vector<std::string>& paths, const Take& take,
                             const ProgressFunction& progress = {}) const;
  SearchSummary search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                             const TakeBatch& take) const;

  // Writes all sites to a file, as the program does, but GFF3 lists no records. Throws UsageError for a format that
  // they do not have, a file that is read too, and columns of a format without them; DataError for names that the
  // format cannot hold; and what searching throws.
  SearchSummary write(std::span<const NamedSequence> records, const std::string& path,
                      const FileOptions& options = {}) const;
  SearchSummary write_files(const std::vector<std::string>& paths, const std::string& path,
                            const FileOptions& options = {}) const;

  // The columns that a batch may have.
  std::vector<ColumnInfo> columns() const;

  const std::vector<WeightMatrix>& matrices() const noexcept;
  // The least score of a hit in bits; nothing: no word reaches the threshold.
  std::optional<double> threshold(std::size_t matrix) const;
  // The algorithm and the device.
  const std::string& method() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
