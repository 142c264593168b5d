#include "lib/pipeline/part_hits.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/error.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/late_hits.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/rows/hit_codec.hpp"

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

// Whether a hit can have this place.
bool is_place(const PlacedHit& hit) {
  if (hit.record < 0 || hit.start < 0 || hit.end <= hit.start || hit.end - hit.start != hit.hit.length) return false;
  return hit.circular_length == 0 || (hit.start < hit.circular_length && hit.hit.length <= hit.circular_length);
}

// Decodes the hits of parts.
class PartHits {
 public:
  PartHits(const PartHitOptions& options, PartSet& parts, const PatternSet& patterns)
      : options_(options), parts_(parts), queries_(patterns.queries()) {
    if ((needs_of_part(patterns, 0) & need::letters) == 0) letters_ = letters_of_queries(patterns);
  }

  std::optional<StoredRows<PlacedHit>> next() {
    std::optional<PartSet::Block> block = parts_.next();
    if (!block) return std::nullopt;
    return [this, block = std::make_shared<PartSet::Block>(std::move(*block))] { return decode(*block); };
  }

 private:
  DecodedRows<PlacedHit> decode(const PartSet::Block& block) const {
    DecodedRows<PlacedHit> hits = block.decode<PlacedHit>();
    for (PlacedHit& hit : hits.rows()) {
      if (!letters_.empty() && hit.hit.query < queries_.size()) hit.letters = letters_[hit.hit.query];
      if (!can_be(hit)) throw DataError(block.part->path() + ": the part is damaged: it has a hit that cannot be");
    }
    return hits;
  }

  bool can_be(const PlacedHit& hit) const {
    return hit.hit.query < queries_.size() && hit.source < parts_.head().inputs.size() && is_place(hit) &&
           hit.letters.size() == hit.hit.length && can_be_aligned(queries_[hit.hit.query], hit.hit) &&
           (!options_.can_be || options_.can_be(hit));
  }

  const PartHitOptions& options_;
  PartSet& parts_;
  const std::vector<Query>& queries_;
  std::vector<std::string> letters_;  // of each query, where parts do not keep them
};

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
  PartHits hits(options, parts, patterns);
  HitSelector selector(patterns, options.select);
  NameCheck names(output.names, paths);
  const NextHits next = [&hits] { return hits.next(); };
  const LateHitOptions late{
      .select = true,
      .best_per_record = options.select.best_per_record,
      .patterns_compete = options.select.patterns_compete,
      .split = options.circular && output.formatter != nullptr && output.formatter->splits_at_origin(),
      .threads = options.threads,
      .directory = output.spool_directory};
  const Workers workers(options.threads);
  tbb::task_arena arena(options.threads, 0);
  start_workers(arena, options.threads);
  arena.execute([&] {
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
