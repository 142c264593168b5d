#include "lib/pipeline/batch_feed.hpp"

#include <algorithm>
#include <string_view>
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
          [this](const PackedBlock& block, std::string_view name) { records_.see(block, name); }),
      queue_(options_.max_hits, options_.full_batches),
      batch_tokens_(
          options_.slots == 0 ? 1 : std::max(1, tokens(options_.threads, options_.slots) / (2 * options_.slots))) {}

void BatchFeed::build(tbb::flow::graph& graph) {
  namespace flow = tbb::flow;
  pack_.emplace(graph, flow::unlimited, [this](const RawPtr& raw) {
    stream_.guarded([&] { join_in_order(pack_block(raw)); });
    return flow::continue_msg();
  });
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

BatchFeed::PackedPtr BatchFeed::pack_block(const RawPtr& raw) const {
  auto packed = std::make_shared<PackedBlock>(pack(*raw, options_.packer));
  if (options_.see_block) packed->text = raw;
  return packed;
}

// Joins the blocks whose turn has come. One thread joins them all, also those that other threads pack meanwhile: a
// graph node would move the batch from thread to thread, and its cache lines would be lost.
void BatchFeed::join_in_order(PackedPtr block) {
  std::unique_lock lock(join_mutex_);
  packed_.emplace(block->number, std::move(block));
  if (std::exchange(joining_, true)) return;
  for (auto next = packed_.begin(); next != packed_.end() && next->first == next_block_; next = packed_.begin()) {
    const PackedPtr ready = std::move(next->second);
    packed_.erase(next);
    ++next_block_;
    lock.unlock();
    join_block(ready);
    lock.lock();
  }
  joining_ = false;
}

// Joins the block to the batch that is being made. An error in the text ends the input here, in input order; the text
// before it is still searched. The tokens of blocks are kept for the batch that they fill, at most batch_tokens_.
void BatchFeed::join_block(const PackedPtr& block) {
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
}

void BatchFeed::add(const PackedPtr& block) {
  if (options_.see_block && !block->error) options_.see_block(*block);
  block->text.reset();  // batches hold the block, and need no text
  batcher_.add(block);
  const auto add_letters = [this](const FileLetters& file) {
    letters_[file.source].letters += file.positions;
    letters_[file.source].nucleotides += file.nucleotides;
  };
  if (block->has_pairs()) {
    std::for_each(block->files.begin(), block->files.end(), add_letters);
  } else {
    add_letters({block->source, block->positions, block->nucleotides});
  }
  stream_.progress().bases += block->positions;
  records_.check(batcher_, false);
  if (batcher_.past_regions()) stop();
}

// Sends the batches that are complete. The last one takes the kept tokens along.
void BatchFeed::send_batches() {
  if (emitted_.empty()) return;
  emitted_.back()->tokens = std::exchange(kept_tokens_, 0);
  for (std::unique_ptr<PackedBatch>& batch : emitted_) queue_.add(std::move(batch));
  emitted_.clear();
  send_waiting();
}

// Sends the batches that there is room for.
void BatchFeed::send_waiting() {
  while (std::shared_ptr<PackedBatch> batch = queue_.take()) send_(std::move(batch));
}

void BatchFeed::fill(PackedBatch& batch) const {
  batch.fill();
  if (may_be_cut(batch, usual_part())) batch.max_occurrences = queue_.max_hits();
}

// Positions that a batch owns.
std::uint32_t BatchFeed::own_positions(const PackedBatch& batch) {
  const PackedView view = batch.view();
  return view.own_end - view.own_begin;
}

std::uint32_t BatchFeed::usual_part() const {
  const BatchOptions& options = options_.batcher.batch;
  return options.approximate ? std::max(options.halo_left + options.halo_right, 1U) : 1;
}

bool BatchFeed::may_be_cut(const PackedBatch& batch, std::uint32_t min_part) {
  return own_positions(batch) >= std::uint64_t{2} * min_part;
}

bool BatchFeed::cut_at_once(PackedBatch& batch) {
  const bool too_many = density_ * own_positions(batch) > static_cast<double>(queue_.max_hits());
  if (!too_many || !may_be_cut(batch, usual_part())) return false;
  cut(batch, usual_part());
  return true;
}

// Parts that are expected to have half of the hits that they may have; at least some.
void BatchFeed::cut(PackedBatch& batch, std::uint32_t min_part) {
  constexpr double kMinParts = 8;
  const BatchOptions& options = options_.batcher.batch;
  const std::uint32_t own_end = batch.view().own_end;
  std::uint32_t begin = batch.view().own_begin;
  const double own = own_end - begin;
  const double parts = std::max(kMinParts, 2 * density_ * own / static_cast<double>(queue_.max_hits()));
  const std::uint32_t positions = std::max(static_cast<std::uint32_t>(own / parts), min_part);
  while (begin != own_end) {
    // A rest that is too small for a part of its own is added to the part before it.
    const bool last = own_end - begin < positions + min_part;
    const std::uint32_t end = last ? own_end : begin + positions;
    std::unique_ptr<PackedBatch> part = batch.part({begin, end}, options.halo_left, options.halo_right);
    if (last) part->tokens = batch.tokens;
    queue_.add(std::move(part));
    begin = end;
  }
  queue_.set_room(batch, 0);
  send_waiting();
}

void BatchFeed::found(PackedBatch& batch, std::uint64_t occurrences, std::uint64_t hits) {
  // The estimate rises at once and falls slowly: dense text may end soon, or go on.
  const double density = static_cast<double>(std::max(occurrences, hits)) / std::max(own_positions(batch), 1U);
  density_ = density > density_ ? density : density_ + (density - density_) / 4;
  queue_.set_room(batch, hits);
  send_waiting();
}

void BatchFeed::written(PackedBatch& batch) {
  queue_.finish(batch);
  if (batch.tokens != 0) stream_.release(batch.tokens);
  send_waiting();
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
