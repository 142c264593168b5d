#include "lib/pipeline/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batch_feed.hpp"
#include "lib/pipeline/batch_hits.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/best_per_record.hpp"
#include "lib/pipeline/hit_printer.hpp"
#include "lib/pipeline/hit_text.hpp"
#include "lib/pipeline/late_output.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/record_split.hpp"
#include "lib/pipeline/stream.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// A batch on its way from the matcher to the output.
struct Matched {
  std::shared_ptr<PackedBatch> batch;
  MatchResult result;                // its occurrences are dropped when they are resolved
  std::vector<Hit> hits;             // all resolved hits; later only those that are selected
  BestPerRecord::Decided decided{};  // with --report best-per-record
};

struct Formatted {
  std::shared_ptr<Matched> matched;
  HitText text;
};

// The record of the last base that the batch owns; hits of later batches are in this record or later ones.
std::int64_t record_at_end(const PackedBatch& batch) {
  const auto end = std::partition_point(
      batch.segments().begin(), batch.segments().end(),
      [own_end = batch.view().own_end](const Segment& segment) { return segment.position < own_end; });
  return end == batch.segments().begin() ? 0 : std::prev(end)->record;
}

std::uint32_t flank_of(const PipelineOutput& output) {
  return output.formatter != nullptr ? output.formatter->flank() : 0;
}

PackerOptions packer_options(const PipelineOptions& options, const PatternSet& patterns, std::uint32_t flank) {
  PackerOptions packer = options.packer;
  packer.letters = patterns.approximate() || flank != 0;
  return packer;
}

