#include "lib/pipeline/part_hits.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/late_hits.hpp"
#include "lib/pipeline/part_stages.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// The letters of each query.
std::vector<std::string> letters_of_queries(const PatternSet& patterns) {
  std::vector<std::string> letters(patterns.queries().size());
  for (std::size_t q = 0; q < letters.size(); ++q) {
    for (const BaseSet set : patterns.queries()[q].sets) letters[q] += iupac_letter(set);
  }
  return letters;
}

}  // namespace

unsigned needs_of_part(const PatternSet& patterns, std::uint32_t flank) {
  const auto one_text = [](const Query& query) {
    return std::all_of(query.sets.begin(), query.sets.end(), [](BaseSet set) { return is_single_base(set); });
  };
  const bool known = !patterns.approximate() && flank == 0 &&
                     std::all_of(patterns.queries().begin(), patterns.queries().end(), one_text);
  return known ? 0 : need::letters;
}

RunSummary run_part_hits(const PartHitOptions& options, PartSet& parts, const PatternSet& patterns,
                         const PipelineOutput& output) {
  const std::vector<std::string> paths = input_names(parts.head().inputs);
  const std::vector<Query>& queries = patterns.queries();
  std::vector<std::string> letters;  // of each query, where parts do not keep them
  if ((needs_of_part(patterns, 0) & need::letters) == 0) letters = letters_of_queries(patterns);
  const auto can_be = [&](PlacedHit& hit) {
    if (hit.hit.query >= queries.size()) return false;
    if (!letters.empty()) hit.letters = letters[hit.hit.query];
    return parts.head().has_place(hit) && hit.end - hit.start == hit.hit.length &&
           (hit.circular_length == 0 || hit.hit.length <= hit.circular_length) &&
           hit.letters.size() == hit.hit.length && can_be_aligned(queries[hit.hit.query], hit.hit) &&
           (!options.can_be || options.can_be(hit));
  };
  const NextHits next = part_rows<PlacedHit>(parts, can_be);
  HitSelector selector(patterns, options.select);
  NameCheck names(output.names, paths);
  const LateHitOptions late{
      .select = true,
      .best_per_record = options.select.best_per_record,
      .patterns_compete = options.select.patterns_compete,
      .split = options.circular && output.formatter != nullptr && output.formatter->splits_at_origin(),
      .threads = options.threads,
      .directory = output.spool_directory};
  on_workers(options.threads, [&] {
    if (options.select.best) {
      see_hits(next, options.threads, [&selector](const PlacedHit& hit) { selector.see(hit.hit); });
      parts.rewind();
    }
    if (output.formatter != nullptr) {
      output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
    write_late_hits(late, next, patterns, selector, names, output.formatter, output.sink);
  });
  RunSummary summary;
  summary.counts = selector.counts();
  summary.hits = selector.total();
  summary.truncated = selector.truncated();
  summary.fine = selector.fine_counts();
  return summary;
}

}  // namespace basesweep
