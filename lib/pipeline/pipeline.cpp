#include "lib/pipeline/pipeline.hpp"

#include <fmt/format.h>
#include <tbb/flow_graph.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <semaphore>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/error.hpp"
#include "lib/pipeline/first_error.hpp"
#include "lib/pipeline/hit_text.hpp"
#include "lib/pipeline/index_check.hpp"
#include "lib/pipeline/late_output.hpp"
#include "lib/pipeline/record_names.hpp"
#include "lib/pipeline/wait_for_token.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

struct Matched {
  std::shared_ptr<PackedBatch> batch;
  MatchResult result;
  std::vector<Hit> hits;
};

struct Formatted {
  std::shared_ptr<Matched> matched;
  HitText text;
};

std::vector<Hit> exact_hits(const PatternSet& patterns, const std::vector<BatchHit>& found) {
  std::vector<Hit> hits;
  hits.reserve(found.size());
  for (const BatchHit hit : found) {
    const auto length = static_cast<std::uint32_t>(patterns.entries()[hit_entry(hit)].columns.size());
    hits.push_back({hit_column(hit), length, hit_entry(hit), 0, 0, 0});
  }
  return hits;
}

// Leaves only hits that start in the columns; both are sorted.
void keep_asked(const std::vector<Interval>& asked, std::vector<Hit>& hits) {
  auto interval = asked.begin();
  std::erase_if(hits, [&](const Hit& hit) {
    while (interval != asked.end() && interval->end <= hit.column) ++interval;
    return interval == asked.end() || hit.column < interval->begin;
  });
}

BatcherOptions batcher_options(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher,
                               const PipelineOutput& output) {
  BatcherOptions batcher;
  batcher.batch_columns = options.batch_columns != 0
                              ? options.batch_columns
                              : std::min(matcher.batch_columns(), most_columns_at_once(patterns));
  batcher.max_length = std::max(patterns.max_length(), 1U);
  batcher.halo_right = batcher.max_length - 1;
  batcher.approximate = patterns.approximate();
  if (batcher.approximate) {
    batcher.halo_left = batcher.halo_right = halo_columns(patterns, options.report);
    batcher.run_margin = patterns.max_edits();
  }
  batcher.regions = options.regions;
  batcher.first_record = options.first_record;
  batcher.keep_records = output.formatter != nullptr && output.formatter->needs_records() &&
                         (options.regions == nullptr || !output.records);
  batcher.memory = matcher.memory();
  return batcher;
}

PackerOptions packer_options(const PipelineOptions& options, const PatternSet& patterns) {
  PackerOptions packer = options.packer;
  packer.letters = patterns.approximate();
  return packer;
}

// "-" as messages call it.
std::vector<std::string> shown(std::vector<std::string> paths) {
  std::replace(paths.begin(), paths.end(), std::string("-"), std::string("<stdin>"));
  return paths;
}

