#include <fmt/format.h>

#include <algorithm>
#include <basesweep/reads.hpp>
#include <cmath>
#include <utility>

#include "lib/api/call.hpp"
#include "lib/api/read_calls.hpp"
#include "lib/trim/known_adapters.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {
namespace {

constexpr int kMostQuality = 93;

bool has_adapters(const MateTrimming& mate) {
  return !mate.adapters_3prime.empty() || !mate.adapters_5prime.empty() || !mate.adapters_either.empty();
}

std::shared_ptr<const AdapterSet> adapters_of(const MateTrimming& mate, const AdapterDefaults& defaults) {
  std::vector<Adapter> adapters;
  const auto add = [&](const std::vector<std::string>& words, AdapterKind kind) {
    for (const std::string& word : words) {
      if (adapter_file_of(word)) throw UsageError(fmt::format("adapter '{}': files are not read here", word));
      adapters.push_back(parse_adapter(word, kind, defaults));
    }
  };
  add(mate.adapters_3prime, AdapterKind::three_prime);
  add(mate.adapters_5prime, AdapterKind::five_prime);
  add(mate.adapters_either, AdapterKind::either);
  return adapters.empty() ? nullptr : std::make_shared<const AdapterSet>(std::move(adapters));
}

MateSettings settings_of(const MateTrimming& mate, const AdapterDefaults& defaults, bool by_overlap) {
  for (const int quality : {mate.quality_front, mate.quality_back}) {
    if (quality < 0 || quality > kMostQuality) throw UsageError(fmt::format("quality: expected 0 to {}", kMostQuality));
  }
  MateSettings settings;
  settings.cut_front = mate.cut_front;
  settings.cut_back = mate.cut_back;
  if (mate.quality_front != 0 || mate.quality_back != 0)
    settings.quality = QualityLimits{mate.quality_front, mate.quality_back};
  settings.adapters = adapters_of(mate, defaults);
  settings.length = mate.length;
  settings.min_length = mate.min_length;
  if (by_overlap && !settings.min_length) settings.min_length = 1;
  settings.max_length = mate.max_length;
  return settings;
}

void check(const ReadTrimmerOptions& o) {
  if (!(o.error_rate >= 0) || std::isinf(o.error_rate)) throw UsageError("error_rate must be at least 0");
  if (o.min_overlap == 0) throw UsageError("min_overlap must be at least 1");
  if (o.times == 0) throw UsageError("times must be at least 1");
  if (!o.paired && o.by_overlap.value_or(false)) throw UsageError("by_overlap needs pairs");
  if (o.paired && o.revcomp) throw UsageError("revcomp is for single reads");
  if (o.discard_trimmed && o.discard_untrimmed) throw UsageError("use discard_trimmed or discard_untrimmed, not both");
  if (o.nextseq && (*o.nextseq < 0 || *o.nextseq > kMostQuality))
    throw UsageError(fmt::format("nextseq: expected 0 to {}", kMostQuality));
}

TrimSettings settings_of(const ReadTrimmerOptions& o) {
  check(o);
  const AdapterDefaults defaults{.max_errors = o.error_rate, .min_overlap = o.min_overlap, .indels = o.indels};
  TrimSettings settings;
  settings.paired = o.paired;
  settings.by_overlap = o.paired && o.by_overlap.value_or(!has_adapters(o.first) && !has_adapters(o.second));
  settings.mates[0] = settings_of(o.first, defaults, settings.by_overlap);
  settings.mates[1] = settings_of(o.second, defaults, settings.by_overlap);
  settings.nextseq = o.nextseq;
  settings.times = o.times;
  settings.revcomp = o.revcomp;
  settings.poly_a = o.poly_a;
  settings.trim_n = o.trim_n;
  settings.max_n = o.max_n;
  settings.max_expected_errors = o.max_errors;
  settings.discard_trimmed = o.discard_trimmed;
  settings.filter_untrimmed = o.discard_untrimmed;
  if (has_adapters(o.first) != has_adapters(o.second)) settings.untrimmed_filter = PairFilter::both;
  // Each reason is a destination of its own, so that results tell it.
  for (std::size_t i = 0; i < kTrimReasons; ++i) settings.files[i] = static_cast<std::uint32_t>(i);
  return settings;
}

}  // namespace

struct ReadTrimmer::State {
  explicit State(const ReadTrimmerOptions& o) : trimmer(settings_of(o)), threads(threads_of(o)) {}

  const Trimmer trimmer;
  const int threads;
};

ReadTrimmer::ReadTrimmer(const ReadTrimmerOptions& options) : state_(std::make_unique<State>(options)) {}
ReadTrimmer::~ReadTrimmer() = default;
ReadTrimmer::ReadTrimmer(ReadTrimmer&&) noexcept = default;
ReadTrimmer& ReadTrimmer::operator=(ReadTrimmer&&) noexcept = default;

std::vector<TrimmedRead> ReadTrimmer::trim(std::span<const NamedRead> reads) const {
  const bool paired = state_->trimmer.settings().paired;
  std::vector<TrimmedRead> results(reads.size());
  over_reads(reads, paired, state_->threads, [&](std::size_t begin, std::size_t end) {
    const ProcessedReads processed = state_->trimmer.process(list_of(reads.subspan(begin, end - begin), paired));
    for (std::size_t i = begin; i < end; ++i) {
      const WrittenRead& read = processed.written[i - begin];
      const auto reason = static_cast<TrimReason>(read.file);
      results[i] = {reason == TrimReason::written, word_of(reason), read.begin, read.end, read.turned};
    }
  });
  return results;
}

std::pair<std::string, std::string> guess_adapters(std::span<const NamedRead> mates) {
  check_pairs(mates, true);
  AdapterGuess guess;
  for (std::size_t i = 0; i < std::min(mates.size(), 2 * AdapterGuess::kPairs); i += 2)
    guess.add(mates[i].bases, mates[i + 1].bases);
  AdapterPair found = guess.result();
  return {std::move(found.first), std::move(found.second)};
}

}  // namespace basesweep
