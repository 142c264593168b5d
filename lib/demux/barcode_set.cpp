#include "lib/demux/barcode_set.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

std::string last_letters(const std::string& text, std::size_t count) {
  return text.size() <= count ? text : text.substr(text.size() - count);
}

}  // namespace

std::string pattern_of(const Barcode& barcode, std::uint32_t context) {
  return last_letters(barcode.left, context) + barcode.barcode + barcode.right.substr(0, context);
}

BarcodeSet::BarcodeSet(std::vector<Barcode> barcodes, std::uint32_t context, const MakeScorer& make)
    : barcodes_(std::move(barcodes)) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_flanks;
  least_letters_ = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < barcodes_.size(); ++i) {
    const Barcode& one = barcodes_[i];
    by_flanks[{last_letters(one.left, context), one.right.substr(0, context)}].push_back(i);
    const std::size_t letters = pattern_of(one, context).size();
    least_letters_ = std::min(least_letters_, letters - std::min<std::size_t>(letters, one.limit));
    const std::string whole = one.left + one.barcode + one.right;
    plain_.push_back(whole.find_first_not_of("ACGT") == std::string::npos ? whole : "");
  }
  for (auto& [flanks, members] : by_flanks) {
    FlankedBarcodes patterns{flanks.first, flanks.second, {}};
    for (const std::size_t member : members) patterns.barcodes.push_back(barcodes_[member].barcode);
    groups_.push_back({std::move(members), make(patterns)});
  }
}

void BarcodeSet::score(std::span<const std::string_view> texts, Costs& costs) const {
  constexpr std::size_t kShort = 32;  // letters of texts of which many are equal: barcodes at the start of all reads
  costs.rows.resize(texts.size());
  if (std::any_of(texts.begin(), texts.end(), [](std::string_view text) { return text.size() > kShort; })) {
    std::iota(costs.rows.begin(), costs.rows.end(), 0U);
    return score_each(texts, costs.costs);
  }
  std::vector<std::string_view> different;
  std::unordered_map<std::string_view, std::uint32_t> rows;
  rows.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto [known, fresh] = rows.emplace(texts[i], static_cast<std::uint32_t>(different.size()));
    if (fresh) different.push_back(texts[i]);
    costs.rows[i] = known->second;
  }
  score_each(different, costs.costs);
}

void BarcodeSet::score_each(std::span<const std::string_view> texts, std::vector<std::uint8_t>& costs) const {
  costs.resize(texts.size() * size());
  if (groups_.size() == 1) return groups_.front().scorer->score(texts, costs.data());
  // The scorer has a vector of the thread too, which must be another one.
  struct GroupCosts {
    std::vector<std::uint8_t> all;
  };
  auto& of_group = per_thread<GroupCosts>().all;
  for (const Group& group : groups_) {
    of_group.resize(texts.size() * group.members.size());
    group.scorer->score(texts, of_group.data());
    const std::uint8_t* next = of_group.data();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (const std::size_t member : group.members) costs[i * size() + member] = *next++;
    }
  }
}

// The whole matrix, a row for each letter of the pattern. A cell is the cost of its cheapest alignment in the high half
// and, inverted, the last begin of such an alignment in the low half, so that the least value is the one to keep.
BarcodePlace BarcodeSet::place(std::size_t index, std::string_view text) const {
  constexpr std::uint64_t kEdit = std::uint64_t{1} << 32U;
  constexpr std::uint64_t kBegin = kEdit - 1;
  const Barcode& one = barcodes_[index];
  const std::string& plain = plain_[index];
  if (const std::size_t begin = plain.empty() ? std::string_view::npos : text.find(plain);
      begin != std::string_view::npos)
    return {begin, begin + plain.size()};
  auto& codes = per_thread<std::vector<std::uint8_t>>();
  codes.resize(text.size());
  std::transform(text.begin(), text.end(), codes.begin(), text_code);
  auto& row = per_thread<std::vector<std::uint64_t>>();
  row.resize(text.size() + 1);
  for (std::size_t j = 0; j <= text.size(); ++j) row[j] = kBegin - j;
  for (const std::string* const letters : {&one.left, &one.barcode, &one.right}) {
    for (const char letter : *letters) {
      std::array<std::uint64_t, kTextCodes> mismatch;
      for (std::size_t code = 0; code < kTextCodes; ++code)
        mismatch[code] = code != kOtherCode && (pattern_letter_set(letter) >> code & 1U) != 0 ? 0 : kEdit;
      std::uint64_t diagonal = row[0];
      std::uint64_t before = row[0] += kEdit;
      for (std::size_t j = 1; j <= text.size(); ++j) {
        const std::uint64_t matched = diagonal + mismatch[codes[j - 1]];
        diagonal = row[j];
        before = row[j] = std::min(matched, std::min(row[j], before) + kEdit);
      }
    }
  }
  std::size_t end = 0;
  for (std::size_t j = 1; j <= text.size(); ++j) {
    if (row[j] / kEdit < row[end] / kEdit) end = j;
  }
  return {static_cast<std::size_t>(kBegin - row[end] % kEdit), end};
}

bool BarcodeSet::holds(std::size_t index, std::string_view text, BarcodePlace place) const {
  const Barcode& one = barcodes_[index];
  if (one.own_limit >= one.limit) return true;
  const auto [begin, end] = place;
  if (end - begin == plain_[index].size() && text.substr(begin, end - begin) == plain_[index]) return true;
  auto& row = per_thread<std::vector<std::uint32_t>>();
  row.assign(end - begin + 1, 0);
  for (const char letter : one.barcode) {
    const BaseSet set = pattern_letter_set(letter);
    std::uint32_t diagonal = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::uint8_t code = text_code(text[begin + j - 1]);
      const std::uint32_t matched = diagonal + (code != kOtherCode && (set >> code & 1U) != 0 ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min(matched, std::min(row[j], row[j - 1]) + 1);
    }
  }
  return *std::min_element(row.begin(), row.end()) <= one.own_limit;
}

}  // namespace basesweep
