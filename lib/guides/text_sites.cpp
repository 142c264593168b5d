#include "lib/guides/text_sites.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"

namespace basesweep {

void TextSites::reserve(std::uint64_t sites) {
  const auto room = static_cast<std::size_t>(std::min(sites, kMostSites));
  bases_.reserve(room);
  places_.reserve(room);
}

void TextSites::begin_record(std::string_view name, std::int64_t number) {
  if (!records_.empty() && records_.back().number == number) return;
  records_.push_back({std::string(name), number, end_, bases_.size()});
}

void TextSites::append(const BatchSites& batch, std::size_t begin, std::size_t end, std::int64_t start,
                       std::uint32_t position) {
  if (begin == end) return;
  // Added to a position, it gives the place among all records.
  const std::uint64_t shift = records_.back().start + static_cast<std::uint64_t>(start) - position;
  const std::uint64_t last = batch.places[end - 1].start() + shift;
  const std::size_t before = bases_.size();
  if (before + (end - begin) > kMostSites || last >> 40 != 0) {
    throw DataError("the input has too many places beside a PAM: search its records in several runs");
  }
  const auto first_other = std::partition_point(batch.other.begin(), batch.other.end(),
                                                [begin](const OtherLetters& one) { return one.site < begin; });
  for (auto one = first_other; one != batch.other.end() && one->site < end; ++one) {
    other_.push_back({static_cast<std::uint32_t>(before + (one->site - begin)), one->bases});
  }
  bases_.insert(bases_.end(), batch.bases.begin() + static_cast<std::ptrdiff_t>(begin),
                batch.bases.begin() + static_cast<std::ptrdiff_t>(end));
  places_.resize(before + (end - begin));
  for (std::size_t i = begin; i < end; ++i) places_[before + (i - begin)].bits = batch.places[i].bits + shift;
  for (std::size_t i = before; i < bases_.size(); ++i) guides_ += bases_[i].lo >> kGuideBit & 1;
  end_ = std::max(end_, last + 1);
}

std::uint64_t TextSites::keep_guides(const RegionSet& regions) {
  std::uint64_t plain = 0;
  guides_ = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const SiteRecord& record = records_[i];
    const std::vector<Region>& kept = regions.of(record.number, record.name);
    const std::uint64_t end = i + 1 < records_.size() ? records_[i + 1].sites : bases_.size();
    std::size_t next = 0;  // the first region that does not end before the site
    for (std::uint64_t site = record.sites; site < end; ++site) {
      const std::int64_t start = start_of(static_cast<std::uint32_t>(site), record);
      while (next < kept.size() && kept[next].end <= start) ++next;
      const bool inside = next < kept.size() && kept[next].begin <= start;
      if (!inside) bases_[site].lo &= ~kIsGuide;
      if (inside && (bases_[site].lo & kHasOther) == 0) ++plain;
      guides_ += bases_[site].lo >> kGuideBit & 1;
    }
  }
  return plain;
}

SiteRange TextSites::range_of_guides() const {
  SiteRange range{0, size()};
  while (range.begin < range.end && !is_guide(range.begin)) ++range.begin;
  while (range.begin < range.end && !is_guide(range.end - 1)) --range.end;
  return range;
}

std::size_t TextSites::record_of(std::uint32_t site) const {
  const auto after = std::partition_point(records_.begin(), records_.end(),
                                          [site](const SiteRecord& record) { return record.sites <= site; });
  return static_cast<std::size_t>(after - records_.begin()) - 1;
}

void TextSites::append_letters(std::uint32_t site, std::string& to) const {
  const SiteBases bases = bases_[site];
  const std::uint32_t other = (bases.lo & kHasOther) == 0
                                  ? 0
                                  : other_letters_of(other_.data(), static_cast<std::uint32_t>(other_.size()), site);
  const std::size_t begin = to.size();
  to.resize(begin + length_);
  char* const letters = to.data() + begin;
  for (std::uint32_t base = 0; base < length_; ++base) {
    const unsigned code = (bases.lo >> base & 1) | (bases.hi >> base & 1) << 1;
    letters[pam_side_ == PamSide::three_prime ? length_ - 1 - base : base] =
        (other >> base & 1) != 0 ? 'N' : base_letter(code);
  }
}

void TextSites::append_pam(std::uint32_t site, std::string& to) const {
  const SitePlace place = places_[site];
  for (std::uint32_t i = 0; i < place.pam_length(); ++i) to += base_letter(place.pam_code(i));
}

}  // namespace basesweep
