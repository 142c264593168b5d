#include "kernels/guides/halves/plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/guides/halves/step.hpp"

namespace basesweep::halves {
namespace {

// Bits of a word of q bases that the guide says nothing about, when it lies on the text in this alignment.
std::uint32_t free_bases(std::uint32_t guide_length, const GuideShape& shape, bool second, std::uint32_t q) {
  GuideBits any;
  any.length = guide_length;
  const GuideBits text = on_text(any, shape);  // a base without matching codes stays so; a free one matches all
  return static_cast<std::uint32_t>(text.sets[0] >> (second ? q : 0) & low_bits(q));
}

// How many keys differ from a word with these free bases in at most `budget` of the others.
std::size_t count_deltas(std::uint32_t free, std::uint32_t q, std::uint32_t budget) {
  const auto fixed = q - static_cast<std::uint32_t>(std::popcount(free));
  std::size_t keys = 0;
  std::size_t exactly = 1;  // words with this many mismatches
  for (std::uint32_t i = 0; i <= std::min(budget, fixed); ++i) {
    keys += exactly;
    exactly = exactly * 3 * (fixed - i) / (i + 1);
  }
  return keys << (2 * std::popcount(free));
}

void add_deltas(std::uint32_t free, std::uint32_t q, std::uint32_t base, std::uint32_t budget, std::uint32_t delta,
                std::vector<std::uint32_t>& deltas) {
  if (base == q) {
    deltas.push_back(delta);
    return;
  }
  const bool is_free = (free >> base & 1U) != 0;
  for (std::uint32_t code = 0; code < 4; ++code) {
    if (code != 0 && !is_free && budget == 0) break;
    const std::uint32_t change = (code & 1U) << base | (code >> 1) << (base + q);
    add_deltas(free, q, base + 1, budget - (code != 0 && !is_free ? 1 : 0), delta | change, deltas);
  }
}

// A form whose deltas are not made yet.
struct Draft {
  bool second;
  GuideShape word;
  std::vector<ShapeRange> shapes;
  int budget;  // mismatches; below 0: not needed
};

class Planner {
 public:
  Planner(std::uint32_t guide_length, const GuideLimits& limits)
      : length_(guide_length),
        limits_(limits),
        q_(std::min(kMaxWord, guide_length / 2)),
        m_(static_cast<int>(limits.mismatches)),
        first_(std::max(limits.seed, 1U)) {}

  LookupPlan make() {
    LookupPlan plan;
    plan.q = q_;
    plan.shapes.push_back({});
    for_each_bulge([&](Bulge bulge, std::uint32_t size, std::uint32_t last) {
      plan.shapes.push_back({bulge, size, first_, last});
    });
    std::vector<Draft> drafts = fewest([this](int budget) { return outer(budget); });
    for (Draft& draft : fewest([this](int budget) { return inner(budget); })) drafts.push_back(std::move(draft));
    plan.lookups = lookups(drafts);
    if (plan.lookups > kMaxLookups) return plan;
    for (Draft& draft : drafts) {
      if (draft.budget < 0) continue;
      Form form{draft.second, draft.word, std::move(draft.shapes), free_bases(length_, draft.word, draft.second, q_),
                {},           {}};
      add_deltas(form.free, q_, 0, static_cast<std::uint32_t>(draft.budget), 0, form.deltas);
      std::sort(form.deltas.begin(), form.deltas.end());
      for (std::uint32_t part = 0; part <= kParts; ++part) {
        const auto at = std::lower_bound(form.deltas.begin(), form.deltas.end(), part << part_shift(q_));
        form.parts[part] = static_cast<std::uint32_t>(at - form.deltas.begin());
      }
      plan.forms.push_back(std::move(form));
    }
    return plan;
  }

 private:
  // Calls use(bulge, size, last place) for the bulges that fit.
  template <class Use>
  void for_each_bulge(const Use& use) const {
    for (std::uint32_t size = 1; size <= limits_.max_bulge(); ++size) {
      for (const Bulge bulge : {Bulge::dna, Bulge::rna}) {
        const bool dna = bulge == Bulge::dna;
        if (size > (dna ? limits_.dna_bulges : limits_.rna_bulges)) continue;
        const std::uint32_t left_out = dna ? 0 : size;
        if (first_ + left_out + 1 <= length_) use(bulge, size, length_ - left_out - 1);
      }
    }
  }

  static GuideShape shape_of(Bulge bulge, std::uint32_t size, std::uint32_t at) {
    return {bulge, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(at), 0};
  }

