#include "lib/pipeline/site_pipeline.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batch_feed.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/stream.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

struct ListedBatch {
  std::shared_ptr<PackedBatch> batch;
  BatchSites sites{};
  std::uint64_t left_out = 0;
};

// The graph and what its nodes share.
class SitePipeline {
 public:
  SitePipeline(const SitePipelineOptions& options, BlockSource& source, const GuideSet& every, TextSites& sites)
      : options_(options),
        paths_(input_names(source.paths())),
        every_(every),
        sites_(sites),
        source_(source),
        names_(NameRule::text, paths_),
        stream_(options.threads, BatchFeed::tokens(options.threads, 0), options.progress, options.alone),
        feed_(feed_options(), source, paths_, stream_,
              [this](BatchPtr batch) { stream_.put(*list_, std::move(batch)); }) {}

  bool broken() const { return stream_.broken(); }

  TextSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    feed_.read();
    feed_.fail_for_errors(false);
    stream_.rethrow();
    feed_.check(false);
    feed_.warn(false);
    return {source_.sources(), feed_.counts(), left_out_, false};
  }

 private:
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using ListedPtr = std::shared_ptr<ListedBatch>;

  BatchFeed::Options feed_options() const {
    constexpr std::uint32_t kPositions = 1U << 20;
    constexpr std::uint64_t kMaxSites = std::uint64_t{1} << 24;
    const BatchOptions batch = guide_batches(options_.batch_positions != 0 ? options_.batch_positions : kPositions,
                                             every_.max_length() + every_.max_pam_length(), options_.mismatches);
    PackerOptions packer = options_.packer;
    packer.letters = true;
    return {.packer = packer,
            .batcher = batcher_options(options_, batch),
            .threads = options_.threads,
            .slots = 0,
            .max_hits = kMaxSites,
            .full_batches = BatchFeed::full_batches(options_.threads, 0),
            .lists_records = options_.records.has_value(),
            .records = options_.records,
            .circular_known = true,
            .warn = options_.warn};
  }

  void build(flow::graph& g) {
    feed_.build(g);
    list_.emplace(g, flow::unlimited, [this](const BatchPtr& batch) {
      stream_.guarded([&] { list(batch); });
      return flow::continue_msg();
    });
    append_.emplace(g, flow::serial, [this](const ListedPtr& listed) {
      stream_.guarded([&] { order_.add(*listed->batch, listed, [this](const ListedPtr& next) { append(*next); }); });
      return flow::continue_msg();
    });
  }

  void list(const BatchPtr& batch) {
    auto listed = std::make_shared<ListedBatch>(ListedBatch{batch});
    feed_.fill(*batch);
    listed->sites = options_.find(*batch);
    for (SiteBases& bases : listed->sites.bases) {
      if ((bases.lo & kIsGuide) == 0 || (options_.is_guide && options_.is_guide(bases))) continue;
      bases.lo &= ~kIsGuide;
      ++listed->left_out;
    }
    feed_.found(*batch, listed->sites.bases.size(), listed->sites.bases.size());
    stream_.put(*append_, listed);
  }

  void append(ListedBatch& listed) {
    const PackedBatch& batch = *listed.batch;
    const std::vector<Segment>& segments = batch.segments();
    const std::vector<SitePlace>& places = listed.sites.places;
    for (std::size_t begin = 0; begin < places.size();) {
      const Segment& segment = segments[batch.segment_at(static_cast<std::uint32_t>(places[begin].start()))];
      const auto first = places.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto after = std::partition_point(
          first, places.end(), [&segment](const SitePlace& place) { return place.start() < segment.end; });
      names_.check(segment.reference, batch.name(segment), segment.source);
      sites_.begin_record(batch.name(segment), segment.reference);
      const std::size_t end = begin + static_cast<std::size_t>(after - first);
      sites_.append(listed.sites, begin, end, segment.offset, segment.position);
      begin = end;
    }
    left_out_ += listed.left_out;
    stream_.progress().hits += static_cast<std::int64_t>(listed.sites.bases.size());
    listed.sites = {};
    feed_.written(*listed.batch);
  }

  const SitePipelineOptions& options_;
  const std::vector<std::string> paths_;
  const GuideSet& every_;
  TextSites& sites_;
  BlockSource& source_;
  NameCheck names_;
  std::uint64_t left_out_ = 0;

  Stream stream_;
  BatchFeed feed_;
  std::optional<Node<BatchPtr>> list_;
  std::optional<Node<ListedPtr>> append_;
  InBatchOrder<ListedPtr> order_;
};

}  // namespace

TextSummary run_site_pipeline(const SitePipelineOptions& options, BlockSource& source, const GuideSet& every,
                              TextSites& sites) {
  return run_pipeline_of<SitePipeline>(options, source, every, sites);
}

}  // namespace basesweep
