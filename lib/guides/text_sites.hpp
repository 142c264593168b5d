// All places of a text that lie beside a PAM, in the order of the text: what every guide of a genome is compared with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/host_device.hpp"
#include "lib/base/unset_vector.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/search/region_set.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

// The bases of a site from the border on, away from the PAM, on the guide's strand: bit i of `lo` and `hi` is the low
// and the high bit of the code of base i (lib/base/dna.hpp). A letter other than A, C, G and T has the code of some
// base. In TextSites the bits from `length` of a guide on are 0, except those below.
struct SiteBases {
  std::uint32_t lo;
  std::uint32_t hi;
};

// Bits of SiteBases::lo of a site in TextSites.
inline constexpr std::uint32_t kGuideBit = 30;
inline constexpr std::uint32_t kIsGuide = 1U << kGuideBit;  // the site is one of the guides
inline constexpr std::uint32_t kHasOther = 1U << 31;        // a base is another letter, see TextSites::other()
// If guides have at most kMostScoredBases bases: bits of both words that have the codes of the PAM's second and third
// letter, 5' to 3', or 0.
inline constexpr std::uint32_t kPamBits = 28;
inline constexpr std::uint32_t kMostScoredBases = 28;

// The PAM of a site and where it is.
struct SitePlace {
  static constexpr std::uint32_t kMostPamLetters = 8;

  // bits  63        56 to 59      40 to 55                           0 to 39
  //       strand -  PAM letters   their codes, 5' to 3', first low   where the alignment starts among all records
  std::uint64_t bits;

  std::uint64_t start() const { return bits & ((std::uint64_t{1} << 40) - 1); }
  std::uint32_t pam_length() const { return static_cast<std::uint32_t>(bits >> 56 & 15); }
  unsigned pam_code(std::uint32_t letter) const { return static_cast<unsigned>(bits >> (40 + 2 * letter) & 3); }
  Strand strand() const { return bits >> 63 != 0 ? Strand::minus : Strand::plus; }
};

// The letters of a site that are not A, C, G or T: bit i for base i.
struct OtherLetters {
  std::uint32_t site;
  std::uint32_t bases;
};

// The sites of a batch, by start, end and strand. Starts in `places` are positions in the batch, sites in `other` are
// counted from 0.
struct BatchSites {
  std::vector<SiteBases> bases;
  std::vector<SitePlace> places;
  std::vector<OtherLetters> other;
};

// A record of the text.
struct SiteRecord {
  std::string name;
  std::int64_t number;      // among the records that have bases
  std::uint64_t start;      // added to a position in the record, it gives SitePlace::start()
  std::uint64_t sites = 0;  // the number of its first site
};

// Sites of TextSites by number.
struct SiteRange {
  std::uint32_t begin;
  std::uint32_t end;  // exclusive
};

class TextSites {
 public:
  // Each bucket of a join is filled up to whole words, and entries are counted in 32 bits too.
  static constexpr std::uint64_t kMostSites = 0xffffffff - (1U << 26);

  // `length`: of a guide. `pam_side`: of the PAMs.
  TextSites(std::uint32_t length, PamSide pam_side) : length_(length), pam_side_(pam_side) {}

  // Makes room for this many sites.
  void reserve(std::uint64_t sites);
  // The sites that are appended from now on are in this record, if it is not the last one already.
  void begin_record(std::string_view name, std::int64_t number);
  // Appends those sites from `begin` to `end` of a batch, which lie in the last record after those before, from its
  // base `start` on; that is position `position` of the batch. Throws DataError if there are too many, or too many
  // bases.
  void append(const BatchSites& batch, std::size_t begin, std::size_t end, std::int64_t start, std::uint32_t position);

  std::uint32_t length() const { return length_; }
  PamSide pam_side() const { return pam_side_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bases_.size()); }
  std::uint32_t guides() const { return guides_; }  // sites that are guides
  const UnsetVector<SiteBases>& bases() const { return bases_; }
  const SitePlace& place(std::uint32_t site) const { return places_[site]; }
  bool is_guide(std::uint32_t site) const { return (bases_[site].lo & kIsGuide) != 0; }
  // Only guides that start in the regions remain guides. Returns how many sites without other letters start there.
  // Throws std::invalid_argument, see RegionSet::of().
  std::uint64_t keep_guides(const RegionSet& regions);
  // From the first guide to the last.
  SiteRange range_of_guides() const;
  // The sites with other letters, in order.
  const std::vector<OtherLetters>& other() const { return other_; }
  const std::vector<SiteRecord>& records() const { return records_; }
  // The index of the record that a site is in.
  std::size_t record_of(std::uint32_t site) const;
  // The first base of the alignment with its PAM in the record, and the base after the last.
  std::int64_t start_of(std::uint32_t site, const SiteRecord& record) const {
    return static_cast<std::int64_t>(places_[site].start() - record.start);
  }
  std::uint32_t bases_of_alignment(std::uint32_t site) const { return length_ + places_[site].pam_length(); }
  // Appends the letters of a guide, 5' to 3', and those of its PAM. N: another letter.
  void append_letters(std::uint32_t site, std::string& to) const;
  void append_pam(std::uint32_t site, std::string& to) const;

 private:
  const std::uint32_t length_;
  const PamSide pam_side_;
  UnsetVector<SiteBases> bases_;
  UnsetVector<SitePlace> places_;
  std::vector<OtherLetters> other_;
  std::vector<SiteRecord> records_;
  std::uint64_t end_ = 0;  // where the next record starts: after the last site
  std::uint32_t guides_ = 0;
};

// The letters of a site that are not A, C, G or T. `other`: as TextSites::other().
BASESWEEP_HD std::uint32_t other_letters_of(const OtherLetters* other, std::uint32_t count, std::uint32_t site) {
  std::uint32_t low = 0;
  for (std::uint32_t high = count; low < high;) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (other[middle].site < site) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && other[low].site == site ? other[low].bases : 0;
}

}  // namespace basesweep
