// The places of a batch where a PAM matches.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/unset_vector.hpp"
#include "lib/guides/forward_pam.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/text_sites.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// A place where a guide may match: next to a PAM.
struct Site {
  std::uint32_t border;  // as in GuidePlace
  Strand strand;
  std::uint8_t pam;
};

// The number of sites that are read at once. A list of SiteBases can be read this far past its end.
inline constexpr std::uint32_t kSitesAtOnce = 8;

// Bases past the end of the segment are some base.
struct Sites {
  UnsetVector<Site> sites;       // in no order
  UnsetVector<SiteBases> bases;  // of each site, and kSitesAtOnce more
};

// Sets the size of memory that is kept from batch to batch. Existing content may be lost. A vector that grows by
// itself doubles; here a batch that has a few sites more than the last must not take twice its memory.
template <class Vector>
void set_size(std::size_t size, Vector& memory) {
  if (size > memory.capacity()) {
    memory = Vector();
    memory.reserve(size + size / 32);
  }
  memory.resize(size);
}

// Fills `sites` with all places of the batch next to which a guide's fewest bases fit into the segment: a PAM's codes
// match A, C, G and T only. If several PAMs match at one border, the first is listed.
void find_sites(const PackedBatch& batch, const GuideSet& guides, const GuideFinder::Loop& loop, Sites& sites);

// How many sites a position of random text has.
double sites_per_position(const GuideSet& guides);

// How many positions a batch should have so that random text has about `sites` sites in it: 2^16 to 2^26.
std::uint32_t positions_of_batch(double sites, const GuideSet& guides);

// The fewest bases of text next to a PAM that a guide can match.
std::uint32_t fewest_bases(const GuideSet& guides);

}  // namespace basesweep
