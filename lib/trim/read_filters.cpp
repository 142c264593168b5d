#include "lib/trim/read_filters.hpp"

#include <cmath>

#include "lib/trim/read_steps.hpp"

namespace basesweep {
namespace {

bool fails(PairFilter filter, bool first, bool second) {
  switch (filter) {
    case PairFilter::any: return first || second;
    case PairFilter::both: return first && second;
    case PairFilter::first: break;
  }
  return first;
}

// Whether the reads fail a filter that each of them fails if test(read) is true.
template <class Test>
bool fails(PairFilter filter, std::span<const FilteredRead> reads, Test test) {
  return reads.size() == 1 ? test(reads[0]) : fails(filter, test(reads[0]), test(reads[1]));
}

// The same for a limit of each mate; a mate without one does not count. `passes`: compares a length with the limit.
template <class Limit, class Passes>
bool fails_length(const TrimSettings& settings, std::span<const FilteredRead> reads, Limit limit, Passes passes) {
  const auto limits = [&](std::size_t mate) { return settings.mates[mate].*limit; };
  const auto test = [&](const FilteredRead& read) { return !passes(read.bases.size(), *limits(read.mate)); };
  if (reads.size() == 1 || !limits(1)) return limits(0) && test(reads[0]);
  if (!limits(0)) return test(reads[1]);
  return fails(settings.pair_filter, reads, test);
}

bool has_too_many_unknown(double limit, std::string_view bases) {
  const auto found = static_cast<double>(count_unknown(bases));
  if (limit >= 1) return found > limit;
  return !bases.empty() && found / static_cast<double>(bases.size()) > limit;
}

double errors_of(const TrimSettings& settings, const FilteredRead& read) {
  return expected_errors(read.quality) * std::pow(10.0, (settings.quality_base - kQualityBase) / 10.0);
}

}  // namespace

const char* word_of(TrimReason reason) {
  constexpr const char* kWords[kTrimReasons] = {"written",         "too-short", "too-long", "too-many-n",
                                                "too-many-errors", "trimmed",   "untrimmed"};
  return kWords[static_cast<std::size_t>(reason)];
}

TrimReason judge(const TrimSettings& settings, std::span<const FilteredRead> reads) {
  const auto at_least = [](std::uint64_t length, std::uint64_t limit) { return length >= limit; };
  const auto at_most = [](std::uint64_t length, std::uint64_t limit) { return length <= limit; };
  if (fails_length(settings, reads, &MateSettings::min_length, at_least)) return TrimReason::too_short;
  if (fails_length(settings, reads, &MateSettings::max_length, at_most)) return TrimReason::too_long;
  const PairFilter filter = settings.pair_filter;
  const auto has_adapter = [](const FilteredRead& read) { return read.has_adapter; };
  if (settings.max_n &&
      fails(filter, reads, [&](const FilteredRead& read) { return has_too_many_unknown(*settings.max_n, read.bases); }))
    return TrimReason::too_many_n;
  const auto errs_often = [&](const FilteredRead& read) {
    return !read.bases.empty() &&
           errors_of(settings, read) / static_cast<double>(read.bases.size()) > *settings.max_error_rate;
  };
  if (settings.max_expected_errors && fails(filter, reads, [&](const FilteredRead& read) {
        return errors_of(settings, read) > *settings.max_expected_errors;
      })) {
    return TrimReason::too_many_errors;
  }
  if (settings.max_error_rate && fails(filter, reads, errs_often)) return TrimReason::too_many_errors;
  if (settings.discard_trimmed && fails(filter, reads, has_adapter)) return TrimReason::trimmed;
  if (settings.filter_untrimmed &&
      fails(settings.untrimmed_filter, reads, [](const FilteredRead& read) { return !read.has_adapter; }))
    return TrimReason::untrimmed;
  return TrimReason::written;
}

}  // namespace basesweep