// The graph of `motif` and `match` and what its nodes share.
class Pipeline {
 public:
  Pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns, Matcher& matcher,
           const PipelineOutput& output)
      : options_(options),
        paths_(input_names(source.paths())),
        matcher_(matcher),
        output_(output),
        source_(source),
        hits_(patterns, options.report, options.packer.soft_masked),
        selector_(patterns, select_options()),
        names_(output.names, paths_),
        stream_(options.threads, BatchFeed::tokens(options.threads, matcher.slots()), options.progress, options.alone),
        feed_(feed_options(patterns), source, paths_, stream_,
              [this](BatchPtr batch) { stream_.put(*match_, std::move(batch)); }),
        min_part_(options.report == Report::all ? std::max(patterns.max_edits(), 1U) : feed_.usual_part()) {
    if (splits_records()) {
      split_.emplace(RecordSplitOptions{.matching = output.matching_records,
                                        .others = output.other_records,
                                        .spool_directory = output.spool_directory,
                                        .pairs = output.pairs});
    }
    const bool splits = options.circular.any() && output.formatter != nullptr && output.formatter->splits_at_origin();
    if (options.select.best || feed_.records().missing() || splits) {
      late_output_.emplace(LateOutput::Options{output.spool_directory, options.threads, options.select.best, splits},
                           patterns, output.formatter, output.sink, selector_);
    } else if (output.formatter != nullptr) {
      output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
    if (options.select.best_per_record) {
      best_per_record_.emplace(
          patterns, selector_,
          BestPerRecord::Options{.patterns_compete = options.select.patterns_compete,
                                 .printed = output.formatter != nullptr,
                                 .letters = output.formatter != nullptr && output.formatter->needs_letters(),
                                 .flank = flank_of(output),
                                 .directory = output.spool_directory,
                                 .threads = options.threads,
                                 .max_bytes = options.waiting_bytes,
                                 .names = late_output_ ? nullptr : &names_});
    }
  }

  bool broken() const { return stream_.broken(); }

  RunSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    feed_.read();
    feed_.fail_for_errors(selector_.truncated());
    if (best_per_record_) {
      stream_.guarded([this] { stream_.execute([this] { write_earlier(best_per_record_->finish()); }); });
    }
    stream_.rethrow();
    feed_.check(selector_.truncated());
    if (late_output_) stream_.execute([this] { late_output_->print(feed_.listed_records(), names_); });
    if (split_) split_->finish();
    feed_.warn(selector_.truncated());
    return {{source_.sources(), feed_.counts(), selector_.total(), selector_.truncated()},
            selector_.counts(),
            selector_.fine_counts(),
            split_ ? std::optional(split_->counts()) : std::nullopt};
  }

 private:
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using MatchedPtr = std::shared_ptr<Matched>;
  using FormattedPtr = std::shared_ptr<Formatted>;

  bool splits_records() const {
    return output_.matching_records.first != nullptr || output_.other_records.first != nullptr;
  }

  BatchFeed::Options feed_options(const PatternSet& patterns) {
    const std::uint32_t flank = flank_of(output_);
    BatchFeed::Options feed{
        .packer = packer_options(options_, patterns, flank),
        .batcher = batcher_options(options_, batch_options(patterns, options_.report, matcher_,
                                                           {options_.batch_positions, options_.expected_bases,
                                                            options_.threads, options_.occurrences},
                                                           flank)),
        .threads = options_.threads,
        .slots = matcher_.slots(),
        .max_hits = max_hits_of_batch(usual_hits(matcher_.slots())),
        .full_batches = BatchFeed::full_batches(options_.threads, matcher_.slots()),
        .lists_records = lists_records(output_),
        .records = output_.records,
        .circular_known = options_.circular_known,
        .warn = options_.warn};
    feed.batcher.see_record = output_.see_record;
    if (splits_records()) feed.see_block = [this](const PackedBlock& block) { split_->add(block); };
    return feed;
  }

  SelectOptions select_options() {
    SelectOptions select = options_.select;
    if (splits_records()) {
      // With `best`, hits are selected from a spool, which has other numbers.
      select.mark = [this](std::int64_t record) {
        split_->mark(options_.select.best ? record_numbers_.of(record) : record);
      };
    }
    return select;
  }

  void build(flow::graph& g) {
    feed_.build(g);
    match_.emplace(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) { match_batch(batch, gateway); });
    resolve_.emplace(g, flow::unlimited, [this](const MatchedPtr& matched) {
      stream_.guarded([&] { resolve(matched); });
      return flow::continue_msg();
    });
    select_.emplace(g, flow::serial, [this](const MatchedPtr& matched) {
      stream_.guarded(
          [&] { match_order_.add(*matched->batch, matched, [this](const MatchedPtr& next) { select_hits(next); }); });
      return flow::continue_msg();
    });
    format_.emplace(g, flow::unlimited, [this](const MatchedPtr& matched) { return format_hits(matched); });
    write_.emplace(g, flow::serial, [this](const FormattedPtr& formatted) {
      stream_.guarded([&] {
        text_order_.add(*formatted->matched->batch, formatted, [this](const FormattedPtr& next) { write_text(*next); });
      });
      return flow::continue_msg();
    });
    flow::make_edge(*match_, *resolve_);
    flow::make_edge(*format_, *write_);
  }

  template <class Gateway>
  void match_batch(const BatchPtr& batch, Gateway& gateway) {
    feed_.fill(*batch);
    if (searched_enough_) {
      stream_.put(gateway, std::make_shared<Matched>(Matched{batch, {}, {}, {}}));
      return;
    }
    bool cut = false;
    stream_.guarded([&] { cut = feed_.cut_at_once(*batch); });
    if (cut) return;
    stream_.hand_out(gateway, [&](auto finish) {
      matcher_.submit(*batch, [batch, finish](MatchResult&& result, const std::exception_ptr& error) {
        finish(error, [&] { return std::make_shared<Matched>(Matched{batch, std::move(result), {}, {}}); });
      });
    });
  }

  // Cuts the batch if it has too many occurrences or hits.
  void resolve(const MatchedPtr& matched) {
    PackedBatch& batch = *matched->batch;
    if (searched_enough_) {
      matched->result = MatchResult();
      return stream_.put(*select_, matched);
    }
    if (matched->result.too_many) return feed_.cut(batch, feed_.usual_part());
    const std::uint64_t occurrences = matched->result.occurrences.size();
    const std::uint64_t max_hits =
        BatchFeed::may_be_cut(batch, min_part_) ? feed_.max_hits() : std::numeric_limits<std::uint64_t>::max();
    std::optional<std::vector<Hit>> hits = hits_.resolve(batch, matched->result.occurrences, max_hits);
    std::vector<Occurrence>().swap(matched->result.occurrences);
    if (!hits) return feed_.cut(batch, min_part_);
    matched->hits = std::move(*hits);
    feed_.found(batch, occurrences, matched->hits.size());
    stream_.put(*select_, matched);
  }

  void select_hits(const MatchedPtr& matched) {
    selector_.add_counts(matched->result.counts);
    if (best_per_record_) {
      matched->decided = best_per_record_->select(*matched->batch, matched->hits);
    } else {
      selector_.select(*matched->batch, matched->hits);
    }
    if (!late_output_) names_.check(*matched->batch, matched->hits);
    if (split_) decide_records(*matched->batch);
    if (selector_.truncated()) {
      searched_enough_ = true;
      feed_.stop();
    }
    stream_.progress().hits = static_cast<std::int64_t>(selector_.total());
    stream_.put(*format_, matched);
  }

  // With `best`, no record is decided before the end.
  void decide_records(const PackedBatch& batch) {
    if (!options_.select.best) return split_->decide(record_at_end(batch));
    for (const Segment& segment : batch.segments()) {
      if (segment.position < batch.view().own_end) record_numbers_.add(segment.reference, segment.record);
    }
  }

  FormattedPtr format_hits(const MatchedPtr& matched) {
    auto formatted = std::make_shared<Formatted>(Formatted{matched, {}});
    stream_.guarded([&] {
      if (output_.formatter != nullptr && !late_output_) print_next(*formatted);
    });
    return formatted;
  }

  void print_next(Formatted& formatted) const {
    const Matched& matched = *formatted.matched;
    formatted.text.print_next(*output_.formatter, *matched.batch, matched.hits, matched.decided.standings);
  }

  // Writes chosen hits that waited for the end of their record; null: none.
  void write_earlier(const std::unique_ptr<WaitingHits>& earlier) {
    if (earlier == nullptr) return;
    if (late_output_) return earlier->replay([this](const PlacedHit& hit) { late_output_->add(hit); });
    if (output_.formatter == nullptr) return;
    HitPrinter printer(*output_.formatter, *output_.sink);
    earlier->replay([&printer](const PlacedHit& hit) { printer.add(hit); });
    printer.flush();
  }

  void write_text(Formatted& formatted) {
    Matched& matched = *formatted.matched;
    write_earlier(matched.decided.earlier);
    if (late_output_) {
      late_output_->add(*matched.batch, matched.hits, matched.decided.standings);
    } else if (output_.formatter != nullptr) {
      write_parts(formatted);
    }
    std::vector<Hit>().swap(matched.hits);
    feed_.written(*matched.batch);
  }

  void write_parts(Formatted& formatted) {
    while (true) {
      for (const RowText& part : formatted.text.parts()) output_.sink->write(part.view());
      if (formatted.text.printed_all(formatted.matched->hits)) break;
      print_next(formatted);
    }
    const PackedBatch& batch = *formatted.matched->batch;
    const std::uint32_t own_end = batch.view().own_end;
    if (output_.pass && own_end != 0) output_.pass(batch.segments()[batch.segment_at(own_end - 1)].reference);
  }

  const PipelineOptions& options_;
  const std::vector<std::string> paths_;
  Matcher& matcher_;
  const PipelineOutput& output_;
  BlockSource& source_;
  const BatchHits hits_;
  HitSelector selector_;
  NameCheck names_;
  std::optional<BestPerRecord> best_per_record_;
  std::optional<RecordSplit> split_;       // when records are written out
  RecordNumbers record_numbers_;           // then, with `best`
  std::optional<LateOutput> late_output_;  // takes the hits when none can be printed before the end

  std::atomic<bool> searched_enough_ = false;  // there are hits enough: what still comes is only read

  Stream stream_;
  BatchFeed feed_;
  // The least size of the parts of a batch that is cut because of its many hits. With Report::all, hits may far
  // outnumber ends, and hits with the same end start within a few edits of each other, so small parts cost little.
  const std::uint32_t min_part_;
  std::optional<AsyncNode<BatchPtr, MatchedPtr>> match_;
  std::optional<Node<MatchedPtr>> resolve_;
  std::optional<Node<MatchedPtr>> select_;
  InBatchOrder<MatchedPtr> match_order_;
  std::optional<Node<MatchedPtr, FormattedPtr>> format_;
  std::optional<Node<FormattedPtr>> write_;
  InBatchOrder<FormattedPtr> text_order_;
};

}  // namespace

RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output) {
  return run_pipeline_of<Pipeline>(options, source, patterns, matcher, output);
}

}  // namespace basesweep
