#include "tests/differ/fast_search.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "tests/differ/alignment_costs.hpp"

namespace differ {
namespace {

using oracle::ApproximateHit;
using oracle::ApproximateQuestion;
using Hits = std::vector<ApproximateHit>;

// A pattern on one strand, with what concerns the ends of records.
struct Strand {
  Probe probe;
  std::size_t given_edits;  // of the whole pattern
  std::optional<std::size_t> overhang_left;
  std::optional<std::size_t> overhang_right;
  std::optional<double> rate;
};

Strand strand_of(const ApproximateQuestion& q, std::size_t p, char strand) {
  const bool plus = strand == '+';
  const std::size_t five = q.own_clamps_5prime.empty() ? q.clamp_5prime : q.own_clamps_5prime[p];
  const std::size_t three = q.own_clamps_3prime.empty() ? q.clamp_3prime : q.own_clamps_3prime[p];
  const std::string& letters = q.exact.patterns[p];
  const bool own_edits = !q.has_own_edits.empty() && q.has_own_edits[p];
  return {{pattern_masks(plus ? letters : oracle::reverse_complement(letters)), q.edits[p], q.max_mismatches,
           q.max_indels, q.max_dna_bulges, q.max_rna_bulges, plus ? five : three, plus ? three : five},
          q.edits[p],
          plus ? q.overhang_5prime : q.overhang_3prime,
          plus ? q.overhang_3prime : q.overhang_5prime,
          own_edits ? std::nullopt : q.rate};
}

std::int64_t whole_start(const ApproximateHit& hit) { return hit.start - static_cast<std::int64_t>(hit.hang_left); }
std::int64_t whole_end(const ApproximateHit& hit) { return hit.end + static_cast<std::int64_t>(hit.hang_right); }
std::size_t compared_edits(const ApproximateHit& hit) { return hit.edits + hit.hang_left + hit.hang_right; }
auto cost(const ApproximateHit& hit) { return std::pair(compared_edits(hit), hit.indels); }

std::uint64_t rank(const ApproximateHit& hit) {
  return static_cast<std::uint64_t>(hit.edits) << 48U | static_cast<std::uint64_t>(hit.indels) << 40U |
         static_cast<std::uint64_t>(whole_end(hit) - whole_start(hit));
}

bool overlap(const ApproximateHit& a, const ApproximateHit& b) {
  return whole_start(a) < whole_end(b) && whole_start(b) < whole_end(a);
}

// Adds the candidates that start in [first, last). `like`: see oracle::search.
void add_candidates(AlignmentCosts& costs, const Probe& probe, const Masks& text, std::size_t first, std::size_t last,
                    const ApproximateHit& like, Hits& hits) {
  for (std::size_t start = first; start < last; ++start) {
    const auto& by_shift = costs.from(text.data() + start, text.size() - start);
    for (std::size_t shift = 0; shift < by_shift.size(); ++shift) {
      const std::size_t length = probe.length() + shift - probe.edits;  // may wrap around, but then there is no cost
      if (!by_shift[shift] || length == 0 || (like.hang_right != 0 && start + length != text.size())) continue;
      ApproximateHit hit = like;
      hit.start = static_cast<std::int64_t>(start);
      hit.end = static_cast<std::int64_t>(start + length);
      hit.edits = by_shift[shift]->edits;
      hit.indels = by_shift[shift]->indels;
      hits.push_back(hit);
    }
  }
}

// The part of the pattern that is inside; nothing when it may not hang over like that.
std::optional<Probe> inside_of(const Strand& strand, std::size_t left, std::size_t right) {
  const Probe& whole = strand.probe;
  Probe inside = whole;
  inside.masks.assign(whole.masks.begin() + static_cast<std::ptrdiff_t>(left),
                      whole.masks.end() - static_cast<std::ptrdiff_t>(right));
  constexpr std::uint8_t kAnyBase = 15;
  const std::size_t counted =
      inside.length() - static_cast<std::size_t>(std::count(inside.masks.begin(), inside.masks.end(), kAnyBase));
  const auto allowed = [&](std::size_t hang, const std::optional<std::size_t>& least, std::size_t clamp) {
    return hang == 0 || (clamp == 0 && least && counted >= *least);
  };
  if (inside.length() < whole.clamp_left + whole.clamp_right ||
      !allowed(left, strand.overhang_left, whole.clamp_left) ||
      !allowed(right, strand.overhang_right, whole.clamp_right)) {
    return std::nullopt;
  }
  inside.edits = strand.rate
                     ? static_cast<std::size_t>(std::floor(*strand.rate * static_cast<double>(inside.length()) + 1e-9))
                     : strand.given_edits * inside.length() / whole.length();
  return inside;
}

void add_hanging(const Strand& strand, const Masks& text, const ApproximateHit& like, Hits& hits) {
  const std::size_t length = strand.probe.length();
  if (text.empty() || (!strand.overhang_left && !strand.overhang_right)) return;
  for (std::size_t left = 0; left < (strand.overhang_left ? length : 1); ++left) {
    for (std::size_t right = left == 0 ? 1 : 0; left + right < (strand.overhang_right ? length : left + 1); ++right) {
      // Over both ends: the part inside is aligned to the whole record.
      const std::size_t least = length - left - right;
      const std::size_t most_edits = strand.probe.edits;
      const bool fits = least <= text.size() + most_edits && text.size() <= least + most_edits;
      if (left != 0 && right != 0 && !fits) continue;
      const std::optional<Probe> inside = inside_of(strand, left, right);
      if (!inside) continue;
      ApproximateHit part = like;
      part.hang_left = left;
      part.hang_right = right;
      const std::size_t reach = inside->length() + inside->edits;
      AlignmentCosts costs(*inside);
      if (left != 0) {
        add_candidates(costs, *inside, text, 0, 1, part, hits);
      } else {
        const std::size_t shortest = inside->length() - std::min(inside->length(), inside->edits);
        const std::size_t last = text.size() - std::min(text.size(), std::max<std::size_t>(shortest, 1)) + 1;
        add_candidates(costs, *inside, text, text.size() > reach ? text.size() - reach : 0, std::min(last, text.size()),
                       part, hits);
      }
    }
  }
}

void keep_sites(Hits& all) {
  std::unordered_map<std::int64_t, std::uint64_t> of_start;
  std::unordered_map<std::int64_t, std::uint64_t> of_end;
  const auto note = [](auto& best, std::int64_t place, std::uint64_t rank) {
    const auto known = best.emplace(place, rank).first;
    known->second = std::min(known->second, rank);
  };
  for (const ApproximateHit& hit : all) {
    note(of_start, whole_start(hit), rank(hit));
    note(of_end, whole_end(hit), rank(hit));
  }
  std::erase_if(all, [&](const ApproximateHit& hit) {
    return of_start[whole_start(hit)] < rank(hit) || of_end[whole_end(hit)] < rank(hit);
  });
}

bool starts_before(const ApproximateHit& a, const ApproximateHit& b) { return whole_start(a) < whole_start(b); }

// Calls use(other) for the hits that overlap `hit`, until it returns true; then returns true. `sorted` by whole start.
template <class Use>
bool any_overlapping(const Hits& sorted, std::int64_t longest, const ApproximateHit& hit, Use use) {
  ApproximateHit from = hit;
  from.start = whole_start(hit) - longest;
  from.hang_left = 0;
  for (auto other = std::lower_bound(sorted.begin(), sorted.end(), from, starts_before);
       other != sorted.end() && whole_start(*other) < whole_end(hit); ++other) {
    if (overlap(*other, hit) && use(*other)) return true;
  }
  return false;
}

std::int64_t longest_of(const Hits& hits) {
  std::int64_t longest = 0;
  for (const ApproximateHit& hit : hits) longest = std::max(longest, whole_end(hit) - whole_start(hit));
  return longest;
}

void keep_minima(Hits& sites) {
  std::sort(sites.begin(), sites.end(), starts_before);
  const Hits all = sites;
  const std::int64_t longest = longest_of(all);
  std::erase_if(sites, [&](const ApproximateHit& hit) {
    return any_overlapping(all, longest, hit, [&](const ApproximateHit& other) { return cost(other) < cost(hit); });
  });
}

// The hits of one strand of a pattern in `text`, before `best` and the like. False: too many.
bool find(oracle::Report report, const Strand& strand, const Masks& text, const ApproximateHit& like, std::size_t most,
          Hits& hits) {
  std::optional<AlignmentCosts> costs;
  for (const auto& [first, last] : possible_starts(strand.probe, text)) {
    if (!costs) costs.emplace(strand.probe);
    add_candidates(*costs, strand.probe, text, first, last, like, hits);
    if (hits.size() > most) return false;
  }
  add_hanging(strand, text, like, hits);
  if (hits.empty()) return true;
  if (report != oracle::Report::all) keep_sites(hits);
  if (report == oracle::Report::minima) keep_minima(hits);
  return true;
}

bool find_on_circle(oracle::Report report, const Strand& strand, const Masks& record, const ApproximateHit& like,
                    std::size_t most, Hits& hits) {
  // Whether a place is a hit depends on text up to 4 lengths away (lib/oracle/approximate.cpp).
  const std::size_t margin = 4 * (strand.probe.length() + strand.probe.edits) + 1;
  Masks text(record.size() + 2 * margin);
  const std::size_t phase = record.size() - margin % record.size();
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = record[(i + phase) % record.size()];
  const bool few = find(report, strand, text, like, most, hits);
  const auto length = static_cast<std::int64_t>(record.size());
  for (ApproximateHit& hit : hits) {
    hit.start -= static_cast<std::int64_t>(margin);
    hit.end -= static_cast<std::int64_t>(margin);
  }
  std::erase_if(hits, [&](const ApproximateHit& hit) {
    return hit.start < 0 || hit.start >= length || hit.end - hit.start > length;
  });
  return few;
}

bool is_lower(unsigned char letter) { return std::islower(letter) != 0; }

void keep_best(Hits& hits) {
  std::unordered_map<std::size_t, std::size_t> least;
  for (const ApproximateHit& hit : hits) {
    const auto known = least.emplace(hit.pattern, compared_edits(hit)).first;
    known->second = std::min(known->second, compared_edits(hit));
  }
  std::erase_if(hits, [&](const ApproximateHit& hit) { return compared_edits(hit) != least[hit.pattern]; });
}

// Moves the kept hits of one group to `kept`.
void keep_best_of_group(const Hits& group, Hits& kept) {
  std::size_t fewest = compared_edits(group.front());
  for (const ApproximateHit& hit : group) fewest = std::min(fewest, compared_edits(hit));
  std::unordered_map<std::size_t, Hits> best;  // by pattern and strand
  const auto key = [](const ApproximateHit& hit) { return 2 * hit.pattern + (hit.strand == '-' ? 1 : 0); };
  std::size_t count = 0;
  for (const ApproximateHit& hit : group) {
    if (compared_edits(hit) != fewest) continue;
    best[key(hit)].push_back(hit);
    ++count;
  }
  for (auto& [where, hits] : best) std::sort(hits.begin(), hits.end(), starts_before);
  const std::int64_t longest = longest_of(group);
  std::optional<std::size_t> next;
  for (const ApproximateHit& hit : group) {
    const std::size_t edits = compared_edits(hit);
    if (edits == fewest || (next && *next <= edits)) continue;
    if (!any_overlapping(best[key(hit)], longest, hit, [](const ApproximateHit&) { return true; })) next = edits;
  }
  for (const auto& [where, hits] : best) {
    for (ApproximateHit hit : hits) {
      hit.best = count;
      hit.next_edits = next;
      kept.push_back(hit);
    }
  }
}

void in_order(const ApproximateQuestion& question, Hits& hits) {
  const auto key = [&](const ApproximateHit& hit) {
    return std::tuple(hit.record, hit.start, hit.end, hit.strand, hit.pattern, part_inside(question, hit));
  };
  std::sort(hits.begin(), hits.end(),
            [&](const ApproximateHit& a, const ApproximateHit& b) { return key(a) < key(b); });
}

}  // namespace

std::optional<std::vector<oracle::Hit>> fast_search(const oracle::Question& question, std::size_t most) {
  std::vector<Masks> texts;
  for (const std::string& record : question.records) {
    texts.push_back(text_masks(record));
    for (std::size_t i = 0; question.skip_soft_masked && i < record.size(); ++i) {
      if (is_lower(static_cast<unsigned char>(record[i]))) texts.back()[i] = 0;
    }
  }
  std::vector<oracle::Hit> hits;
  for (std::size_t p = 0; p < question.patterns.size(); ++p) {
    for (const char strand : {'+', '-'}) {
      if (!is_searched(question, p, strand)) continue;
      const std::string& letters = question.patterns[p];
      const Masks masks = pattern_masks(strand == '+' ? letters : oracle::reverse_complement(letters));
      for (std::size_t r = 0; r < texts.size(); ++r) {
        const auto record = static_cast<std::int64_t>(r);
        if (masks.size() > texts[r].size()) continue;
        Masks around;
        if (is_circular(question, record)) {
          around = texts[r];
          around.insert(around.end(), texts[r].begin(),
                        texts[r].begin() + static_cast<std::ptrdiff_t>(masks.size()) - 1);
        }
        const Masks& text = is_circular(question, record) ? around : texts[r];
        for (std::size_t start = 0; start + masks.size() <= text.size(); ++start) {
          std::size_t i = 0;
          while (i < masks.size() && (masks[i] & text[start + i]) != 0) ++i;
          if (i != masks.size()) continue;
          hits.push_back({record, static_cast<std::int64_t>(start), static_cast<std::int64_t>(start + i), strand, p});
        }
        if (hits.size() > most) return std::nullopt;
      }
    }
  }
  std::sort(hits.begin(), hits.end(), [](const oracle::Hit& a, const oracle::Hit& b) {
    return std::tie(a.record, a.start, a.end, a.strand, a.pattern) <
           std::tie(b.record, b.start, b.end, b.strand, b.pattern);
  });
  return hits;
}

std::optional<Hits> fast_search(const ApproximateQuestion& question, std::size_t most) {
  std::vector<Masks> texts;
  for (const std::string& record : question.exact.records) texts.push_back(text_masks(record));
  Hits hits;
  for (std::size_t p = 0; p < question.exact.patterns.size(); ++p) {
    for (const char letter : {'+', '-'}) {
      if (!is_searched(question, p, letter)) continue;
      const Strand strand = strand_of(question, p, letter);
      for (std::size_t r = 0; r < texts.size(); ++r) {
        if (texts[r].empty()) continue;
        const ApproximateHit like{static_cast<std::int64_t>(r), 0, 0, letter, p, 0, 0};
        Hits found;
        const bool few = is_circular(question.exact, like.record)
                             ? find_on_circle(question.report, strand, texts[r], like, most, found)
                             : find(question.report, strand, texts[r], like, most, found);
        if (!few) return std::nullopt;
        for (const ApproximateHit& hit : found) {
          const std::string text =
              question.exact.skip_soft_masked ? stretch(question.exact, hit.record, hit.start, hit.end) : std::string();
          if (std::none_of(text.begin(), text.end(), is_lower)) hits.push_back(hit);
        }
        if (hits.size() > most) return std::nullopt;
      }
    }
  }
  in_order(question, hits);
  return hits;
}

void choose(const ApproximateQuestion& question, Hits& hits) {
  if (question.report == oracle::Report::best) keep_best(hits);
  if (question.report != oracle::Report::best_per_record) return;
  std::unordered_map<std::uint64_t, Hits> groups;
  for (const ApproximateHit& hit : hits) {
    const std::uint64_t pattern = question.patterns_compete ? 0 : hit.pattern;
    groups[static_cast<std::uint64_t>(hit.record) << 32U | pattern].push_back(hit);
  }
  hits.clear();
  for (const auto& [key, group] : groups) keep_best_of_group(group, hits);
  in_order(question, hits);
}

}  // namespace differ
