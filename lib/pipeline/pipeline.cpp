#include "lib/pipeline/pipeline.hpp"

#include <fmt/format.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/error.hpp"
#include "lib/pipeline/record_names.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

struct Matched {
  std::shared_ptr<PackedBatch> batch;
  MatchResult result;
};

// A batch's hits are printed in parts, side by side where there are many.
constexpr std::size_t kHitsInPart = 1U << 16;

struct Formatted {
  std::uint64_t number;
  int tokens;
  std::vector<Text> parts;
};

std::vector<Text> format_parts(const Formatter& formatter, const Matched& matched) {
  const std::span<const BatchHit> hits(matched.result.hits);
  std::vector<Text> parts((hits.size() + kHitsInPart - 1) / kHitsInPart);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
    const std::size_t begin = i * kHitsInPart;
    parts[i] = formatter.format(*matched.batch, hits.subspan(begin, std::min(kHitsInPart, hits.size() - begin)));
  });
  return parts;
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
  Pipeline(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher, const Formatter* formatter,
           OutputFile* output)
      : options_(options),
        paths_(shown(options.reader.paths)),
        matcher_(matcher),
        formatter_(formatter),
        output_(output),
        reader_(options.reader),
        batcher_(
            {options.batch_columns != 0 ? options.batch_columns : matcher.batch_columns(),
             std::max(patterns.max_length(), 1U), matcher.memory()},
            paths_, [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) {
              if (block.format == Format::fasta) record_names_.add(paths_[block.source], name);
            }),
        selector_(patterns, options.select),
        record_names_(options.warn),
        most_tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        batch_tokens_(matcher.slots() == 0 ? 1 : std::max(1, most_tokens_ / (2 * matcher.slots()))),
        tokens_(most_tokens_),
        workers_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads) + 1),
        arena_(options.threads, 0) {}

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
    if (!error_ && !selector_.truncated()) error_ = input_error_ ? input_error_ : reader_error_;
    if (error_) std::rethrow_exception(error_);
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

  void build() {
    graph_.emplace(context_);
    flow::graph& g = *graph_;
    pack_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return pack_block(*raw); });
    block_order_.emplace(g, [](const PackedPtr& block) { return block->number; });
    join_.emplace(g, flow::serial, [this](const PackedPtr& block) { return join_block(*block); });
    match_.emplace(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) { match_batch(batch, gateway); });
    match_order_.emplace(g, [](const MatchedPtr& matched) { return matched->batch->number; });
    select_.emplace(g, flow::serial, [this](const MatchedPtr& matched) { return select_hits(matched); });
    format_.emplace(g, flow::unlimited, [this](const MatchedPtr& matched) { return format_hits(*matched); });
    text_order_.emplace(g, [](const FormattedPtr& formatted) { return formatted->number; });
    write_.emplace(g, flow::serial, [this](const FormattedPtr& formatted) { return write_text(*formatted); });
    flow::make_edge(*pack_, *block_order_);
    flow::make_edge(*block_order_, *join_);
    flow::make_edge(*match_, *match_order_);
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
    guarded([&] { *packed = pack(raw, options_.packer); });
    return packed;
  }

  // Joins the block to the batch being made. A bad input ends the input here, in input order; what came before it still
  // goes its way. Tokens of blocks are kept for the batch they fill, as many as a batch may hold.
  flow::continue_msg join_block(const PackedBlock& block) {
    guarded([&] {
      if (!input_error_) {
        try {
          batcher_.add(block);
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
    gateway.reserve_wait();
    try {
      matcher_.submit(*batch, [this, batch, &gateway](MatchResult&& result, std::exception_ptr error) {
        guarded([&] {
          if (error) std::rethrow_exception(error);
          gateway.try_put(std::make_shared<Matched>(Matched{batch, std::move(result)}));
        });
        gateway.release_wait();
      });
    } catch (...) {
      fail(std::current_exception());
      gateway.release_wait();
    }
  }

  MatchedPtr select_hits(const MatchedPtr& matched) {
    guarded([&] { selector_.select(*matched->batch, matched->result); });
    if (selector_.truncated()) input_ended_ = true;
    return matched;
  }

  FormattedPtr format_hits(const Matched& matched) {
    auto formatted = std::make_shared<Formatted>(Formatted{matched.batch->number, matched.batch->tokens, {}});
    guarded([&] {
      if (formatter_ != nullptr) formatted->parts = format_parts(*formatter_, matched);
    });
    return formatted;
  }

  flow::continue_msg write_text(const Formatted& formatted) {
    guarded([&] {
      if (output_ == nullptr) return;
      for (const Text& part : formatted.parts) output_->write(part.view());
    });
    if (formatted.tokens != 0) tokens_.release(formatted.tokens);
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
  const std::vector<std::string> paths_;
  Matcher& matcher_;
  const Formatter* formatter_;
  OutputFile* output_;
  Reader reader_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;
  HitSelector selector_;
  RecordNames record_names_;

  const int most_tokens_;
  const int batch_tokens_;  // a batch for a GPU is large: it holds as many tokens as leave two batches a slot in flight
  std::counting_semaphore<> tokens_;
  int kept_tokens_ = 0;

  std::atomic<bool> stopped_ = false;      // something failed: drop all work
  std::atomic<bool> input_ended_ = false;  // enough hits, or bad input: read no more
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
  std::optional<Order<MatchedPtr>> match_order_;
  std::optional<Node<MatchedPtr, MatchedPtr>> select_;
  std::optional<Node<MatchedPtr, FormattedPtr>> format_;
  std::optional<Order<FormattedPtr>> text_order_;
  std::optional<Node<FormattedPtr>> write_;
};

}  // namespace

RunSummary run_pipeline(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher,
                        const Formatter* formatter, OutputFile* output) {
  return Pipeline(options, patterns, matcher, formatter, output).run();
}

}  // namespace basesweep
