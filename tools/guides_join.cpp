#include "tools/guides_join.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/guide_rows.hpp"
#include "lib/guides/joined_codec.hpp"
#include "lib/guides/joined_rows.hpp"
#include "lib/pipeline/part_stages.hpp"
#include "lib/pipeline/site_pipeline.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/guide_plots.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/guides_best.hpp"
#include "tools/guides_design_rows.hpp"
#include "tools/guides_parts.hpp"
#include "tools/print.hpp"
#include "tools/text_job.hpp"

namespace basesweep {
namespace {

class JoinJob final : public TextJob {
 public:
  explicit JoinJob(GuidesOptions options, std::optional<IndexedRegions> regions)
      : o_(std::move(options)), regions_(std::move(regions)) {}

  const char* command() const override { return "guides"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }
  int show_columns() override { return 0; }  // joins_text() leaves that to the other way
  void settle(const PartSet* parts) override {
    basesweep::settle(o_, parts != nullptr);
    if (regions_) o_.search.regions = {};  // places count everywhere
    if (!o_.hits.empty()) throw UsageError(fmt::format("--hits {}: chunks with --design keep no places", o_.hits));
    o_.search.whole_text = o_.search.is_chunk();
  }

  void find_queries(const PartSet* /*parts*/, Run& /*run*/) override {
    o_.pam.in_guide = PamInGuide::no;
    every_.emplace(every_guide(o_.pam, o_.design.limits.length));
    o_.pam.pams = every_->pams();  // in capitals
    patterns_.emplace(reaching(*every_));
    const bool all_rows = !o_.design.top && !o_.design.rows.unique && o_.design.rows.min_specificity == 0;
    limits_ = {o_.limits.mismatches, is_scored(*every_, every_->guides().front()), o_.design.rows.most_scored,
               all_rows};
    sites_.emplace(every_->max_length(), every_->side());
    counts_.resize(limits_.mismatches + 1);
  }

  RunParameters parameters() const override {
    RunParameters all = parameters_of(guides_options(), o_);
    all.emplace_back("pam_in_guide", "no");
    return all;
  }

  void search(Run& run) override {
    // Whoever merges parts may want a page.
    table_.emplace(o_.design.rows, limits_, every_->side(), *formatter(), is_part() ? rows() : nullptr,
                   counts_for_plots() || is_part());
    if (is_part()) check_plan(scope(), o_.design);
    // A GPU starts while the text is read, if it is known to be long enough.
    SearcherOptions options = searcher_options(run);
    std::unique_ptr<GuideJoin> join;
    if (options.expected_bases) join = make_guide_join(*every_, limits_, options);
    read_text(run);
    if (!join) {
      options.expected_bases = static_cast<std::int64_t>(sites_->size() / text_sites_per_base(*every_));
      join = make_guide_join(*every_, limits_, options);
    }
    keep(*join);
    run.say()(fmt::format("comparing {} with {} by {}, {} threads", counted(sites_->guides(), "guide"),
                          counted(sites_->size(), "place"), join->describe(), run.threads()));
    if (!is_part()) write_header();
    on_workers(run.threads(), [&] {
      join->join(*sites_, limits_, sites_->range_of_guides(), loop_,
                 [this](std::uint32_t first, std::span<const SiteTotals> totals) {
                   constexpr std::size_t kAtOnce = std::size_t{1} << 18;  // sites whose rows are in memory at once
                   for (std::size_t i = 0; i < totals.size(); i += kAtOnce) {
                     take(first + static_cast<std::uint32_t>(i),
                          totals.subspan(i, std::min(kAtOnce, totals.size() - i)));
                   }
                 });
    });
    write(waiting_);
    if (o_.design.top) write_best();
    if (table_->lists()) {
      on_workers(run.threads(), [this] { table_->listed().list(*sites_, limits_.mismatches, loop_); });
    }
    finish(run);
  }

