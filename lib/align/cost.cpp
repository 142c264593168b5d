#include "lib/align/cost.hpp"

#include <algorithm>
#include <tuple>

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
  using Cell = typename Texts::Cell;
  using Count = typename Texts::Count;

  // Aligns the query's core to each text, at most Texts::kTexts of them. Returns whether there may be alignments.
  bool align(const Query& query, std::span<const Aligned> texts) {
    const std::span<const BaseSet> positions = core(query);
    const std::uint32_t indels = core_indels(query);
    set_letters(texts, indels, positions.size() + indels);
    band_.shape(single_limits_bind(query.limits) ? BandKind::layers : BandKind::sums, indels);
    for (auto& row : rows_) {
      if (row.size() < band_.cells()) row.resize(band_.cells());
      band_.first_row(row.data());
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Cell least =
          band_.next_row(positions[i], letters_.data() + i, rows_[i % 2].data(), rows_[(i + 1) % 2].data());
      if (band_.too_high(least, query.limits)) return false;
    }
    row_ = rows_[positions.size() % 2].data();
    return true;
  }

  // The cost of a text on a diagonal.
  Cost cost(std::int64_t diagonal, const Limits& limits, std::size_t text) const {
    return band_.cost(row_, diagonal, limits, text);
  }

  // For a band of sums: the best of each text. `first`: the diagonal of the shortest length, `min_length`.
  void find_best(const Query& query, std::int64_t first, std::uint32_t min_length, std::span<const Aligned> texts,
                 std::span<Best> best) const {
    const std::int64_t last = core_indels(query);
    Cell ends{};  // behind the last diagonal of each text, from `first` on
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::size_t lengths = texts[t].letters.size() - min_length + 1;
      Texts::set_count(ends, t, static_cast<Count>(std::min<std::size_t>(lengths, 1 + last - first)));
    }
    Cell least = Texts::all(Texts::kNowhere);
    Cell at{};
    Count number = 0;
    for (std::int64_t diagonal = first; diagonal <= last; ++diagonal, ++number) {
      const Cell here = row_[band_.at(0, diagonal)];
      const auto better = (here < least) & (Texts::all(number) < ends);
      least = better ? here : least;
      at = better ? Texts::all(number) : at;
    }
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const auto length = static_cast<std::uint32_t>(Texts::count(at, t));
      const Cost cost = band_.cost_of(Texts::count(least, t), query.limits);
      best[texts[t].text] = cost == kNoAlignment ? Best{0, kNoAlignment} : Best{min_length + length, cost};
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
  std::vector<Cell> rows_[2];
  const Cell* row_ = nullptr;  // the last
};

struct CostScan::Bands {
  std::tuple<Band<OneText>, Band<EightTexts>, Band<FourTexts>> all;
};

CostScan::CostScan() : bands_(std::make_unique<Bands>()) {}
CostScan::~CostScan() = default;

void CostScan::run(const Query& query, std::span<const std::span<const BaseSet>> texts, Wanted wanted) {
  for (std::size_t t = 0; t < texts.size(); ++t) {
    costs_[t].clear();
    best_[t] = {0, kNoAlignment};
  }
  const std::size_t positions = core(query).size();
  const std::size_t left = query.limits.clamp_left;
  const bool best_alone = wanted == Wanted::best && left + query.limits.clamp_right == 0 && query.limits.indels != 0 &&
                          !single_limits_bind(query.limits);
  if (query.limits.indels == 0) {
    min_length_ = static_cast<std::uint32_t>(query.sets.size());
    for (std::size_t t = 0; t < texts.size(); ++t) count_mismatches(query, texts[t], costs_[t]);
  } else {
    min_length_ = static_cast<std::uint32_t>(positions - std::min<std::size_t>(positions, core_indels(query)));
    Aligned aligned[kMaxTexts];
    std::size_t count = 0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      if (texts[t].size() < left + min_length_ || !matches(query.sets.first(left), texts[t].first(left))) continue;
      aligned[count++] = {texts[t].subspan(left), t};
    }
    run_core(query, std::span(aligned, count), best_alone);
    min_length_ += query.limits.clamp_left;
    if (query.limits.clamp_right != 0) apply_right_clamp(query, std::span(aligned, count));
  }
  if (best_alone) return;
  for (std::size_t t = 0; t < texts.size(); ++t) best_[t] = best_of_costs(t);
}

void CostScan::run_core(const Query& query, std::span<const Aligned> texts, bool best_alone) {
  const bool fit_eight = single_limits_bind(query.limits) ? core(query).size() <= EightTexts::kMaxPositions
                                                          : query.limits.edits <= EightTexts::kMaxEdits;
  if (texts.size() == 1) {
    align<OneText>(query, texts, best_alone);
  } else if (fit_eight) {
    if (!texts.empty()) align<EightTexts>(query, texts, best_alone);
  } else {
    for (; !texts.empty(); texts = texts.subspan(std::min(texts.size(), FourTexts::kTexts)))
      align<FourTexts>(query, texts.first(std::min(texts.size(), FourTexts::kTexts)), best_alone);
  }
}

template <class Texts>
void CostScan::align(const Query& query, std::span<const Aligned> texts, bool best_alone) {
  auto& band = std::get<Band<Texts>>(bands_->all);
  if (!band.align(query, texts)) return;
  const auto positions = static_cast<std::int64_t>(core(query).size());
  const std::int64_t first = min_length_ - positions;
  if (best_alone) return band.find_best(query, first, min_length_, texts, best_);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::int64_t readable =
        std::min(static_cast<std::int64_t>(texts[t].letters.size()), positions + core_indels(query));
    for (std::int64_t diagonal = first; diagonal <= readable - positions; ++diagonal)
      costs_[texts[t].text].push_back(band.cost(diagonal, query.limits, t));
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

CostScan::Best CostScan::best_of_costs(std::size_t text) const {
  const std::vector<Cost>& costs = costs_[text];
  const auto least = std::min_element(costs.begin(), costs.end());
  if (least == costs.end() || *least == kNoAlignment) return {0, kNoAlignment};
  return {min_length_ + static_cast<std::uint32_t>(least - costs.begin()), *least};
}

}  // namespace basesweep
