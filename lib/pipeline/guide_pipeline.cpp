#include "lib/pipeline/guide_pipeline.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/bulge_rows.hpp"
#include "lib/pipeline/batch_feed.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/stream.hpp"
#include "lib/search/match_result.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

// A place that is written, with its positions in the batch.
struct WrittenPlace {
  Interval positions;
  GuidePlace place;
  std::uint32_t scores = 0;  // index of them, where they are kept
  bool first = false;        // of its guide in the output
};

struct FoundBatch {
  std::shared_ptr<PackedBatch> batch;
  std::vector<WrittenPlace> places{};                // in output order; only those that are written
  std::vector<std::optional<PlaceScores>> scores{};  // of the places, if they are written
};

// The most places that a batch may keep until they are written: 48 bytes each with their scores.
constexpr std::uint64_t kMaxPlaces = std::uint64_t{1} << 21;

// Memory of one thread.
struct GuideScratch {
  std::vector<WrittenPlace> places;
  std::vector<std::optional<PlaceScores>> scores;
  std::vector<GuidePlace> rows;
  std::vector<PlacedGuide> placed;
  std::vector<std::string> letters;
  std::vector<std::vector<Feature>> features;
};

bool in_order(const WrittenPlace& a, const WrittenPlace& b) {
  return std::tuple(a.positions.begin, a.positions.end, a.place.strand, a.place.guide, a.place.pam) <
         std::tuple(b.positions.begin, b.positions.end, b.place.strand, b.place.guide, b.place.pam);
}

PackerOptions packer_options(const GuidePipelineOptions& options) {
  PackerOptions packer = options.packer;
  packer.letters = true;
  return packer;
}

// The graph of `guides` and what its nodes share.
class GuidePipeline {
 public:
  GuidePipeline(const GuidePipelineOptions& options, BlockSource& source, const GuideSet& guides,
                const GuideFinder& finder, GuideTable& table, const RowTarget& output)
      : options_(options),
        paths_(input_names(source.paths())),
        guides_(guides),
        scorer_(guides),
        bulge_rows_(guides),
        finder_(finder),
        table_(table),
        output_(output),
        source_(source),
        names_(output.formatter != nullptr ? output.formatter->names() : NameRule::text, paths_),
        stream_(options.threads, BatchFeed::tokens(options.threads, finder.slots()), options.progress, options.alone),
        feed_(feed_options(), source, paths_, stream_,
              [this](BatchPtr batch) { stream_.put(*find_, std::move(batch)); }) {
    if (output.formatter == nullptr) return;
    seen_.resize(guides.guides().size());
    if (feed_.records().missing()) {
      late_.emplace(output.spool_directory);
    } else {
      output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
    }
  }

  bool broken() const { return stream_.broken(); }