  void merge(PartSet& parts, const Run& run) override {
    table_.emplace(o_.design.rows, limits_, every_->side(), *formatter(), nullptr, counts_for_plots());
    write_header();
    const JoinedFormatter merged([this](const JoinedRow& row, RowText& text) { table_->append(row, text); });
    BestOfRecords<RowBlock> best;
    RowStages<JoinedRow> stages;
    stages.formatter = &merged;
    stages.write = [this](std::string_view text) { tables_to_->write(text); };
    stages.select = [&](std::vector<JoinedRow>& rows) {
      written_ += rows.size();
      if (!o_.design.top) return true;
      for (const JoinedRow& row : rows) keep_best(row, best);
      rows.clear();
      return true;
    };
    run_part_stages<JoinedRow>(
        parts, [&](const JoinedRow& row) { return possible(row, parts.head(), *every_, limits_); }, std::move(stages),
        run.threads());
    best.take([&](std::vector<BestOfRecords<RowBlock>::One> of_record) {
      RowText text;
      for (auto& one : of_record) {
        const DecodedRows<JoinedRow> row(std::move(one.kept));
        merged.append(row.rows().front(), text);
      }
      tables_to_->write(text.view());
    });
    for (std::size_t i = 0; i < parts.paths().size(); ++i) add_totals(parts.totals()[i], parts.paths()[i]);
    if (table_->lists()) table_->listed().list();
    tell_of_design(guides_, 0, run);
    finish(run);
  }

  bool chunks_read_all() const override { return true; }
  TextSummary& summary() override { return found_; }
  void add_findings(nlohmann::ordered_json& report) const override {
    const std::uint32_t length = every_->max_length();
    add_places({guides_, length, length, 0, limits_.mismatches, counts_}, found_, report);
    if (table_->lists()) add_guide_plots(table_->listed().counts(), every_->side(), report);
  }
  std::string found() override { return counted(found_.hits, "place"); }
  std::string totals() const override {
    FieldWriter to;
    to.number(guides_);
    to.numbers(counts_);
    table_->listed().print(to);
    return to.bytes();
  }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  OutputFormat choose_format() override { return OutputFormat::tsv; }
  OutputForm form_of_output() const override { return {}; }
  std::unique_ptr<Formatter> make_formatter() override {
    const GuideRowForm form{limits_.mismatches, 0, nullptr, design_columns(), o_.design.top && regions_, true};
    const OutputFormat format = is_part() ? OutputFormat::tsv : basesweep::table_format(o_);
    return make_line_formatter(std::make_shared<GuideTableRows>(form), format, {.columns = columns_of_table(o_)});
  }
  std::unique_ptr<Formatter> make_part_rows() const override { return std::make_unique<PartRows<JoinedRow>>(0); }
  std::string print_queries() const override { return ""; }
  RunParameters label_parameters() const override { return parameters(); }

 private:
  void finish(const Run& run) {
    tell_of_rows(o_.design, guides_, written_, run);
    found_.hits = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }

  void write_header() {
    RowText header;
    header.append(formatter()->header({}));
    tables_to_->write(header.view());
  }

  // Lists the sites, and says how many are guides. Throws DataError if none is.
  void read_text(Run& run) {
    SitePipelineOptions pipeline;
    set_text_options(run, pipeline);
    pipeline.mismatches = limits_.mismatches;
    pipeline.find = [this](const PackedBatch& batch) {
      return find_text_sites(batch, *every_, limits_.mismatches, o_.search.skip_soft_masked);
    };
    pipeline.is_guide = [limits = o_.design.limits](SiteBases guide) { return fits(guide, limits); };
    if (pipeline.expected_bases) {
      constexpr double kSpare = 1.05;  // text is not random; what is not needed is never touched
      sites_->reserve(static_cast<std::uint64_t>(static_cast<double>(*pipeline.expected_bases) *
                                                 text_sites_per_base(*every_) * kSpare));
    }
    if (regions_) pipeline.records = regions_->records;
    found_ = run_site_pipeline(pipeline, reader(), *every_, *sites_);
    std::uint64_t left_out = std::exchange(found_.hits, 0);
    if (regions_) {
      refuse_regions(reader().sources());
      warn_of_regions(regions_->warnings, run.warn());
      left_out = keep_guides(regions_->all);
    }
    if (scope().chosen) left_out = keep_chosen();
    guides_ = sites_->guides();
    if (is_part() && guides_ == 0) {
      run.say()("no guide in this chunk");
    } else {
      tell_of_design(guides_, left_out, run);
    }
    if (regions_) sort_by_region(run);
    if (!limits_.scored) run.warn()(print_missing_scores(sites_->guides(), sites_->guides()));
  }