// The graph and what its nodes share.
class Pipeline {
 public:
  Pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns, Matcher& matcher,
           const PipelineOutput& output)
      : options_(options),
        packer_options_(packer_options(options, patterns)),
        paths_(shown(source.paths())),
        patterns_(patterns),
        matcher_(matcher),
        output_(output),
        source_(source),
        batcher_(
            batcher_options(options, patterns, matcher, output), paths_,
            [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) { see_record(block, name); }),
        selector_(patterns, options.select),
        record_names_(options.warn),
        most_tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        batch_tokens_(matcher.slots() == 0 ? 1 : std::max(1, most_tokens_ / (2 * matcher.slots()))),
        tokens_(most_tokens_),
        workers_(options.threads),
        arena_(options.threads, 0) {
    if (patterns.approximate()) resolver_.emplace(patterns, options.report, options.packer.soft_masked);
    const bool records_missing = needs_records() && !output.records;
    // With regions the input need not be read whole, so that its records are taken as they are told.
    reads_on_ = needs_records() && (options.regions == nullptr || records_missing);
    if (reads_on_ && !records_missing) index_check_.emplace(*output.records, paths_);
    if (options.select.best || records_missing) {
      late_output_.emplace(output.spool_directory, options.threads, output.formatter, output.sink, selector_,
                           options.select.best);
    } else if (output.formatter != nullptr) {
      output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
  }

  RunSummary run() {
    arena_.execute([this] { build(); });
    read();
    graph_->wait_for_all();
    errors_.guarded([this] {
      batcher_.finish();
      send_batches();
    });
    graph_->wait_for_all();
    // An error in the input counts unless enough hits were found before it; then whether it was met is chance.
    const std::exception_ptr of_input = input_error_ ? input_error_ : source_error_;
    if (of_input && (!selector_.truncated() || reads_on_)) errors_.fail(of_input);
    errors_.rethrow();
    if (!selector_.truncated()) batcher_.check_regions();
    if (index_check_) index_check_->check(batcher_, true);
    if (late_output_) arena_.execute([this] { late_output_->print(references()); });
    return {source_.sources(), batcher_.counts(), selector_.counts(), selector_.total(), selector_.truncated()};
  }

 private:
  using RawPtr = std::shared_ptr<RawBlock>;
  using PackedPtr = std::shared_ptr<PackedBlock>;
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using MatchedPtr = std::shared_ptr<Matched>;
  using FormattedPtr = std::shared_ptr<Formatted>;
  using MatchNode = flow::async_node<BatchPtr, MatchedPtr>;
  template <class In, class Out = flow::continue_msg>
  using Node = flow::function_node<In, Out>;
  template <class T>
  using Order = flow::sequencer_node<T>;

  bool needs_records() const { return output_.formatter != nullptr && output_.formatter->needs_records(); }

  void see_record(const PackedBlock& block, const std::string& name) {
    if (block.format == Format::fasta) {
      record_names_.add(paths_[block.source], name);
    } else if (needs_records()) {
      throw UsageError(fmt::format("{}: {}", paths_[block.source], kNeedsFasta));
    }
  }

  // Records that have bases, which are those that a header can list.
  std::vector<RecordInfo> references() const {
    if (output_.records) return *output_.records;
    std::vector<RecordInfo> listed;
    std::copy_if(batcher_.records().begin(), batcher_.records().end(), std::back_inserter(listed),
                 [](const RecordInfo& record) { return record.length != 0; });
    return listed;
  }

  void build() {
    graph_.emplace(context_);
    flow::graph& g = *graph_;
    pack_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return pack_block(*raw); });
    block_order_.emplace(g, [](const PackedPtr& block) { return block->number; });
    join_.emplace(g, flow::serial, [this](const PackedPtr& block) { return join_block(*block); });
    match_.emplace(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) { match_batch(batch, gateway); });
    match_order_.emplace(g, [](const MatchedPtr& matched) { return matched->batch->number; });
    resolve_.emplace(g, flow::unlimited, [this](const MatchedPtr& matched) { return resolve(matched); });
    select_.emplace(g, flow::serial, [this](const MatchedPtr& matched) { return select_hits(matched); });
    format_.emplace(g, flow::unlimited, [this](const MatchedPtr& matched) { return format_hits(matched); });
    text_order_.emplace(g, [](const FormattedPtr& formatted) { return formatted->matched->batch->number; });
    write_.emplace(g, flow::serial, [this](const FormattedPtr& formatted) { return write_text(*formatted); });
    flow::make_edge(*pack_, *block_order_);
    flow::make_edge(*block_order_, *join_);
    flow::make_edge(*match_, *resolve_);
    flow::make_edge(*resolve_, *match_order_);
    flow::make_edge(*match_order_, *select_);
    flow::make_edge(*select_, *format_);
    flow::make_edge(*format_, *text_order_);
    flow::make_edge(*text_order_, *write_);
  }

  // Reads on the calling thread, which waits here for tokens; an error of the source counts only if what was read
  // before it was in order.
  void read() {
    try {
      const auto ended = [this] {
        return errors_.stopped() || input_ended_ || context_.is_group_execution_cancelled();
      };
      while (wait_for_token(tokens_, ended)) {
        std::optional<RawBlock> block = source_.next();
        if (!block) return;
        pack_->try_put(std::make_shared<RawBlock>(std::move(*block)));
      }
    } catch (...) {
      source_error_ = std::current_exception();
    }
  }

  PackedPtr pack_block(const RawBlock& raw) {
    auto packed = std::make_shared<PackedBlock>();
    errors_.guarded([&] { *packed = pack(raw, packer_options_); });
    if (options_.progress != nullptr) options_.progress->text_bytes += static_cast<std::int64_t>(raw.size);
    return packed;
  }

  // Joins the block to the batch being made. A bad input ends the input here, in input order; what came before it still
  // goes its way. Tokens of blocks are kept for the batch they fill, as many as a batch may hold.
  flow::continue_msg join_block(const PackedBlock& block) {
    errors_.guarded([&] {
      if (!input_error_) {
        try {
          batcher_.add(block);
          if (options_.progress != nullptr) options_.progress->bases += block.columns;
          if (index_check_) index_check_->check(batcher_, false);
          if (batcher_.past_regions() && !reads_on_) input_ended_ = true;
        } catch (const DataError&) {
          input_error_ = std::current_exception();
          input_ended_ = true;
        }
      }
      if (++kept_tokens_ > batch_tokens_) {
        tokens_.release(kept_tokens_ - batch_tokens_);
        kept_tokens_ = batch_tokens_;
      }
      send_batches();
    });
    return {};
  }

  // Hands the batches made meanwhile on; the last takes the kept tokens along.
  void send_batches() {
    if (emitted_.empty()) return;
    emitted_.back()->tokens = std::exchange(kept_tokens_, 0);
    for (std::unique_ptr<PackedBatch>& batch : emitted_) match_->try_put(BatchPtr(std::move(batch)));
    emitted_.clear();
  }

  template <class Gateway>
  void match_batch(const BatchPtr& batch, Gateway& gateway) {
    if (errors_.stopped()) return;
    if (searched_enough_) {
      gateway.try_put(std::make_shared<Matched>(Matched{batch, {}, {}}));
      return;
    }
    gateway.reserve_wait();
    try {
      matcher_.submit(*batch, [this, batch, &gateway](MatchResult&& result, std::exception_ptr error) {
        errors_.guarded([&] {
          if (error) std::rethrow_exception(error);
          gateway.try_put(std::make_shared<Matched>(Matched{batch, std::move(result), {}}));
        });
        gateway.release_wait();
      });
    } catch (...) {
      errors_.fail(std::current_exception());
      gateway.release_wait();
    }
  }

  MatchedPtr resolve(const MatchedPtr& matched) {
    errors_.guarded([&] {
      matched->hits = resolver_ ? resolver_->resolve(*matched->batch, matched->result.hits)
                                : exact_hits(patterns_, matched->result.hits);
      if (matched->batch->asked()) keep_asked(*matched->batch->asked(), matched->hits);
      std::vector<BatchHit>().swap(matched->result.hits);
    });
    return matched;
  }

  MatchedPtr select_hits(const MatchedPtr& matched) {
    errors_.guarded([&] {
      selector_.add_counts(matched->result.counts);
      selector_.select(*matched->batch, matched->hits);
    });
    if (selector_.truncated()) (reads_on_ ? searched_enough_ : input_ended_) = true;
    if (options_.progress != nullptr) options_.progress->hits = static_cast<std::int64_t>(selector_.total());
    return matched;
  }

  FormattedPtr format_hits(const MatchedPtr& matched) {
    auto formatted = std::make_shared<Formatted>(Formatted{matched, {}});
    errors_.guarded([&] {
      if (output_.formatter != nullptr && !late_output_) print_next(*formatted);
    });
    return formatted;
  }

  void print_next(Formatted& formatted) const {
    formatted.text.print_next(*output_.formatter, *formatted.matched->batch, formatted.matched->hits);
  }

  flow::continue_msg write_text(Formatted& formatted) {
    errors_.guarded([&] {
      if (late_output_) return late_output_->add(*formatted.matched->batch, formatted.matched->hits);
      if (output_.formatter == nullptr) return;
      while (true) {
        for (const Text& part : formatted.text.parts()) output_.sink->write(part.view());
        if (formatted.text.printed_all(formatted.matched->hits)) return;
        print_next(formatted);
      }
    });
    const int tokens = formatted.matched->batch->tokens;
    if (tokens != 0) tokens_.release(tokens);
    return {};
  }

  const PipelineOptions& options_;
  const PackerOptions packer_options_;
  const std::vector<std::string> paths_;
  const PatternSet& patterns_;
  Matcher& matcher_;
  const PipelineOutput& output_;
  BlockSource& source_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;
  std::optional<Resolver> resolver_;  // of approximate search
  HitSelector selector_;
  std::optional<LateOutput> late_output_;  // where hits go that cannot be printed yet
  std::optional<IndexCheck> index_check_;
  RecordNames record_names_;

  const int most_tokens_;
  const int batch_tokens_;  // a batch for a GPU is large: it holds as many tokens as leave two batches a slot in flight
  std::counting_semaphore<> tokens_;
  int kept_tokens_ = 0;

  FirstError errors_;
  std::atomic<bool> input_ended_ = false;      // enough hits, or bad input: read no more
  std::atomic<bool> searched_enough_ = false;  // enough hits, but the header names all records: only read on
  bool reads_on_ = false;
  std::exception_ptr input_error_;   // of the text, met by the batcher
  std::exception_ptr source_error_;  // of the source, beyond what the batcher has seen

  Workers workers_;
  tbb::task_arena arena_;
  tbb::task_group_context context_;
  std::optional<flow::graph> graph_;
  std::optional<Node<RawPtr, PackedPtr>> pack_;
  std::optional<Order<PackedPtr>> block_order_;
  std::optional<Node<PackedPtr>> join_;
  std::optional<MatchNode> match_;
  std::optional<Node<MatchedPtr, MatchedPtr>> resolve_;
  std::optional<Order<MatchedPtr>> match_order_;
  std::optional<Node<MatchedPtr, MatchedPtr>> select_;
  std::optional<Node<MatchedPtr, FormattedPtr>> format_;
  std::optional<Order<FormattedPtr>> text_order_;
  std::optional<Node<FormattedPtr>> write_;
};

}  // namespace

std::uint32_t most_columns_at_once(const PatternSet& patterns) {
  constexpr double kMostHits = 1U << 22;
  constexpr double kLeastColumns = 1U << 12;
  double hits = 0;  // expected in a column of random text
  for (const Entry& entry : patterns.entries()) {
    double share = 1;
    if (!patterns.approximate()) {
      for (const BaseSet set : entry.columns) share *= std::popcount(set) / 4.0;
    } else if (3 * std::size_t{entry.limits.edits} < entry.columns.size()) {
      share = 0;
    }
    hits += share;
  }
  const double columns = std::max(kMostHits / std::max(hits, 1e-9), kLeastColumns);
  return static_cast<std::uint32_t>(std::min<double>(columns, std::numeric_limits<std::uint32_t>::max()));
}

RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output) {
  return Pipeline(options, source, patterns, matcher, output).run();
}

}  // namespace basesweep
