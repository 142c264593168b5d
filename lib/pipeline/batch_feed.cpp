#include "lib/pipeline/batch_feed.hpp"

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

BatcherOptions with_records(BatcherOptions options, bool keep_records) {
  options.keep_records = keep_records;
  return options;
}

}  // namespace

BatchFeed::BatchFeed(Options options, BlockSource& source, const std::vector<std::string>& paths, Stream& stream,
                     std::function<void(std::shared_ptr<PackedBatch>)> send)
    : options_(std::move(options)),
      source_(source),
      paths_(paths),
      stream_(stream),
      send_(std::move(send)),
      letters_(paths.size()),
      records_(options_.lists_records, options_.records, options_.batcher.regions != nullptr, paths, options_.warn),
      batcher_(
          with_records(options_.batcher, records_.read_whole()), paths,
          [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
          [this](const PackedBlock& block, const std::string& name) { records_.see(block, name); }),
      batch_tokens_(
          options_.slots == 0 ? 1 : std::max(1, tokens(options_.threads, options_.slots) / (2 * options_.slots))) {}

void BatchFeed::build(tbb::flow::graph& graph) {
  namespace flow = tbb::flow;
  pack_.emplace(graph, flow::unlimited, [this](const RawPtr& raw) { return pack_block(raw); });
  block_order_.emplace(graph, [](const PackedPtr& block) { return block->number; });
  join_.emplace(graph, flow::serial, [this](const PackedPtr& block) { return join_block(*block); });
  flow::make_edge(*pack_, *block_order_);
  flow::make_edge(*block_order_, *join_);
}

void BatchFeed::read() {
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
  error_ = text_error_ ? text_error_ : source_error;
}

BatchFeed::PackedPtr BatchFeed::pack_block(const RawPtr& raw) {
  auto packed = std::make_shared<PackedBlock>();
  stream_.guarded([&] { *packed = pack(*raw, options_.packer); });
  if (options_.see_block) packed->text = raw;
  return packed;
}

// Joins the block to the batch that is being made. An error in the text ends the input here, in input order; the text
// before it is still searched. The tokens of blocks are kept for the batch that they fill, at most batch_tokens_.
tbb::flow::continue_msg BatchFeed::join_block(const PackedBlock& block) {
  stream_.guarded([&] {
    if (!text_error_) {
      try {
        add(block);
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

void BatchFeed::add(const PackedBlock& block) {
  if (options_.see_block && !block.error) options_.see_block(block);
  batcher_.add(block);
  letters_[block.source].letters += block.positions;
  letters_[block.source].nucleotides += block.nucleotides;
  stream_.progress().bases += block.positions;
  records_.check(batcher_, false);
  if (batcher_.past_regions()) stop();
}

// Sends the batches that are complete. The last one takes the kept tokens along.
void BatchFeed::send_batches() {
  if (emitted_.empty()) return;
  emitted_.back()->tokens = std::exchange(kept_tokens_, 0);
  for (std::unique_ptr<PackedBatch>& batch : emitted_) send_(std::move(batch));
  emitted_.clear();
}

void BatchFeed::fail_for_errors(bool enough) {
  if (error_ && (!enough || records_.read_whole())) stream_.fail(error_);
}

void BatchFeed::check(bool enough) {
  if (!enough) {
    batcher_.check_regions();
    if (!options_.circular_known) batcher_.check_circular();
  }
  records_.check(batcher_, true);
}

void BatchFeed::warn(bool enough) const {
  if (!enough) warn_of_regions(batcher_.warnings(), options_.warn);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (const auto warning = warning_of(letters_[i], paths_[i])) options_.warn(*warning);
  }
}

}  // namespace basesweep
