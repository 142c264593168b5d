#include "lib/pipeline/product_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/header_records.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/product_parts.hpp"
#include "lib/pipeline/stream.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// A batch on its way from the matcher to the output.
struct Joined {
  std::shared_ptr<PackedBatch> batch;
  MatchResult result{};                     // dropped when it is resolved
  std::optional<BatchProducts> products{};  // once the batch is resolved
  std::optional<ProductParts> parts{};      // the same
};

BatcherOptions batcher_options(const ProductPipelineOptions& options, BatchOptions batch, bool keep_records) {
  BatcherOptions batcher;
  batcher.batch = batch;
  batcher.regions = options.regions;
  batcher.first_record = options.first_record;
  batcher.keep_records = keep_records;
  batcher.circular = options.circular;
  return batcher;
}

PackerOptions packer_options(const ProductPipelineOptions& options) {
  PackerOptions packer = options.packer;
  packer.letters = true;
  return packer;
}

bool lists_records(const ProductOutput& output) {
  if (output.formatter == nullptr) return false;
  return output.formatter->needs_records() || (output.formatter->lists_records() && output.records);
}

// The graph of `pcr` and what its nodes share. Tokens go as in the graph of `match`.
class ProductPipeline {
 public:
  ProductPipeline(const ProductPipelineOptions& options, BlockSource& source, const PrimerSet& primers,
                  const PatternSet& patterns, Matcher& matcher, const ProductOutput& output)
      : options_(options),
        packer_options_(packer_options(options)),
        paths_(input_names(source.paths())),
        letters_(paths_.size()),
        primers_(primers),
        patterns_(patterns),
        matcher_(matcher),
        output_(output),
        source_(source),
        reach_(static_cast<std::uint32_t>(primers.max_size())),
        records_(lists_records(output), output.records, options.regions != nullptr, paths_, options.warn),
        batcher_(
            batcher_options(
                options,
                batch_options(patterns, Report::sites, matcher,
                              {options.batch_positions, options.expected_bases, options.threads}, 0, reach_),
                records_.read_whole()),
            paths_, [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) { records_.see(block, name); }),
        resolver_(patterns, Report::sites, options.packer.soft_masked, reach_),
        selector_({options.report, options.max_products, options.by_source,
                   output.formatter != nullptr && records_.missing(), output.spool_directory},
                  [this](std::string_view text) {
                    if (!text.empty()) gatherer_ ? gatherer_->add(text) : output_.sink->write(text);
                  }),
        names_(output.names, paths_),
        max_tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        batch_tokens_(matcher.slots() == 0 ? 1 : std::max(1, max_tokens_ / (2 * matcher.slots()))),
        stream_(options.threads, max_tokens_, options.progress) {
    if (output.formatter == nullptr) return;
    gatherer_ = output.formatter->gatherer(output.spool_directory,
                                           [this](std::string_view text) { output_.sink->write(text); });
    if (!records_.missing()) {
      output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
  }

  bool stream_broken() const { return stream_.broken(); }

  ProductSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    const std::exception_ptr source_error =
        stream_.read([this] { return source_.next(); },
                     [this](RawBlock&& block) { stream_.put(*pack_, std::make_shared<RawBlock>(std::move(block))); },
                     [this] { return input_ended_.load(); });
    stream_.wait();
    stream_.guarded([this, &source_error] {
      batcher_.finish(!text_error_ && !source_error);
      send_batches();
    });
    stream_.wait();
    // As in the graph of `match`: no error counts behind the last product that was wanted.
    const std::exception_ptr input_error = text_error_ ? text_error_ : source_error;
    if (input_error && (!selector_.truncated() || records_.read_whole())) stream_.fail(input_error);
    stream_.rethrow();
    if (!selector_.truncated()) {
      batcher_.check_regions();
      if (!options_.circular_known) batcher_.check_circular();
    }
    records_.check(batcher_, true);
    if (output_.formatter != nullptr && records_.missing()) {
      output_.sink->write(output_.formatter->header(records_.list(batcher_)));
    }
    selector_.finish();
    if (gatherer_) gatherer_->finish();
    if (!selector_.truncated()) warn_of_regions(batcher_.warnings(), options_.warn);
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (const auto warning = warning_of(letters_[i], paths_[i])) options_.warn(*warning);
    }
    return {source_.sources(), batcher_.counts(), selector_.counts(), selector_.total(), selector_.truncated()};
  }

 private:
  using RawPtr = std::shared_ptr<RawBlock>;
  using PackedPtr = std::shared_ptr<PackedBlock>;
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using JoinedPtr = std::shared_ptr<Joined>;

  void build(flow::graph& g) {
    pack_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return pack_block(*raw); });
    block_order_.emplace(g, [](const PackedPtr& block) { return block->number; });
    join_.emplace(g, flow::serial, [this](const PackedPtr& block) { return join_block(*block); });
    match_.emplace(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) { match_batch(batch, gateway); });
    make_.emplace(g, flow::unlimited, [this](const JoinedPtr& joined) { return make_products(joined); });
    order_.emplace(g, [](const JoinedPtr& joined) { return joined->batch->number; });
    write_.emplace(g, flow::serial, [this](const JoinedPtr& joined) { return write_products(*joined); });
    flow::make_edge(*pack_, *block_order_);
    flow::make_edge(*block_order_, *join_);
    flow::make_edge(*match_, *make_);
    flow::make_edge(*make_, *order_);
    flow::make_edge(*order_, *write_);
  }

  PackedPtr pack_block(const RawBlock& raw) {
    auto packed = std::make_shared<PackedBlock>();
    stream_.guarded([&] { *packed = pack(raw, packer_options_); });
    return packed;
  }

  flow::continue_msg join_block(const PackedBlock& block) {
    stream_.guarded([&] {
      if (!text_error_) {
        try {
          batcher_.add(block);
          letters_[block.source].letters += block.positions;
          letters_[block.source].nucleotides += block.nucleotides;
          stream_.progress().bases += block.positions;
          records_.check(batcher_, false);
          if (batcher_.past_regions() && !records_.read_whole()) input_ended_ = true;
        } catch (const DataError&) {
          text_error_ = std::current_exception();
          input_ended_ = true;
        }
      }
      if (++kept_tokens_ > batch_tokens_) {
        stream_.release(kept_tokens_ - batch_tokens_);
        kept_tokens_ = batch_tokens_;
      }
      send_batches();
    });
    return {};
  }

  void send_batches() {
    if (emitted_.empty()) return;
    emitted_.back()->tokens = std::exchange(kept_tokens_, 0);
    for (std::unique_ptr<PackedBatch>& batch : emitted_) stream_.put(*match_, BatchPtr(std::move(batch)));
    emitted_.clear();
  }

  template <class Gateway>
  void match_batch(const BatchPtr& batch, Gateway& gateway) {
    if (enough_) return stream_.put(gateway, std::make_shared<Joined>(Joined{batch}));
    stream_.hand_out(gateway, [&](auto finish) {
      matcher_.submit(*batch, [batch, finish](MatchResult&& result, const std::exception_ptr& error) {
        finish(error, [&] { return std::make_shared<Joined>(Joined{batch, std::move(result)}); });
      });
    });
  }

  JoinedPtr make_products(const JoinedPtr& joined) {
    stream_.guarded([&] {
      const PackedBatch& batch = *joined->batch;
      joined->products.emplace(primers_, patterns_, batch, resolver_.resolve(batch, joined->result.occurrences));
      std::vector<Occurrence>().swap(joined->result.occurrences);
      joined->parts.emplace(*joined->products, output_.formatter);
    });
    return joined;
  }

  flow::continue_msg write_products(Joined& joined) {
    stream_.guarded([&] {
      for (ProductParts::Part& part : joined.parts->parts()) {
        while (!enough_) {
          check_names(*joined.batch, part.entries);
          selector_.add(part.entries, part.text.view());
          if (selector_.truncated()) enough_ = true;
          if (part.complete) break;
          joined.parts->fill(part);
        }
      }
    });
    if (enough_ && !records_.read_whole()) input_ended_ = true;
    stream_.progress().hits = static_cast<std::int64_t>(selector_.total());
    const int tokens = joined.batch->tokens;
    joined.parts.reset();
    joined.products.reset();
    if (tokens != 0) stream_.release(tokens);
    return {};
  }

  void check_names(const PackedBatch& batch, const std::vector<ProductEntry>& entries) {
    if (output_.names == NameRule::any) return;
    auto segment = batch.segments().begin();
    for (const ProductEntry& entry : entries) {
      while (segment->record != entry.record) ++segment;
      names_.check(segment->reference, batch.name(*segment), segment->source);
    }
  }

  const ProductPipelineOptions& options_;
  const PackerOptions packer_options_;
  const std::vector<std::string> paths_;
  std::vector<LetterCounts> letters_;  // of each path
  const PrimerSet& primers_;
  const PatternSet& patterns_;
  Matcher& matcher_;
  const ProductOutput& output_;
  BlockSource& source_;
  const std::uint32_t reach_;  // hits that start up to so far behind a batch's own positions are joined
  HeaderRecords records_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;  // complete, not yet sent to the matcher
  const Resolver resolver_;
  std::unique_ptr<ProductGatherer> gatherer_;  // before the output; null: not needed
  ProductSelector selector_;
  NameCheck names_;

  const int max_tokens_;
  const int batch_tokens_;                 // see Pipeline
  int kept_tokens_ = 0;                    // tokens of blocks in the batch that is being made
  std::atomic<bool> input_ended_ = false;  // read no more: there are products enough, or bad input
  std::atomic<bool> enough_ = false;       // there are products enough
  std::exception_ptr text_error_;          // the error in the text that the batcher met

  Stream stream_;
  std::optional<Node<RawPtr, PackedPtr>> pack_;
  std::optional<Order<PackedPtr>> block_order_;
  std::optional<Node<PackedPtr>> join_;
  std::optional<AsyncNode<BatchPtr, JoinedPtr>> match_;
  std::optional<Node<JoinedPtr, JoinedPtr>> make_;
  std::optional<Order<JoinedPtr>> order_;
  std::optional<Node<JoinedPtr>> write_;
};

}  // namespace

ProductSummary run_product_pipeline(const ProductPipelineOptions& options, BlockSource& source,
                                    const PrimerSet& primers, const PatternSet& patterns, Matcher& matcher,
                                    const ProductOutput& output) {
  return run_pipeline_of<ProductPipeline>(options, source, primers, patterns, matcher, output);
}

}  // namespace basesweep
