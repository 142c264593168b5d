#include "kernels/guides/halves/sites.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace basesweep::halves {
namespace {

constexpr std::uint32_t kRange = 1U << 16;  // positions that are looked at in one go; a multiple of 64

// A plane whose bits are 1 where a base of a record stands.
std::vector<std::uint64_t> base_plane(const PackedBatch& batch) {
  std::vector<std::uint64_t> plane(batch.positions() / 64 + 2);
  const auto set = [&plane](std::uint32_t begin, std::uint32_t end, bool value) {
    for (std::uint32_t at = begin; at < end;) {
      const std::uint32_t stop = std::min(end, at / 64 * 64 + 64);
      const std::uint64_t bits = low_bits(stop - at) << (at % 64);
      value ? plane[at / 64] |= bits : plane[at / 64] &= ~bits;
      at = stop;
    }
  };
  for (const Segment& segment : batch.segments()) set(segment.position, segment.end, true);
  for (const LetterRun& run : batch.letters()) set(run.begin, run.end, false);
  return plane;
}

class Search {
 public:
  Search(const PackedBatch& batch, const GuideSet& guides)
      : batch_(batch),
        view_(batch.view()),
        guides_(guides),
        bases_(base_plane(batch)),
        pams_{forward_pams(guides, Strand::plus), forward_pams(guides, Strand::minus)},
        fewest_(fewest_bases(guides)) {}

  // Adds the sites whose PAM begins in [begin, end).
  void add(std::uint32_t begin, std::uint32_t end, std::vector<Site>& sites) const {
    std::size_t segment = batch_.segment_at(begin);
    for (std::uint32_t at = begin; at < end; at += 64) {
      for (const std::vector<ForwardPam>& pams : pams_) {
        for (const ForwardPam& pam : pams) {
          std::uint64_t starts = matching(pam, at);
          if (end - at < 64) starts &= low_bits(end - at);
          for (; starts != 0; starts &= starts - 1) {
            add_site(pam, pams, at + static_cast<std::uint32_t>(std::countr_zero(starts)), segment, sites);
          }
        }
      }
    }
  }

 private:
  // Bit i: the PAM matches from position + i on.
  std::uint64_t matching(const ForwardPam& pam, std::uint32_t position) const {
    std::uint64_t all = ~0ULL;
    for (std::uint32_t i = 0; i < pam.sets.size() && all != 0; ++i) {
      const BaseSet set = pam.sets[i];
      std::uint64_t own = position + i < batch_.positions() ? positions_at(bases_.data(), position + i) : 0;
      if (set != kAnyBase) {
        const std::uint64_t lo = positions_at(view_.lo, position + i);
        const std::uint64_t hi = positions_at(view_.hi, position + i);
        own &= ((set & 1U) != 0 ? ~lo & ~hi : 0) | ((set & 2U) != 0 ? lo & ~hi : 0) | ((set & 4U) != 0 ? ~lo & hi : 0) |
               ((set & 8U) != 0 ? lo & hi : 0);
      }
      all &= own;
    }
    return all;
  }

  void add_site(const ForwardPam& pam, const std::vector<ForwardPam>& pams, std::uint32_t start, std::size_t& segment,
                std::vector<Site>& sites) const {
    const bool left = guide_is_left(guides_.side(), pam.strand);
    const std::uint32_t border = left ? start : start + static_cast<std::uint32_t>(pam.sets.size());
    const std::vector<Segment>& segments = batch_.segments();
    while (segment + 1 < segments.size() && segments[segment + 1].position <= start) ++segment;
    while (segments[segment].position > start) --segment;
    const std::uint32_t available = left ? border - segments[segment].position : segments[segment].end - border;
    if (available < fewest_) return;
    for (const ForwardPam& earlier : pams) {
      if (&earlier == &pam) break;
      const auto length = static_cast<std::uint32_t>(earlier.sets.size());
      if (!left && border < length) continue;
      if ((matching(earlier, left ? border : border - length) & 1) != 0) return;
    }
    sites.push_back({border, pam.strand, pam.pam});
  }

  const PackedBatch& batch_;
  const PackedView view_;
  const GuideSet& guides_;
  const std::vector<std::uint64_t> bases_;
  const std::array<std::vector<ForwardPam>, 2> pams_;
  const std::uint32_t fewest_;  // text bases beside a PAM
};

std::uint32_t low_half(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

}  // namespace

std::vector<ForwardPam> forward_pams(const GuideSet& guides, Strand strand) {
  std::vector<ForwardPam> forward;
  for (std::size_t i = 0; i < guides.pams().size(); ++i) {
    std::vector<BaseSet> sets = base_sets(guides.pams()[i]);
    if (strand == Strand::minus) {
      std::reverse(sets.begin(), sets.end());
      for (BaseSet& set : sets) set = complement_set(set);
    }
    forward.push_back({std::move(sets), strand, static_cast<std::uint8_t>(i)});
  }
  return forward;
}

std::uint32_t fewest_bases(const GuideSet& guides) {
  return guides.min_length() - std::min(guides.limits().rna_bulges, guides.min_length());
}

double sites_per_position(const GuideSet& guides) {
  double sites = 0;
  for (const std::string& pam : guides.pams()) {
    double share = 2;
    for (const BaseSet set : base_sets(pam)) share *= std::popcount(set) / 4.0;
    sites += share;
  }
  return std::min(sites, 2.0);
}

void find_sites(const PackedBatch& batch, const GuideSet& guides, const GuideFinder::Loop& loop, Sites& sites) {
  const Search search(batch, guides);
  const std::uint32_t positions = batch.positions();
  std::vector<std::vector<Site>> ranges((positions + kRange - 1) / kRange);
  loop(ranges.size(), [&](std::size_t i) {
    const auto begin = static_cast<std::uint32_t>(i) * kRange;
    search.add(begin, std::min(positions, begin + kRange), ranges[i]);
  });
  std::vector<std::size_t> begins(ranges.size() + 1);
  for (std::size_t i = 0; i < ranges.size(); ++i) begins[i + 1] = begins[i] + ranges[i].size();
  sites.sites.resize(begins.back());
  sites.bases.resize(begins.back() + kSitesAtOnce);
  loop(ranges.size(), [&](std::size_t i) {
    std::copy(ranges[i].begin(), ranges[i].end(), sites.sites.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    for (std::size_t k = 0; k < ranges[i].size(); ++k) {
      const Site& site = ranges[i][k];
      const PlainWindow bases = bases_at(batch, site.border, guide_is_left(guides.side(), site.strand), site.strand);
      sites.bases[begins[i] + k] = {low_half(bases.lo), low_half(bases.hi)};
    }
  });
}

}  // namespace basesweep::halves
