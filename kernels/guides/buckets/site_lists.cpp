#include "kernels/guides/buckets/site_lists.hpp"

#include <cstring>
#include <numeric>

#include "kernels/guides/buckets/guide_lists.hpp"

namespace basesweep::buckets {

void SiteLists::set(const TextSites& sites, const Index& index, Isa isa, const GuideFinder::Loop& loop) {
  base_of = columns_outside(sites.length(), index.first, index.q);
  begins.assign((std::size_t{1} << (2 * index.q)) + 1, 0);
  for (const std::vector<Bucket>& part : index.buckets) {
    for (const Bucket& bucket : part) begins[bucket.key + 1] += bucket.end - bucket.begin;
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  const std::size_t columns = base_of.size();
  const std::size_t listed_step = sizeof(ListedSite) + columns;
  listed.resize(sites.size() * listed_step);
  // Buckets of a part lie in the order of their keys; with one key, each part has a stretch of it.
  std::vector<std::uint32_t> first(index.buckets.size());
  std::uint32_t at = 0;
  for (std::size_t part = 0; part < first.size(); ++part) {
    first[part] = at;
    for (const Bucket& bucket : index.buckets[part]) at += bucket.end - bucket.begin;
  }
  const std::uint32_t step = code_step(isa);
  loop(index.buckets.size(), [&](std::size_t part) {
    if (index.buckets[part].empty()) return;
    constexpr std::uint32_t kAhead = 16;
    const std::uint32_t last = index.buckets[part].back().end;
    std::uint32_t to = first[part];
    for (const Bucket& bucket : index.buckets[part]) {
      for (std::uint32_t entry = bucket.begin; entry < bucket.end; ++entry, ++to) {
        if (last - entry > kAhead) __builtin_prefetch(&sites.bases()[index.site[entry + kAhead]]);
        const SiteBases own = sites.bases()[index.site[entry]];
        const ListedSite site{own, index.site[entry]};
        std::uint8_t* const codes_of = listed.data() + to * listed_step + sizeof(site);
        std::memcpy(codes_of - sizeof(site), &site, sizeof(site));
        for (std::size_t column = 0; column < columns; ++column) {
          const std::uint32_t base = base_of[column];
          const std::uint32_t code = base == kMaxColumns ? 0 : (own.lo >> base & 1) | (own.hi >> base & 1) << 1;
          codes_of[column] = static_cast<std::uint8_t>(code * step);
        }
      }
    }
  });
}

}  // namespace basesweep::buckets
