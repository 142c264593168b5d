#include "lib/pipeline/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batch_hits.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/best_per_record.hpp"
#include "lib/pipeline/header_records.hpp"
#include "lib/pipeline/hit_printer.hpp"
#include "lib/pipeline/hit_text.hpp"
#include "lib/pipeline/late_output.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/record_split.hpp"
#include "lib/pipeline/stream.hpp"

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

BatcherOptions batcher_options(const PipelineOptions& options, const PipelineOutput& output, BatchOptions batch,
                               bool keep_records) {
  BatcherOptions batcher;
  batcher.batch = batch;
  batcher.regions = options.regions;
  batcher.first_record = options.first_record;
  batcher.keep_records = keep_records;
  batcher.circular = options.circular;
  batcher.see_record = output.see_record;
  return batcher;
}

std::uint32_t flank_of(const PipelineOutput& output) {
  return output.formatter != nullptr ? output.formatter->flank() : 0;
}

// Whether the output's header lists the records: because it must, or because they are known.
bool lists_records(const PipelineOutput& output) {
  if (output.formatter == nullptr) return false;
  return output.formatter->needs_records() || (output.formatter->lists_records() && output.records);
}

PackerOptions packer_options(const PipelineOptions& options, const PatternSet& patterns, std::uint32_t flank) {
  PackerOptions packer = options.packer;
  packer.letters = patterns.approximate() || flank != 0;
  return packer;
}

