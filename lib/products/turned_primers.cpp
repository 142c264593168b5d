#include "lib/products/turned_primers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "lib/base/iupac_letters.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// A hit and what it is of: twice the pattern, and 1 on strand -.
struct Site {
  std::uint32_t key;
  std::uint32_t begin;
  std::uint32_t end;
};

// Primers of so many bases hardly stand near each other without an edit by chance.
constexpr std::size_t kSpecific = 15;

// Sites of one key, ordered by their begins.
using Sites = std::span<const Site>;

// Whether a site of `rights` ends a product that one of `lefts` begins.
bool makes_product(const PackedBatch& batch, Sites lefts, Sites rights, std::int64_t least, std::int64_t most) {
  return std::any_of(lefts.begin(), lefts.end(), [&](const Site& left) {
    const std::int64_t end =
        std::min<std::int64_t>(left.begin + most, batch.segments()[batch.segment_at(left.begin)].end);
    auto right = std::partition_point(rights.begin(), rights.end(), [&](const Site& site) {
      return site.begin <= left.begin || site.end < left.begin + least;
    });
    for (; right != rights.end() && right->begin < end; ++right) {
      if (right->end >= left.end && right->end <= end && right->end - left.begin >= least) return true;
    }
    return false;
  });
}

std::string turned_round(const std::string& sequence) {
  std::string turned(sequence.rbegin(), sequence.rend());
  for (char& c : turned) c = complement_letter(c);
  return turned;
}

}  // namespace

TurnedPrimers::TurnedPrimers(const PrimerSet& primers, const PatternSet& patterns)
    : primers_(primers), patterns_(patterns), turned_(primers.pairs().size()) {}

void TurnedPrimers::see(const PackedBatch& batch, std::span<const Hit> hits) {
  look(batch, hits, 0);
  if (patterns_.max_edits() != 0) look(batch, hits, patterns_.max_edits());
}

void TurnedPrimers::look(const PackedBatch& batch, std::span<const Hit> hits, std::uint32_t edits) {
  std::vector<Site> sites;
  for (const Hit& hit : hits) {
    if (hit.edits > edits) continue;
    const Query& query = patterns_.queries()[hit.query];
    sites.push_back(
        {2 * query.pattern + (query.strand == Strand::minus ? 1 : 0), hit.position, hit.position + hit.length});
  }
  if (sites.empty()) return;
  std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.key < b.key; });
  const auto of = [&sites](std::uint32_t pattern, Strand strand) {
    const std::uint32_t key = 2 * pattern + (strand == Strand::minus ? 1 : 0);
    const auto first =
        std::partition_point(sites.begin(), sites.end(), [key](const Site& site) { return site.key < key; });
    const auto last = std::partition_point(first, sites.end(), [key](const Site& site) { return site.key == key; });
    return Sites(first, last);
  };
  for (std::uint32_t i = 0; i < turned_.size(); ++i) {
    const std::uint32_t f = primers_.primers()[2 * i].pattern;
    const std::uint32_t r = primers_.primers()[2 * i + 1].pattern;
    const std::uint8_t known = turned_[i].load(std::memory_order_relaxed);
    if ((known & exact) != 0 || (known != none && edits != 0) || f == r) continue;
    const Sites plus_f = of(f, Strand::plus);
    const Sites minus_f = of(f, Strand::minus);
    if (plus_f.empty() && minus_f.empty()) continue;
    const Sites plus_r = of(r, Strand::plus);
    const Sites minus_r = of(r, Strand::minus);
    const std::int64_t least = primers_.pairs()[i].min_size.value_or(primers_.options().min_size);
    const std::int64_t most = primers_.pairs()[i].max_size.value_or(primers_.options().max_size);
    // A product has its left primer on + and its right one on -.
    const std::array<std::pair<Turned, std::pair<Sites, Sites>>, 6> ways{{{reverse, {plus_f, plus_r}},
                                                                          {reverse, {minus_r, minus_f}},
                                                                          {forward, {minus_f, minus_r}},
                                                                          {forward, {plus_r, plus_f}},
                                                                          {both, {minus_f, plus_r}},
                                                                          {both, {minus_r, plus_f}}}};
    for (const auto& [turned, way] : ways) {
      if (!makes_product(batch, way.first, way.second, least, most)) continue;
      turned_[i].store(edits == 0 ? turned | exact : turned, std::memory_order_relaxed);
      break;
    }
  }
}

std::vector<std::string> TurnedPrimers::warnings(const std::function<bool(std::uint32_t)>& has_products) const {
  struct Kind {
    Turned turned;
    const char* primers;
  };
  constexpr std::array<Kind, 3> kKinds{{{reverse, "reverse primer"}, {forward, "forward primer"}, {both, "primers"}}};
  bool any_products = false;
  for (std::uint32_t i = 0; i < turned_.size(); ++i) any_products = any_products || has_products(i);
  const auto counts = [&](std::uint32_t i, Turned turned) {
    const std::uint8_t found = turned_[i].load(std::memory_order_relaxed);
    if ((found & both) != turned || has_products(i)) return false;
    const PrimerPair& pair = primers_.pairs()[i];
    return !any_products || ((found & exact) != 0 && std::min(pair.forward.size(), pair.reverse.size()) >= kSpecific);
  };
  std::vector<std::string> warnings;
  for (const Kind& kind : kKinds) {
    std::optional<std::uint32_t> first;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < turned_.size(); ++i) {
      if (!counts(i, kind.turned)) continue;
      if (!first) first = i;
      ++count;
    }
    if (!first) continue;
    const PrimerPair& pair = primers_.pairs()[*first];
    const std::string cure = kind.turned == both ? turned_round(pair.forward) + " and " + turned_round(pair.reverse)
                                                 : turned_round(kind.turned == forward ? pair.forward : pair.reverse);
    warnings.push_back(
        count == 1 ? fmt::format("pair '{}' has no product, but would have one with its {} reverse-complemented: {}",
                                 pair.name, kind.primers, cure)
                   : fmt::format("{} pairs have no product, but would have one with their {} reverse-complemented; the "
                                 "first is '{}': {}",
                                 count, kind.primers, pair.name, cure));
  }
  return warnings;
}

}  // namespace basesweep
