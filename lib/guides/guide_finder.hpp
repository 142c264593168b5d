// Finds the places of guides in batches. make_guide_finder() is defined in kernels/registry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_sums.hpp"
#include "lib/guides/shape.hpp"
#include "lib/search/device.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
struct Segment;     // lib/search/segment.hpp

// A place of a guide: a border between guide and PAM, on a strand. The PAM beside it matches.
struct GuidePlace {
  std::uint32_t border;  // position in the batch: the first one on the right of the border
  std::uint32_t guide;   // index into GuideSet::guides()
  GuideShape shape;      // of the alignment that stands for the place
  Strand strand;
  std::uint8_t pam;  // index into GuideSet::pams(): the first that matches
};

// Whether the guide lies to the left of the border, on the forward strand.
BASESWEEP_HD constexpr bool guide_is_left(PamSide side, Strand strand) {
  return (side == PamSide::three_prime) == (strand == Strand::plus);
}
// The positions of an alignment of `text` bases beside a PAM of `pam` bases.
BASESWEEP_HD Interval positions_beside(std::uint32_t border, bool guide_left, std::uint32_t text, std::uint32_t pam) {
  if (guide_left) return {border - text, border + pam};
  return {border - pam, border + text};
}
// The positions of the alignment, PAM included.
Interval positions_of(const GuidePlace& place, const GuideSet& guides);

// The planes of a GuideWindow. Bases past the ends of the segment are some base.
struct PlainWindow {
  std::uint64_t lo;
  std::uint64_t hi;
};
inline PlainWindow bases_at(const PackedView& text, std::uint32_t border, bool left, Strand strand) {
  const std::uint64_t hi = outward(text.hi, border, left);
  return {outward(text.lo, border, left), strand == Strand::minus ? ~hi : hi};
}
// The text from a border on, away from the PAM. `segment`: the one that the border lies in or at.
GuideWindow window_at(const PackedBatch& batch, const Segment& segment, std::uint32_t border, bool left, Strand strand);

class GuideFinder {
 public:
  // Calls work(i) for all i in [0, count), perhaps side by side.
  using Loop = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;
  // Takes all places of one guide in a batch, by rising border, + before -; a guide without places is left out.
  using Use = std::function<void(std::span<const GuidePlace> places)>;
  using UseSums = std::function<void(const GuideSums& sums)>;

  virtual ~GuideFinder() = default;
  virtual std::string describe() const = 0;
  // How many positions a batch should have.
  virtual std::uint32_t batch_positions() const = 0;
  // How many batches are searched at once, on devices that work beside the calling threads; 0: the threads that call
  // find() do the work.
  virtual int slots() const { return 0; }
  // Whether find() shares the work on a batch out by its loop, so that few batches keep all threads busy.
  virtual bool shares_batches() const { return true; }
  // How many batches each device has searched, where several share them; else empty.
  virtual std::vector<DeviceBatches> batches() const { return {}; }
  // Finds all places whose alignments lie in segments of the batch, halos included, whichever the batch owns. `use` is
  // called by several threads at once, for a guide once. Thread-safe.
  virtual void find(const PackedBatch& batch, const Loop& loop, const Use& use) const = 0;
  // Adds up the places that count: their alignment starts in positions that the batch owns and that are requested, and,
  // with `skip_soft_masked`, touches no lower case. Calls use() with the sums; or returns false, if this finder can
  // only find places. Thread-safe.
  virtual bool add_up(const PackedBatch& /*batch*/, bool /*skip_soft_masked*/, const UseSums& /*use*/) const {
    return false;
  }
};

// How the places of a guide are found. All find the same.
enum class GuideWay {
  automatic,  // by what costs less for the guide and the batch
  words,      // by words of the text that are looked up; if there are too many of them, by `sites`
  sites,      // by comparing it with every site of the PAM
  patterns,   // by searching the guide with its PAM; on a GPU, and for guides with bulges, as `automatic`
};

struct GuideFinderOptions : SearcherOptions {
  GuideWay way = GuideWay::automatic;
};

// Makes the finder; `guides` must outlive it. Throws DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, const GuideFinderOptions& options = {});

}  // namespace basesweep
