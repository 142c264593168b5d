#include "lib/demux/mismatch_lookup.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "lib/base/dna.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kLettersOfWord = 16;
constexpr std::size_t kFewEntries = 32;  // so few are all compared

bool is_word(std::string_view letters) {
  return std::all_of(letters.begin(), letters.end(),
                     [](char c) { return c == 'A' || c == 'C' || c == 'G' || c == 'T'; });
}

// The first 32 bases; nothing if one is unknown.
std::optional<std::uint64_t> key_of(std::string_view bases) {
  std::uint64_t key = 0;
  for (const char base : bases.substr(0, 32)) {
    if (!is_single_base(iupac_set(base))) return std::nullopt;
    key = key << 2U | base_code(base);
  }
  return key;
}

}  // namespace

std::vector<std::uint64_t> letter_sets(std::string_view letters, bool exact) {
  std::vector<std::uint64_t> words((letters.size() + kLettersOfWord - 1) / kLettersOfWord, 0);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const BaseSet set = iupac_set(letters[i]);
    if (exact && !is_single_base(set)) continue;
    words[i / kLettersOfWord] |= std::uint64_t{set} << (4 * (i % kLettersOfWord));
  }
  return words;
}

std::uint32_t mismatches_between(const std::uint64_t* one, const std::uint64_t* other, std::size_t length) {
  std::size_t matches = 0;
  for (std::size_t i = 0; i < (length + kLettersOfWord - 1) / kLettersOfWord; ++i) {
    const std::uint64_t both = one[i] & other[i];
    const std::uint64_t halves = both | both >> 2U;
    matches += static_cast<std::size_t>(std::popcount((halves | halves >> 1U) & 0x1111111111111111U));
  }
  return static_cast<std::uint32_t>(length - matches);
}

void NearestSamples::offer(std::uint32_t sample, std::uint32_t its_limit, std::uint32_t its_edits) {
  if (sample == best) return;
  if (its_edits > edits || (its_edits == edits && its_limit <= limit)) {
    second = std::min(second, its_edits);
    return;
  }
  second = std::min(second, edits);
  best = sample;
  limit = its_limit;
  edits = its_edits;
}

MismatchLookup::MismatchLookup(std::vector<Entry> entries, std::uint32_t most)
    : entries_(std::move(entries)), length_(entries_.front().letters.size()) {
  for (const Entry& entry : entries_) {
    const std::vector<std::uint64_t> sets = letter_sets(entry.letters, false);
    words_ = sets.size();
    sets_.insert(sets_.end(), sets.begin(), sets.end());
  }
  build_parts(most);
  std::vector<std::uint32_t> seconds(entries_.size(), NearestSamples::kNone);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (!is_word(entries_[i].letters)) continue;
    NearestSamples nearest;
    search(entries_[i].letters, nearest);
    seconds[i] = nearest.second;
  }
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (is_word(entries_[i].letters)) exact_.emplace(entries_[i].letters, i);
  }
  seconds_ = std::move(seconds);
}

void MismatchLookup::build_parts(std::uint32_t most) {
  const std::size_t count = std::size_t{most} + 1;
  const bool compare_all = entries_.size() <= kFewEntries || count > length_;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (compare_all || !is_word(entries_[i].letters)) others_.push_back(i);
  }
  if (compare_all) return;
  for (std::size_t p = 0; p < count; ++p) {
    Part part{p * length_ / count, (p + 1) * length_ / count, {}};
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      const std::string_view letters = entries_[i].letters;
      if (is_word(letters)) part.entries.emplace_back(*key_of(letters.substr(part.begin, part.end - part.begin)), i);
    }
    std::sort(part.entries.begin(), part.entries.end());
    parts_.push_back(std::move(part));
  }
}

void MismatchLookup::find(std::string_view word, NearestSamples& nearest) const {
  if (const auto exact = exact_.find(std::string(word)); exact != exact_.end()) {
    const Entry& entry = entries_[exact->second];
    nearest.offer(entry.sample, entry.limit, 0);
    nearest.second = std::min(nearest.second, seconds_[exact->second]);
    return;
  }
  search(word, nearest);
}

void MismatchLookup::search(std::string_view word, NearestSamples& nearest) const {
  const std::vector<std::uint64_t> sets = letter_sets(word, true);
  for (const std::uint32_t entry : others_) compare(entry, sets, nearest);
  for (const Part& part : parts_) {
    const std::optional<std::uint64_t> key = key_of(word.substr(part.begin, part.end - part.begin));
    if (!key) continue;
    auto at = std::lower_bound(part.entries.begin(), part.entries.end(), std::pair(*key, std::uint32_t{0}));
    for (; at != part.entries.end() && at->first == *key; ++at) compare(at->second, sets, nearest);
  }
}

void MismatchLookup::compare(std::size_t entry, const std::vector<std::uint64_t>& word, NearestSamples& nearest) const {
  const std::uint32_t edits = mismatches_between(&sets_[entry * words_], word.data(), length_);
  nearest.offer(entries_[entry].sample, entries_[entry].limit, edits);
}

}  // namespace basesweep
