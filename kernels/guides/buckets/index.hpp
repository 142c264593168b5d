// The sites of a batch in buckets, by a word of their text, as bit planes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/guides/buckets/scan.hpp"
#include "kernels/guides/buckets/split.hpp"
#include "kernels/guides/sites.hpp"
#include "lib/guides/guide_finder.hpp"

namespace basesweep::buckets {

// Memory that building an index needs, kept for the next one: the sites in parts, by the highest bits of their keys.
struct Parts {
  struct Entry {
    SiteBases bases;
    std::uint32_t site;
  };
  UnsetVector<Entry> entries;
  std::vector<std::vector<std::uint32_t>> begins;  // of each stretch of sites, by part
};

struct Index {
  bool built = false;
  std::uint32_t q = 0;
  std::uint32_t first = 0;
  std::uint32_t bases = 0;                     // of each site that planes are made of
  std::vector<std::vector<Bucket>> buckets{};  // those that are not empty, in parts that can be searched side by side
  UnsetVector<std::uint32_t> site{};           // of each entry: its index among the sites
  UnsetVector<std::uint64_t> planes{};         // as in Comparison; the entries of a part begin with a word
};

// Sorts the sites by the bases [first, first + q) of each. The key of a word is its low code bits, then its high ones.
// q = 0: one bucket, which is cut into several.
void build_index(std::span<const SiteBases> sites, std::uint32_t first, std::uint32_t q, std::uint32_t bases, Isa isa,
                 const GuideFinder::Loop& loop, Parts& parts, Index& index);

// Sets all of a comparison but its guides and codes. `lists`: GuideLists or SiteLists; `near`: of their words.
template <class Lists>
void set_comparison(const Index& index, const std::vector<Bucket>& buckets, const Lists& lists, const Differences& near,
                    std::uint32_t mismatches, Comparison& all) {
  all.planes = index.planes.data();
  all.bases = index.bases;
  all.buckets = buckets.data();
  all.bucket_count = buckets.size();
  all.columns = static_cast<std::uint32_t>(lists.base_of.size());
  all.base_of = lists.base_of.data();
  all.key_begins = lists.begins.data();
  all.differences = near.keys.data();
  all.ends = near.ends.data();
  all.most_in_word = static_cast<std::uint32_t>(near.ends.size()) - 1;
  all.mismatches = mismatches;
}

}  // namespace basesweep::buckets
