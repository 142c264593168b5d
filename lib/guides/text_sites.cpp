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

void TextSites::append(const FoundSite& site, std::int64_t start) {
  const std::uint64_t at = records_.back().start + static_cast<std::uint64_t>(start);
  if (bases_.size() >= kMostSites - 1 || at >> 40 != 0) {
    throw DataError("the input has too many places beside a PAM: search its records in several runs");
  }
  if (site.other != 0) other_.push_back({size(), site.other});
  guides_ += (site.bases.lo & kIsGuide) != 0 ? 1 : 0;
  bases_.push_back(site.bases);
  places_.push_back({site.pam | at});
  end_ = std::max(end_, at + 1);
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
  for (std::uint32_t i = 0; i < length_; ++i) {
    const std::uint32_t base = pam_side_ == PamSide::three_prime ? length_ - 1 - i : i;
    to += (other >> base & 1) != 0 ? 'N' : base_letter((bases.lo >> base & 1) | (bases.hi >> base & 1) << 1);
  }
}

void TextSites::append_pam(std::uint32_t site, std::string& to) const {
  const SitePlace place = places_[site];
  for (std::uint32_t i = 0; i < place.pam_length(); ++i) to += base_letter(place.pam_code(i));
}

}  // namespace basesweep
