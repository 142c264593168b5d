#include "lib/packer/region_filter.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"

namespace basesweep {

RegionFilter::RegionFilter(const RegionSet& regions, std::vector<std::string> paths, std::uint32_t halo_left,
                           std::uint32_t halo_right)
    : regions_(regions), paths_(std::move(paths)), halo_left_(halo_left), halo_right_(halo_right) {}

RegionFilter::Entered RegionFilter::enter(const CurrentRecord& record, bool circular) {
  try {
    requested_ = &regions_.of(record.reference, record.name);
  } catch (const std::invalid_argument& other) {
    throw DataError(fmt::format("{}: {}", paths_[record.source], other.what()));
  }
  constexpr std::size_t kMaxNames = 1000;  // that a message may suggest
  if (!regions_.planned() && names_.size() < kMaxNames) names_.push_back(record.name);
  in_reach_ = widened(*requested_, halo_left_, halo_right_);
  if (circular && !in_reach_.empty()) in_reach_.front().begin = requested_->front().begin - halo_left_;
  next_requested_ = next_in_reach_ = 0;
  if (requested_->empty() || last_entered_ == record.reference) return {};
  last_entered_ = record.reference;
  if (!regions_.planned()) names_seen_.insert(record.name);
  return {true,
          !regions_.planned() || requested_->front().begin == regions_.by_place().at(record.reference).first_begin};
}

void RegionFilter::leave(const CurrentRecord& record) {
  if (requested_->empty()) return;
  const Region& last = requested_->back();
  const bool planned = regions_.planned();
  const std::int64_t length =
      planned ? regions_.by_place().at(record.reference).length : std::numeric_limits<std::int64_t>::max();
  // A region by name may end past the record; a planned one may not.
  const bool ends_early = last.begin >= record.length || (length < kToTheEnd && last.end > record.length);
  if (ends_early || record.length > length) {
    const std::string whole = regions_.whole_name_of(record.name);
    throw DataError(fmt::format("{}: record '{}' has {} bases, so it does not fit the region {}{}",
                                paths_[record.source], record.name, record.length, print_region(record.name, last),
                                whole.empty() ? "" : fmt::format("; the whole record of that name is {{{}}}", whole)));
  }
  if (last.end < kToTheEnd && last.end > record.length) {
    warnings_.cut.push_back(cut_region(record.name, last, record.length));
  }
}

void RegionFilter::check_complete(const CurrentRecord& last) {
  const std::string input = name_of_all(paths_);
  const std::map<std::int64_t, RegionSet::PlannedRecord>& planned = regions_.by_place();
  if (!planned.empty() && planned.rbegin()->first > last.reference) {
    throw DataError(fmt::format("{}: no record '{}' with bases, but a region of it is requested", input,
                                planned.rbegin()->second.name));
  }
  warnings_.absent =
      regions_.check_names([this](const std::string& name) { return names_seen_.count(name) != 0; }, names_, input);
}

bool RegionFilter::past_all(const CurrentRecord& record) const {
  if (!regions_.planned()) return false;
  const std::map<std::int64_t, RegionSet::PlannedRecord>& planned = regions_.by_place();
  if (planned.empty()) return true;
  if (regions_.has_last()) return false;  // the input must be read on, to see that the plan has all of its records
  const std::int64_t last = planned.rbegin()->first;
  return record.reference > last || (record.reference == last && next_in_reach_ == in_reach_.size());
}

}  // namespace basesweep
