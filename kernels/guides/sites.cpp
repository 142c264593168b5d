#include "kernels/guides/sites.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace basesweep {
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

  // Calls use(site) for the sites whose PAM begins in [begin, end).
  template <class Use>
  void for_each_site(std::uint32_t begin, std::uint32_t end, const Use& use) const {
    std::size_t segment = batch_.segment_at(begin);
    for (std::uint32_t at = begin; at < end; at += 64) {
      while (segment + 1 < batch_.segments().size() && batch_.segments()[segment + 1].position <= at) ++segment;
      for (const std::vector<ForwardPam>& pams : pams_) {
        for (const ForwardPam& pam : pams) {
          std::uint64_t starts = matching(pam, at);
          if (end - at < 64) starts &= low_bits(end - at);
          const bool all =
              all_have_room(pam, at, batch_.segments()[segment]) && leave_out_earlier(pam, pams, at, starts);
          for (; starts != 0; starts &= starts - 1) {
            const std::uint32_t start = at + static_cast<std::uint32_t>(std::countr_zero(starts));
            const Site site{border_of(pam, start), pam.strand, pam.pam};
            if (all || is_site(pam, pams, start, site.border, segment)) use(site);
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

  bool is_left(const ForwardPam& pam) const { return guide_is_left(guides_.side(), pam.strand); }
  std::uint32_t border_of(const ForwardPam& pam, std::uint32_t start) const {
    return is_left(pam) ? start : start + static_cast<std::uint32_t>(pam.sets.size());
  }

  // Whether a guide fits into the segment beside a PAM that begins anywhere in [at, at + 64).
  bool all_have_room(const ForwardPam& pam, std::uint32_t at, const Segment& segment) const {
    const std::uint64_t after = std::uint64_t{at} + 64 + pam.sets.size() + fewest_;
    return is_left(pam) ? std::uint64_t{segment.position} + fewest_ <= at && at + 64 <= segment.end
                        : segment.position <= at && after <= segment.end;
  }

  // Clears those of the starts, 64 from `at` on, where a PAM that was given earlier matches at the same border. Returns
  // false, and clears none, if the text before position 0 would have to be looked at.
  bool leave_out_earlier(const ForwardPam& pam, const std::vector<ForwardPam>& pams, std::uint32_t at,
                         std::uint64_t& starts) const {
    const auto length = static_cast<std::uint32_t>(pam.sets.size());
    std::uint64_t left = starts;
    for (const ForwardPam& earlier : pams) {
      if (&earlier == &pam) break;
      const auto own = static_cast<std::uint32_t>(earlier.sets.size());
      if (!is_left(pam) && at + length < own) return false;
      left &= ~matching(earlier, is_left(pam) ? at : at + length - own);
    }
    starts = left;
    return true;
  }

  // Whether the segment has room for a guide, and no PAM that was given earlier matches at the border. `near`: the
  // index of a segment that does not begin later.
  bool is_site(const ForwardPam& pam, const std::vector<ForwardPam>& pams, std::uint32_t start, std::uint32_t border,
               std::size_t near) const {
    const bool left = is_left(pam);
    const std::vector<Segment>& segments = batch_.segments();
    while (near + 1 < segments.size() && segments[near + 1].position <= start) ++near;
    const Segment& segment = segments[near];
    const std::uint32_t available = left ? border - segment.position : segment.end - border;
    if (available < fewest_) return false;
    for (const ForwardPam& earlier : pams) {
      if (&earlier == &pam) break;
      const auto length = static_cast<std::uint32_t>(earlier.sets.size());
      if (!left && border < length) continue;
      if ((matching(earlier, left ? border : border - length) & 1) != 0) return false;
    }
    return true;
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

std::uint32_t positions_of_batch(double sites, const GuideSet& guides) {
  return static_cast<std::uint32_t>(std::clamp(sites / sites_per_position(guides), double{1U << 16}, double{1U << 26}));
}

void find_sites(const PackedBatch& batch, const GuideSet& guides, const GuideFinder::Loop& loop, Sites& sites) {
  const Search search(batch, guides);
  const std::uint32_t positions = batch.positions();
  // Counted first, since lists that grow would take more memory than the sites.
  std::vector<std::size_t> begins((positions + kRange - 1) / kRange + 1);
  const auto for_each_range = [&](const auto& work) {
    loop(begins.size() - 1, [&](std::size_t i) {
      const auto begin = static_cast<std::uint32_t>(i) * kRange;
      work(i, begin, std::min(positions, begin + kRange));
    });
  };
  for_each_range([&](std::size_t i, std::uint32_t begin, std::uint32_t end) {
    std::size_t count = 0;
    search.for_each_site(begin, end, [&count](const Site&) { ++count; });
    begins[i + 1] = count;
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  set_size(begins.back(), sites.sites);
  set_size(begins.back() + kSitesAtOnce, sites.bases);
  for_each_range([&, view = batch.view()](std::size_t i, std::uint32_t begin, std::uint32_t end) {
    std::size_t at = begins[i];
    search.for_each_site(begin, end, [&](const Site& site) {
      const PlainWindow bases = bases_at(view, site.border, guide_is_left(guides.side(), site.strand), site.strand);
      sites.sites[at] = site;
      sites.bases[at] = {low_half(bases.lo), low_half(bases.hi)};
      ++at;
    });
  });
}

}  // namespace basesweep
