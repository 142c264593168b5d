#include "lib/align/overhang_filter.hpp"

#include <algorithm>

#include "lib/base/dna.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kWordBits = 64;

// The base codes of positions [begin, end), from the border inwards reversed: the last one lies at the border.
void read_codes(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end, Border border,
                std::vector<std::uint8_t>& codes) {
  const PackedView view = batch.view();
  codes.resize(end - begin);
  for (std::uint32_t position = begin; position < end;) {
    std::uint64_t lo = view.lo[position / kWordBits] >> (position % kWordBits);
    std::uint64_t hi = view.hi[position / kWordBits] >> (position % kWordBits);
    const std::uint32_t stop = std::min<std::uint32_t>(end, (position / kWordBits + 1) * kWordBits);
    for (; position < stop; ++position, lo >>= 1, hi >>= 1) {
      codes[position - begin] = static_cast<std::uint8_t>((lo & 1) | (hi & 1) << 1);
    }
  }
  if (border == Border::left) std::reverse(codes.begin(), codes.end());
}

// Memory that a thread keeps from one search to the next.
struct TextCodes {
  std::vector<std::uint8_t> codes;
};

}  // namespace

std::uint32_t min_inside(const Query& query, std::uint32_t bases, Border border) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  std::uint32_t counted = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    counted += query.sets[border == Border::right ? i : length - 1 - i] != kAnyBase ? 1 : 0;
    if (counted >= bases) return std::max(i + 1, query.limits.clamp_left + query.limits.clamp_right);
  }
  return length + 1;
}

OverhangFilter::OverhangFilter(const PatternSet& patterns) {
  for (const Border border : {Border::left, Border::right}) {
    std::vector<Group>& groups = groups_[static_cast<int>(border)];
    add_groups(patterns, border, groups);
    for (const Group& group : groups) {
      reach_[static_cast<int>(border)] = std::max(reach_[static_cast<int>(border)], group.reach);
    }
  }
}

// Queries are sorted by length, so those of a group have similar ones.
void OverhangFilter::add_groups(const PatternSet& patterns, Border border, std::vector<Group>& to) {
  for (std::uint32_t index = 0; index < patterns.queries().size(); ++index) {
    const Query& query = patterns.queries()[index];
    const std::uint32_t bases = border == Border::left ? query.overhang.left : query.overhang.right;
    if (bases == 0) continue;
    const auto length = static_cast<std::uint32_t>(query.sets.size());
    if (to.empty() || to.back().lanes == kLanes) to.push_back({});
    Group& group = to.back();
    const std::size_t lane = group.lanes++;
    group.queries[lane] = index;
    group.reach = std::max(group.reach, length - 1 + query.limits.indels);
    group.equal.resize(4 * ((length + kWordBits - 1) / kWordBits));
    group.limits.resize(length);
    // The positions inside, from the border outwards, are the query's prefix at the right border.
    const bool right = border == Border::right;
    for (std::uint32_t i = 0; i < length; ++i) {
      const BaseSet set = query.sets[right ? i : length - 1 - i];
      for (unsigned code = 0; code < 4; ++code) {
        if ((set >> code & 1) != 0) group.equal[i / kWordBits * 4 + code][lane] |= std::uint64_t{1} << i % kWordBits;
      }
    }
    for (std::uint32_t inside = min_inside(query, bases, border); inside < length; ++inside) {
      group.limits[inside - 1][lane] = std::uint64_t{query.overhang.edits[inside]} + 1;
    }
  }
}

void OverhangFilter::find(const PackedBatch& batch, const Segment& segment, Border border,
                          std::vector<PossibleHang>& out) const {
  const auto side = static_cast<int>(border);
  const std::uint32_t length = std::min(segment.end - segment.position, reach_[side]);
  if (length == 0) return;
  auto& codes = per_thread<TextCodes>().codes;
  const std::uint32_t begin = border == Border::left ? segment.position : segment.end - length;
  read_codes(batch, begin, begin + length, border, codes);
  for (const Group& group : groups_[side]) {
    find(group, std::span(codes).last(std::min(length, group.reach)), out);
  }
}

void OverhangFilter::find(const Group& group, std::span<const std::uint8_t> text, std::vector<PossibleHang>& out) {
  const std::size_t words = group.equal.size() / 4;
  auto& vertical = per_thread<std::vector<Lanes>>();  // Pv and Mv of each word
  vertical.resize(2 * words);
  for (std::size_t w = 0; w < words; ++w) {
    vertical[2 * w] = ~Lanes{};
    vertical[2 * w + 1] = Lanes{};
  }
  for (const std::uint8_t code : text) {
    Lanes Ph_in{};  // an alignment may begin anywhere in the text: row 0 is 0
    Lanes Mh_in{};
    for (std::size_t w = 0; w < words; ++w) {
      const Lanes Pv = vertical[2 * w];
      const Lanes Mv = vertical[2 * w + 1];
      Lanes Eq = group.equal[4 * w + code];
      const Lanes Xv = Eq | Mv;
      Eq |= Mh_in;
      const Lanes Xh = (((Eq & Pv) + Pv) ^ Pv) | Eq;
      Lanes Ph = Mv | ~(Xh | Pv);
      Lanes Mh = Pv & Xh;
      const Lanes Ph_out = Ph >> (kWordBits - 1);
      const Lanes Mh_out = Mh >> (kWordBits - 1);
      Ph = Ph << 1 | Ph_in;
      Mh = Mh << 1 | Mh_in;
      vertical[2 * w] = Mh | ~(Xv | Ph);
      vertical[2 * w + 1] = Ph & Xv;
      Ph_in = Ph_out;
      Mh_in = Mh_out;
    }
  }
  // The column's differences add up to the edits of each prefix. A sign bit says that a limit is kept.
  Lanes edits{};
  Lanes kept{};
  for (std::size_t i = 0; i < group.limits.size(); ++i) {
    const Lanes* word = &vertical[2 * (i / kWordBits)];
    const unsigned bit = i % kWordBits;
    edits += (word[0] >> bit & 1) - (word[1] >> bit & 1);
    kept |= edits - group.limits[i];
  }
  for (std::size_t lane = 0; lane < group.lanes; ++lane) {
    if (kept[lane] >> (kWordBits - 1) == 0) continue;
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < group.limits.size(); ++i) {
      const Lanes* word = &vertical[2 * (i / kWordBits)];
      sum += static_cast<std::int64_t>(word[0][lane] >> i % kWordBits & 1) -
             static_cast<std::int64_t>(word[1][lane] >> i % kWordBits & 1);
      if (sum < static_cast<std::int64_t>(group.limits[i][lane])) out.push_back({group.queries[lane], i + 1});
    }
  }
}

}  // namespace basesweep
