#include "lib/guides/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

// A line for each place: record, start, end, strand, guide, PAM.
class DesignLines final : public GuideFormatter {
 public:
  using GuideFormatter::GuideFormatter;

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::text; }
  void append(const PlacedGuide& placed, Text& text) const override {
    const GuideAlignment aligned = per_thread<AlignmentText>().align(guides_, placed.place, placed.letters);
    text.append(placed.record_name);
    text.append(fmt::format("\t{}\t{}\t{}\t{}\t{}\n", placed.start, placed.end, strand_letter(placed.place.strand),
                            aligned.text, aligned.pam));
  }
};

}  // namespace

bool fits(std::string_view guide, const DesignLimits& limits) {
  const auto gc = static_cast<std::size_t>(
      std::count_if(guide.begin(), guide.end(), [](char letter) { return letter == 'C' || letter == 'G'; }));
  if (100 * gc < limits.min_gc * guide.size() || 100 * gc > limits.max_gc * guide.size()) return false;
  return !limits.max_poly_t || guide.find(std::string(*limits.max_poly_t + 1, 'T')) == std::string_view::npos;
}

std::string DesignedGuide::name() const { return fmt::format("{}:{}-{}({})", record, start, end, strand); }

GuideSet every_guide(const PamChoice& choice, std::uint32_t length) {
  PamChoice beside = choice;
  beside.in_guide = PamInGuide::no;
  return {{{"guide", std::string(length, 'N')}}, beside, {}};
}

DesignList::DesignList(const GuideSet& every, const DesignLimits& limits)
    : formatter_(std::make_unique<DesignLines>(every)), limits_(limits) {}

void DesignList::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<std::string_view, 6> fields;
    split_at_tabs(take_to(bytes, '\n'), fields);
    if (!fits(fields[4], limits_)) {
      ++left_out_;
      continue;
    }
    if (guides_.size() == kMaxDesigned) {
      throw DataError(fmt::format("more than {} guides: choose regions with --region or --regions-file", kMaxDesigned));
    }
    DesignedGuide& guide = guides_.emplace_back();
    guide = {std::string(fields[4]), std::string(fields[5]), std::string(fields[0]), 0, 0, fields[3].front()};
    parse_number(fields[1], guide.start);
    parse_number(fields[2], guide.end);
  }
}

std::vector<std::size_t> regions_of(const std::vector<DesignedGuide>& guides, const RegionSet* regions,
                                    std::vector<std::string>* empty) {
  std::vector<std::size_t> numbers;
  numbers.reserve(guides.size());
  std::map<std::string, std::size_t, std::less<>> first;  // by record: the number of its first region
  std::vector<std::string> names;
  if (regions != nullptr) {
    for (const auto& [record, list] : regions->by_name()) {
      first.emplace(record, names.size());
      for (const Region& region : list) names.push_back(print_region(record, region));
    }
  }
  std::vector<bool> used(names.size());
  for (const DesignedGuide& guide : guides) {
    if (regions == nullptr) {
      numbers.push_back(first.try_emplace(guide.record, first.size()).first->second);
      continue;
    }
    const std::vector<Region>& list = regions->by_name().at(guide.record);
    const auto after =
        std::partition_point(list.begin(), list.end(), [&](const Region& region) { return region.end <= guide.start; });
    numbers.push_back(first.at(guide.record) + static_cast<std::size_t>(after - list.begin()));
    used[numbers.back()] = true;
  }
  for (std::size_t i = 0; empty != nullptr && i < names.size(); ++i) {
    if (!used[i]) empty->push_back(names[i]);
  }
  return numbers;
}

std::vector<bool> best_of_regions(const std::vector<std::size_t>& regions, const GuideTable& table, std::size_t count) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t guide) {  // sums of off-targets: less is better
    const GuideTotals& totals = table.totals(guide);
    return std::tuple(regions[guide], totals.cfd_off_targets(), totals.mit_off_targets(), guide);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<bool> best(regions.size());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i != 0 && regions[order[i]] != regions[order[i - 1]]) taken = 0;
    if (taken++ < count) best[order[i]] = true;
  }
  return best;
}

}  // namespace basesweep
