#include "lib/pipeline/map_pipeline.hpp"

#include <fmt/format.h>
#include <tbb/flow_graph.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <future>
#include <memory>
#include <semaphore>
#include <utility>
#include <vector>

#include "lib/pipeline/first_error.hpp"
#include "lib/pipeline/wait_for_token.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// A batch on its way through the graph.
struct Mapped {
  std::shared_ptr<ReadBatch> reads;
  std::uint32_t first_found = 0;  // ends and placements are those of reads [first_found, end_found)
  std::uint32_t end_found = 0;
  std::vector<ReadEnd> ends;
  std::vector<Placement> placements;
  std::uint32_t printed = 0;  // reads, whose text is here or gone
  Text text;
  MapSummary counts;
};

// Reads in repeats may have so many hits that a batch's text must not be held at once.
constexpr std::size_t kMostTextBytes = std::size_t{1} << 23;

const char* explain(Unsought unsought) {
  switch (unsought) {
    case Unsought::none: break;
    case Unsought::too_long: return "longer than reads may be";
    case Unsought::too_short: return "not longer than the edits it may have";
    case Unsought::no_bases: return "without A, C, G or T";
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

// The graph and what its nodes share.
class MapPipeline {
 public:
  MapPipeline(const MapOptions& options, ReadSource& source, const Reference& reference, Finder& finder,
              const ReadFormatter& formatter, const std::function<void(std::string_view)>& write)
      : options_(options),
        source_(source),
        finder_(finder),
        formatter_(formatter),
        write_out_(write),
        placer_(*reference.text, options.report),
        tokens_(2 * options.threads + 2 * finder.slots() + 4),
        workers_(options.threads),
        arena_(options.threads, 0) {}

  MapSummary run() {
    arena_.execute([this] { build(); });
    read();
    graph_->wait_for_all();
    if (reader_error_) errors_.fail(reader_error_);
    errors_.rethrow();
    return counts_;
  }

 private:
  using RawPtr = std::shared_ptr<RawReads>;
  using MappedPtr = std::shared_ptr<Mapped>;
  using FindNode = flow::async_node<MappedPtr, MappedPtr>;
  template <class In, class Out = flow::continue_msg>
  using Node = flow::function_node<In, Out>;

  void build() {
    graph_.emplace(context_);
    flow::graph& g = *graph_;
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

  // Reads on the calling thread, which waits here for tokens.
  void read() {
    try {
      const auto ended = [this] { return errors_.stopped() || context_.is_group_execution_cancelled(); };
      while (wait_for_token(tokens_, ended)) {
        std::optional<RawReads> raw = source_.next();
        if (!raw) return;
        parse_->try_put(std::make_shared<RawReads>(std::move(*raw)));
      }
    } catch (...) {
      reader_error_ = std::current_exception();
    }
  }

  MappedPtr parse(RawReads& raw) {
    auto mapped = std::make_shared<Mapped>();
    errors_.guarded([&] {
      const std::size_t bytes = raw.text_bytes;
      mapped->reads = std::make_shared<ReadBatch>(parse_reads(std::move(raw), options_.reads));
      if (options_.progress != nullptr) options_.progress->text_bytes += static_cast<std::int64_t>(bytes);
    });
    return mapped;
  }

  template <class Gateway>
  void find(const MappedPtr& mapped, Gateway& gateway) {
    if (errors_.stopped()) return;
    gateway.reserve_wait();
    try {
      find_more(mapped, [this, mapped, &gateway](std::exception_ptr error) {
        errors_.guarded([&] {
          if (error) std::rethrow_exception(error);
          gateway.try_put(mapped);
        });
        gateway.release_wait();
      });
    } catch (...) {
      errors_.fail(std::current_exception());
      gateway.release_wait();
    }
  }

  // Finds the ends of the next reads, then calls `done`.
  template <class Done>
  void find_more(const MappedPtr& mapped, Done done) {
    mapped->first_found = mapped->end_found;
    finder_.submit(*mapped->reads, mapped->first_found,
                   [mapped, done](std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error) {
                     mapped->ends = std::move(ends);
                     mapped->end_found = end_read;
                     done(error);
                   });
  }

  // Where a pair is found in two goes, it is printed when both mates are placed.
  MappedPtr place(const MappedPtr& mapped) {
    errors_.guarded([&] {
      place_found(*mapped);
      print_some(*mapped);
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

  // Prints the next of the reads that are placed until there is much text. False when there were none.
  bool print_some(Mapped& mapped) const {
    const std::uint32_t together = options_.reads.paired ? 2 : 1;
    const std::uint32_t first_placed = mapped.end_found - static_cast<std::uint32_t>(mapped.placements.size());
    const std::uint32_t before = mapped.printed;
    mapped.text = Text();
    while (mapped.printed + together <= mapped.end_found && mapped.text.view().size() < kMostTextBytes) {
      PlacedRead placed[2];
      for (std::uint32_t i = 0; i < together; ++i) {
        const std::uint32_t at = mapped.printed++;
        placed[i] = to_print(mapped.reads->reads[at], mapped.placements[at - first_placed], mapped.counts);
      }
      formatter_.append(std::span(placed, together), mapped.text);
    }
    return mapped.printed != before;
  }

  // Finds, on this thread or waiting for a GPU, what the finder left: rare, since it takes very many ends.
  void find_rest(const MappedPtr& mapped) {
    std::promise<void> found;
    find_more(mapped, [&found](std::exception_ptr error) { error ? found.set_exception(error) : found.set_value(); });
    found.get_future().get();
    place_found(*mapped);
  }

  // What is printed of a read. Counts it.
  PlacedRead to_print(const Read& read, const Placement& placement, MapSummary& counts) const {
    std::span<const Hit> hits = placement.hits;
    const std::uint64_t found = hits.size();
    if (options_.most_secondary && found > 1 && found - 1 > *options_.most_secondary) {
      hits = hits.first(static_cast<std::size_t>(*options_.most_secondary) + 1);
    }
    ++counts.reads;
    counts.bases += read.letters.size();
    counts.mapped += found != 0 ? 1 : 0;
    counts.too_long += read.unsought == Unsought::too_long ? 1 : 0;
    counts.too_short += read.unsought == Unsought::too_short ? 1 : 0;
    counts.no_bases += read.unsought == Unsought::no_bases ? 1 : 0;
    counts.hits += found;
    counts.unprinted_hits += found - hits.size();
    counts.unprinted_reads += hits.size() != found ? 1 : 0;
    return {&read, hits, found, placement.mapq};
  }

  flow::continue_msg write(const MappedPtr& batch) {
    Mapped& mapped = *batch;
    errors_.guarded([&] {
      write_out_(mapped.text.view());
      while (mapped.printed < mapped.reads->reads.size()) {
        if (!print_some(mapped)) find_rest(batch);
        write_out_(mapped.text.view());
      }
      for (const Read& read : mapped.reads->reads) {
        if (read.unsought != Unsought::none) {
          options_.log(fmt::format("read '{}' is left unmapped: {}", read.name, explain(read.unsought)));
        }
      }
      add(counts_, mapped.counts);
      if (options_.progress != nullptr) {
        options_.progress->bases = static_cast<std::int64_t>(counts_.bases);
        options_.progress->hits = static_cast<std::int64_t>(counts_.hits);
      }
      if (mapped.reads->error) std::rethrow_exception(mapped.reads->error);
    });
    tokens_.release();
    return {};
  }

  const MapOptions& options_;
  ReadSource& source_;
  Finder& finder_;
  const ReadFormatter& formatter_;
  const std::function<void(std::string_view)>& write_out_;
  const Placer placer_;
  MapSummary counts_;
  FirstError errors_;
  std::exception_ptr reader_error_;

  std::counting_semaphore<> tokens_;
  Workers workers_;
  tbb::task_arena arena_;
  tbb::task_group_context context_;
  std::optional<flow::graph> graph_;
  std::optional<Node<RawPtr, MappedPtr>> parse_;
  std::optional<FindNode> find_;
  std::optional<Node<MappedPtr, MappedPtr>> place_;
  std::optional<flow::sequencer_node<MappedPtr>> order_;
  std::optional<Node<MappedPtr>> write_;
};

}  // namespace

MapSummary run_map(const MapOptions& options, ReadSource& source, const Reference& reference, Finder& finder,
                   const ReadFormatter& formatter, const std::function<void(std::string_view)>& write) {
  return MapPipeline(options, source, reference, finder, formatter, write).run();
}

}  // namespace basesweep
