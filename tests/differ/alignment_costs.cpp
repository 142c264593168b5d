#include "tests/differ/alignment_costs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>

#include "lib/oracle/naive.hpp"

namespace differ {
namespace {

std::uint8_t mask_of(std::string_view members) {
  std::uint8_t mask = 0;
  for (const char base : members) {
    const std::string bases = "ACGT";
    mask = static_cast<std::uint8_t>(mask | 1U << bases.find(base == 'U' ? 'T' : base));
  }
  return mask;
}

}  // namespace

Masks pattern_masks(const std::string& letters) {
  Masks masks;
  for (const char letter : letters) masks.push_back(mask_of(oracle::members(letter)));
  return masks;
}

Masks text_masks(const std::string& letters) {
  static const auto table = [] {
    std::array<std::uint8_t, UCHAR_MAX + 1> masks{};
    for (const unsigned char letter : std::string("ACGTU")) {
      masks[letter] = masks[static_cast<unsigned char>(std::tolower(letter))] = mask_of(std::string(1, letter));
    }
    return masks;
  }();
  Masks masks(letters.size());
  std::transform(letters.begin(), letters.end(), masks.begin(), [](unsigned char letter) { return table[letter]; });
  return masks;
}

AlignmentCosts::AlignmentCosts(const Probe& probe)
    : probe_(probe),
      width_(probe.edits + 1),
      shifts_(2 * probe.edits + 1),
      allowed_(shifts_ * width_),
      above_(shifts_ * width_),
      row_(shifts_ * width_),
      costs_(shifts_) {
  for (std::size_t shift = 0; shift < shifts_; ++shift) {
    for (std::size_t mismatches = 0; mismatches < width_; ++mismatches) {
      for (std::size_t rna = 0; rna <= probe.edits; ++rna) {
        if (rna + shift < probe.edits) continue;
        const std::size_t dna = rna + shift - probe.edits;
        const bool allowed = rna <= probe.rna_bulges && dna <= probe.dna_bulges && rna + dna <= probe.indels &&
                             mismatches <= probe.mismatches && mismatches + rna + dna <= probe.edits;
        if (allowed) cell(allowed_, shift)[mismatches] |= 1U << rna;
      }
    }
  }
}

// Fills row_ for the first `position` positions from above_, which is for one fewer. False when no alignment is left.
bool AlignmentCosts::fill_row(std::size_t position, const std::uint8_t* text, std::size_t size) {
  std::uint32_t any = 0;
  const bool clamped = position != 0 && probe_.clamped(position - 1);
  const bool open = probe_.open(position);
  for (std::size_t shift = 0; shift < shifts_; ++shift) {
    const Cell to = cell(row_, shift);
    std::fill(to, to + width_, 0);
    if (position + shift < probe_.edits || position + shift - probe_.edits > size) continue;
    const std::size_t letters = position + shift - probe_.edits;
    const Cell allowed = cell(allowed_, shift);
    if (position == 0 && letters == 0) to[0] = allowed[0] & 1U;
    if (position != 0 && letters != 0) {
      const Cell from = cell(above_, shift);
      if ((probe_.masks[position - 1] & text[letters - 1]) != 0) {
        std::copy(from, from + width_, to);
      } else if (!clamped) {
        for (std::size_t m = 1; m < width_; ++m) to[m] = from[m - 1] & allowed[m];
      }
    }
    if (position != 0 && !clamped && shift + 1 < shifts_) {
      const Cell from = cell(above_, shift + 1);
      for (std::size_t m = 0; m < width_; ++m) to[m] |= from[m] << 1U & allowed[m];
    }
    if (letters != 0 && open && shift != 0) {
      const Cell from = cell(row_, shift - 1);
      for (std::size_t m = 0; m < width_; ++m) to[m] |= from[m] & allowed[m];
    }
    for (std::size_t m = 0; m < width_; ++m) any |= to[m];
  }
  return any != 0;
}

const std::vector<std::optional<Cost>>& AlignmentCosts::from(const std::uint8_t* text, std::size_t size) {
  std::fill(costs_.begin(), costs_.end(), std::nullopt);
  for (std::size_t position = 0; position <= probe_.length(); ++position) {
    std::swap(above_, row_);
    if (!fill_row(position, text, size)) return costs_;
  }
  for (std::size_t shift = 0; shift < shifts_; ++shift) {
    std::optional<Cost>& best = costs_[shift];
    for (std::size_t m = 0; m < width_; ++m) {
      for (std::size_t rna = 0; rna <= probe_.edits; ++rna) {
        if ((cell(row_, shift)[m] >> rna & 1U) == 0) continue;
        const std::size_t indels = 2 * rna + shift - probe_.edits;
        const Cost cost{m + indels, indels};
        if (!best || std::pair(cost.edits, cost.indels) < std::pair(best->edits, best->indels)) best = cost;
      }
    }
  }
  return costs_;
}

namespace {

// Calls at(end) for each end of text, exclusive, where an alignment with at most `probe.edits` edits ends: the matrix
// of Sellers (1980), one column after another.
template <class At>
void for_each_end(const Probe& probe, const Masks& text, At at) {
  const std::size_t length = probe.length();
  // Cells beyond `last` cost more than `edits` (Ukkonen 1985).
  std::vector<std::uint32_t> cells(length + 1);
  for (std::size_t i = 0; i <= length; ++i) cells[i] = static_cast<std::uint32_t>(i);
  std::size_t last = std::min(probe.edits + 1, length);
  for (std::size_t end = 1; end <= text.size(); ++end) {
    const std::uint8_t letter = text[end - 1];
    std::uint32_t diagonal = 0;
    std::uint32_t above = 0;
    for (std::size_t i = 1; i <= last; ++i) {
      const std::uint32_t left = cells[i];
      above = (probe.masks[i - 1] & letter) != 0 ? diagonal : std::min(std::min(above, left), diagonal) + 1;
      diagonal = left;
      cells[i] = above;
    }
    while (cells[last] > probe.edits) --last;
    if (last == length) {
      at(end);
    } else {
      ++last;
    }
  }
}

// The same for up to 64 positions: the differences between the cells of a column as two words (Myers 1999).
template <class At>
void for_each_end_of_word(const Probe& probe, const Masks& text, At at) {
  std::array<std::uint64_t, 16> equal{};
  for (std::size_t i = 0; i < probe.length(); ++i) {
    for (std::size_t letter = 0; letter < equal.size(); ++letter) {
      if ((probe.masks[i] & letter) != 0) equal[letter] |= std::uint64_t{1} << i;
    }
  }
  const std::uint64_t last = std::uint64_t{1} << (probe.length() - 1);
  std::uint64_t up = ~std::uint64_t{0};
  std::uint64_t down = 0;
  std::size_t edits = probe.length();
  for (std::size_t end = 1; end <= text.size(); ++end) {
    const std::uint64_t matches = equal[text[end - 1]];
    const std::uint64_t diagonal = (((matches & up) + up) ^ up) | matches | down;
    std::uint64_t right_up = down | ~(diagonal | up);
    std::uint64_t right_down = up & diagonal;
    edits += (right_up & last) != 0 ? 1 : 0;
    edits -= (right_down & last) != 0 ? 1 : 0;
    right_up <<= 1U;
    right_down <<= 1U;
    up = right_down | ~(diagonal | right_up);
    down = right_up & diagonal;
    if (edits <= probe.edits) at(end);
  }
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> possible_starts(const Probe& probe, const Masks& text) {
  std::vector<std::pair<std::size_t, std::size_t>> starts;
  const std::size_t length = probe.length();
  const std::size_t edits = probe.edits;
  const auto add = [&](std::size_t end) {
    const std::size_t first = end > length + edits ? end - length - edits : 0;
    const std::size_t behind = end + edits + 1 > length ? std::min(end, end + edits + 1 - length) : 0;
    if (!starts.empty() && starts.back().second >= first) {
      starts.back().second = std::max(starts.back().second, behind);
    } else {
      starts.emplace_back(first, behind);
    }
  };
  if (length <= 64) {
    for_each_end_of_word(probe, text, add);
  } else {
    for_each_end(probe, text, add);
  }
  return starts;
}

}  // namespace differ