// The graph of `motif` and `match` and what its nodes share. A block holds its token until it is packed and joined, or,
// if it completes a batch, until that batch is written.
class Pipeline {
 public:
  Pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns, Matcher& matcher,
           const PipelineOutput& output)
      : options_(options),
        packer_options_(packer_options(options, patterns, flank_of(output))),
        paths_(input_names(source.paths())),
        letters_(paths_.size()),
        matcher_(matcher),
        output_(output),
        source_(source),
        records_(lists_records(output), output.records, options.regions != nullptr, paths_, options.warn),
        batcher_(
            batcher_options(
                options, output,
                batch_options(patterns, options.report, matcher,
                              {options.batch_positions, options.expected_bases, options.threads, options.occurrences},
                              flank_of(output)),
                records_.read_whole()),
            paths_, [this](std::unique_ptr<PackedBatch> batch) { emitted_.push_back(std::move(batch)); },
            [this](const PackedBlock& block, const std::string& name) { records_.see(block, name); }),
        hits_(patterns, options.report, options.packer.soft_masked),
        selector_(patterns, select_options()),
        names_(output.names, paths_),
        max_tokens_(2 * options.threads + 2 * matcher.slots() + 4),
        batch_tokens_(matcher.slots() == 0 ? 1 : std::max(1, max_tokens_ / (2 * matcher.slots()))),
        stream_(options.threads, max_tokens_, options.progress) {
    if (output.matching_records != nullptr || output.other_records != nullptr) {
      split_.emplace(RecordSplitOptions{output.matching_records, output.other_records, output.spool_directory});
    }
    const bool splits = options.circular.any() && output.formatter != nullptr && output.formatter->splits_at_origin();
    if (options.select.best || records_.missing() || splits) {
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

  bool stream_broken() const { return stream_.broken(); }

  RunSummary run() {
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
    // An error in the text comes before one of the source, which lies after all that was read. Neither counts if there
    // were hits enough before it and the input need not be read whole: then it is chance whether it is met at all.
    const std::exception_ptr input_error = text_error_ ? text_error_ : source_error;
    if (input_error && (!selector_.truncated() || records_.read_whole())) stream_.fail(input_error);
    if (best_per_record_) {
      stream_.guarded([this] { stream_.execute([this] { write_earlier(best_per_record_->finish()); }); });
    }
    stream_.rethrow();
    if (!selector_.truncated()) {
      batcher_.check_regions();
      if (!options_.circular_known) batcher_.check_circular();
    }
    records_.check(batcher_, true);
    if (late_output_) stream_.execute([this] { late_output_->print(records_.list(batcher_), names_); });
    if (split_) split_->finish();
    if (!selector_.truncated()) warn_of_regions(batcher_.warnings(), options_.warn);
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (const auto warning = warning_of(letters_[i], paths_[i])) options_.warn(*warning);
    }
    return {source_.sources(), batcher_.counts(),     selector_.counts(),
            selector_.total(), selector_.truncated(), selector_.fine_counts()};
  }

 private:
  using RawPtr = std::shared_ptr<RawBlock>;
  using PackedPtr = std::shared_ptr<PackedBlock>;
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using MatchedPtr = std::shared_ptr<Matched>;
  using FormattedPtr = std::shared_ptr<Formatted>;

  SelectOptions select_options() {
    SelectOptions select = options_.select;
    if (output_.matching_records != nullptr || output_.other_records != nullptr) {
      // With `best`, hits are selected from a spool, which has other numbers.
      select.mark = [this](std::int64_t record) {
        split_->mark(options_.select.best ? record_numbers_.of(record) : record);
      };
    }
    return select;
  }

  void build(flow::graph& g) {
    pack_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return pack_block(raw); });
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

  PackedPtr pack_block(const RawPtr& raw) {
    auto packed = std::make_shared<PackedBlock>();
    stream_.guarded([&] { *packed = pack(*raw, packer_options_); });
    if (split_) packed->text = raw;
    return packed;
  }

  // Joins the block to the batch that is being made. An error in the text ends the input here, in input order; the text
  // before it is still searched. The tokens of blocks are kept for the batch that they fill, at most batch_tokens_.
  flow::continue_msg join_block(const PackedBlock& block) {
    stream_.guarded([&] {
      if (!text_error_) {
        try {
          if (split_ && !block.error) split_->add(block);
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

  // Sends the batches that are complete to the matcher. The last one takes the kept tokens along.
  void send_batches() {
    if (emitted_.empty()) return;
    emitted_.back()->tokens = std::exchange(kept_tokens_, 0);
    for (std::unique_ptr<PackedBatch>& batch : emitted_) stream_.put(*match_, BatchPtr(std::move(batch)));
    emitted_.clear();
  }

  template <class Gateway>
  void match_batch(const BatchPtr& batch, Gateway& gateway) {
    if (searched_enough_) {
      stream_.put(gateway, std::make_shared<Matched>(Matched{batch, {}, {}, {}}));
      return;
    }
    stream_.hand_out(gateway, [&](auto finish) {
      matcher_.submit(*batch, [batch, finish](MatchResult&& result, const std::exception_ptr& error) {
        finish(error, [&] { return std::make_shared<Matched>(Matched{batch, std::move(result), {}, {}}); });
      });
    });
  }

  MatchedPtr resolve(const MatchedPtr& matched) {
    stream_.guarded([&] {
      matched->hits = hits_.resolve(*matched->batch, matched->result.occurrences);
      std::vector<Occurrence>().swap(matched->result.occurrences);
    });
    return matched;
  }

  MatchedPtr select_hits(const MatchedPtr& matched) {
    stream_.guarded([&] {
      selector_.add_counts(matched->result.counts);
      if (best_per_record_) {
        matched->decided = best_per_record_->select(*matched->batch, matched->hits);
      } else {
        selector_.select(*matched->batch, matched->hits);
      }
      if (!late_output_) names_.check(*matched->batch, matched->hits);
      if (split_) decide_records(*matched->batch);
    });
    if (selector_.truncated()) (records_.read_whole() ? searched_enough_ : input_ended_) = true;
    stream_.progress().hits = static_cast<std::int64_t>(selector_.total());
    return matched;
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

  flow::continue_msg write_text(Formatted& formatted) {
    stream_.guarded([&] {
      const Matched& matched = *formatted.matched;
      write_earlier(matched.decided.earlier);
      if (late_output_) return late_output_->add(*matched.batch, matched.hits, matched.decided.standings);
      if (output_.formatter == nullptr) return;
      while (true) {
        for (const Text& part : formatted.text.parts()) output_.sink->write(part.view());
        if (formatted.text.printed_all(formatted.matched->hits)) return;
        print_next(formatted);
      }
    });
    const int tokens = formatted.matched->batch->tokens;
    if (tokens != 0) stream_.release(tokens);
    return {};
  }

  const PipelineOptions& options_;
  const PackerOptions packer_options_;
  const std::vector<std::string> paths_;
  std::vector<LetterCounts> letters_;  // of each path
  Matcher& matcher_;
  const PipelineOutput& output_;
  BlockSource& source_;
  HeaderRecords records_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;  // complete, not yet sent to the matcher
  const BatchHits hits_;
  HitSelector selector_;
  NameCheck names_;
  std::optional<BestPerRecord> best_per_record_;
  std::optional<RecordSplit> split_;       // when records are written out
  RecordNumbers record_numbers_;           // then, with `best`
  std::optional<LateOutput> late_output_;  // takes the hits when none can be printed before the end

  const int max_tokens_;
  // Tokens that a batch may hold: more for the large batches of a GPU, so that there are two batches for each slot.
  const int batch_tokens_;
  int kept_tokens_ = 0;                        // tokens of blocks in the batch that is being made
  std::atomic<bool> input_ended_ = false;      // read no more: there are hits enough, or bad input
  std::atomic<bool> searched_enough_ = false;  // there are hits enough, but the header lists all records: only read on
  std::exception_ptr text_error_;              // the error in the text that the batcher met

  Stream stream_;
  std::optional<Node<RawPtr, PackedPtr>> pack_;
  std::optional<Order<PackedPtr>> block_order_;
  std::optional<Node<PackedPtr>> join_;
  std::optional<AsyncNode<BatchPtr, MatchedPtr>> match_;
  std::optional<Node<MatchedPtr, MatchedPtr>> resolve_;
  std::optional<Order<MatchedPtr>> match_order_;
  std::optional<Node<MatchedPtr, MatchedPtr>> select_;
  std::optional<Node<MatchedPtr, FormattedPtr>> format_;
  std::optional<Order<FormattedPtr>> text_order_;
  std::optional<Node<FormattedPtr>> write_;
};

}  // namespace

RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output) {
  return run_pipeline_of<Pipeline>(options, source, patterns, matcher, output);
}

}  // namespace basesweep
