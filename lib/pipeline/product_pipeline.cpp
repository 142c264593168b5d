#include "lib/pipeline/product_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "lib/base/stream_names.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/pipeline/batch_feed.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/late_products.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/product_parts.hpp"
#include "lib/pipeline/row_output.hpp"
#include "lib/pipeline/stream.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/products/turned_primers.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/writer/block_spool.hpp"

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

PackerOptions packer_options(const ProductPipelineOptions& options) {
  PackerOptions packer = options.packer;
  packer.letters = true;
  return packer;
}

// The graph of `pcr` and what its nodes share.
class ProductPipeline {
 public:
  ProductPipeline(const ProductPipelineOptions& options, BlockSource& source, const PrimerSet& primers,
                  const PatternSet& patterns, Matcher& matcher, const RowTarget& output)
      : options_(options),
        paths_(input_names(source.paths())),
        primers_(primers),
        patterns_(patterns),
        matcher_(matcher),
        output_(output),
        source_(source),
        reach_(static_cast<std::uint32_t>(primers.max_size())),
        resolver_(patterns, Report::sites, options.packer.soft_masked, reach_),
        names_(output.names, paths_),
        stream_(options.threads, BatchFeed::tokens(options.threads, matcher.slots()), options.progress, options.alone),
        feed_(feed_options(), source, paths_, stream_,
              [this](BatchPtr batch) { stream_.put(*match_, std::move(batch)); }),
        selector_(options.select),
        encoder_(output.formatter != nullptr ? output.formatter->needs() : 0),
        rows_(output.formatter, output.sink, output.spool_directory) {
    if (options.find_turned && !primers.options().pool) turned_.emplace(primers, patterns);
    if (selector_.chooses() || feed_.records().missing()) spool_.emplace(output.spool_directory);
    if (!feed_.records().missing()) rows_.write_header(output.records.value_or(std::vector<RecordInfo>()));
  }

  bool broken() const { return stream_.broken(); }

  ProductSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    feed_.read();
    feed_.fail_for_errors(enough_);
    stream_.rethrow();
    feed_.check(enough_);
    if (feed_.records().missing()) rows_.write_header(feed_.listed_records());
    if (spool_) stream_.execute([this] { write_spooled(); });
    rows_.finish();
    feed_.warn(selector_.truncated());
    if (turned_ && !selector_.truncated()) warn_of_turned();
    return {{source_.sources(), feed_.counts(), selector_.total(), selector_.truncated()}, selector_.counts()};
  }

 private:
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using JoinedPtr = std::shared_ptr<Joined>;

  BatchFeed::Options feed_options() const {
    return {
        .packer = packer_options(options_),
        .batcher = batcher_options(
            options_, batch_options(patterns_, Report::sites, matcher_,
                                    {options_.batch_positions, options_.expected_bases, options_.threads}, 0, reach_)),
        .threads = options_.threads,
        .slots = matcher_.slots(),
        .max_hits = max_hits_of_batch(usual_hits(matcher_.slots())),
        .full_batches = BatchFeed::full_batches(options_.threads, matcher_.slots()),
        .lists_records = lists_records(output_),
        .records = output_.records,
        .circular_known = options_.circular_known,
        .warn = options_.warn};
  }

  void build(flow::graph& g) {
    feed_.build(g);
    match_.emplace(g, flow::unlimited, [this](const BatchPtr& batch, auto& gateway) { match_batch(batch, gateway); });
    make_.emplace(g, flow::unlimited, [this](const JoinedPtr& joined) {
      stream_.guarded([&] { make_products(joined); });
      return flow::continue_msg();
    });
    write_.emplace(g, flow::serial, [this](const JoinedPtr& joined) {
      stream_.guarded(
          [&] { order_.add(*joined->batch, joined, [this](const JoinedPtr& next) { write_products(*next); }); });
      return flow::continue_msg();
    });
    flow::make_edge(*match_, *make_);
  }

  template <class Gateway>
  void match_batch(const BatchPtr& batch, Gateway& gateway) {
    feed_.fill(*batch);
    if (enough_) return stream_.put(gateway, std::make_shared<Joined>(Joined{batch}));
    bool cut = false;
    stream_.guarded([&] { cut = feed_.cut_at_once(*batch); });
    if (cut) return;
    stream_.hand_out(gateway, [&](auto finish) {
      matcher_.submit(*batch, [batch, finish](MatchResult&& result, const std::exception_ptr& error) {
        finish(error, [&] { return std::make_shared<Joined>(Joined{batch, std::move(result)}); });
      });
    });
  }

  // Cuts the batch if it has too many occurrences or hits.
  void make_products(const JoinedPtr& joined) {
    PackedBatch& batch = *joined->batch;
    if (enough_) return stream_.put(*write_, joined);
    if (joined->result.too_many) return feed_.cut(batch, feed_.usual_part());
    const std::uint64_t occurrences = joined->result.occurrences.size();
    const std::uint64_t max_hits =
        BatchFeed::may_be_cut(batch, feed_.usual_part()) ? feed_.max_hits() : std::numeric_limits<std::uint64_t>::max();
    std::optional<std::vector<Hit>> hits = resolver_.resolve(batch, joined->result.occurrences, max_hits);
    std::vector<Occurrence>().swap(joined->result.occurrences);
    if (!hits) return feed_.cut(batch, feed_.usual_part());
    if (turned_) turned_->see(batch, *hits);
    feed_.found(batch, occurrences, hits->size());
    joined->products.emplace(primers_, patterns_, batch, std::move(*hits));
    joined->parts.emplace(*joined->products, spool_ ? &encoder_ : output_.formatter, &selector_);
    stream_.put(*write_, joined);
  }

  void write_products(Joined& joined) {
    if (joined.parts) select_products(joined);
    if (enough_) feed_.stop();
    stream_.progress().hits = static_cast<std::int64_t>(spool_ ? spooled_ : selector_.total());
    joined.parts.reset();
    joined.products.reset();
    feed_.written(*joined.batch);
  }

  void select_products(Joined& joined) {
    for (ProductParts::FormattedProducts& part : joined.parts->parts()) {
      while (!enough_) {
        spool_ ? spool(part) : write(joined, part);
        if (part.complete) break;
        joined.parts->fill(part);
      }
    }
  }

  // Without a choice, no more products wait than are written.
  void spool(const ProductParts::FormattedProducts& part) {
    if (!part.made.empty()) spool_->add(packed_rows(part.text.view()));
    spooled_ += part.made.size();
    if (!selector_.chooses() && options_.select.max_products && spooled_ > *options_.select.max_products)
      enough_ = true;
  }

  void write(const Joined& joined, ProductParts::FormattedProducts& part) {
    std::size_t kept = 0;
    for (const auto& [product, segment] : part.made) {
      if (!selector_.keep(product.join, segment->source)) {
        enough_ = true;
        break;
      }
      names_.check(segment->reference, joined.batch->name(*segment), segment->source);
      ++kept;
    }
    if (output_.formatter == nullptr) return;
    const bool whole = kept == part.made.size() || (kept != 0 && output_.formatter->makes_blocks());
    if (!whole) joined.parts->keep_first(part, kept);
    rows_.write(part.text.view());
  }

  void write_spooled() {
    const NextProducts next = [this]() -> std::optional<StoredRows<PlacedProduct>> {
      auto block = std::make_shared<CompressedBlock>();
      if (!spool_->next(*block)) return std::nullopt;
      return StoredRows<PlacedProduct>{[this, block] { return spool_->decode<PlacedProduct>(*block); }};
    };
    if (options_.select.report == ProductReport::best_per_record) {  // the best of all were found when they were sifted
      see_late_products(next, options_.threads, selector_);
      spool_->rewind();
    }
    write_late_products(next, options_.threads, selector_, names_, output_.formatter, rows_);
  }

  void warn_of_turned() const {
    const auto& counts = selector_.counts();
    const auto has_products = [&](std::uint32_t pair) {
      Join join{};
      join.first = join.second = pair;
      return std::any_of(counts.begin(), counts.end(),
                         [key = pair_of(join)](const auto& of_source) { return of_source.contains(key); });
    };
    for (const std::string& warning : turned_->warnings(has_products)) options_.warn(warning);
  }

  const ProductPipelineOptions& options_;
  const std::vector<std::string> paths_;
  const PrimerSet& primers_;
  const PatternSet& patterns_;
  Matcher& matcher_;
  const RowTarget& output_;
  BlockSource& source_;
  const std::uint32_t reach_;  // hits that start at most this far past a batch's own positions are joined
  const Resolver resolver_;
  NameCheck names_;
  std::atomic<bool> enough_ = false;  // there are products enough

  Stream stream_;
  BatchFeed feed_;
  ProductSelector selector_;
  // These keep products that can only be written when all input has been read, and are formatted then.
  const PartRows<PlacedProduct> encoder_;
  std::optional<BlockSpool> spool_;
  std::uint64_t spooled_ = 0;
  RowOutput rows_;
  std::optional<TurnedPrimers> turned_;
  std::optional<AsyncNode<BatchPtr, JoinedPtr>> match_;
  std::optional<Node<JoinedPtr>> make_;
  std::optional<Node<JoinedPtr>> write_;
  InBatchOrder<JoinedPtr> order_;
};

}  // namespace

ProductSummary run_product_pipeline(const ProductPipelineOptions& options, BlockSource& source,
                                    const PrimerSet& primers, const PatternSet& patterns, Matcher& matcher,
                                    const RowTarget& output) {
  return run_pipeline_of<ProductPipeline>(options, source, primers, patterns, matcher, output);
}

}  // namespace basesweep
