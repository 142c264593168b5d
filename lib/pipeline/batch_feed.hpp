// The first half of the graphs of `motif`, `match`, `pwm`, `pcr` and `guides`: text is read, packed and joined to
// batches.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/batch_queue.hpp"
#include "lib/pipeline/header_records.hpp"
#include "lib/pipeline/stream.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// Makes the options of a Batcher from those of a pipeline and of its batches.
inline BatcherOptions batcher_options(const TextOptions& options, const BatchOptions& batch) {
  BatcherOptions batcher;
  batcher.batch = batch;
  batcher.regions = options.regions;
  batcher.first_record = options.first_record;
  batcher.circular = options.circular;
  batcher.record_ended = options.record_ended;
  batcher.count_soft_masked = options.packer.count_soft_masked;
  return batcher;
}

// Whether the header of an output lists the records: because it must, or because they are known.
inline bool lists_records(const RowTarget& output) {
  if (output.formatter == nullptr) return false;
  return output.formatter->needs_records() || (output.formatter->lists_records() && output.records);
}

// Reads the input and gives batches to the rest of a graph. A block holds its token until it is packed and joined, or,
// if it completes a batch, until that is written.
//
// The rest of the graph calls fill() for each batch, searches it unless cut_at_once(), and says what became of it:
// cut(), if it has too many hits and may_be_cut(); else found() once the hits are known, and written(), in the order of
// the batches, when they are gone.
class BatchFeed {
 public:
  struct Options {
    PackerOptions packer;
    BatcherOptions batcher;                          // the feed sets `keep_records` itself
    int threads;                                     // of the stream
    int slots;                                       // of the matcher
    std::uint64_t max_hits;                          // that a batch should have, see BatchQueue
    int full_batches;                                // that may have so many at once
    bool lists_records;                              // see HeaderRecords
    std::optional<std::vector<RecordInfo>> records;  // with bases, if known beforehand
    bool circular_known;                             // named circular records are in the input
    std::function<void(const std::string&)> warn;
    // Gets each block without an error, in order, with its text, before it is joined. May be empty.
    std::function<void(const PackedBlock&)> see_block{};
  };
  // `paths`: of the inputs, as messages name them. `send` gets each batch, by any thread, perhaps in parts, and not
  // always in order. All but the options must outlive the feed, and it must be destroyed before the stream.
  BatchFeed(Options options, BlockSource& source, const std::vector<std::string>& paths, Stream& stream,
            std::function<void(std::shared_ptr<PackedBatch>)> send);

  // The tokens that the stream has.
  static int tokens(int threads, int slots) { return 2 * threads + 2 * slots + 4; }
  // How many batches may have as many hits as a batch should have, where each thread searches one.
  static int full_batches(int threads, int slots) { return threads + 2 * slots + 4; }

  // Makes the nodes, as Stream::build() wants it.
  void build(tbb::flow::graph& graph);
  // Reads the input to its end, or until stop(), and waits until the graph has done all.
  void read();
  // Reads no more, unless the header needs the rest. Any thread may call it.
  void stop() {
    if (!records_.read_whole()) input_ended_ = true;
  }

  // The most hits that a batch should have.
  std::uint64_t max_hits() const { return queue_.max_hits(); }
  // Fills a batch, and sets how many occurrences it may have.
  void fill(PackedBatch& batch) const;
  // Cuts a filled batch that has too many hits, if those before it tell. Returns whether it did.
  bool cut_at_once(PackedBatch& batch);
  // The least positions of a part of a batch. In an approximate search it is not smaller than its halos, which are
  // searched again for each part.
  std::uint32_t usual_part() const;
  // Whether the batch has positions enough to be cut into parts of `min_part` or more.
  static bool may_be_cut(const PackedBatch& batch, std::uint32_t min_part);
  // Cuts a batch and sends its parts instead.
  void cut(PackedBatch& batch, std::uint32_t min_part);
  // A batch is not cut; this is what was found in it.
  void found(PackedBatch& batch, std::uint64_t occurrences, std::uint64_t hits);
  // The hits of a batch are gone.
  void written(PackedBatch& batch);

  // After read(); `enough`: there were hits enough before the end.
  //
  // Fails the stream for an error in the input. One in the text comes before one of the source, which lies after all
  // that was read. Neither counts if there were hits enough and the input need not be read whole: then it is chance
  // whether it is met at all.
  void fail_for_errors(bool enough);
  // Throws where regions, circular records or known records are not in the input.
  void check(bool enough);
  // Warns of regions that were cut, and of text that is hardly sequence.
  void warn(bool enough) const;

  const HeaderRecords& records() const { return records_; }
  // The records with bases; after read() where they were not known.
  std::vector<RecordInfo> listed_records() const { return records_.list(batcher_); }
  const std::vector<SourceCounts>& counts() const { return batcher_.counts(); }

 private:
  using RawPtr = std::shared_ptr<RawBlock>;
  using PackedPtr = std::shared_ptr<PackedBlock>;

  PackedPtr pack_block(const RawPtr& raw) const;
  void join_in_order(PackedPtr block);
  void join_block(const PackedPtr& block);
  void add(const PackedPtr& block);
  void send_batches();
  void send_waiting();
  static std::uint32_t own_positions(const PackedBatch& batch);

  const Options options_;
  BlockSource& source_;
  const std::vector<std::string>& paths_;
  Stream& stream_;
  const std::function<void(std::shared_ptr<PackedBatch>)> send_;
  std::vector<LetterCounts> letters_;  // of each path
  HeaderRecords records_;
  Batcher batcher_;
  std::vector<std::unique_ptr<PackedBatch>> emitted_;  // complete, not yet in the queue
  BatchQueue queue_;
  std::atomic<double> density_ = 0;  // hits, or occurrences, at a position of the batches so far
  // Tokens that a batch may hold: more for the large batches of a GPU, so that there are two batches for each slot.
  const int batch_tokens_;
  int kept_tokens_ = 0;                    // tokens of blocks in the batch that is being made
  std::atomic<bool> input_ended_ = false;  // read no more: there are hits enough, or bad input
  std::exception_ptr text_error_;          // the error in the text that the batcher met
  std::exception_ptr error_;               // of the input, after read()

  std::mutex join_mutex_;
  std::map<std::uint64_t, PackedPtr> packed_;  // blocks that wait for those before them, by number
  std::uint64_t next_block_ = 0;               // to be joined
  bool joining_ = false;                       // a thread joins blocks

  std::optional<Node<RawPtr>> pack_;
};

}  // namespace basesweep
