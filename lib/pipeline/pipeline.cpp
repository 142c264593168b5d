#include "lib/pipeline/pipeline.hpp"

#include <fmt/format.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/error.hpp"
#include "lib/pipeline/index_check.hpp"
#include "lib/pipeline/late_output.hpp"
#include "lib/pipeline/record_names.hpp"

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
  std::vector<Text> parts;
  std::size_t done = 0;  // hits that the parts hold
};

// A batch's hits are printed in parts of about so many bytes, side by side where there are many, and no more of them at
// a time than this.
constexpr std::size_t kBytesInPart = 1U << 20;
constexpr std::size_t kPartsAtOnce = 64;

// By the longest record name: it comes with every hit, and may be far longer than the rest of the line.
std::size_t hits_in_part(const PackedBatch& batch) {
  constexpr std::size_t kRestOfLine = 64;
  std::size_t longest = 0;
  for (const Piece& piece : batch.pieces()) longest = std::max<std::size_t>(longest, piece.name_size);
  return std::max<std::size_t>(1, kBytesInPart / (longest + kRestOfLine));
}

// Prints the next hits of a batch.
void format_parts(const Formatter& formatter, Formatted& formatted) {
  const std::span<const Hit> hits = std::span<const Hit>(formatted.matched->hits).subspan(formatted.done);
  if (hits.empty()) return;
  const std::size_t in_part = hits_in_part(*formatted.matched->batch);
  formatted.parts.resize(std::min((hits.size() + in_part - 1) / in_part, kPartsAtOnce));
  tbb::parallel_for(std::size_t{0}, formatted.parts.size(), [&](std::size_t i) {
    const std::size_t begin = i * in_part;
    formatted.parts[i] =
        formatter.format(*formatted.matched->batch, hits.subspan(begin, std::min(in_part, hits.size() - begin)));
  });
  formatted.done += std::min(hits.size(), formatted.parts.size() * in_part);
}

