#include "lib/oracle/approximate.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace oracle {
namespace {

// How often an alignment has each kind of edit.
struct Counts {
  std::size_t mismatches = 0;
  std::size_t dna_bulges = 0;  // letters of text alone
  std::size_t rna_bulges = 0;  // positions of the pattern alone

  std::size_t indels() const { return dna_bulges + rna_bulges; }
  std::size_t edits() const { return mismatches + indels(); }
  auto operator<=>(const Counts&) const = default;
};

constexpr Counts kMismatch{.mismatches = 1};
constexpr Counts kDnaBulge{.dna_bulges = 1};
constexpr Counts kRnaBulge{.rna_bulges = 1};

Counts operator+(const Counts& a, const Counts& b) {
  return {a.mismatches + b.mismatches, a.dna_bulges + b.dna_bulges, a.rna_bulges + b.rna_bulges};
}

// A pattern on one strand, written along the forward strand, with its limits.
struct Probe {
  std::string letters;
  std::size_t edits;
  std::size_t mismatches;
  std::size_t indels;
  std::size_t dna_bulges;
  std::size_t rna_bulges;
  std::size_t clamp_left;
  std::size_t clamp_right;
  std::optional<std::size_t> overhang_left;
  std::optional<std::size_t> overhang_right;
  std::optional<double> rate;

