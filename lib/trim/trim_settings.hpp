// The settings of a run that trims reads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/reads/read_processor.hpp"
#include "lib/trim/adapter_set.hpp"
#include "lib/trim/primer_finder.hpp"

namespace basesweep {

// What is done where an adapter is found.
enum class AdapterAction : std::uint8_t {
  trim,       // cut the adapter and all on its side
  retain,     // cut all on its side, but not the adapter
  mask,       // write N in place of what trim cuts
  lowercase,  // write in lower case what trim cuts, and all else in upper case
  crop,       // keep the adapter only
  none,       // change nothing
};

// Which mates must fail a filter for the pair to fail.
enum class PairFilter : std::uint8_t { any, both, first };

// Why a read is not in the output.
enum class TrimReason : std::uint8_t {
  written,
  too_short,
  too_long,
  too_many_n,
  too_many_errors,
  trimmed,
  untrimmed,
};
inline constexpr std::size_t kTrimReasons = 7;
// "written", "too-short"
const char* word_of(TrimReason reason);

struct QualityLimits {
  int front = 0;
  int back = 0;
};

// The settings of one mate, or of single reads.
struct MateSettings {
  std::uint32_t cut_front = 0;
  std::uint32_t cut_back = 0;
  std::optional<QualityLimits> quality{};
  std::shared_ptr<const AdapterSet> adapters{};  // null: none
  std::optional<std::int64_t> length{};          // keep so many bases; below 0: the last ones
  std::optional<std::uint64_t> min_length{};
  std::optional<std::uint64_t> max_length{};
};

struct TrimSettings {
  MateSettings mates[2];
  bool paired = false;
  int quality_base = 33;
  std::optional<int> nextseq{};
  std::uint32_t times = 1;
  AdapterAction action = AdapterAction::trim;
  bool revcomp = false;        // search the reverse complement too; of pairs, the mates exchanged
  bool pair_adapters = false;  // of pairs: the adapters of one number are cut from both mates or from none
  bool read_wildcards = false;
  std::shared_ptr<const PrimerFinder> primers{};  // null: none
  bool by_overlap = false;                        // of pairs: the overlap of mates counts too, see docs/reads.md
  bool poly_a = false;
  bool trim_n = false;
  std::optional<double> max_n{};  // below 1: a share
  std::optional<double> max_expected_errors{};
  std::optional<double> max_error_rate{};
  PairFilter pair_filter = PairFilter::any;
  bool discard_trimmed = false;
  bool filter_untrimmed = false;
  PairFilter untrimmed_filter = PairFilter::any;
  // The destinations of reads that fail a filter.
  std::array<std::uint32_t, kTrimReasons> files = [] {
    std::array<std::uint32_t, kTrimReasons> all{};
    all.fill(WrittenRead::kNowhere);
    all[0] = 0;
    return all;
  }();
  bool rows = false;  // make the table of reads

  // Whether adapters are looked for in both mates together.
  bool cuts_pairs() const { return paired && (by_overlap || pair_adapters || revcomp); }
};

}  // namespace basesweep
