// The loops of `buckets`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/guides/sites.hpp"
#include "lib/base/isa.hpp"

namespace basesweep::buckets {

// Entries [begin, end) of an index: the sites whose word has this key.
struct Bucket {
  std::uint32_t key;
  std::uint32_t begin;
  std::uint32_t end;
};

// Takes entries that may be places of a guide.
struct EntryTaker {
  void (*take)(void* context, std::uint32_t guide, std::uint32_t entry);
  void* context;
};

inline constexpr std::uint32_t kNoCode = 4;      // of a base that may be any
inline constexpr std::uint32_t kColumnStep = 4;  // bases that are counted together
// The 64-bit lanes of a vector. The planes of consecutive codes are this far apart.
inline std::uint32_t code_step(Isa isa) { return pick(isa, 2U, 4U, 8U); }
inline constexpr std::uint32_t kMaxColumns = 32;

// Buckets of sites, and the guides to compare with those near them. A column is a base outside of the word.
struct Comparison {
  const std::uint64_t* planes;  // of 64 entries each: `bases` low code bits, then as many high ones
  std::uint32_t bases;
  const Bucket* buckets;
  std::size_t bucket_count;
  std::uint32_t columns;            // a multiple of kColumnStep; `base_of` those that are left over: kMaxColumns
  const std::uint32_t* base_of;     // of each column
  const std::uint32_t* key_begins;  // guides with the key k: [key_begins[k], key_begins[k + 1])
  const std::uint32_t* guides;
  const std::uint8_t* codes;         // `columns` of each guide, in the order of `guides`, times code_step()
  const std::uint32_t* differences;  // as in Differences
  const std::uint32_t* ends;
  std::uint32_t most_in_word;  // mismatches; `ends` has one more
  std::uint32_t mismatches;    // in all, at most
};

// Compares a guide with the entries of the buckets, and gives those to the taker that have at most `mismatches`
// mismatches, at most `most_in_word` of them in the word. An entry comes several times if several keys of the guide are
// near. `guide`: as in `guides`.
using Compare = void(const Comparison& all, const EntryTaker& taker);

// A site that is listed. Its codes follow it in memory, as in Comparison: who compares it finds all of it in one place.
struct ListedSite {
  SiteBases bases;
  std::uint32_t number;  // in the text
};

// As Comparison, for the join of a text with itself: entries are the guides, and sites are listed instead of `guides`.
// `guides` and `codes` are not used.
struct JoinComparison : Comparison {
  const std::uint8_t* listed;  // a ListedSite and its codes of each site, in the order of key_begins
  // Entries that have so many places that they are not scored, bit by bit, and the mismatches of the second nearest
  // place of each entry. Both change while they are compared.
  const std::uint64_t* many;
  const std::uint8_t* nearest;
  // Of an entry with many places, those with at most `known_mismatches` in the first `known_columns` columns are left
  // out; 0 columns: none is.
  std::uint32_t known_columns;
  std::uint32_t known_mismatches;
};

struct JoinTaker {
  void (*take)(void* context, const ListedSite& site, std::uint32_t entry);  // as EntryTaker
  // Takes `count` places of an entry with many places; they have this number of mismatches, and none is among the two
  // nearest.
  void (*count)(void* context, std::uint32_t entry, std::uint32_t mismatches, std::uint32_t count);
  void* context;
};

// Compares as Compare does, and counts places of entries that have many.
using CompareJoin = void(const JoinComparison& all, const JoinTaker& taker);

// Makes the planes of 64 sites: bit i of plane j is the low code bit of base j of site i, of plane bases + j the high
// one. `count`: at most 64.
using MakePlanes = void(const SiteBases* sites, std::uint32_t count, std::uint32_t bases, std::uint64_t* planes);

}  // namespace basesweep::buckets

namespace basesweep {
BASESWEEP_PER_ISA(buckets::Compare, buckets_compare)
BASESWEEP_PER_ISA(buckets::CompareJoin, buckets_join)
BASESWEEP_PER_ISA(buckets::MakePlanes, buckets_make_planes)
}  // namespace basesweep
