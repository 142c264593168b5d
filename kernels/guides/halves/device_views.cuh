// The arguments of the kernels of `halves`: pointers to memory of a GPU, and the numbers that go with them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/guides/halves/tasks.hpp"
#include "kernels/guides/sites.hpp"
#include "lib/guides/scores.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::halves {

// Planes of a batch. A plane of 1 bit says whether a position lies in a segment, another one whether its letter is not
// A, C, G or T.
struct DeviceText {
  const std::uint64_t* lo;
  const std::uint64_t* hi;
  const std::uint64_t* inside;
  const std::uint64_t* other;
  std::uint32_t positions;
};

// A PAM as it reads on the forward strand.
struct DevicePam {
  std::uint8_t sets[kMaxPamLength];
  std::uint32_t length;
};

// The PAMs of both strands, in the order of the user.
struct DevicePams {
  const DevicePam* of_strand[2];
  std::uint32_t count;
  PamSide side;
  std::uint32_t fewest;  // bases of the text beside a PAM, at least
};

// The lists of Tasks.
struct SearchView {
  const TaskGuide* guides;
  const TaskForm* forms;
  const std::uint32_t* deltas;
  const ShapeRange* shapes;
};

// The sites sorted by a word: those with the key k are entries [begins[k], begins[k + 1]).
struct SortedSites {
  const std::uint32_t* begins;
  const SiteBases* bases;      // of each entry
  const std::uint64_t* sites;  // of each entry: the index of the site, in the low half
};

// Where keys of found candidates go, guide << site_bits | site; those for which there is no room are counted only.
struct Found {
  std::uint64_t* keys;
  std::uint64_t capacity;
  unsigned long long* size;
  std::uint32_t site_bits;

  __device__ std::uint64_t key(std::uint32_t guide, std::uint32_t site) const {
    return std::uint64_t{guide} << site_bits | site;
  }
};

// Everything that a kernel needs to judge places.
struct JudgeView {
  DeviceText text;
  const Site* sites;
  std::uint32_t site_bits;  // of the keys: guide << site_bits | site
  const GuideBits* guides;
  const std::uint8_t* scored;  // of each guide: whether its places have scores
  const std::uint32_t* pam_lengths;
  const ScoreWeights* weights;
  GuideLimits limits;
  PamSide side;
};

// The places that count, see GuideFinder::add_up(). Intervals are sorted and disjoint.
struct Counted {
  std::uint32_t own_begin;
  std::uint32_t own_end;
  bool restricted;  // to places that start in `requested`
  const Interval* requested;
  std::uint32_t requested_count;
  const Interval* left_out;  // no place touches one
  std::uint32_t left_out_count;
};

// GuideSums on the device.
struct DeviceSums {
  std::uint32_t* counts;
  std::uint32_t classes;
  unsigned long long* mit;
  unsigned long long* cfd;
  std::uint32_t* exact_cfd;
  unsigned long long* nearest;
};

}  // namespace basesweep::halves