  std::size_t length() const { return letters.size(); }
  bool clamped(std::size_t position) const { return position < clamp_left || position >= length() - clamp_right; }
  // Whether text may be inserted before position `gap` (length(): after the last).
  bool open(std::size_t gap) const {
    if (gap == 0) return clamp_left == 0;
    if (gap == length()) return clamp_right == 0;
    return !clamped(gap - 1) || !clamped(gap);
  }
  bool matches(std::size_t position, char letter) const {
    return members(letters[position]).find(static_cast<char>(std::toupper(static_cast<unsigned char>(letter)))) !=
           std::string::npos;
  }
  bool allows(const Counts& counts) const {
    return counts.mismatches <= mismatches && counts.indels() <= indels && counts.edits() <= edits &&
           counts.dna_bulges <= dna_bulges && counts.rna_bulges <= rna_bulges;
  }
};

std::size_t clamp_5prime(const ApproximateQuestion& question, std::size_t pattern) {
  return question.own_clamps_5prime.empty() ? question.clamp_5prime : question.own_clamps_5prime[pattern];
}

std::size_t clamp_3prime(const ApproximateQuestion& question, std::size_t pattern) {
  return question.own_clamps_3prime.empty() ? question.clamp_3prime : question.own_clamps_3prime[pattern];
}

bool own_edits(const ApproximateQuestion& question, std::size_t pattern) {
  return !question.has_own_edits.empty() && question.has_own_edits[pattern];
}

Probe probe_of(const ApproximateQuestion& question, std::size_t pattern, char strand) {
  const std::string& letters = question.exact.patterns[pattern];
  const bool plus = strand == '+';
  return {plus ? letters : reverse_complement(letters),
          question.edits[pattern],
          question.max_mismatches,
          question.max_indels,
          question.max_dna_bulges,
          question.max_rna_bulges,
          plus ? clamp_5prime(question, pattern) : clamp_3prime(question, pattern),
          plus ? clamp_3prime(question, pattern) : clamp_5prime(question, pattern),
          plus ? question.overhang_5prime : question.overhang_3prime,
          plus ? question.overhang_3prime : question.overhang_5prime,
          own_edits(question, pattern) ? std::nullopt : question.rate};
}

// Element n: the counts of all allowed alignments of the whole pattern to the first n letters of `text`.
std::vector<std::set<Counts>> attainable(const Probe& probe, const std::string& text) {
  // counts[i][j]: those of the first i positions to the first j letters.
  std::vector<std::vector<std::set<Counts>>> counts(probe.length() + 1, std::vector<std::set<Counts>>(text.size() + 1));
  counts[0][0].insert(Counts{});
  for (std::size_t i = 0; i <= probe.length(); ++i) {
    for (std::size_t j = 0; j <= text.size(); ++j) {
      const auto take = [&](const std::set<Counts>& from, const Counts& more) {
        for (const Counts& before : from) {
          const Counts sum = before + more;
          if (probe.allows(sum)) counts[i][j].insert(sum);
        }
      };
      if (i > 0 && j > 0) {
        const bool match = probe.matches(i - 1, text[j - 1]);
        if (match || !probe.clamped(i - 1)) take(counts[i - 1][j - 1], match ? Counts{} : kMismatch);
      }
      if (i > 0 && !probe.clamped(i - 1)) take(counts[i - 1][j], kRnaBulge);
      if (j > 0 && probe.open(i)) take(counts[i][j - 1], kDnaBulge);
    }
  }
  return counts[probe.length()];
}

// The edits that hits are compared by: positions outside of the record count.
std::size_t compared_edits(const ApproximateHit& hit) { return hit.edits + hit.hang_left + hit.hang_right; }

// A hit's interval with its part outside of the record.
std::int64_t whole_start(const ApproximateHit& hit) { return hit.start - static_cast<std::int64_t>(hit.hang_left); }
std::int64_t whole_end(const ApproximateHit& hit) { return hit.end + static_cast<std::int64_t>(hit.hang_right); }

auto cost(const ApproximateHit& hit) { return std::tuple(compared_edits(hit), hit.indels); }
auto rank(const ApproximateHit& hit) { return std::tuple(hit.edits, hit.indels, whole_end(hit) - whole_start(hit)); }

// Adds the candidates that `probe`, the part of a pattern inside the record, has with this start. `like` gives record,
// strand, pattern and what hangs over; a part that hangs over must reach the record's end.
void add_candidates(const Probe& probe, const std::string& record, std::size_t start, const ApproximateHit& like,
                    std::vector<ApproximateHit>& hits) {
  const auto counts = attainable(probe, record.substr(start, probe.length() + probe.edits));
  for (std::size_t length = 1; length < counts.size(); ++length) {
    if (counts[length].empty() || (like.hang_right != 0 && start + length != record.size())) continue;
    std::set<std::pair<std::size_t, std::size_t>> costs;  // edits, indels
    for (const Counts& counted : counts[length]) costs.insert({counted.edits(), counted.indels()});
    ApproximateHit hit = like;
    hit.start = static_cast<std::int64_t>(start);
    hit.end = static_cast<std::int64_t>(start + length);
    std::tie(hit.edits, hit.indels) = *costs.begin();
    hits.push_back(hit);
  }
}

// The part of the probe that is inside; nothing when it may not hang over like that.
std::optional<Probe> inside_of(const Probe& probe, std::size_t hang_left, std::size_t hang_right) {
  Probe inside = probe;
  inside.letters = probe.letters.substr(hang_left, probe.length() - hang_left - hang_right);
  const auto counted = static_cast<std::size_t>(
      std::count_if(inside.letters.begin(), inside.letters.end(), [](char letter) { return letter != 'N'; }));
  const auto allowed = [&](std::size_t hang, const std::optional<std::size_t>& least, std::size_t clamp) {
    return hang == 0 || (clamp == 0 && least && counted >= *least);
  };
  if (inside.length() < probe.clamp_left + probe.clamp_right) return std::nullopt;
  if (!allowed(hang_left, probe.overhang_left, probe.clamp_left)) return std::nullopt;
  if (!allowed(hang_right, probe.overhang_right, probe.clamp_right)) return std::nullopt;
  if (hang_left + hang_right != 0) {
    inside.edits = probe.rate ? static_cast<std::size_t>(*probe.rate * static_cast<double>(inside.length()) + 1e-9)
                              : probe.edits * inside.length() / probe.length();
  }
  return inside;
}

// All candidates of one pattern and strand in one record. `like` gives record, strand and pattern.
std::vector<ApproximateHit> candidates(const Probe& probe, const std::string& record, const ApproximateHit& like) {
  std::vector<ApproximateHit> hits;
  for (std::size_t left = 0; left < probe.length(); ++left) {
    for (std::size_t right = 0; left + right < probe.length(); ++right) {
      const std::optional<Probe> inside = inside_of(probe, left, right);
      if (!inside) continue;
      ApproximateHit part = like;
      part.hang_left = left;
      part.hang_right = right;
      const std::size_t starts = left != 0 ? std::min<std::size_t>(1, record.size()) : record.size();
      const std::size_t reach = inside->length() + inside->edits;
      const std::size_t first = right != 0 && left == 0 && record.size() > reach ? record.size() - reach : 0;
      for (std::size_t start = first; start < starts; ++start) add_candidates(*inside, record, start, part, hits);
    }
  }
  return hits;
}

std::vector<ApproximateHit> sites_of(const std::vector<ApproximateHit>& all) {
  std::vector<ApproximateHit> sites;
  for (const ApproximateHit& hit : all) {
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const ApproximateHit& other) {
      return (whole_start(other) == whole_start(hit) || whole_end(other) == whole_end(hit)) && rank(other) < rank(hit);
    });
    if (!beaten) sites.push_back(hit);
  }
  return sites;
}

