#include "tests/conformance/searcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "kernels/registry/tuned.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/tally.hpp"

namespace conformance {

using namespace basesweep;
using trial::Batches;
using trial::Cuts;

std::unique_ptr<Matcher> make_matcher(const support::Target& target, const PatternSet& set, bool may_decline,
                                      Output output, std::int64_t expected_bases) {
  MatcherOptions options;
  options.algorithm = target.algorithm;
  options.device = target.device;
  options.isa = target.isa;
  options.output = output;
  options.expected_bases = expected_bases;
  try {
    return basesweep::make_matcher(set, options, target.tuning);
  } catch (const UsageError& declined) {
    if (!may_decline) throw;
    support::tally().skipped(target.name, declined.what());
    return nullptr;
  }
}

bool may_decline(const support::Target& target, const std::vector<std::string>& patterns) {
  // The lengths that each algorithm takes. An algorithm that is missing here takes all.
  struct Reach {
    std::size_t least, most;
  };
  constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();
  static const std::map<std::string, Reach> reaches = {
      {"drk2s", {1, 65'536}},       {"ac-dfa", {1, 4'096}}, {"ac-nfa", {1, 4'096}},
      {"set-horspool", {1, 4'096}}, {"sbom", {1, 4'096}},   {"wu-manber", {1, kAnyLength}},
      {"sog", {1, kAnyLength}},     {"crk", {1, 65'536}},   {"drk", {1, 65'536}},
      {"drk-wom32", {1, 16}},       {"drk-wom64", {1, 32}}, {"hrk", {1, 65'536}},
      {"qgrams", {1, kAnyLength}}};
  const auto reach = reaches.find(to_string(target.algorithm));
  if (reach == reaches.end()) return false;
  return trial::has_iupac(patterns) || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return pattern.size() < reach->second.least || pattern.size() > reach->second.most;
         });
}

bool may_decline(const support::Target& target, const EditOptions& edits) {
  return target.algorithm == Algorithm::bitsliced || target.algorithm == Algorithm::pigeonhole ||
         target.algorithm == Algorithm::neighbors || (target.algorithm == Algorithm::hamming && edits.max_indels != 0U);
}

Searchers::Searchers(const oracle::Question& question) : set_(pattern_set(question)) {
  for (const support::Target& target : support::targets()) {
    const bool declines = may_decline(target, question.patterns);
    auto hits = make_matcher(target, set_, declines, Output::occurrences);
    if ((hits == nullptr) != declines) throw std::logic_error(target.name + " takes what it should decline");
    if (declines) continue;
    searchers_.push_back({target, std::move(hits), make_matcher(target, set_, false, Output::counts)});
  }
}

std::string Searchers::check(const oracle::Question& question, std::uint64_t seed, const Cuts* cuts) {
  const std::vector<oracle::Hit> expected = oracle::search(question);
  const std::size_t bases = std::accumulate(question.records.begin(), question.records.end(), std::size_t{0},
                                            [](std::size_t sum, const std::string& r) { return sum + r.size(); });
  trial::Random random(seed);
  for (Searcher& searcher : searchers_) {
    const Cuts cut = cuts != nullptr ? *cuts : trial::random_cuts(random, bases);
    const PackerOptions packing{.isa = searcher.target.isa, .soft_masked = question.skip_soft_masked};
    std::string fault;
    try {
      const Batches for_hits =
          trial::make_batches(question.records, cut, packing, set_.max_length(), searcher.hits->memory());
      fault = trial::compare_hits(*searcher.hits, for_hits, set_, expected);
      if (fault.empty()) {
        const Batches for_counts =
            trial::make_batches(question.records, cut, packing, set_.max_length(), searcher.counts->memory());
        fault = trial::compare_counts(*searcher.counts, for_counts, set_, expected);
      }
    } catch (const std::exception& error) {
      fault = std::string("exception: ") + error.what();
    }
    if (!fault.empty()) {
      return fmt::format("{}: {}\nwith {}\n{}", searcher.target.name, fault, trial::literal(cut),
                         trial::literal(question));
    }
    support::tally().ran(searcher.target.name);
  }
  return "";
}

}  // namespace conformance
