#include "lib/products/primer_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

[[noreturn]] void fail(const PrimerPair& pair, const std::string& what) {
  if (pair.file.empty()) throw UsageError(what);
  throw DataError(fmt::format("{}: line {}: {}", pair.file, pair.line, what));
}

// The letters, those that stand for the same bases alike.
std::string normal(std::string sequence) {
  for (char& c : sequence) c = c == 'U' ? 'T' : c == 'I' ? 'N' : c;
  return sequence;
}

}  // namespace

PrimerSet::PrimerSet(std::vector<PrimerPair> pairs, const JoinOptions& options)
    : pairs_(std::move(pairs)), options_(options) {
  std::unordered_map<std::string, const PrimerPair*> names;
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    const PrimerPair& pair = pairs_[i];
    if (const auto [other, fresh] = names.emplace(pair.name, &pair); !fresh) {
      fail(pair, fmt::format("pair '{}': the name is used in {} too", pair.name,
                             other->second->file.empty() ? "another pair" : other->second->file));
    }
    if (options_.pool && (pair.min_size || pair.max_size || !pair.probe.empty())) {
      fail(pair,
           fmt::format("pair '{}' has {} of its own, which --pool has no use for: all primers are joined with all",
                       pair.name, pair.probe.empty() ? "sizes" : "a probe"));
    }
    for (const bool forward : {true, false}) {
      const std::string& name = forward ? pair.forward_name : pair.reverse_name;
      const std::string& sequence = forward ? pair.forward : pair.reverse;
      primers_.push_back({name, sequence, pair.pool, pattern_of(name, sequence, pair, false)});
    }
    max_size_ = std::max(max_size_, pair.max_size.value_or(options_.max_size));
    probes_.emplace_back();
    if (pair.probe.empty()) continue;
    has_probes_ = true;
    probes_.back() = pattern_of(pair.name + "_probe", pair.probe, pair, true);
  }
  if (options_.pool) {
    make_pool();
    return;
  }
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) add_partners(i);
  for (std::vector<Partner>& partners : partners_) {
    std::stable_sort(partners.begin(), partners.end(),
                     [](const Partner& a, const Partner& b) { return a.pattern < b.pattern; });
  }
}

// Several pairs may have the same primer, and a line between those of a pair may hold another one.
void PrimerSet::make_pool() {
  struct PrimerLine {
    std::size_t file, line;
    std::uint32_t primer;
  };
  std::vector<PrimerLine> places;
  std::unordered_map<std::string, std::size_t> files;
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < primers_.size(); ++i) {
    const PrimerPair& pair = pairs_[i / 2];
    const auto [other, fresh] = known.emplace(primers_[i].name, i);
    if (!fresh && primers_[other->second].pattern != primers_[i].pattern) {
      fail(pair, fmt::format("primer '{}': the name is used for two sequences", primers_[i].name));
    }
    if (!fresh) continue;
    const std::size_t file = files.emplace(pair.file, files.size()).first->second;
    places.push_back({file, i % 2 == 1 && pair.reverse_line != 0 ? pair.reverse_line : pair.line, i});
  }
  std::stable_sort(places.begin(), places.end(), [](const PrimerLine& a, const PrimerLine& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  std::vector<Primer> pool;
  for (const PrimerLine& place : places) {
    Primer& primer = primers_[place.primer];
    owners_[primer.pattern].push_back(static_cast<std::uint32_t>(pool.size()));
    pool.push_back(std::move(primer));
  }
  primers_ = std::move(pool);
}

std::uint32_t PrimerSet::pattern_of(const std::string& name, const std::string& sequence, const PrimerPair& pair,
                                    bool probe) {
  const std::string key =
      fmt::format("{}\t{}\t{}", normal(sequence), pair.edits ? fmt::format("{}", *pair.edits) : "", probe);
  const auto [place, fresh] = pattern_keys_.emplace(key, static_cast<std::uint32_t>(patterns_.size()));
  if (!fresh) return place->second;
  std::string unique = name;
  for (int n = 2; !pattern_names_.insert(unique).second; ++n) unique = fmt::format("{} ({})", name, n);
  Pattern pattern{unique, sequence, pair.file};
  pattern.edits = pair.edits;
  if (probe) pattern.clamp_3prime = 0;
  patterns_.push_back(std::move(pattern));
  partners_.emplace_back();
  owners_.emplace_back();
  return place->second;
}

void PrimerSet::add_partners(std::uint32_t index) {
  const PrimerPair& pair = pairs_[index];
  const std::uint32_t forward = primers_[2 * index].pattern;
  const std::uint32_t reverse = primers_[2 * index + 1].pattern;
  const std::int64_t least = pair.min_size.value_or(options_.min_size);
  const std::int64_t most = pair.max_size.value_or(options_.max_size);
  if (least > most) {
    fail(pair, fmt::format("pair '{}': the smallest size, {}, is larger than the largest, {}", pair.name, least, most));
  }
  const auto add = [&](std::uint32_t left, std::uint32_t right, Strand strand, PrimerEnds ends) {
    partners_[left].push_back({right, {index, index, strand, ends, least, most}});
  };
  add(forward, reverse, Strand::plus, PrimerEnds::forward_reverse);
  if (forward == reverse) return;
  add(reverse, forward, Strand::minus, PrimerEnds::forward_reverse);
  if (!options_.single) return;
  add(forward, forward, Strand::plus, PrimerEnds::forward_forward);
  add(reverse, reverse, Strand::plus, PrimerEnds::reverse_reverse);
}

std::string PrimerSet::name(const Join& join) const {
  if (!options_.pool) return pairs_[join.first].name;
  return fmt::format("{}/{}", primers_[join.first].name, primers_[join.second].name);
}

const PrimerSet::Primer& PrimerSet::forward(const Join& join) const {
  if (options_.pool) return primers_[join.first];
  return primers_[2 * join.first + (join.ends == PrimerEnds::reverse_reverse ? 1 : 0)];
}

const PrimerSet::Primer& PrimerSet::reverse(const Join& join) const {
  if (options_.pool) return primers_[join.second];
  return primers_[2 * join.first + (join.ends == PrimerEnds::forward_forward ? 0 : 1)];
}

}  // namespace basesweep