bool overlap(const ApproximateHit& a, const ApproximateHit& b) {
  return whole_start(a) < whole_end(b) && whole_start(b) < whole_end(a);
}

std::vector<ApproximateHit> minima_of(const std::vector<ApproximateHit>& sites) {
  std::vector<ApproximateHit> minima;
  for (const ApproximateHit& hit : sites) {
    const bool beaten = std::any_of(sites.begin(), sites.end(), [&](const ApproximateHit& other) {
      return overlap(other, hit) && cost(other) < cost(hit);
    });
    if (!beaten) minima.push_back(hit);
  }
  return minima;
}

bool touches_lower_case(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

// The hits of one pattern and strand in `text`, as the report chooses them, except `best`. `like` gives record, strand
// and pattern.
std::vector<ApproximateHit> reported(Report report, const Probe& probe, const std::string& text,
                                     const ApproximateHit& like) {
  std::vector<ApproximateHit> found = candidates(probe, text, like);
  if (report != Report::all) found = sites_of(found);
  if (report == Report::minima) found = minima_of(found);
  return found;
}

// The same in a circular record. Whether a candidate is a hit depends on others that share its start or end, or overlap
// it, or share the start or end of one that overlaps it. All of them are within 4 lengths of it, so whole turns of the
// record that cover this much on either side are as good as a text without end.
std::vector<ApproximateHit> reported_on_circle(Report report, const Probe& probe, const std::string& record,
                                               const ApproximateHit& like) {
  if (record.empty()) return {};
  const std::size_t turns = 4 * (probe.length() + probe.edits) / record.size() + 1;
  std::string text;
  for (std::size_t i = 0; i < 2 * turns + 1; ++i) text += record;
  std::vector<ApproximateHit> hits;
  const auto length = static_cast<std::int64_t>(record.size());
  const std::int64_t origin = static_cast<std::int64_t>(turns) * length;
  for (ApproximateHit hit : reported(report, probe, text, like)) {
    if (hit.start < origin || hit.start >= origin + length || hit.end - hit.start > length) continue;
    hit.start -= origin;
    hit.end -= origin;
    hits.push_back(hit);
  }
  return hits;
}

void keep_best(std::vector<ApproximateHit>& hits) {
  std::map<std::size_t, std::size_t> least;
  for (const ApproximateHit& hit : hits) {
    const auto known = least.emplace(hit.pattern, compared_edits(hit)).first;
    known->second = std::min(known->second, compared_edits(hit));
  }
  std::erase_if(hits, [&](const ApproximateHit& hit) { return compared_edits(hit) != least[hit.pattern]; });
}

// Finds an alignment of the first `i` positions to the first `j` letters that counts exactly `left`, from its right end
// on. Appends its operations to `ops`, last one first; false, and `ops` as it was, when there is none.
bool walk_back(const Probe& probe, const std::string& text, std::size_t i, std::size_t j, Counts left,
               std::string& ops) {
  if (i == 0 && j == 0) return left == Counts{};
  const auto step = [&](char op, std::size_t positions, std::size_t letters, const Counts& more) {
    if (left.mismatches < more.mismatches || left.dna_bulges < more.dna_bulges || left.rna_bulges < more.rna_bulges) {
      return false;
    }
    ops.push_back(op);
    const Counts rest{left.mismatches - more.mismatches, left.dna_bulges - more.dna_bulges,
                      left.rna_bulges - more.rna_bulges};
    if (walk_back(probe, text, i - positions, j - letters, rest, ops)) return true;
    ops.pop_back();
    return false;
  };
  if (i > 0 && j > 0) {
    const bool match = probe.matches(i - 1, text[j - 1]);
    if ((match || !probe.clamped(i - 1)) && step(match ? '=' : 'X', 1, 1, match ? Counts{} : kMismatch)) return true;
  }
  if (j > 0 && probe.open(i) && step('D', 0, 1, kDnaBulge)) return true;
  return i > 0 && !probe.clamped(i - 1) && step('I', 1, 0, kRnaBulge);
}

}  // namespace

