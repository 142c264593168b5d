#include "lib/align/cost.hpp"

#include <algorithm>

#include "lib/align/cost_band.hpp"

namespace basesweep {
namespace {

bool matches(std::span<const BaseSet> positions, std::span<const BaseSet> text) {
  return std::equal(positions.begin(), positions.end(), text.begin(),
                    [](BaseSet position, BaseSet letter) { return (position & letter) != 0; });
}

bool single_limits_bind(const Limits& limits) {
  return limits.mismatches < limits.edits || limits.indels < limits.edits || limits.dna_bulges < limits.indels ||
         limits.rna_bulges < limits.indels;
}

}  // namespace

Query mirrored(const Query& query, std::span<BaseSet> sets) {
  Query mirror = query;
  std::reverse_copy(query.sets.begin(), query.sets.end(), sets.begin());
  mirror.sets = sets;
  std::swap(mirror.limits.clamp_left, mirror.limits.clamp_right);
  return mirror;
}

std::span<const BaseSet> core(const Query& query) {
  const std::size_t clamped = query.limits.clamp_left + query.limits.clamp_right;
  return query.sets.subspan(query.limits.clamp_left, query.sets.size() - clamped);
}

std::uint32_t core_indels(const Query& query) {
  const bool closed = core(query).empty() && query.limits.clamp_left != 0 && query.limits.clamp_right != 0;
  return closed ? 0 : query.limits.indels;
}

// The band for as many texts as Texts has.
template <class Texts>
class CostScan::Band {
 public:
  // Appends to costs[text] the costs of aligning the query's core to each text, at most Texts::kTexts of them.
  void align(const Query& query, std::uint32_t min_length, std::span<const Aligned> texts,
             std::span<std::vector<Cost>> costs) {
    const std::span<const BaseSet> positions = core(query);
    const std::uint32_t indels = core_indels(query);
    set_letters(texts, indels, positions.size() + indels);
    band_.shape(single_limits_bind(query.limits) ? BandKind::layers : BandKind::sums, indels);
    for (auto& row : rows_) {
      if (row.size() < band_.cells()) row.resize(band_.cells());
      band_.first_row(row.data());
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto least =
          band_.next_row(positions[i], letters_.data() + i, rows_[i % 2].data(), rows_[(i + 1) % 2].data());
      if (band_.too_high(least, query.limits)) return;
    }
    const auto* row = rows_[positions.size() % 2].data();
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::size_t readable = std::min(texts[t].letters.size(), positions.size() + indels);
      for (std::size_t length = min_length; length <= readable; ++length) {
        const auto diagonal = static_cast<std::int64_t>(length) - static_cast<std::int64_t>(positions.size());
        costs[texts[t].text].push_back(band_.cost(row, diagonal, query.limits, t));
      }
    }
  }

 private:
  // The band also reads letters before and past the texts; no cell that is used depends on them.
  void set_letters(std::span<const Aligned> texts, std::size_t before, std::size_t reach) {
    letters_.assign(before + reach, typename Texts::Letter{});
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::size_t readable = std::min(texts[t].letters.size(), reach);
      for (std::size_t i = 0; i < readable; ++i) Texts::set(letters_[before + i], t, texts[t].letters[i]);
    }
  }

  CostBand<Texts> band_;
  std::vector<typename Texts::Letter> letters_;
  std::vector<typename Texts::Cell> rows_[2];
};

struct CostScan::Bands {
  Band<OneText> one;
  Band<EightTexts> eight;
  Band<FourTexts> four;
};

CostScan::CostScan() : bands_(std::make_unique<Bands>()) {}
CostScan::~CostScan() = default;

void CostScan::run(const Query& query, std::span<const std::span<const BaseSet>> texts) {
  for (std::size_t t = 0; t < texts.size(); ++t) costs_[t].clear();
  if (query.limits.indels == 0) {
    min_length_ = static_cast<std::uint32_t>(query.sets.size());
    for (std::size_t t = 0; t < texts.size(); ++t) count_mismatches(query, texts[t], costs_[t]);
    return;
  }
  const std::size_t positions = core(query).size();
  min_length_ = static_cast<std::uint32_t>(positions - std::min<std::size_t>(positions, core_indels(query)));
  const std::size_t left = query.limits.clamp_left;
  Aligned aligned[kMaxTexts];
  std::size_t count = 0;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    if (texts[t].size() < left + min_length_ || !matches(query.sets.first(left), texts[t].first(left))) continue;
    aligned[count++] = {texts[t].subspan(left), t};
  }
  run_core(query, std::span(aligned, count));
  min_length_ += query.limits.clamp_left;
  if (query.limits.clamp_right != 0) apply_right_clamp(query, std::span(aligned, count));
}

void CostScan::run_core(const Query& query, std::span<const Aligned> texts) {
  const bool fit_eight = single_limits_bind(query.limits) ? core(query).size() <= EightTexts::kMaxPositions
                                                          : query.limits.edits <= EightTexts::kMaxEdits;
  if (texts.size() == 1) {
    bands_->one.align(query, min_length_, texts, costs_);
  } else if (fit_eight) {
    if (!texts.empty()) bands_->eight.align(query, min_length_, texts, costs_);
  } else {
    for (; !texts.empty(); texts = texts.subspan(std::min(texts.size(), FourTexts::kTexts)))
      bands_->four.align(query, min_length_, texts.first(std::min(texts.size(), FourTexts::kTexts)), costs_);
  }
}

// Drops the alignments after which the text does not match the right clamp.
void CostScan::apply_right_clamp(const Query& query, std::span<const Aligned> texts) {
  const std::uint32_t right = query.limits.clamp_right;
  for (const Aligned& aligned : texts) {
    const std::span<const BaseSet> letters = aligned.letters;
    std::size_t length = min_length_ - query.limits.clamp_left;
    for (Cost& cost : costs_[aligned.text]) {
      if (cost != kNoAlignment &&
          (length + right > letters.size() || !matches(query.sets.last(right), letters.subspan(length, right))))
        cost = kNoAlignment;
      ++length;
    }
  }
  min_length_ += right;
}

void CostScan::count_mismatches(const Query& query, std::span<const BaseSet> text, std::vector<Cost>& costs) const {
  const std::size_t length = query.sets.size();
  if (text.size() < length) return;
  const Limits& limits = query.limits;
  const std::span<const BaseSet> positions = query.sets;
  if (!matches(positions.first(limits.clamp_left), text) ||
      !matches(positions.last(limits.clamp_right), text.subspan(length - limits.clamp_right))) {
    return;
  }
  std::uint32_t mismatches = 0;
  for (std::size_t i = 0; i < length; ++i) mismatches += (positions[i] & text[i]) != 0 ? 0 : 1;
  if (mismatches <= limits.mismatches && mismatches <= limits.edits) costs.push_back({mismatches, 0});
}

CostScan::Best CostScan::best(std::size_t text) const {
  const std::vector<Cost>& costs = costs_[text];
  const auto least = std::min_element(costs.begin(), costs.end());
  if (least == costs.end() || *least == kNoAlignment) return {0, kNoAlignment};
  return {min_length_ + static_cast<std::uint32_t>(least - costs.begin()), *least};
}

}  // namespace basesweep
