// Says which sample a read is of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lib/demux/barcode_set.hpp"
#include "lib/demux/rare_edits.hpp"
#include "lib/demux/read_ends.hpp"

namespace basesweep {

// Why a read is of no sample.
enum class NoSample : std::uint8_t {
  assigned,         // it is of one
  none,             // no sample has few enough edits
  ambiguous,        // another sample is nearly as good
  two_barcodes,     // the two ends of the read, or two stretches of it, are of different samples
  unexpected_pair,  // both barcodes are clear, but no sample has this pair
  too_short,        // the read is shorter than any barcode may be
};
inline constexpr std::size_t kNoSampleReasons = 6;
// The word of tables: "none", "two-barcodes"; "assigned".
const char* word_of(NoSample reason);

// A sample by the numbers of its barcodes.
struct SampleBarcodes {
  static constexpr std::uint32_t kNoBarcode = 0xffffffff;

  std::uint32_t first = kNoBarcode;   // in the set of first barcodes
  std::uint32_t second = kNoBarcode;  // in the set of second barcodes; kNoBarcode: it has none
};

struct SampleCallOptions {
  std::uint32_t margin = 2;  // the next best sample must have at least so many edits more
  bool either_end = false;   // one of two barcodes is enough
  SearchedEnds ends;
};

// The result for a read or a pair.
struct SampleCall {
  static constexpr std::uint32_t kNoSample = 0xffffffff;

  std::uint32_t sample = kNoSample;
  NoSample reason = NoSample::none;
  // '+': the read, or the pair, is as the sheet has barcodes; '-': it is in the other orientation; '.': not known, for
  // a read of no sample, and where both orientations have as few edits.
  char strand = '.';
  std::optional<std::uint32_t> edits{};   // of the best sample
  std::optional<std::uint32_t> second{};  // of the best of the others, if it has at most `limit` + margin - 1
  SampleBarcodes pair{};                  // the two barcodes of an unexpected pair
  // Of each mate, or of the read alone: its bases without the barcodes that were found, in its own orientation.
  struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  Stretch kept[2];
};

// Rules: docs/reads.md. A call depends on nothing but the read and the set of samples; that of the reverse complement
// of a read, and that of a pair with its mates exchanged, is the same, turned. Thread-safe.
class BarcodeCaller {
 public:
  // Of the first and of the second barcodes; what one caller found serves others of the same barcodes.
  struct Rare {
    explicit Rare(const SearchedEnds& ends);
    RareEdits first, second;
  };

  // `second`: null if no sample has a second barcode. Sets must outlive the caller.
  BarcodeCaller(const BarcodeSet& first, const BarcodeSet* second, std::vector<SampleBarcodes> samples,
                SampleCallOptions options, std::shared_ptr<const Rare> rare = nullptr);

  // One call for each read.
  std::vector<SampleCall> call_reads(std::span<const std::string_view> reads) const;
  // One call for each pair; first barcodes begin first mates, second barcodes begin second mates.
  std::vector<SampleCall> call_pairs(std::span<const std::string_view> mates) const;

 private:
  static constexpr std::uint32_t kNoCost = 0xffffffff;

  // Where the first and the second barcode of a sample are, in each orientation.
  using Places = std::array<std::array<std::optional<BarcodePlace>, 2>, 2>;
  // The samples with the fewest edits and the next fewest in either orientation.
  struct Best {
    std::uint32_t sample = SampleCall::kNoSample;
    std::uint32_t edits = kNoCost;
    std::uint32_t next = kNoCost;                                   // of any other sample
    bool within = false;                                            // the barcodes of the sample have few enough edits
    std::uint32_t limit = 0;                                        // of the sample
    std::array<std::uint32_t, 2> of_orientation{kNoCost, kNoCost};  // the fewest edits of any sample
  };
  std::vector<SampleCall> call(std::vector<ReadEnds> all) const;
  SampleCall judge(const ReadEnds& ends) const;
  void find_other_samples(const ReadEnds& ends, const Places& places, SampleCall& call) const;
  static void cut(const ReadEnds& ends, const Places& places, SampleCall& call);
  std::uint32_t cost(const ReadEnds& ends, int orientation, std::size_t sample) const;
  std::uint32_t limit(std::size_t sample) const;
  bool within_limits(const ReadEnds& ends, int orientation, std::size_t sample) const;
  std::uint32_t clear_barcode(const BarcodeSet& set, std::span<const std::uint8_t> costs) const;
  std::uint32_t clear_end(const ReadEnds::Orientation& one, bool is_first) const;
  std::uint32_t clear_sample(const ReadEnds& ends, int orientation) const;
  Places find_places(const ReadEnds& ends, const Best& best) const;
  bool holds_sample(const ReadEnds& ends, std::size_t sample, const Places& places) const;
  bool has_two_samples(const ReadEnds& ends) const;
  bool has_two_ends(const ReadEnds& ends) const;
  bool has_two_stretches(const ReadEnds& ends, std::uint32_t edits) const;
  std::optional<Best> find_alone(const ReadEnds& ends) const;
  Best find_best(const ReadEnds& ends) const;
  std::optional<SampleBarcodes> unexpected_pair(const ReadEnds& ends, int orientation) const;
  std::optional<SampleBarcodes> unexpected_pair(const ReadEnds& ends, const Best& best) const;

  const BarcodeSet& first_;
  const BarcodeSet* second_;
  std::vector<SampleBarcodes> samples_;
  std::unordered_set<std::uint64_t> pairs_;  // of all samples
  std::vector<std::uint32_t> sample_of_;     // of each first barcode, if samples have no other; else empty
  SampleCallOptions options_;
  std::shared_ptr<const Rare> rare_;
};

}  // namespace basesweep