void keep_best_per_record(std::vector<ApproximateHit>& hits, bool patterns_compete) {
  const auto same_group = [&](const ApproximateHit& a, const ApproximateHit& b) {
    return a.record == b.record && (patterns_compete || a.pattern == b.pattern);
  };
  std::vector<ApproximateHit> kept;
  for (const ApproximateHit& hit : hits) {
    std::vector<ApproximateHit> group;
    std::copy_if(hits.begin(), hits.end(), std::back_inserter(group),
                 [&](const ApproximateHit& other) { return same_group(hit, other); });
    std::size_t fewest = compared_edits(hit);
    for (const ApproximateHit& other : group) fewest = std::min(fewest, compared_edits(other));
    if (compared_edits(hit) != fewest) continue;
    ApproximateHit best = hit;
    for (const ApproximateHit& other : group) {
      const std::size_t edits = compared_edits(other);
      if (edits == fewest) {
        ++best.best;
        continue;
      }
      const bool overlaps_best = std::any_of(group.begin(), group.end(), [&](const ApproximateHit& rival) {
        return compared_edits(rival) == fewest && rival.pattern == other.pattern && rival.strand == other.strand &&
               overlap(other, rival);
      });
      if (!overlaps_best) best.next_edits = std::min(best.next_edits.value_or(edits), edits);
    }
    kept.push_back(best);
  }
  hits = kept;
}

bool is_searched(const ApproximateQuestion& question, std::size_t pattern, char strand) {
  Question alone{{}, {question.exact.patterns[pattern]}, question.exact.strands, question.exact.palindromes_twice};
  // If its ends differ, so do the strands of a palindrome. Clamped ends do not hang over.
  const auto overhang = [](const std::optional<std::size_t>& least, std::size_t clamp) {
    return clamp == 0 ? least : std::nullopt;
  };
  const std::size_t clamps[] = {clamp_5prime(question, pattern), clamp_3prime(question, pattern)};
  if (clamps[0] != clamps[1] ||
      overhang(question.overhang_5prime, clamps[0]) != overhang(question.overhang_3prime, clamps[1])) {
    alone.palindromes_twice = true;
  }
  return is_searched(alone, 0, strand);
}

std::vector<ApproximateHit> search(const ApproximateQuestion& question) {
  std::vector<ApproximateHit> hits;
  for (std::size_t p = 0; p < question.exact.patterns.size(); ++p) {
    for (const char strand : {'+', '-'}) {
      if (!is_searched(question, p, strand)) continue;
      for (std::size_t r = 0; r < question.exact.records.size(); ++r) {
        const std::string& record = question.exact.records[r];
        const ApproximateHit like{static_cast<std::int64_t>(r), 0, 0, strand, p, 0, 0};
        const Probe probe = probe_of(question, p, strand);
        const bool circular = is_circular(question.exact, like.record);
        for (const ApproximateHit& hit : circular ? reported_on_circle(question.report, probe, record, like)
                                                  : reported(question.report, probe, record, like)) {
          const std::string text = stretch(question.exact, hit.record, hit.start, hit.end);
          if (!question.exact.skip_soft_masked || !touches_lower_case(text)) hits.push_back(hit);
        }
      }
    }
  }
  if (question.report == Report::best) keep_best(hits);
  if (question.report == Report::best_per_record) keep_best_per_record(hits, question.patterns_compete);
  const auto key = [&](const ApproximateHit& hit) {  // '+' < '-' in ASCII
    return std::tuple(hit.record, hit.start, hit.end, hit.strand, hit.pattern, part_inside(question, hit));
  };
  std::sort(hits.begin(), hits.end(),
            [&](const ApproximateHit& a, const ApproximateHit& b) { return key(a) < key(b); });
  return hits;
}

std::pair<std::size_t, std::size_t> part_inside(const ApproximateQuestion& question, const ApproximateHit& hit) {
  const std::size_t length = question.exact.patterns[hit.pattern].size();
  const bool plus = hit.strand == '+';
  return {plus ? hit.hang_left : hit.hang_right, length - (plus ? hit.hang_right : hit.hang_left)};
}

std::string cigar(const ApproximateQuestion& question, const ApproximateHit& hit) {
  const Probe probe = inside_of(probe_of(question, hit.pattern, hit.strand), hit.hang_left, hit.hang_right).value();
  const std::string text = stretch(question.exact, hit.record, hit.start, hit.end);
  std::string ops;
  // The interval's length says how many of the indels are of either kind.
  const std::size_t dna_bulges = (hit.indels + text.size() - probe.length()) / 2;
  const Counts counts{hit.edits - hit.indels, dna_bulges, hit.indels - dna_bulges};
  if (!walk_back(probe, text, probe.length(), text.size(), counts, ops)) return "";
  std::string runs = hit.hang_left == 0 ? "" : std::to_string(hit.hang_left) + "S";
  for (auto op = ops.rbegin(); op != ops.rend();) {
    const auto end = std::find_if(op, ops.rend(), [op](char other) { return other != *op; });
    runs += std::to_string(end - op) + *op;
    op = end;
  }
  if (hit.hang_right != 0) runs += std::to_string(hit.hang_right) + "S";
  return runs;
}

}  // namespace oracle
