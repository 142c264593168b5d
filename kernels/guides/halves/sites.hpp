// The places of a batch where a PAM matches.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::halves {

// A place where a guide may match: next to a PAM.
struct Site {
  std::uint32_t border;  // as in GuidePlace
  Strand strand;
  std::uint8_t pam;
};

// 32 bases from the border on, on the guide's strand, as GuideWindow has them. Bases past the end of the segment, and
// letters other than A, C, G and T, are some base.
struct SiteBases {
  std::uint32_t lo;
  std::uint32_t hi;
};

// The number of sites that are read at once. A list of SiteBases can be read this far past its end.
inline constexpr std::uint32_t kSitesAtOnce = 8;

struct Sites {
  std::vector<Site> sites;       // in no order
  std::vector<SiteBases> bases;  // of each site, and kSitesAtOnce more
};

// Fills `sites` with all places of the batch next to which a guide's fewest bases fit into the segment: a PAM's codes
// match A, C, G and T only. If several PAMs match at one border, the first is listed.
void find_sites(const PackedBatch& batch, const GuideSet& guides, const GuideFinder::Loop& loop, Sites& sites);

// How many sites a position of random text has.
double sites_per_position(const GuideSet& guides);

// A PAM as it reads on the forward strand.
struct ForwardPam {
  std::vector<BaseSet> sets;
  Strand strand;
  std::uint8_t pam;
};
// The PAMs of one strand, in the order that the user gave.
std::vector<ForwardPam> forward_pams(const GuideSet& guides, Strand strand);

// The fewest bases of text next to a PAM that a guide can match.
std::uint32_t fewest_bases(const GuideSet& guides);

}  // namespace basesweep::halves
