// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/guides/buckets/scan.hpp"

#include "kernels/cpu/transpose.hpp"
#include "kernels/guides/buckets/compare.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using buckets::EntryTaker;

template <unsigned bits, std::uint32_t steps>
void compare_bucket(const Comparison& all, const Bucket& bucket, const NearGuides& near, const EntryTaker& taker) {
  constexpr std::uint32_t kAhead = 8;  // guides
  constexpr std::uint32_t kColumns = steps * kColumnStep;
  Differing differing;
  const std::uint32_t end = (bucket.end + 63) / 64;
  for (std::uint32_t word = bucket.begin / 64; word < end; word += kLanes) {
    differing.set(all, word, end);
    const std::uint32_t entry = word * 64;
    const std::uint32_t skipped = bucket.begin > entry ? bucket.begin - entry : 0;
    const Word valid = lanes_between(skipped, bucket.end - entry);
    std::uint32_t i = 0;
    for (std::uint32_t in_word = 0; in_word <= all.most_in_word; ++in_word) {
      const Count<bits> start(all.mismatches - in_word);
      for (; i < near.ends[in_word]; ++i) {
        __builtin_prefetch(all.codes + std::size_t{near.at[i + kAhead]} * kColumns);
        const std::uint32_t at = near.at[i];
        Count<bits> count = start;
        const Word fits =
            ~add_mismatches<bits, steps>(differing, all.codes + std::size_t{at} * kColumns, count) & valid;
        if (!any(fits)) continue;
        for_each_entry(fits, entry, [&](std::uint32_t own) { taker.take(taker.context, all.guides[at], own); });
      }
    }
  }
}

}  // namespace

void buckets_compare(const Comparison& all, const EntryTaker& taker) {
  with_columns(all, [&]<unsigned bits, std::uint32_t steps>() {
    for_each_bucket(all, [&](const Bucket& bucket, const NearGuides& near) {
      compare_bucket<bits, steps>(all, bucket, near, taker);
    });
  });
}

void buckets_make_planes(const SiteBases* sites, std::uint32_t count, std::uint32_t bases, std::uint64_t* planes) {
  std::uint64_t rows[64];
  for (std::uint32_t i = 0; i < count; ++i) {
    rows[i] = sites[i].lo | std::uint64_t{sites[i].hi} << 32;
  }
  for (std::uint32_t i = count; i < 64; ++i) rows[i] = 0;
  transpose(rows);
  for (std::uint32_t base = 0; base < bases; ++base) {
    planes[base] = rows[base];
    planes[bases + base] = rows[32 + base];
  }
}

}  // namespace basesweep::BASESWEEP_ISA
