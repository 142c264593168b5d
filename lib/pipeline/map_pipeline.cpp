#include "lib/pipeline/map_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lib/pipeline/stream.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/search/match_result.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// A batch on its way through the graph. The finder takes its reads in one go or, when there are very many ends, in
// several.
struct Mapped {
  std::shared_ptr<ReadBatch> reads;
  std::uint32_t first_found = 0;  // the finder answered last for reads [first_found, end_found)
  std::uint32_t end_found = 0;
  std::vector<ReadEnd> ends;          // of these reads, until they are placed
  std::vector<Placement> placements;  // of these reads; first that of a read whose mate was not found before
  std::uint32_t printed = 0;          // reads [0, printed) are in `texts`, or were written
  std::vector<RowText> texts;         // one, or blocks
  MapSummary counts;
};

// A batch is printed and written about so many bytes at a time: reads in repeats may have very many hits.
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 23;
// A read with more hits is printed only when they can be written, a part at a time.
constexpr std::size_t kMaxPrintedHits = std::size_t{1} << 14;

const char* explain(Skipped skipped) {
  switch (skipped) {
    case Skipped::none: break;
    case Skipped::too_long: return "longer than reads may be";
    case Skipped::too_short: return "not longer than the edits it may have";
    case Skipped::no_bases: return "without A, C, G or T";
  }
  return "";
}

void add(MapSummary& sum, const MapSummary& more) {
  sum.reads += more.reads;
  sum.bases += more.bases;
  sum.mapped += more.mapped;
  sum.too_long += more.too_long;
  sum.too_short += more.too_short;
  sum.no_bases += more.no_bases;
  sum.hits += more.hits;
  sum.unprinted_hits += more.unprinted_hits;
  sum.unprinted_reads += more.unprinted_reads;
}

// The graph of `map` and what its nodes share. A batch of reads holds its token until it is written.
class MapPipeline {
 public:
  MapPipeline(const MapOptions& options, RawReadSource& source, const Reference& reference, Finder& finder,
              const ReadPrinter& printer, const std::function<void(std::string_view)>& write)
      : options_(options),
        source_(source),
        finder_(finder),
        printer_(printer),
        write_out_(write),
        placer_(*reference.text, options.report),
        stream_(options.threads, 2 * options.threads + 2 * finder.slots() + 4, options.progress) {}

  bool broken() const { return stream_.broken(); }

  MapSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    const std::exception_ptr source_error =
        stream_.read([this] { return source_.next(); },
                     [this](RawReads&& raw) { stream_.put(*parse_, std::make_shared<RawReads>(std::move(raw))); },
                     [] { return false; });
    stream_.wait();
    if (source_error) stream_.fail(source_error);
    stream_.rethrow();
    return counts_;
  }

 private:
  using RawPtr = std::shared_ptr<RawReads>;
  using MappedPtr = std::shared_ptr<Mapped>;

  void build(flow::graph& g) {
    parse_.emplace(g, flow::unlimited, [this](const RawPtr& raw) { return parse(*raw); });
    find_.emplace(g, flow::unlimited, [this](const MappedPtr& mapped, auto& gateway) { find(mapped, gateway); });
    place_.emplace(g, flow::unlimited, [this](const MappedPtr& mapped) { return place(mapped); });
    order_.emplace(g, [](const MappedPtr& mapped) { return mapped->reads->number; });
    write_.emplace(g, flow::serial, [this](const MappedPtr& mapped) { return write(mapped); });
    flow::make_edge(*parse_, *find_);
    flow::make_edge(*find_, *place_);
    flow::make_edge(*place_, *order_);
    flow::make_edge(*order_, *write_);
  }

  MappedPtr parse(RawReads& raw) {
    auto mapped = std::make_shared<Mapped>();
    stream_.guarded([&] { mapped->reads = std::make_shared<ReadBatch>(parse_reads(std::move(raw), options_.reads)); });
    return mapped;
  }

  template <class Gateway>
  void find(const MappedPtr& mapped, Gateway& gateway) {
    stream_.hand_out(gateway, [&](auto finish) {
      find_more(mapped, [mapped, finish](const std::exception_ptr& error) { finish(error, [&] { return mapped; }); });
    });
  }

  // Finds the ends of the next reads, then calls `done`.
  template <class Done>
  void find_more(const MappedPtr& mapped, Done done) {
    mapped->first_found = mapped->end_found;
    finder_.submit(mapped->reads->view(), mapped->first_found,
                   [mapped, done](std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error) {
                     mapped->ends = std::move(ends);
                     mapped->end_found = end_read;
                     done(error);
                   });
  }

  // A pair whose mates are found in two goes is printed when both are placed.
  MappedPtr place(const MappedPtr& mapped) {
    stream_.guarded([&] {
      place_found(*mapped);
      print_some(*mapped, false);
    });
    return mapped;
  }

  void place_found(Mapped& mapped) const {
    std::vector<Placement> placements = placer_.place(*mapped.reads, mapped.first_found, mapped.end_found, mapped.ends);
    std::vector<ReadEnd>().swap(mapped.ends);
    if (mapped.printed < mapped.first_found) {  // a mate that waits
      placements.insert(placements.begin(), std::move(mapped.placements.back()));
    }
    mapped.placements = std::move(placements);
  }

  // Prints the next of the reads that are placed, until there is much text. Returns whether it printed any.
  // `may_write`: it is the batch's turn, so that the hits of one read may be written before all are printed.
  bool print_some(Mapped& mapped, bool may_write) const {
    const std::uint32_t together = options_.reads.paired ? 2 : 1;
    const std::uint32_t first_placed = mapped.end_found - static_cast<std::uint32_t>(mapped.placements.size());
    const std::uint32_t before = mapped.printed;
    mapped.texts.clear();
    std::size_t bytes = 0;  // of mapped.texts
    RowText open;
    const auto keep = [&](RowText& text) {
      if (text.view().empty()) return;
      printer_.finish(text);
      bytes += text.view().size();
      mapped.texts.push_back(std::exchange(text, RowText()));
    };
    std::function<void(RowText&)> flush;
    if (may_write) {
      flush = [this](RowText& text) { write_if_full(text); };
    } else if (printer_.makes_blocks()) {
      flush = [&](RowText& text) {
        if (is_full(text)) keep(text);
      };
    }
    while (mapped.printed + together <= mapped.end_found && bytes + open.view().size() < kMaxTextBytes) {
      const std::span placements(mapped.placements.data() + (mapped.printed - first_placed), together);
      const auto has_many = [](const Placement& placement) { return placement.hits.size() > kMaxPrintedHits; };
      if (!may_write && std::any_of(placements.begin(), placements.end(), has_many)) break;
      PlacedRead placed[2];
      for (std::uint32_t i = 0; i < together; ++i) {
        placed[i] = to_print(mapped.reads->reads[mapped.printed++], placements[i], mapped.counts);
      }
      if (options_.tally != nullptr && together == 2 && !placed[0].hits.empty() && !placed[1].hits.empty()) {
        options_.tally->count_pair(*placed[0].read, placed[0].hits.front(), *placed[1].read, placed[1].hits.front());
      }
      printer_.append(std::span(placed, together), open, flush);
      if (flush) flush(open);
    }
    keep(open);
    return mapped.printed != before;
  }

  bool is_full(const RowText& text) const {
    if (!printer_.makes_blocks()) return text.view().size() >= kMaxTextBytes;
    return is_full_block(text.rows, text.view().size());
  }

  void write_if_full(RowText& text) const {
    if (!is_full(text)) return;
    printer_.finish(text);
    write_out_(text.view());
    text = RowText();
  }

  void write_texts(Mapped& mapped) const {
    for (const RowText& text : mapped.texts) write_out_(text.view());
    mapped.texts.clear();
  }

  // Finds the next reads that the finder left, on this thread or waiting for a GPU. Rare: it takes very many ends.
  void find_rest(const MappedPtr& mapped) {
    std::promise<void> found;
    find_more(mapped, [&found](std::exception_ptr error) { error ? found.set_exception(error) : found.set_value(); });
    found.get_future().get();
    place_found(*mapped);
  }

  // Picks the hits of a read that are printed, and counts the read.
  PlacedRead to_print(const Read& read, const Placement& placement, MapSummary& counts) const {
    std::span<const Hit> hits = placement.hits;
    const std::uint64_t found = hits.size();
    if (options_.max_secondary && found > 1 && found - 1 > *options_.max_secondary) {
      hits = hits.first(static_cast<std::size_t>(*options_.max_secondary) + 1);
    }
    ++counts.reads;
    counts.bases += read.letters.size();
    counts.mapped += found != 0 ? 1 : 0;
    counts.too_long += read.skipped == Skipped::too_long ? 1 : 0;
    counts.too_short += read.skipped == Skipped::too_short ? 1 : 0;
    counts.no_bases += read.skipped == Skipped::no_bases ? 1 : 0;
    counts.hits += found;
    counts.unprinted_hits += found - hits.size();
    counts.unprinted_reads += hits.size() != found ? 1 : 0;
    if (options_.tally != nullptr) options_.tally->count(read, hits.empty() ? nullptr : &hits.front(), placement.mapq);
    return {&read, hits, found, placement.mapq};
  }

  flow::continue_msg write(const MappedPtr& batch) {
    Mapped& mapped = *batch;
    stream_.guarded([&] {
      write_texts(mapped);
      while (mapped.printed < mapped.reads->reads.size()) {
        if (!print_some(mapped, true)) find_rest(batch);
        write_texts(mapped);
      }
      for (const Read& read : mapped.reads->reads) {
        if (read.skipped != Skipped::none) {
          options_.log(fmt::format("read '{}' is left unmapped: {}", read.name, explain(read.skipped)));
        }
      }
      add(counts_, mapped.counts);
      counts_.other_letters += static_cast<std::uint64_t>(mapped.reads->other_letters);
      stream_.progress().bases = static_cast<std::int64_t>(counts_.bases);
      stream_.progress().hits = static_cast<std::int64_t>(counts_.hits);
      if (mapped.reads->error) std::rethrow_exception(mapped.reads->error);
    });
    stream_.release(1);
    return {};
  }

  const MapOptions& options_;
  RawReadSource& source_;
  Finder& finder_;
  const ReadPrinter& printer_;
  const std::function<void(std::string_view)>& write_out_;
  const Placer placer_;
  MapSummary counts_;

  Stream stream_;
  std::optional<Node<RawPtr, MappedPtr>> parse_;
  std::optional<AsyncNode<MappedPtr, MappedPtr>> find_;
  std::optional<Node<MappedPtr, MappedPtr>> place_;
  std::optional<Order<MappedPtr>> order_;
  std::optional<Node<MappedPtr>> write_;
};

}  // namespace

MapSummary run_map(const MapOptions& options, RawReadSource& source, const Reference& reference, Finder& finder,
                   const ReadPrinter& printer, const std::function<void(std::string_view)>& write) {
  return run_pipeline_of<MapPipeline>(options, source, reference, finder, printer, write);
}

}  // namespace basesweep
