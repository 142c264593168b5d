#include "lib/reader/header_words.hpp"

#include <algorithm>
#include <array>

namespace basesweep {
namespace {

// Things that patterns are. Alone, such a word may stand above names or above sequences.
constexpr std::array<std::string_view, 14> kNouns{"pattern", "primer",  "oligo",   "oligonucleotide", "guide",
                                                  "grna",    "sgrna",   "crrna",   "guide_rna",       "probe",
                                                  "motif",   "adapter", "adaptor", "barcode"};
constexpr std::array<std::string_view, 9> kSequenceWords{
    "seq",       "sequence",        "site",       "recognition_site", "recognition_sequence", "spacer",
    "consensus", "iupac_consensus", "protospacer"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the word is `ending` alone, or a noun, '_' and `ending`.
bool is_of_noun(std::string_view word, std::string_view ending) {
  if (!word.ends_with(ending)) return false;
  word.remove_suffix(ending.size());
  return word.empty() || (word.ends_with('_') && holds(kNouns, word.substr(0, word.size() - 1))) ||
         word == "sequence_" || word == "seq_";
}

}  // namespace

std::string plain_word(std::string_view name) {
  if (name.ends_with(')') || name.ends_with(']')) {
    name = name.substr(0, name.rfind(name.back() == ')' ? '(' : '['));
  }
  std::string word;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    const bool kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || (lower & 0x80) != 0;
    if (kept) {
      word += lower;
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  if (word.ends_with('_')) word.pop_back();
  for (const std::string_view ending : {"_5_3", "_5to3", "_5_to_3"}) {
    if (word.ends_with(ending)) word.resize(word.size() - ending.size());
  }
  return word;
}

ColumnRole role_of(const std::string& word) {
  if (word == "edits") return ColumnRole::edits;
  if (word == "clamp_5prime") return ColumnRole::clamp_5prime;
  if (word == "clamp_3prime") return ColumnRole::clamp_3prime;
  if (name_rank(word) < 4) return ColumnRole::name;
  if (holds(kSequenceWords, word) || word.ends_with("_seq") || word.ends_with("_sequence")) return ColumnRole::sequence;
  return holds(kNouns, word) ? ColumnRole::either : ColumnRole::unknown;
}

std::size_t name_rank(const std::string& word) {
  if (word == "name") return 0;
  if (is_of_noun(word, "name")) return 1;
  if (word == "id") return 2;
  return is_of_noun(word, "id") ? 3 : 4;
}

}  // namespace basesweep
