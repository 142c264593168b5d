#include "lib/guides/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "lib/base/count_ones.hpp"
#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/guides/placed_guide.hpp"

namespace basesweep {
namespace {

// A line for each place: record, start, end, strand, guide, PAM, number of the record.
class DesignLines final : public Formatter {
 public:
  explicit DesignLines(const GuideSet& every) : every_(every) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::text; }
  unsigned needs() const override { return need::letters; }
  void append(const Row& row, RowText& text) const override {
    const auto& placed = static_cast<const PlacedGuide&>(row);
    auto& drawn = per_thread<AlignedLetters>();
    draw_place(every_, placed, drawn);
    const std::string_view whole = drawn.text;
    const std::size_t pam = every_.pams()[placed.place.pam].size();
    const bool pam_5prime = every_.side() == PamSide::five_prime;
    const std::size_t border = pam_5prime ? pam : whole.size() - pam;
    std::string_view guide = whole.substr(0, border);
    std::string_view beside = whole.substr(border);
    if (pam_5prime) std::swap(guide, beside);
    text.append(placed.record_name);
    text.append(fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\n", placed.start, placed.end, strand_letter(placed.place.strand),
                            guide, beside, placed.record));
  }

 private:
  const GuideSet& every_;
};

// The bases of A, C, G and T, in the order of the letters.
SiteBases bases_of(std::string_view letters) {
  SiteBases bases{0, 0};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const unsigned code = base_code(letters[i]);
    bases.lo |= (code & 1) << i;
    bases.hi |= (code >> 1) << i;
  }
  return bases;
}

}  // namespace

bool fits(SiteBases guide, const DesignLimits& limits) {
  const auto used = static_cast<std::uint32_t>(low_bits(limits.length));
  const std::uint32_t gc = count_ones(guide.lo & used);  // the codes of C and G are odd
  if (100 * gc < limits.min_gc * limits.length || 100 * gc > limits.max_gc * limits.length) return false;
  if (!limits.max_poly_t) return true;
  // Bit i: a run of T that has as many bases as are counted so far begins at base i.
  std::uint32_t runs = guide.hi & ~guide.lo & used;
  const std::uint32_t t = runs;
  for (std::uint32_t bases = 1; bases <= *limits.max_poly_t && runs != 0; ++bases) runs = t & runs >> 1;
  return runs == 0;
}

void DesignCells::set(std::string_view record, std::int64_t start, std::int64_t end, char strand,
                      std::string_view letters, std::string_view pam) {
  const fmt::format_int first(start);
  const fmt::format_int last(end);
  const std::string_view starts(first.data(), first.size());
  const std::string_view ends(last.data(), last.size());
  const auto gc = std::count_if(letters.begin(), letters.end(), [](char c) { return c == 'C' || c == 'G'; });
  const fmt::format_int percent(100 * gc / static_cast<std::int64_t>(letters.size()));
  text_.clear();
  std::array<std::size_t, 8> after{};  // where each cell ends
  append_place(record, start, end, strand, text_);
  after[0] = text_.size();
  const std::array<std::string_view, 7> rest{
      letters, pam, record, starts, ends, {&strand, 1}, {percent.data(), percent.size()}};
  for (std::size_t i = 0; i < rest.size(); ++i) {
    text_.append(1, '\t').append(rest[i]);
    after[i + 1] = text_.size();
  }
  for (std::size_t i = 0, begin = 0; i < after.size(); begin = after[i++] + 1) {
    views_[i] = std::string_view(text_).substr(begin, after[i] - begin);
  }
}

NearPlace DesignedGuide::place() const {
  return {0, 0, number, start, end, strand == '-' ? Strand::minus : Strand::plus, record, {}, {}};
}

std::string DesignedGuide::name() const {
  std::string text;
  append_place(record, start, end, strand, text);
  return text;
}

bool RowChoice::takes(const GuideTotals& totals, bool scored) const {
  if (unique) {
    // One exact copy, and no place with 1 to *unique mismatches.
    const std::size_t end = std::min<std::size_t>(*unique + 1, totals.counts.size());
    for (std::size_t i = 0; i < end; ++i) {
      if (totals.counts[i] != (i == 0 ? 1U : 0U)) return false;
    }
  }
  if (min_specificity == 0) return true;
  const std::optional<std::uint32_t> own = totals.cfd_specificity(scored && has_sums(totals));
  return own && *own >= min_specificity;
}

std::tuple<bool, std::uint64_t, std::uint64_t> RowChoice::rank(const GuideTotals& totals) const {
  if (!has_sums(totals)) return {true, 0, 0};
  return {false, totals.cfd_off_targets(), totals.mit_off_targets()};
}

