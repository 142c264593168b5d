#include "lib/trim/primer_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/reverse_complement.hpp"

namespace basesweep {
namespace {

Adapter adapter_of(const PrimerScheme& scheme, const SchemePrimer& primer, const std::string& sequence,
                   AdapterKind kind, const AdapterDefaults& defaults) {
  try {
    return parse_adapter(sequence, kind, defaults);
  } catch (const UsageError& fault) {
    throw DataError(fmt::format("{}: line {}: primer '{}': {}", scheme.path, primer.line, primer.name, fault.what()));
  }
}

}  // namespace

PrimerFinder::PrimerFinder(const PrimerScheme& scheme, const PrimerOptions& options)
    : clear_overlap_(options.first_overlap) {
  struct Listed {
    std::vector<Adapter> adapters;
    std::vector<std::uint32_t> primers;
  };
  std::map<std::size_t, Listed> by_length;
  std::vector<Listed> by_side(2 *
                              scheme.amplicons.size());  // of amplicon i: 2 i those that reads of strand + begin with
  const AdapterDefaults first{options.max_errors, options.first_overlap, options.indels};
  const AdapterDefaults last{options.max_errors, options.last_overlap, options.indels};
  for (std::size_t i = 0; i < scheme.primers.size(); ++i) {
    const SchemePrimer& primer = scheme.primers[i];
    const auto index = static_cast<std::uint32_t>(i);
    names_.push_back(primer.name);
    Listed& group = by_length[primer.sequence.size()];
    group.adapters.push_back(adapter_of(scheme, primer, primer.sequence, AdapterKind::five_prime, first));
    group.primers.push_back(index);
    Listed& side = by_side[2 * primer.amplicon + (primer.forward ? 0 : 1)];
    side.adapters.push_back(
        adapter_of(scheme, primer, reverse_complement(primer.sequence), AdapterKind::three_prime, last));
    side.primers.push_back(index);
    partners_of_.push_back(2 * primer.amplicon + (primer.forward ? 1 : 0));
  }
  for (auto& [length, listed] : by_length) {
    groups_.push_back({length + options.tolerance, AdapterSet(std::move(listed.adapters)), std::move(listed.primers)});
  }
  for (Listed& listed : by_side)
    partners_.push_back({AdapterSet(std::move(listed.adapters)), std::move(listed.primers)});
}

// Of primers that are there beyond doubt, the one nearest to the end of the read: one before it is sequence of the
// sample, for which another primer was made. Else the one with the highest score.
std::optional<FoundAdapter> PrimerFinder::find_last(const AdapterSet& adapters, std::span<const LetterSet> read) const {
  if (adapters.empty()) return std::nullopt;
  struct Scratch {
    std::vector<std::uint32_t> candidates;
  };
  std::vector<std::uint32_t>& candidates = per_thread<Scratch>().candidates;
  candidates.clear();
  adapters.append_candidates(read, candidates);
  const auto rank = [this](const FoundAdapter& one) {
    const bool clear = one.parts[0]->size() >= clear_overlap_;
    return std::tuple(!clear, clear ? -std::int64_t{one.kept.end} : 0, -one.score, one.errors, one.adapter);
  };
  std::optional<FoundAdapter> best;
  for (const std::uint32_t candidate : candidates) {
    const std::optional<FoundAdapter> found = adapters.find(candidate, read);
    if (found && (!best || rank(*found) < rank(*best))) best = found;
  }
  return best;
}

std::optional<FoundPrimers> PrimerFinder::find(std::span<const LetterSet> read) const {
  std::optional<FoundAdapter> best;
  for (const Group& group : groups_) {
    std::optional<FoundAdapter> found = group.adapters.find(read.first(std::min(group.reach, read.size())));
    if (!found) continue;
    found->adapter = group.primers[found->adapter];
    const auto rank = [](const FoundAdapter& one) { return std::tuple(-one.score, one.errors, one.adapter); };
    if (!best || rank(*found) < rank(*best)) best = found;
  }
  if (!best) return std::nullopt;
  const auto size = static_cast<std::uint32_t>(read.size());
  FoundPrimers primers{best->adapter, std::nullopt, best->errors, {best->kept.begin, size}};
  const Partners& partners = partners_[partners_of_[best->adapter]];
  const std::optional<FoundAdapter> last = find_last(partners.adapters, read.subspan(primers.kept.begin));
  if (last) {
    primers.last = partners.primers[last->adapter];
    primers.errors += last->errors;
    primers.kept.end = primers.kept.begin + last->kept.end;
  }
  return primers;
}

}  // namespace basesweep
