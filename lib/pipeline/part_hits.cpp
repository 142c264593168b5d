#include "lib/pipeline/part_hits.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/best_per_record.hpp"
#include "lib/pipeline/hit_printer.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/pipeline/split_hits.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/rows/hit_codec.hpp"

namespace basesweep {
namespace {

// The letters of each query whose text is always the same, since it has no codes for several bases; else "".
std::vector<std::string> letters_of_queries(const PatternSet& patterns) {
  std::vector<std::string> letters(patterns.queries().size());
  for (std::size_t q = 0; q < letters.size(); ++q) {
    for (const BaseSet set : patterns.queries()[q].sets) letters[q] += iupac_letter(set);
  }
  return letters;
}

class PartHits {
 public:
  PartHits(const PartHitOptions& options, PartSet& parts, const PatternSet& patterns, const PipelineOutput& output)
      : options_(options),
        parts_(parts),
        output_(output),
        paths_(input_names(parts.head().inputs)),
        queries_(patterns.queries().size()),
        selector_(patterns, options.select),
        names_(output.names, paths_) {
    if ((needs_of_part(patterns, 0) & need::letters) == 0) letters_ = letters_of_queries(patterns);
  }

  RunSummary run(const PatternSet& patterns) {
    if (options_.select.best) {
      run_stages(nullptr, [this](std::vector<PlacedHit>& hits) {
        for (const PlacedHit& hit : hits) selector_.see(hit.hit);
        return true;
      });
      parts_.rewind();
    }
    if (output_.formatter != nullptr) {
      output_.sink->write(output_.formatter->header(output_.records.value_or(std::vector<RecordInfo>())));
    }
    const bool splits = output_.formatter != nullptr && output_.formatter->splits_at_origin() && options_.circular;
    if (options_.select.best_per_record || splits) {
      run_late(patterns, splits);
    } else {
      run_stages(output_.formatter, [this](std::vector<PlacedHit>& hits) {
        std::erase_if(hits, [this](PlacedHit& hit) { return !keep(hit); });
        return !selector_.truncated();
      });
    }
    return {.counts = selector_.counts(),
            .hits = selector_.total(),
            .truncated = selector_.truncated(),
            .fine = selector_.fine_counts()};
  }

 private:
  bool keep(PlacedHit& hit) {
    if (!selector_.keep(hit.record, hit.start, hit.hit, hit.source, hit.circular_length)) return false;
    names_.check(hit.record, hit.record_name, hit.source);
    return true;
  }

  // Hits that are chosen when their record is complete, or that are split and come in another order than they were
  // found in.
  void run_late(const PatternSet& patterns, bool splits) {
    std::optional<HitPrinter> printer;
    if (output_.formatter != nullptr) printer.emplace(*output_.formatter, *output_.sink);
    std::optional<SplitHits> split;
    if (splits) split.emplace(output_.spool_directory, options_.threads, patterns);
    std::optional<BestPerRecord> best;
    if (options_.select.best_per_record) {
      best.emplace(patterns, selector_,
                   BestPerRecord::Options{.patterns_compete = options_.select.patterns_compete,
                                          .printed = output_.formatter != nullptr,
                                          .directory = output_.spool_directory,
                                          .threads = options_.threads,
                                          .names = &names_});
    }
    const auto take = [&](const PlacedHit& hit) {
      if (split) return split->add(hit);
      if (printer) printer->add(hit);
    };
    run_stages(nullptr, [&](std::vector<PlacedHit>& hits) {
      for (PlacedHit& hit : hits) {
        if (best) {
          best->take(hit, take);
        } else if (keep(hit)) {
          take(hit);
        }
      }
      return !selector_.truncated();
    });
    if (best) {
      if (const auto chosen = best->finish()) chosen->replay(take);
    }
    if (split) split->replay([&](const PlacedHit& hit) { printer->add(hit); });
    if (printer) printer->flush();
  }

  // `formatter`: null: the hits that are selected are not written.
  void run_stages(const Formatter* formatter, const std::function<bool(std::vector<PlacedHit>& hits)>& select) {
    constexpr std::size_t kBlocksOfThread = 3;
    run_row_stages<PlacedHit, PartSet::Block>({.next = [this] { return parts_.next(); },
                                               .decode = [this](const PartSet::Block& block) { return decode(block); },
                                               .select = select,
                                               .formatter = formatter,
                                               .write = [this](std::string_view text) { output_.sink->write(text); }},
                                              kBlocksOfThread * static_cast<std::size_t>(options_.threads));
  }

  DecodedRows<PlacedHit> decode(const PartSet::Block& block) const {
    DecodedRows<PlacedHit> hits = block.decode<PlacedHit>();
    for (PlacedHit& hit : hits.rows()) {
      if (hit.hit.query >= queries_) throw DataError(block.part->path() + ": a hit has a pattern that there is not");
      if (!letters_.empty()) hit.letters = letters_[hit.hit.query];
    }
    return hits;
  }

  const PartHitOptions& options_;
  PartSet& parts_;
  const PipelineOutput& output_;
  const std::vector<std::string> paths_;
  const std::size_t queries_;
  std::vector<std::string> letters_;  // of each query, where parts do not keep them
  HitSelector selector_;
  NameCheck names_;
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
  RunSummary summary;
  const Workers workers(options.threads);
  tbb::task_arena arena(options.threads, 0);
  start_workers(arena, options.threads);
  arena.execute([&] { summary = PartHits(options, parts, patterns, output).run(patterns); });
  return summary;
}

}  // namespace basesweep