std::vector<Hit> exact_hits(const PatternSet& patterns, const std::vector<BatchHit>& found) {
  std::vector<Hit> hits;
  hits.reserve(found.size());
  for (const BatchHit hit : found) {
    const auto length = static_cast<std::uint32_t>(patterns.entries()[hit_entry(hit)].columns.size());
    hits.push_back({hit_column(hit), length, hit_entry(hit), 0, 0, 0});
  }
  return hits;
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
  batcher.keep_records = output.formatter != nullptr && output.formatter->needs_records();
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

// The graph and what its nodes share. The work of a node does not let exceptions out: the first is kept, and the rest
// of the work is dropped.
class Pipeline {
 public:
  Pipeline(const PipelineOptions& options, Reader& reader, const PatternSet& patterns, Matcher& matcher,
           const PipelineOutput& output)
      : options_(options),
        packer_options_(packer_options(options, patterns)),
        paths_(shown(reader.paths())),
        patterns_(patterns),
        matcher_(matcher),
        output_(output),
        reader_(reader),
        batcher_(
            batcher_options(options, patterns, matcher, output), paths_,
            [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) { see_record(block, name); }),
        selector_(patterns, options.select),
        record_names_(options.warn),
        most_tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        batch_tokens_(matcher.slots() == 0 ? 1 : std::max(1, most_tokens_ / (2 * matcher.slots()))),
        tokens_(most_tokens_),
        workers_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads) + 1),
        arena_(options.threads, 0) {
    if (patterns.approximate()) resolver_.emplace(patterns, options.report, options.packer.soft_masked);
    const bool records_missing = needs_records() && !output.records;
    reads_on_ = needs_records();
    if (needs_records() && output.records) index_check_.emplace(*output.records, paths_);
    if (options.select.best || records_missing) {
      late_output_.emplace(output.spool_directory, options.threads, output.formatter, output.file, selector_,
                           options.select.best);
    } else if (output.formatter != nullptr) {
      output.file->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
  }

  RunSummary run() {
    arena_.execute([this] { build(); });
    read();
    graph_->wait_for_all();
    guarded([this] {
      batcher_.finish();
      send_batches();
    });
    graph_->wait_for_all();
    // An error in the input counts unless enough hits were found before it; then whether it was met is chance.
    if (!error_ && (!selector_.truncated() || reads_on_)) error_ = input_error_ ? input_error_ : reader_error_;
    if (error_) std::rethrow_exception(error_);
    if (index_check_) index_check_->check(batcher_, true);
    if (late_output_) arena_.execute([this] { late_output_->print(references()); });
    return {reader_.sources(), batcher_.counts(), selector_.counts(), selector_.total(), selector_.truncated()};
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

  // Reads on the calling thread, which waits here for tokens; an error of the reader counts only if what was read
  // before it was in order. The wait looks up now and then: what fails inside the graph itself releases no token.
  void read() {
    try {
      while (!stopped_ && !input_ended_ && !context_.is_group_execution_cancelled()) {
        if (!tokens_.try_acquire_for(std::chrono::milliseconds(100))) continue;
        if (stopped_ || input_ended_) return;
        std::optional<RawBlock> block = reader_.next();
        if (!block) return;
        pack_->try_put(std::make_shared<RawBlock>(std::move(*block)));
      }
    } catch (...) {
      reader_error_ = std::current_exception();
    }
  }

  PackedPtr pack_block(const RawBlock& raw) {
    auto packed = std::make_shared<PackedBlock>();
    guarded([&] { *packed = pack(raw, packer_options_); });
    if (options_.progress != nullptr) options_.progress->text_bytes += static_cast<std::int64_t>(raw.size);
    return packed;
  }

  // Joins the block to the batch being made. A bad input ends the input here, in input order; what came before it still
  // goes its way. Tokens of blocks are kept for the batch they fill, as many as a batch may hold.
  flow::continue_msg join_block(const PackedBlock& block) {
    guarded([&] {
      if (!input_error_) {
        try {
          batcher_.add(block);
          if (options_.progress != nullptr) options_.progress->bases += block.columns;
          if (index_check_) index_check_->check(batcher_, false);
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
    if (stopped_) return;
    if (searched_enough_) {
      gateway.try_put(std::make_shared<Matched>(Matched{batch, {}, {}}));
      return;
    }
    gateway.reserve_wait();
    try {
      matcher_.submit(*batch, [this, batch, &gateway](MatchResult&& result, std::exception_ptr error) {
        guarded([&] {
          if (error) std::rethrow_exception(error);
          gateway.try_put(std::make_shared<Matched>(Matched{batch, std::move(result), {}}));
        });
        gateway.release_wait();
      });
    } catch (...) {
      fail(std::current_exception());
      gateway.release_wait();
    }
  }

  MatchedPtr resolve(const MatchedPtr& matched) {
    guarded([&] {
      matched->hits = resolver_ ? resolver_->resolve(*matched->batch, matched->result.hits)
                                : exact_hits(patterns_, matched->result.hits);
      matched->result.hits = {};
    });
    return matched;
  }

  MatchedPtr select_hits(const MatchedPtr& matched) {
    guarded([&] {
      selector_.add_counts(matched->result.counts);
      selector_.select(*matched->batch, matched->hits);
    });
    if (selector_.truncated()) (reads_on_ ? searched_enough_ : input_ended_) = true;
    if (options_.progress != nullptr) options_.progress->hits = static_cast<std::int64_t>(selector_.total());
    return matched;
  }

  FormattedPtr format_hits(const MatchedPtr& matched) {
    auto formatted = std::make_shared<Formatted>(Formatted{matched, {}, 0});
    guarded([&] {
      if (output_.formatter != nullptr && !late_output_) format_parts(*output_.formatter, *formatted);
    });
    return formatted;
  }

  flow::continue_msg write_text(Formatted& formatted) {
    guarded([&] {
      if (late_output_) return late_output_->add(*formatted.matched->batch, formatted.matched->hits);
      if (output_.formatter == nullptr) return;
      while (true) {
        for (const Text& part : formatted.parts) output_.file->write(part.view());
        if (formatted.done == formatted.matched->hits.size()) return;
        format_parts(*output_.formatter, formatted);
      }
    });
    const int tokens = formatted.matched->batch->tokens;
    if (tokens != 0) tokens_.release(tokens);
    return {};
  }

  template <class F>
  void guarded(F work) {
    if (stopped_) return;
    try {
      work();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = error;
    stopped_ = true;
  }

  const PipelineOptions& options_;
  const PackerOptions packer_options_;
  const std::vector<std::string> paths_;
  const PatternSet& patterns_;
  Matcher& matcher_;
  const PipelineOutput& output_;
  Reader& reader_;
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

  std::atomic<bool> stopped_ = false;          // something failed: drop all work
  std::atomic<bool> input_ended_ = false;      // enough hits, or bad input: read no more
  std::atomic<bool> searched_enough_ = false;  // enough hits, but the header names all records: only read on
  bool reads_on_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::exception_ptr input_error_;   // of the text, met by the batcher
  std::exception_ptr reader_error_;  // of the reader, beyond what the batcher has seen

  tbb::global_control workers_;
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
  constexpr std::size_t kMostEnds = 1U << 22;
  constexpr std::size_t kLeastColumns = 1U << 12;
  const auto dense = static_cast<std::size_t>(
      std::count_if(patterns.entries().begin(), patterns.entries().end(),
                    [](const Entry& entry) { return 3 * std::size_t{entry.limits.edits} >= entry.columns.size(); }));
  if (dense == 0) return std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::max(kMostEnds / dense, kLeastColumns));
}

RunSummary run_pipeline(const PipelineOptions& options, Reader& reader, const PatternSet& patterns, Matcher& matcher,
                        const PipelineOutput& output) {
  return Pipeline(options, reader, patterns, matcher, output).run();
}

}  // namespace basesweep