GuideSet every_guide(const PamChoice& choice, std::uint32_t length) {
  PamChoice beside = choice;
  beside.in_guide = PamInGuide::no;
  return {{{"guide", std::string(length, 'N')}}, beside, {}};
}

DesignList::DesignList(const GuideSet& every, const DesignLimits& limits)
    : formatter_(std::make_unique<DesignLines>(every)), limits_(limits) {}

void DesignList::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<std::string_view, 7> fields;
    split_at_tabs(take_to(bytes, '\n'), fields);
    if (!fits(bases_of(fields[4]), limits_)) {
      ++left_out_;
      continue;
    }
    if (guides_.size() == kMaxDesigned) {
      throw DataError(fmt::format("more than {} guides: choose regions with --region or --regions-file", kMaxDesigned));
    }
    DesignedGuide& guide = guides_.emplace_back();
    guide = {std::string(fields[4]), std::string(fields[5]), std::string(fields[0]), 0, 0, fields[3].front(), 0};
    parse_number(fields[1], guide.start);
    parse_number(fields[2], guide.end);
    parse_number(fields[6], guide.number);
  }
}

std::vector<GuideGroup> groups_of_records(const std::vector<DesignedGuide>& guides) {
  std::vector<GuideGroup> groups;
  std::unordered_map<std::string_view, std::size_t> numbers;  // of the groups, by name
  std::size_t number = 0;                                     // of the last guide's group
  for (std::size_t i = 0; i < guides.size(); ++i) {
    const DesignedGuide& guide = guides[i];
    const bool goes_on = i != 0 && guides[i - 1].record == guide.record && guides[i - 1].start <= guide.start;
    if (!goes_on) {
      number = numbers.try_emplace(guide.record, groups.size()).first->second;
      if (number == groups.size()) groups.push_back({guide.record});
      groups[number].ranges.push_back({i, i});
    }
    groups[number].ranges.back().end = i + 1;
  }
  return groups;
}

std::vector<GuideGroup> groups_of_regions(const std::vector<DesignedGuide>& guides,
                                          const std::vector<NamedRegion>& regions) {
  const std::vector<GuideGroup> records = groups_of_records(guides);
  std::unordered_map<std::string_view, const GuideGroup*> by_name;
  for (const GuideGroup& record : records) by_name.emplace(record.name, &record);
  // The first guide of a range that starts there or behind.
  const auto first_from = [&guides](const GuideGroup::Range& range, std::int64_t start) {
    const auto at = [&guides](std::size_t guide) { return guides.begin() + static_cast<std::ptrdiff_t>(guide); };
    const auto from = std::partition_point(at(range.begin), at(range.end),
                                           [start](const DesignedGuide& guide) { return guide.start < start; });
    return static_cast<std::size_t>(from - guides.begin());
  };
  std::vector<GuideGroup> groups;
  for (const NamedRegion& region : regions) {
    GuideGroup& group = groups.emplace_back();
    group.name = region.name.empty() ? print_region(region.record, {region.begin, region.end}) : region.name;
    const auto record = by_name.find(region.record);
    if (record == by_name.end()) continue;
    for (const GuideGroup::Range& range : record->second->ranges) {
      const GuideGroup::Range inside{first_from(range, region.begin), first_from(range, region.end)};
      if (inside.begin != inside.end) group.ranges.push_back(inside);
    }
  }
  return groups;
}

std::vector<TopGuide> best_of_groups(const std::vector<GuideGroup>& groups, const GuideTable& table,
                                     const RowChoice& choice, std::size_t count) {
  const auto rank = [&](std::size_t guide) { return std::pair(choice.rank(table.totals(guide)), guide); };
  std::vector<TopGuide> best;
  std::vector<std::size_t> own;
  for (const GuideGroup& group : groups) {
    own.clear();
    for (const GuideGroup::Range& range : group.ranges) {
      const std::size_t size = own.size();
      own.resize(size + range.end - range.begin);
      std::iota(own.begin() + static_cast<std::ptrdiff_t>(size), own.end(), range.begin);
    }
    std::erase_if(own, [&](std::size_t guide) { return !choice.takes(table.totals(guide), true); });
    if (own.size() > count) {
      const auto end = own.begin() + static_cast<std::ptrdiff_t>(count);
      std::nth_element(own.begin(), end, own.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
      own.erase(end, own.end());
      std::sort(own.begin(), own.end());
    }
    for (const std::size_t guide : own) best.push_back({guide, &group});
  }
  return best;
}

}  // namespace basesweep
