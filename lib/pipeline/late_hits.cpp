#include "lib/pipeline/late_hits.hpp"

#include <optional>

#include "lib/pipeline/best_per_record.hpp"
#include "lib/pipeline/hit_printer.hpp"
#include "lib/pipeline/split_hits.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

class LateHits {
 public:
  LateHits(const LateHitOptions& options, const PatternSet& patterns, HitSelector& selector, NameCheck& names,
           const Formatter* formatter, ByteSink* sink)
      : options_(options),
        patterns_(patterns),
        selector_(selector),
        names_(names),
        formatter_(formatter),
        sink_(sink) {}

  void run(const NextHits& next) {
    if (options_.best_per_record || (options_.split && formatter_ != nullptr)) return run_in_order(next);
    const auto select = [this](std::vector<PlacedHit>& hits) {
      std::erase_if(hits, [this](PlacedHit& hit) { return !keep(hit); });
      return !selector_.truncated();
    };
    run_row_stages<PlacedHit>({.next = next,
                               .select = select,
                               .formatter = formatter_,
                               .write = [this](std::string_view text) { sink_->write(text); }},
                              options_.threads);
  }

 private:
  bool keep(PlacedHit& hit) {
    if (options_.select && !selector_.keep(hit.record, hit.start, hit.hit, hit.source, hit.circular_length)) {
      return false;
    }
    names_.check(hit.record, hit.record_name, hit.source);
    return true;
  }

  // Hits that are chosen when their record is complete, or that are split and come in another order than they were
  // found in.
  void run_in_order(const NextHits& next) {
    std::optional<HitPrinter> printer;
    if (formatter_ != nullptr) printer.emplace(*formatter_, *sink_);
    std::optional<SplitHits> split;
    if (options_.split && printer) split.emplace(options_.directory, options_.threads, patterns_);
    std::optional<BestPerRecord> best;
    if (options_.best_per_record) best.emplace(patterns_, selector_, best_options());
    const auto take = [&](const PlacedHit& hit) {
      if (split) return split->add(hit);
      if (printer) printer->add(hit);
    };
    const auto select = [&](std::vector<PlacedHit>& hits) {
      for (PlacedHit& hit : hits) {
        if (best) {
          best->take(hit, take);
        } else if (keep(hit)) {
          take(hit);
        }
      }
      return !selector_.truncated();
    };
    run_row_stages<PlacedHit>({.next = next, .select = select}, options_.threads);
    if (best) {
      if (const auto chosen = best->finish()) chosen->replay(take);
    }
    if (split) split->replay([&](const PlacedHit& hit) { printer->add(hit); });
    if (printer) printer->flush();
  }

  BestPerRecord::Options best_options() {
    return {.patterns_compete = options_.patterns_compete,
            .printed = formatter_ != nullptr,
            .directory = options_.directory,
            .threads = options_.threads,
            .names = &names_};
  }

  const LateHitOptions& options_;
  const PatternSet& patterns_;
  HitSelector& selector_;
  NameCheck& names_;
  const Formatter* const formatter_;
  ByteSink* const sink_;
};

}  // namespace

void write_late_hits(const LateHitOptions& options, const NextHits& next, const PatternSet& patterns,
                     HitSelector& selector, NameCheck& names, const Formatter* formatter, ByteSink* sink) {
  LateHits(options, patterns, selector, names, formatter, sink).run(next);
}

void see_hits(const NextHits& next, int threads, const std::function<void(const PlacedHit&)>& see) {
  const auto select = [&see](std::vector<PlacedHit>& hits) {
    for (const PlacedHit& hit : hits) see(hit);
    return true;
  };
  run_row_stages<PlacedHit>({.next = next, .select = select}, threads);
}

}  // namespace basesweep