  // Without bulge, or with one behind the first word, which then lies straight. `budget`: of the first word.
  std::vector<Draft> outer(int budget) const {
    Draft first{false, {}, {{}}, budget};
    Draft second{true, {}, {{}}, m_ - 1 - budget};
    std::vector<Draft> more;
    for_each_bulge([&](Bulge bulge, std::uint32_t size, std::uint32_t last) {
      const std::uint32_t from = std::max(first_, q_);
      if (from > last) return;
      first.shapes.push_back({bulge, size, from, last});
      for (std::uint32_t at = from; at <= std::min(last, 2 * q_ - 1); ++at) {
        more.push_back({true, shape_of(bulge, size, at), {{bulge, size, at, at}}, second.budget});
      }
      if (2 * q_ <= last) second.shapes.push_back({bulge, size, std::max(from, 2 * q_), last});
    });
    more.push_back(std::move(first));
    more.push_back(std::move(second));
    return more;
  }

  // With a bulge that begins in the first word. The second word is then the same wherever it does, but where the bulge
  // reaches into it. `budget`: of the second word.
  std::vector<Draft> inner(int budget) const {
    std::vector<Draft> drafts;
    for_each_bulge([&](Bulge bulge, std::uint32_t size, std::uint32_t last) {
      const std::uint32_t end = std::min(last, q_ - 1);
      if (first_ > end) return;
      // A DNA bulge from here on has text bases in the second word.
      const std::uint32_t reaching = bulge == Bulge::dna ? (q_ > size ? q_ - size + 1 : first_) : end + 1;
      if (first_ < reaching) {
        const std::uint32_t until = std::min(end, reaching - 1);
        drafts.push_back({true, shape_of(bulge, size, first_), {{bulge, size, first_, until}}, budget});
      }
      for (std::uint32_t at = std::max(first_, reaching); at <= end; ++at) {
        drafts.push_back({true, shape_of(bulge, size, at), {{bulge, size, at, at}}, budget});
      }
      for (std::uint32_t at = first_; at <= end; ++at) {
        drafts.push_back({false, shape_of(bulge, size, at), {{bulge, size, at, at}}, m_ - 1 - budget});
      }
    });
    return drafts;
  }

  std::size_t lookups(const std::vector<Draft>& drafts) const {
    std::size_t sum = 0;
    for (const Draft& draft : drafts) {
      if (draft.budget < 0) continue;
      sum +=
          count_deltas(free_bases(length_, draft.word, draft.second, q_), q_, static_cast<std::uint32_t>(draft.budget));
    }
    return sum;
  }

  // The drafts of the budget with the fewest look-ups.
  template <class Make>
  std::vector<Draft> fewest(const Make& make) const {
    std::vector<Draft> best = make(0);
    std::size_t least = lookups(best);
    for (int budget = 1; budget <= m_; ++budget) {
      std::vector<Draft> drafts = make(budget);
      const std::size_t count = lookups(drafts);
      if (count < least) {
        least = count;
        best = std::move(drafts);
      }
    }
    return best;
  }

  const std::uint32_t length_;
  const GuideLimits& limits_;
  const std::uint32_t q_;
  const int m_;
  const std::uint32_t first_;  // the least place of a bulge
};

}  // namespace

ShapeRange::ShapeRange(Bulge kind, std::uint32_t bases, std::uint32_t first_at, std::uint32_t last_at)
    : bulge(kind),
      size(static_cast<std::uint8_t>(bases)),
      first(static_cast<std::uint8_t>(first_at)),
      last(static_cast<std::uint8_t>(last_at)),
      near(low_positions(first)),
      beyond(~low_positions(last + left_out())) {}

LookupPlan make_plan(std::uint32_t guide_length, const GuideLimits& limits) {
  return Planner(guide_length, limits).make();
}

GuideBits on_text(const GuideBits& guide, const GuideShape& shape) {
  GuideBits text;
  text.length = guide.length;
  const std::uint64_t near = low_bits(shape.at);
  for (unsigned code = 0; code < 4; ++code) {
    const std::uint64_t own = guide.sets[code] | ~low_bits(guide.length);
    if (shape.bulge == Bulge::rna) {
      text.sets[code] = (own & near) | (own >> shape.size & ~near) | ~low_bits(guide.length - shape.size);
    } else if (shape.bulge == Bulge::dna) {
      text.sets[code] = (own & near) | (low_bits(shape.size) << shape.at) | (own & ~near) << shape.size;
    } else {
      text.sets[code] = own;
    }
  }
  return text;
}

}  // namespace basesweep::halves