  // Only the guides of the regions are searched for. Returns how many others, without other letters, start there.
  std::uint64_t keep_guides(const RegionSet& regions) {
    const std::uint64_t all = sites_->keep_guides(regions);
    return all - sites_->guides();
  }
  // Only the guides of the chunk are searched for.
  std::uint64_t keep_chosen() {
    if (bases_read() != static_cast<std::uint64_t>(*scope().bases)) {
      throw DataError(
          fmt::format("the input has {} bases, and the records of the plan have {}", bases_read(), *scope().bases));
    }
    try {
      return keep_guides(*scope().chosen);
    } catch (const std::invalid_argument& other) {
      throw DataError(std::string("the plan is of another input: ") + other.what());
    }
  }

  // Finds the guides of each region, for --top, and warns of regions without.
  void sort_by_region(const Run& run) {
    const std::vector<std::vector<SiteRange>> ranges = sites_in(regions_->given, *sites_);
    warn_of_regions_without(regions_->given, have_guides(ranges, *sites_), run);
    if (!o_.design.top) return;
    best_of_regions_.emplace(ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      for (const SiteRange range : ranges[i]) best_of_regions_->add_range(i, range.begin, range.end);
    }
    best_of_regions_->sort();
  }

  // Makes the rows of guides, or keeps the best, while those before are written. The sites are from number `first` on.
  void take(std::uint32_t first, std::span<const SiteTotals> totals) {
    const std::vector<RowText> before = std::exchange(waiting_, {});
    // An exception that leaves one of the two would end the loop in the other without its work done, and unnoticed.
    std::exception_ptr failed;
    const auto write_before = [&] {
      try {
        write(before);
      } catch (...) {
        failed = std::current_exception();
      }
    };
    tbb::parallel_invoke(write_before, [&] { make_rows(first, totals); });
    if (failed) std::rethrow_exception(failed);
    if (o_.design.top) keep_best(first, totals);
  }

  void write(const std::vector<RowText>& texts) {
    ByteSink& to = is_part() ? *rows_to_ : *tables_to_;
    for (const RowText& text : texts) {
      if (!text.view().empty()) to.write(text.view());
    }
  }

  void make_rows(std::uint32_t first, std::span<const SiteTotals> totals) {
    constexpr std::size_t kInPart = 2048;
    std::vector<RowText> texts((totals.size() + kInPart - 1) / kInPart);
    std::vector<std::vector<std::uint64_t>> counts(texts.size());  // as counts_, then rows
    loop_(texts.size(), [&](std::size_t i) {
      const std::size_t begin = i * kInPart;
      const auto part = totals.subspan(begin, std::min(kInPart, totals.size() - begin));
      counts[i].resize(counts_.size() + 1);
      add_counts(first + static_cast<std::uint32_t>(begin), part, counts[i]);
      if (!o_.design.top) counts[i].back() = append_rows(first + static_cast<std::uint32_t>(begin), part, texts[i]);
    });
    for (const std::vector<std::uint64_t>& own : counts) {
      for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += own[k];
      written_ += own.back();
    }
    if (!o_.design.top) waiting_ = std::move(texts);
  }

  void add_counts(std::uint32_t first, std::span<const SiteTotals> totals, std::vector<std::uint64_t>& counts) const {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      if (!sites_->is_guide(first + static_cast<std::uint32_t>(i))) continue;
      for (std::size_t k = 0; k < counts_.size(); ++k) counts[k] += totals[i].counts[k];
    }
  }

  // Calls use(site, record, guide) for the guides among the sites that options take.
  template <class Use>
  void for_each_row(std::uint32_t first, std::span<const SiteTotals> totals, const Use& use) const {
    JoinedGuide& guide = per_thread<JoinedGuide>();
    std::size_t record = sites_->record_of(first);
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const std::uint32_t site = first + static_cast<std::uint32_t>(i);
      const std::vector<SiteRecord>& records = sites_->records();
      while (record + 1 < records.size() && records[record + 1].sites <= site) ++record;
      if (!sites_->is_guide(site)) continue;
      guide.set_totals(*sites_, site, totals[i], limits_);
      if (o_.design.rows.takes(guide.totals, limits_.scored)) use(site, records[record], guide);
    }
  }

