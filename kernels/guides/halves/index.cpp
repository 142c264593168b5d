#include "kernels/guides/halves/index.hpp"

namespace basesweep::halves {

void build_index(const Sites& sites, std::uint32_t first, std::uint32_t q, WordIndex& index) {
  const std::size_t count = sites.sites.size();
  index.begins.assign((std::size_t{1} << (2 * q)) + 2, 0);
  set_size(count + kSitesAtOnce, index.bases);
  set_size(count, index.site);
  // Counted two places ahead, so that after the loop below begins[k] is where the key k begins.
  std::uint32_t* const counts = index.begins.data() + 2;
  const auto key = [=](const SiteBases& bases) { return key_of(bases.lo, bases.hi, first, q); };
  for (std::size_t i = 0; i < count; ++i) ++counts[key(sites.bases[i])];
  for (std::size_t k = 2; k < index.begins.size(); ++k) index.begins[k] += index.begins[k - 1];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = index.begins[key(sites.bases[i]) + 1]++;
    index.bases[at] = sites.bases[i];
    index.site[at] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace basesweep::halves
