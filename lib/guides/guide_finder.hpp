// Finds the places of guides in batches. make_guide_finder() is defined in kernels/registry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "lib/base/isa.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/shape.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// A place of a guide: a border between guide and PAM, on a strand. The PAM beside it matches.
struct GuidePlace {
  std::uint32_t border;  // position in the batch: the first one on the right of the border
  std::uint32_t guide;   // index into GuideSet::guides()
  Shape shape;           // of the alignment that stands for the place
  Strand strand;
  std::uint8_t pam;  // index into GuideSet::pams(): the first that matches
};

// The positions of the alignment, PAM included.
Interval positions_of(const GuidePlace& place, const GuideSet& guides);
// Whether the guide lies to the left of the border, on the forward strand.
constexpr bool guide_is_left(PamSide side, Strand strand) {
  return (side == PamSide::three_prime) == (strand == Strand::plus);
}

// The planes of a GuideWindow. Bases past the ends of the segment are some base.
struct PlainWindow {
  std::uint64_t lo;
  std::uint64_t hi;
};
PlainWindow bases_at(const PackedBatch& batch, std::uint32_t border, bool left, Strand strand);
// The text from a border on, away from the PAM. `segment`: the one that the border lies in or at.
GuideWindow window_at(const PackedBatch& batch, const Segment& segment, std::uint32_t border, bool left, Strand strand);

class GuideFinder {
 public:
  // Calls work(i) for all i in [0, count), perhaps side by side.
  using Loop = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;
  // Takes all places of one guide in a batch, by rising border, + before -; a guide without places is left out.
  using Use = std::function<void(std::span<const GuidePlace> places)>;

  virtual ~GuideFinder() = default;
  virtual std::string describe() const = 0;
  // How many positions a batch should have.
  virtual std::uint32_t batch_positions() const = 0;
  // Finds all places whose alignments lie in segments of the batch, halos included, whichever the batch owns. `use` is
  // called by several threads at once, for a guide once. Thread-safe.
  virtual void find(const PackedBatch& batch, const Loop& loop, const Use& use) const = 0;
};

// How the places of a guide are found. All find the same.
enum class GuideWay {
  automatic,  // by what costs less for the guide and the batch
  words,      // by words of the text that are looked up; if there are too many of them, by `sites`
  sites,      // by comparing it with every site of the PAM
};

// `guides` must outlive the finder.
std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, GuideWay way = GuideWay::automatic,
                                               Isa isa = best_isa());

}  // namespace basesweep
