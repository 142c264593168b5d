#include "kernels/tables/matrices.hpp"

#include <algorithm>

#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/text.hpp"

namespace basesweep {
namespace {

// K D of the window of `length` positions from `position` on.
template <class Text>
Matrix window_at(const Text& text, std::uint32_t position, std::uint32_t length) {
  Matrix k = identity_matrix();
  const std::uint32_t end = position + length;
  for (; end - position >= kMatrixPositions; position += kMatrixPositions) {
    k = product(k, matrix_of_word(text.lo_at(position), text.hi_at(position)));
  }
  k = times_d(k);
  if (position == end) return k;
  std::uint32_t lo = text.lo_at(position);
  std::uint32_t hi = text.hi_at(position);
  for (; position != end; ++position, lo >>= 1, hi >>= 1) append_base(k, lo, hi);
  return k;
}

template <int Count>
void scan_group(const FingerprintsView& view, const FingerprintGroup& group, const PackedView& packed,
                OccurrenceSink& sink) {
  const PlanesText text{packed.lo, packed.hi};
  Matrix window = window_at(text, packed.own_begin, group.length);
  for (std::uint32_t begin = packed.own_begin; begin < packed.own_end;) {
    std::uint32_t lo = text.lo_at(begin);
    std::uint32_t hi = text.hi_at(begin);
    std::uint32_t next_lo = text.lo_at(begin + group.length);
    std::uint32_t next_hi = text.hi_at(begin + group.length);
    const std::uint32_t end = std::min(begin + kMatrixPositions, packed.own_end);
    for (; begin != end; ++begin) {
      if (const std::uint32_t item = find_fingerprint<Count>(view, group, fingerprint_of(window)); item != kNoItem)
          [[unlikely]] {
        for_each_verified(view, group, item, text, begin, [&](std::uint32_t query) { sink.send(begin, query); });
      }
      drop_base(window, lo, hi);
      append_base(window, next_lo, next_hi);
      lo >>= 1, hi >>= 1, next_lo >>= 1, next_hi >>= 1;
    }
  }
}

void scan_matrices(const FingerprintsView& view, const PackedView& text, OccurrenceSink& sink) {
  for (std::uint32_t g = 0; g < view.group_count; ++g) {
    const FingerprintGroup& group = view.groups[g];
    switch (group.count()) {
      case 1: scan_group<1>(view, group, text, sink); break;
      case 2: scan_group<2>(view, group, text, sink); break;
      default: scan_group<0>(view, group, text, sink); break;
    }
  }
}

}  // namespace

Fingerprints matrix_fingerprints(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  return {patterns, queries,
          [](const QueryText& text, std::uint32_t length) { return fingerprint_of(window_at(text, 0, length)); }};
}

std::optional<std::string> decline_matrices(const Query& query) { return decline_longer(query, 65'536); }

std::unique_ptr<Matcher> make_matrix_matcher(const RoomOptions& options) {
  return make_loop_matcher(options, matrix_fingerprints(options.patterns, options.queries), scan_matrices);
}

}  // namespace basesweep