  GuideSummary run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    feed_.read();
    feed_.fail_for_errors(false);
    stream_.rethrow();
    feed_.check(false);
    if (late_) write_late();
    feed_.warn(false);
    return {{source_.sources(), feed_.counts(), table_.places(), false}, rows_};
  }

 private:
  using BatchPtr = std::shared_ptr<PackedBatch>;
  using FoundPtr = std::shared_ptr<FoundBatch>;

  BatchOptions batch_options() const {
    const std::uint32_t bulge = guides_.limits().max_bulge();
    return guide_batches(options_.batch_positions != 0 ? options_.batch_positions : finder_.batch_positions(),
                         guides_.max_length() + guides_.max_pam_length() + bulge, guides_.limits().mismatches + bulge);
  }

  BatchFeed::Options feed_options() const {
    return {.packer = packer_options(options_),
            .batcher = batcher_options(options_, batch_options()),
            .threads = options_.threads,
            .slots = finder_.slots(),
            .max_hits = max_hits_of_batch(kMaxPlaces),
            .full_batches = batches_at_once() + 1,
            .lists_records = output_.formatter != nullptr && output_.formatter->lists_records(),
            .records = output_.records,
            .circular_known = true,
            .warn = options_.warn};
  }

  // On the CPU all threads may work on a batch, which is large, so few are searched at a time. For a GPU one waits
  // while the batches of its slots are searched.
  int batches_at_once() const {
    constexpr int kThreadsOfBatch = 8;
    constexpr int kThreadsForTwo = 4;
    if (finder_.slots() != 0) return finder_.slots() + 1;
    if (!finder_.shares_batches()) return options_.threads + 1;
    return std::max(options_.threads / kThreadsOfBatch + 1, options_.threads < kThreadsForTwo ? 1 : 2);
  }

  void build(flow::graph& g) {
    feed_.build(g);
    find_.emplace(g, static_cast<std::size_t>(batches_at_once()), [this](const BatchPtr& batch) {
      stream_.guarded([&] { find(batch); });
      return flow::continue_msg();
    });
    write_.emplace(g, flow::serial, [this](const FoundPtr& found) {
      stream_.guarded([&] { order_.add(*found->batch, found, [this](const FoundPtr& next) { write(*next); }); });
      return flow::continue_msg();
    });
  }

  // Cuts the batch if it has too many places to be kept until they are written.
  void find(const BatchPtr& batch) {
    auto found = std::make_shared<FoundBatch>(FoundBatch{batch});
    feed_.fill(*batch);
    if (!add_up(*batch) && !find_places(*batch, *found)) {
      *found = FoundBatch{batch};
      return feed_.cut(*batch, feed_.usual_part());
    }
    feed_.found(*batch, found->places.size(), found->places.size());
    stream_.put(*write_, found);
  }

  // Runs work(i) for each i on the workers, isolated: a thread that waits begins no other batch. A batch may take long,
  // so a stream that was stopped ends it here.
  void loop(std::size_t count, const std::function<void(std::size_t)>& work) {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        if (stream_.stopped()) throw Cancelled();
        work(i);
      });
    });
  }

  // Only adds up the places of the batch, where that suffices and the finder can. Its sums have two places of a guide.
  bool add_up(const PackedBatch& batch) {
    if (output_.formatter != nullptr || options_.annotation != nullptr || table_.nearest() > GuideTable::kForTables)
      return false;
    return finder_.add_up(batch, options_.packer.soft_masked,
                          [&](const GuideSums& sums) { table_.add(batch, sums, loop_); });
  }

  // Adds the places to the table, and sets `found` to those that are written; returns false if there are too many.
  // A batch with too many is cut: its parts list the same places again, and add none to the table.
  bool find_places(const PackedBatch& batch, FoundBatch& found) {
    std::vector<WrittenPlace>& written = found.places;
    const bool is_whole = batch.last_part && batch.part_begin == 0;
    const std::uint64_t max_places =
        BatchFeed::may_be_cut(batch, feed_.usual_part()) ? feed_.max_hits() : std::numeric_limits<std::uint64_t>::max();
    std::atomic<bool> too_many = false;
    std::mutex mutex;
    finder_.find(batch, loop_, [&](std::span<const GuidePlace> places) {
      if (!is_whole && too_many) return;
      GuideScratch& kept = per_thread<GuideScratch>();
      keep(batch, places, kept.places);
      const bool writes = output_.formatter != nullptr && !guides_.repeats(places.front().guide);
      const bool writes_scores = writes && (output_.formatter->needs() & need::scores) != 0;
      const bool writes_places = options_.row == GuideRowOf::place;
      if (is_whole || (writes_scores && writes_places)) score(batch, GuideRowOf::place, kept);
      if (is_whole) {
        place(batch, kept.places, kept.scores, 0, kept);
        table_.add(kept.placed, &batch);
      }
      if (!writes || too_many) return;
      if (!writes_places) {
        to_bulge_rows(batch, places, kept.rows);
        keep(batch, kept.rows, kept.places);
        if (writes_scores) score(batch, GuideRowOf::bulge, kept);
      }
      const std::lock_guard lock(mutex);
      if (writes_scores) {
        for (WrittenPlace& one : kept.places) one.scores += static_cast<std::uint32_t>(found.scores.size());
        found.scores.insert(found.scores.end(), kept.scores.begin(), kept.scores.end());
      }
      written.insert(written.end(), kept.places.begin(), kept.places.end());
      if (written.size() > max_places) too_many = true;
    });
    if (too_many) return false;
    std::sort(written.begin(), written.end(), in_order);
    return true;
  }

  // Sets `rows` to those of the places for each kind and size of bulge.
  void to_bulge_rows(const PackedBatch& batch, std::span<const GuidePlace> places,
                     std::vector<GuidePlace>& rows) const {
    rows.clear();
    for (const GuidePlace& place : places) {
      const std::uint32_t begin = positions_of(place, guides_).begin;
      bulge_rows_.append(batch, batch.segments()[batch.segment_at(begin)], place, rows);
    }
  }

  // Sets `kept` to the places that count: their alignment starts in positions that the batch owns and that are
  // requested, and touches lower case only if it may.
  void keep(const PackedBatch& batch, std::span<const GuidePlace> places, std::vector<WrittenPlace>& kept) const {
    kept.clear();
    const PackedView view = batch.view();
    for (const GuidePlace& place : places) {
      const Interval positions = positions_of(place, guides_);
      if (positions.begin < view.own_begin || positions.begin >= view.own_end) continue;
      if (batch.requested() && !is_requested(*batch.requested(), positions.begin)) continue;
      if (options_.packer.soft_masked && batch.touches_soft_masked(positions.begin, positions.end)) continue;
      kept.push_back({positions, place});
    }
  }

  static bool is_requested(const std::vector<Interval>& requested, std::uint32_t position) {
    const auto interval = std::partition_point(requested.begin(), requested.end(),
                                               [position](const Interval& one) { return one.end <= position; });
    return interval != requested.end() && interval->begin <= position;
  }

  // Sets kept.scores to those of kept.places.
  void score(const PackedBatch& batch, GuideRowOf row, GuideScratch& kept) const {
    kept.scores.clear();
    for (WrittenPlace& one : kept.places) {
      const Segment& segment = batch.segments()[batch.segment_at(one.positions.begin)];
      one.scores = static_cast<std::uint32_t>(kept.scores.size());
      kept.scores.push_back(scorer_.score(batch, segment, one.place, row));
    }
  }

  // Sets kept.placed to these places, with their scores unless `scores` is empty, and the letters that `needs` asks
  // for.
  void place(const PackedBatch& batch, std::span<const WrittenPlace> places,
             std::span<const std::optional<PlaceScores>> scores, unsigned needs, GuideScratch& kept) const {
    kept.placed.clear();
    if (kept.letters.size() < places.size()) kept.letters.resize(places.size());
    if (kept.features.size() < places.size()) kept.features.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& [positions, place, score, first] = places[i];
      const Segment& segment = batch.segments()[batch.segment_at(positions.begin)];
      PlacedGuide& placed = kept.placed.emplace_back();
      placed.record_name = batch.name(segment);
      placed.record = segment.reference;
      placed.start = segment.offset + (positions.begin - segment.position);
      placed.end = placed.start + (positions.end - positions.begin);
      placed.source = segment.source;
      placed.place = place;
      if (!scores.empty()) placed.scores = scores[score];
      placed.first = first;
      if ((needs & need::letters) != 0) {
        kept.letters[i].resize(positions.end - positions.begin);
        batch.copy_letters(positions.begin, positions.end, kept.letters[i].data());
        placed.letters = kept.letters[i];
      }
      kept.features[i].clear();
      if (const RecordFeatures* of_record = features_of(placed.record_name)) {
        of_record->overlapping(placed.start, placed.end, kept.features[i]);
        placed.features = kept.features[i];
      }
    }
  }

  const RecordFeatures* features_of(std::string_view record) const {
    return options_.annotation == nullptr ? nullptr : options_.annotation->of(record);
  }

  void write(FoundBatch& found) {
    if (output_.formatter != nullptr) write_places(found);
    rows_ += found.places.size();
    stream_.progress().hits += static_cast<std::int64_t>(found.places.size());
    const auto batch = found.batch;
    found = FoundBatch{batch};
    feed_.written(*batch);
  }

  // Formats a bounded number of places at a time, side by side.
  void write_places(FoundBatch& found) {
    const PackedBatch& batch = *found.batch;
    std::span<WrittenPlace> places = found.places;
    constexpr std::size_t kInPart = 1024;
    constexpr std::size_t kParts = 64;
    for (WrittenPlace& place : places) {
      place.first = !seen_[place.place.guide];
      seen_[place.place.guide] = true;
      const Segment& segment = batch.segments()[batch.segment_at(place.positions.begin)];
      names_.check(segment.reference, batch.name(segment), segment.source);
    }
    while (!places.empty()) {
      const auto now = places.first(std::min(places.size(), kInPart * kParts));
      places = places.subspan(now.size());
      std::vector<RowText> texts((now.size() + kInPart - 1) / kInPart);
      tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(std::size_t{0}, texts.size(), [&](std::size_t i) {
          const auto part = now.subspan(i * kInPart, std::min(kInPart, now.size() - i * kInPart));
          GuideScratch& kept = per_thread<GuideScratch>();
          place(batch, part, found.scores, output_.formatter->needs(), kept);
          output_.formatter->append_rows(kept.placed, texts[i]);
          output_.formatter->finish(texts[i]);
        });
      });
      for (const RowText& text : texts) late_ ? void(late_->append(text.view())) : output_.sink->write(text.view());
    }
  }

  // Writes the header that had to wait for the records, and what waited for it.
  void write_late() {
    output_.sink->write(output_.formatter->header(feed_.listed_records()));
    constexpr std::int64_t kBuffer = std::int64_t{1} << 20;
    std::string buffer;
    for (std::int64_t at = 0; at < late_->bytes(); at += kBuffer) {
      buffer.resize(static_cast<std::size_t>(std::min(kBuffer, late_->bytes() - at)));
      late_->read_at(at, buffer.data(), buffer.size());
      output_.sink->write(buffer);
    }
  }

  const GuidePipelineOptions& options_;
  const std::vector<std::string> paths_;
  const GuideSet& guides_;
  const PlaceScorer scorer_;
  const BulgeRows bulge_rows_;
  const GuideFinder& finder_;
  GuideTable& table_;
  const RowTarget& output_;
  BlockSource& source_;
  NameCheck names_;
  std::uint64_t rows_ = 0;            // that were written
  std::vector<bool> seen_;            // of each guide: a place was written
  std::optional<NamelessFile> late_;  // places that wait for the header

  Stream stream_;
  BatchFeed feed_;
  std::optional<Node<BatchPtr>> find_;
  std::optional<Node<FoundPtr>> write_;
  InBatchOrder<FoundPtr> order_;
  const GuideFinder::Loop loop_ = [this](std::size_t count, const std::function<void(std::size_t)>& work) {
    loop(count, work);
  };
};

}  // namespace

GuideSummary run_guide_pipeline(const GuidePipelineOptions& options, BlockSource& source, const GuideSet& guides,
                                const GuideFinder& finder, GuideTable& table, const RowTarget& output) {
  return run_pipeline_of<GuidePipeline>(options, source, guides, finder, table, output);
}

}  // namespace basesweep
