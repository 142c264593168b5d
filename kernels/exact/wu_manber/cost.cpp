#include "kernels/exact/wu_manber/cost.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/exact/wu_manber/index.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::wu_manber {

// Fitted to 218 measurements on 11 texts (docs/benchmarks.md, "Texts"): 8 of 10 are within 16 %.
double nanoseconds(const SampledSearch& search) {
  const Index index(search.patterns, search.queries, 0, kCpuBlocks);
  const PlanesText planes{search.text.lo.data(), search.text.hi.data()};
  const std::uint32_t end = search.text.positions - TextSample::kStretch;
  const IndexView view = index.view();
  std::uint32_t windows = 0;
  std::uint32_t compared = 0;
  for (std::uint32_t position = 0; position < end;) {
    const std::uint32_t shift = view.SHIFT[qgram_at(planes, position + view.before, view.block)];
    ++windows;
    compared += shift == 0 ? 1 : 0;
    position += shift == 0 ? 1 : shift;
  }
  const double compared_share = static_cast<double>(compared) / end;
  const double window_share = static_cast<double>(windows) / end;
  // SHIFT leaves the cache, but text that seldom lets windows move reads few of its cells.
  const double miss = 3.7 * std::max(0, static_cast<int>(view.block) - 8) * std::pow(1 - window_share, 2);
  return (5.7 + miss) * window_share + 7.8 * compared_share * (1 - compared_share) + 12.4 * search.hits;
}

}  // namespace basesweep::wu_manber
