#include "lib/pipeline/pipeline.hpp"

#include <fmt/format.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <semaphore>
#include <span>
#include <unordered_set>
#include <vector>

#include "lib/error.hpp"

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

// Warns, once each, of a FASTA record without a name and of a name that comes again: hits there could not be told
// apart. Looks at the first million names only, so that memory stays bounded.
class RecordNames {
 public:
  explicit RecordNames(const std::function<void(const std::string&)>& warn) : warn_(warn) {}

  void operator()(const std::string& path, const std::string& name) {
    if (name.empty()) {
      if (!told_empty_) warn_(fmt::format("{}: a record has no name: the first column of its hits is empty", path));
      told_empty_ = true;
    } else if (!told_again_ && !names_.insert(name).second) {
      warn_(
          fmt::format("{}: record name '{}' was used before; hits on these records cannot be told apart", path, name));
      told_again_ = true;
    }
    if (told_again_ || names_.size() >= kMost) {
      names_.clear();
      told_again_ = true;
    }
  }

 private:
  static constexpr std::size_t kMost = 1'000'000;
  const std::function<void(const std::string&)>& warn_;
  std::unordered_set<std::string> names_;
  bool told_again_ = false;  // or too many names to go on
  bool told_empty_ = false;
};

// The graph and what its nodes share. Nodes never let an exception out: the first is kept, and the rest of the work is
// dropped.
class Pipeline {
 public:
  Pipeline(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher, const Formatter* formatter,
           OutputFile* output)
      : options_(options),
        matcher_(matcher),
        formatter_(formatter),
        output_(output),
        reader_(options.reader),
        batcher_(
            {options.batch_columns != 0 ? options.batch_columns : matcher.batch_columns(),
             std::max(patterns.max_length(), 1U), matcher.memory()},
            options.reader.paths, [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) {
              if (block.format == Format::fasta) record_names_(options_.reader.paths[block.source], name);
            }),
        selector_(patterns, options.select),
        record_names_(options.warn),
        tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        workers_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.threads) + 1),
        arena_(options.threads, 0) {}

  RunSummary run() {
    arena_.execute([this] { build(); });
    read();
    graph_->wait_for_all();
    if (!stopped_) {
      guarded([this] {
        batcher_.finish();
        send_batches(0);
      });
      graph_->wait_for_all();
    }
    if (!error_) error_ = reader_error_;
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

  void build() {
    graph_ = std::make_unique<flow::graph>();
    flow::graph& g = *graph_;
    pack_ = std::make_unique<flow::function_node<RawPtr, PackedPtr>>(g, flow::unlimited, [this](const RawPtr& raw) {
      auto packed = std::make_shared<PackedBlock>();
      guarded([&] { *packed = pack(*raw, options_.packer); });
      return packed;
    });
    block_order_ = std::make_unique<flow::sequencer_node<PackedPtr>>(g, [](const PackedPtr& p) { return p->number; });
    join_ = std::make_unique<flow::function_node<PackedPtr, flow::continue_msg>>(g, flow::serial,
                                                                                 [this](const PackedPtr& block) {
                                                                                   guarded([&] {
                                                                                     batcher_.add(*block);
                                                                                     if (emitted_.empty())
                                                                                       tokens_.release();
                                                                                     send_batches(1);
                                                                                   });
                                                                                   return flow::continue_msg();
                                                                                 });
    match_ = std::make_unique<MatchNode>(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) {
      gateway.reserve_wait();
      const auto done = [this, batch, &gateway](MatchResult&& result, std::exception_ptr error) {
        if (error) {
          fail(error);
        } else {
          gateway.try_put(std::make_shared<Matched>(Matched{batch, std::move(result)}));
        }
        gateway.release_wait();
      };
      if (stopped_) return gateway.release_wait();
      matcher_.submit(*batch, done);
    });
    match_order_ =
        std::make_unique<flow::sequencer_node<MatchedPtr>>(g, [](const MatchedPtr& m) { return m->batch->number; });
    select_ = std::make_unique<flow::function_node<MatchedPtr, MatchedPtr>>(
        g, flow::serial, [this](const MatchedPtr& matched) {
          guarded([&] { selector_.select(*matched->batch, matched->result); });
          if (selector_.truncated()) finish_early();
          return matched;
        });
    format_ = std::make_unique<flow::function_node<MatchedPtr, FormattedPtr>>(
        g, flow::unlimited, [this](const MatchedPtr& matched) {
          auto formatted = std::make_shared<Formatted>(Formatted{matched->batch->number, matched->batch->tokens, {}});
          if (formatter_ != nullptr) {
            guarded([&] { formatted->parts = format_parts(*formatter_, *matched); });
          }
          return formatted;
        });
    text_order_ =
        std::make_unique<flow::sequencer_node<FormattedPtr>>(g, [](const FormattedPtr& f) { return f->number; });
    write_ = std::make_unique<flow::function_node<FormattedPtr, flow::continue_msg>>(
        g, flow::serial, [this](const FormattedPtr& formatted) {
          guarded([&] {
            if (output_ == nullptr) return;
            for (const Text& part : formatted->parts) output_->write(part.view());
          });
          if (formatted->tokens != 0) tokens_.release(formatted->tokens);
          return flow::continue_msg();
        });
    flow::make_edge(*pack_, *block_order_);
    flow::make_edge(*block_order_, *join_);
    flow::make_edge(*match_, *match_order_);
    flow::make_edge(*match_order_, *select_);
    flow::make_edge(*select_, *format_);
    flow::make_edge(*format_, *text_order_);
    flow::make_edge(*text_order_, *write_);
  }

  // Reads on the calling thread, which waits here for tokens; an error of the reader counts only if what was read
  // before it was in order.
  void read() {
    try {
      while (true) {
        tokens_.acquire();
        if (stopped_ || finished_early_) return;
        std::optional<RawBlock> block = reader_.next();
        if (!block) return;
        pack_->try_put(std::make_shared<RawBlock>(std::move(*block)));
      }
    } catch (...) {
      reader_error_ = std::current_exception();
    }
  }

  // Hands the batches made meanwhile on; the last takes the tokens along.
  void send_batches(int tokens) {
    if (!emitted_.empty()) emitted_.back()->tokens = tokens;
    for (std::unique_ptr<PackedBatch>& batch : emitted_) match_->try_put(BatchPtr(std::move(batch)));
    emitted_.clear();
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
    tokens_.release();
  }

  void finish_early() {
    finished_early_ = true;
    tokens_.release();
  }

  const PipelineOptions& options_;
  Matcher& matcher_;
  const Formatter* formatter_;
  OutputFile* output_;
  Reader reader_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;
  HitSelector selector_;
  RecordNames record_names_;
  std::counting_semaphore<> tokens_;

  std::atomic<bool> stopped_ = false;         // something failed: drop all work
  std::atomic<bool> finished_early_ = false;  // enough hits: read no more
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::exception_ptr reader_error_;

  tbb::global_control workers_;
  tbb::task_arena arena_;
  std::unique_ptr<flow::graph> graph_;
  std::unique_ptr<flow::function_node<RawPtr, PackedPtr>> pack_;
  std::unique_ptr<flow::sequencer_node<PackedPtr>> block_order_;
  std::unique_ptr<flow::function_node<PackedPtr, flow::continue_msg>> join_;
  std::unique_ptr<MatchNode> match_;
  std::unique_ptr<flow::sequencer_node<MatchedPtr>> match_order_;
  std::unique_ptr<flow::function_node<MatchedPtr, MatchedPtr>> select_;
  std::unique_ptr<flow::function_node<MatchedPtr, FormattedPtr>> format_;
  std::unique_ptr<flow::sequencer_node<FormattedPtr>> text_order_;
  std::unique_ptr<flow::function_node<FormattedPtr, flow::continue_msg>> write_;
};

}  // namespace

RunSummary run_pipeline(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher,
                        const Formatter* formatter, OutputFile* output) {
  return Pipeline(options, patterns, matcher, formatter, output).run();
}

}  // namespace basesweep
