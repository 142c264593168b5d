#include "lib/pipeline/read_pipeline.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/pipeline/read_parts.hpp"
#include "lib/pipeline/stream.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// The text of the reads of a list that go to one sink: that of `mate` of destination `file`.
struct SinkText {
  ByteSink* sink;
  std::uint32_t file;
  std::uint32_t mate;
  Text text;
};

// A list of reads on its way through the graph.
struct Processed {
  std::uint64_t number = 0;
  std::vector<SinkText> texts;
  std::string rows;
  std::vector<CompressedBlock> blocks;  // of a chunk: texts and rows
  std::unique_ptr<ReadCounts> counts;
  std::uint64_t reads = 0;
  std::uint64_t bases = 0;
  std::exception_ptr error;  // comes after these reads
};

// Gives each sink of a list its text. Most runs have few files, some have thousands, of which a list reaches few.
class SinkTexts {
 public:
  // The text of sink `mate` of destination `file`, of `files`.
  Text& at(std::size_t files, std::uint32_t file, std::uint32_t mate, ByteSink* sink, std::vector<SinkText>& texts) {
    if (places_.size() < 2 * files) places_.resize(2 * files, 0);
    std::uint32_t& place = places_[2 * std::size_t{file} + mate];
    if (place == 0) {
      texts.push_back({sink, file, mate, Text()});
      place = static_cast<std::uint32_t>(texts.size());
      used_.push_back(2 * std::size_t{file} + mate);
    }
    return texts[place - 1].text;
  }
  void reset() {
    for (const std::size_t used : used_) places_[used] = 0;
    used_.clear();
  }

 private:
  std::vector<std::uint32_t> places_;  // 1 + index in the texts of the list; 0: none yet
  std::vector<std::size_t> used_;
};

class ReadPipeline {
 public:
  ReadPipeline(const ReadRunOptions& options, RawReadSource& source, ReadProcessor& processor,
               const ReadTargets& targets)
      : options_(options),
        source_(source),
        processor_(processor),
        targets_(targets),
        writer_(options.format, options.title_tags),
        stream_(options.threads, 2 * options.threads + 4, options.progress) {}

  bool broken() const { return stream_.broken(); }

  ReadSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    const std::exception_ptr source_error =
        stream_.read([this] { return source_.next(); },
                     [this](RawReads&& raw) { stream_.put(*process_, std::make_shared<RawReads>(std::move(raw))); },
                     [] { return false; });
    stream_.wait();
    if (source_error) stream_.fail(source_error);
    stream_.rethrow();
    summary_.left_out_tags = writer_.left_out_tags();
    return summary_;
  }

 private:
  using RawPtr = std::shared_ptr<RawReads>;
  using ProcessedPtr = std::shared_ptr<Processed>;

  void build(flow::graph& g) {
    process_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return process(*raw); });
    order_.emplace(g, [](const ProcessedPtr& processed) { return processed->number; });
    write_.emplace(g, flow::serial, [this](const ProcessedPtr& processed) { return write(*processed); });
    flow::make_edge(*process_, *order_);
    flow::make_edge(*order_, *write_);
  }

  ProcessedPtr process(RawReads& raw) {
    auto processed = std::make_shared<Processed>();
    processed->number = raw.number;
    stream_.guarded([&] {
      const ReadList list = list_reads(std::move(raw), options_.paired);
      ProcessedReads results = processor_.process(list);
      processed->reads = list.reads.size();
      processed->bases = list.bases;
      processed->error = list.error;
      processed->rows = std::move(results.rows);
      processed->counts = std::move(results.counts);
      format(list, results.written, processed->texts);
      if (targets_.part != nullptr) pack(*processed);
    });
    return processed;
  }

  void pack(Processed& processed) const {
    ReadPieces pieces;
    for (const SinkText& one : processed.texts) pieces.add(one.file, one.mate, one.text.view());
    if (targets_.rows != nullptr) pieces.add(ReadPiece::kTable, 0, processed.rows);
    processed.blocks = pieces.take();
    processed.texts.clear();
    processed.rows.clear();
  }

  void format(const ReadList& list, const std::vector<WrittenRead>& written, std::vector<SinkText>& texts) const {
    auto& by_sink = per_thread<SinkTexts>();
    by_sink.reset();
    for (std::size_t i = 0; i < written.size(); ++i) {
      const std::size_t second = list.paired ? i % 2 : 0;
      const std::size_t number = list.paired && written[i].exchanged ? i ^ 1U : i;  // of the read that comes here
      const WrittenRead& read = written[number];
      if (read.file == WrittenRead::kNowhere) continue;
      const std::array<ByteSink*, 2>& sinks = targets_.files[read.file];
      if (sinks[second] == nullptr) continue;
      const std::uint32_t place = sinks[0] == sinks[1] ? 0 : static_cast<std::uint32_t>(second);
      Text& text = by_sink.at(targets_.files.size(), read.file, place, sinks[second], texts);
      const bool single = !list.paired || read.alone;
      writer_.append(list, list.reads[number], read, single ? 0 : static_cast<int>(second) + 1, text);
    }
  }

  flow::continue_msg write(Processed& processed) {
    stream_.guarded([&] {
      for (const SinkText& one : processed.texts) one.sink->write(one.text.view());
      if (targets_.rows != nullptr && !processed.rows.empty()) targets_.rows->write(processed.rows);
      for (const CompressedBlock& block : processed.blocks) targets_.part->add_rows(block);
      if (processed.counts) processor_.take(*processed.counts);
      summary_.reads += processed.reads;
      summary_.bases += processed.bases;
      stream_.progress().bases = static_cast<std::int64_t>(summary_.bases);
      stream_.progress().hits = static_cast<std::int64_t>(summary_.reads);
      if (processed.error) std::rethrow_exception(processed.error);
    });
    stream_.release(1);
    return {};
  }

  const ReadRunOptions& options_;
  RawReadSource& source_;
  ReadProcessor& processor_;
  const ReadTargets& targets_;
  const ReadWriter writer_;
  ReadSummary summary_;

  Stream stream_;
  std::optional<Node<RawPtr, ProcessedPtr>> process_;
  std::optional<Order<ProcessedPtr>> order_;
  std::optional<Node<ProcessedPtr>> write_;
};

}  // namespace

ReadSummary run_reads(const ReadRunOptions& options, RawReadSource& source, ReadProcessor& processor,
                      const ReadTargets& targets) {
  return run_pipeline_of<ReadPipeline>(options, source, processor, targets);
}

}  // namespace basesweep