  // Returns how many there are.
  std::uint64_t append_rows(std::uint32_t first, std::span<const SiteTotals> totals, RowText& text) {
    std::uint64_t rows = 0;
    for_each_row(first, totals, [&](std::uint32_t site, const SiteRecord& record, JoinedGuide& guide) {
      table_->append(*sites_, site, site, record, guide, text);
      ++rows;
    });
    if (rows != 0) this->rows()->finish(text);
    return rows;
  }

  void keep_best(std::uint32_t first, std::span<const SiteTotals> totals) {
    for_each_row(first, totals, [&](std::uint32_t site, const SiteRecord& record, const JoinedGuide& guide) {
      const BestOfRecord<SiteTotals>::One one{o_.design.rows.rank(guide.totals), site, totals[site - first]};
      if (best_of_regions_) return best_of_regions_->add(one, *o_.design.top);
      best_.add(record.name, one, *o_.design.top);
    });
  }
  void keep_best(const JoinedRow& row, BestOfRecords<RowBlock>& best) const {
    JoinedGuide& guide = per_thread<JoinedGuide>();
    guide.set(row, limits_, every_->side());
    RowBlockBuilder kept;
    kept.add(row);
    best.add(row.record_name, {o_.design.rows.rank(guide.totals), row.site, kept.take()}, *o_.design.top);
  }

  void write_best() {
    if (best_of_regions_) {
      best_of_regions_->take([this](std::size_t region, const std::vector<BestOfRecords<SiteTotals>::One>& best) {
        const NamedRegion& own = regions_->given[region];
        write_best(best, own.name.empty() ? print_region(own.record, {own.begin, own.end}) : own.name);
      });
    } else {
      best_.take([this](const std::vector<BestOfRecords<SiteTotals>::One>& best) { write_best(best, ""); });
    }
  }
  void write_best(const std::vector<BestOfRecords<SiteTotals>::One>& best, std::string_view region) {
    constexpr std::size_t kInBlock = 2048;
    JoinedGuide guide;
    for (std::size_t begin = 0; begin < best.size(); begin += kInBlock) {
      std::vector<RowText> texts(1);
      for (std::size_t i = begin; i < std::min(begin + kInBlock, best.size()); ++i) {
        const SiteRecord& record = sites_->records()[sites_->record_of(best[i].site)];
        // A guide of several regions has several rows.
        const std::uint64_t rows_before = regions_ ? rows_of_regions_++ << 32 : 0;
        guide.set_totals(*sites_, best[i].site, best[i].kept, limits_);
        table_->append(*sites_, best[i].site, rows_before | best[i].site, record, guide, texts.front(), region);
      }
      rows()->finish(texts.front());
      write(texts);
    }
  }

  void add_totals(std::string_view bytes, const std::string& path) {
    FieldReader from(std::as_bytes(std::span(bytes)));
    guides_ += from.number<std::uint64_t>();
    const std::vector<std::uint64_t> counts = from.numbers(counts_.size());
    table_->listed().take(from);
    if (!from.at_end() || counts.size() != counts_.size()) throw damaged_part(path, "its totals are not complete");
    for (std::size_t k = 0; k < counts.size(); ++k) counts_[k] += counts[k];
  }

  GuidesOptions o_;
  std::optional<IndexedRegions> regions_;  // that the guides start in
  std::optional<GuideSet> every_;
  std::optional<PatternSet> patterns_;
  JoinLimits limits_{};
  std::optional<TextSites> sites_;
  std::uint64_t guides_ = 0;           // of the text, or of the chunk
  std::vector<RowText> waiting_;       // rows that are written next
  std::uint64_t written_ = 0;          // rows
  std::vector<std::uint64_t> counts_;  // places of all guides by mismatches
  BestOfRecords<SiteTotals> best_;
  std::optional<BestOfRegions<SiteTotals>> best_of_regions_;  // in place of best_
  std::uint64_t rows_of_regions_ = 0;                         // that best_of_regions_ has given
  TextSummary found_;
  std::optional<DesignRows> table_;  // from search() or merge() on
  const GuideJoin::Loop loop_ = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    tbb::parallel_for(std::size_t{0}, count, work);
  };
};

}  // namespace

int run_join(const GuidesOptions& options, PartSet* parts, std::optional<IndexedRegions> regions) {
  JoinJob job(options, std::move(regions));
  return run_job(job, parts);
}

}  // namespace basesweep
