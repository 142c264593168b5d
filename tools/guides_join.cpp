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
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/guide_rows.hpp"
#include "lib/guides/joined_rows.hpp"
#include "lib/pipeline/site_pipeline.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/guide_plots.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/print.hpp"
#include "tools/text_job.hpp"

namespace basesweep {
namespace {

// The best guides of a record, or of several of one name.
class BestOfRecord {
 public:
  struct One {
    std::tuple<bool, std::uint64_t, std::uint64_t> rank;
    std::uint32_t site;
    SiteTotals totals;
  };

  void add(std::uint32_t site, const SiteTotals& totals, const GuideTotals& sums, const RowChoice& choice,
           std::size_t count) {
    const One one{choice.rank(sums), site, totals};
    const auto is_better = [](const One& a, const One& b) {
      return std::tie(a.rank, a.site) < std::tie(b.rank, b.site);
    };
    if (best_.size() == count) {
      if (!is_better(one, best_.front())) return;
      std::pop_heap(best_.begin(), best_.end(), is_better);
      best_.pop_back();
    }
    best_.push_back(one);
    std::push_heap(best_.begin(), best_.end(), is_better);
  }
  // By site.
  std::vector<One> take() {
    std::sort(best_.begin(), best_.end(), [](const One& a, const One& b) { return a.site < b.site; });
    return std::move(best_);
  }

 private:
  std::vector<One> best_;  // the worst is on top
};

class JoinJob final : public TextJob {
 public:
  explicit JoinJob(GuidesOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "guides"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }
  int show_columns() override { throw UsageError("--columns needs --hits FILE"); }
  void settle(const PartSet* /*parts*/) override { basesweep::settle(o_, false); }

  void find_queries(const PartSet* /*parts*/, Run& /*run*/) override {
    o_.pam.in_guide = PamInGuide::no;
    every_.emplace(every_guide(o_.pam, o_.design.limits.length));
    o_.pam.pams = every_->pams();  // in capitals
    patterns_.emplace(reaching(*every_));
    limits_ = {o_.limits.mismatches, is_scored(*every_, every_->guides().front()), o_.design.rows.most_scored};
    sites_.emplace(every_->max_length(), every_->side());
    counts_.resize(limits_.mismatches + 1);
  }

  RunParameters parameters() const override {
    RunParameters all = parameters_of(guides_options(), o_);
    all.emplace_back("pam_in_guide", "no");
    return all;
  }

  void search(Run& run) override {
    if (counts_for_plots()) tally_ = std::make_unique<GuideTally>(true);
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
    const GuideRowForm form{limits_.mismatches, 0, nullptr, design_columns(), false};
    rows_ = make_line_formatter(std::make_shared<GuideTableRows>(form), basesweep::table_format(o_));
    RowText header;
    header.append(rows_->header({}));
    tables_to_->write(header.view());
    on_workers(run.threads(), [&] {
      join->join(*sites_, limits_, 0, loop_, [this](std::uint32_t first, std::span<const SiteTotals> totals) {
        constexpr std::size_t kAtOnce = std::size_t{1} << 18;  // sites whose rows are in memory at once
        for (std::size_t i = 0; i < totals.size(); i += kAtOnce) {
          take(first + static_cast<std::uint32_t>(i), totals.subspan(i, std::min(kAtOnce, totals.size() - i)));
        }
      });
    });
    write(waiting_);
    if (o_.design.top) write_best();
    if (tally_) on_workers(run.threads(), [this] { list_guides(); });
    tell_of_rows(o_.design, sites_->guides(), written_, run);
    found_.hits = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }
  void merge(PartSet& /*parts*/, const Run& /*run*/) override {}

  TextSummary& summary() override { return found_; }
  void add_findings(nlohmann::ordered_json& report) const override {
    const std::uint32_t length = every_->max_length();
    add_places({sites_->guides(), length, length, 0, limits_.mismatches, counts_}, found_, report);
    if (tally_) add_guide_plots(listed_, every_->side(), report);
  }
  std::string found() override { return counted(found_.hits, "place"); }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  OutputFormat choose_format() override { return OutputFormat::tsv; }
  OutputForm form_of_output() const override { return {}; }
  std::unique_ptr<Formatter> make_formatter() override { return nullptr; }
  std::unique_ptr<Formatter> make_part_rows() const override { return nullptr; }
  std::string print_queries() const override { return ""; }
  RunParameters label_parameters() const override { return parameters(); }

 private:
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
    found_ = run_site_pipeline(pipeline, reader(), *every_, *sites_);
    tell_of_design(sites_->guides(), std::exchange(found_.hits, 0), run);
    if (!limits_.scored) run.warn()(print_missing_scores(sites_->guides(), sites_->guides()));
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
    for (const RowText& text : texts) tables_to_->write(text.view());
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
  std::uint64_t append_rows(std::uint32_t first, std::span<const SiteTotals> totals, RowText& text) const {
    std::uint64_t rows = 0;
    for_each_row(first, totals, [&](std::uint32_t site, const SiteRecord& record, JoinedGuide& guide) {
      append_row(site, record, guide, text);
      ++rows;
    });
    return rows;
  }
  void append_row(std::uint32_t site, const SiteRecord& record, JoinedGuide& guide, RowText& text) const {
    guide.set_cells(*sites_, site, record);
    const bool scored = limits_.scored && o_.design.rows.has_sums(guide.totals);
    rows_->append(GuideTableRow{{}, guide.cells.views(), &guide.totals, scored, ""}, text);
    if (!tally_) return;
    tally_->count(guide.totals, scored, site, [&] {
      guide.set_letters(*sites_);
      const auto& [name, letters, pam, of_record, start, end, strand, percent] = guide.cells.views();
      return ListedGuide{std::string(name), std::string(letters), guide.totals, scored};
    });
  }

  // The guides that a page lists, the first of them with more places than the join finds.
  void list_guides() {
    listed_ = tally_->counts();
    std::vector<std::uint32_t> sites;
    for (const ListedGuide& guide : listed_.listed) {
      if (sites.size() < GuideTally::kMostWithPlaces) sites.push_back(static_cast<std::uint32_t>(guide.order));
    }
    const auto near = nearest_sites(*sites_, sites, limits_.mismatches, GuideTable::kForPages, loop_);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      set_nearest(*sites_, sites[i], near[i], listed_.listed[i].totals.nearest);
    }
  }

  void keep_best(std::uint32_t first, std::span<const SiteTotals> totals) {
    for_each_row(first, totals, [&](std::uint32_t site, const SiteRecord& record, const JoinedGuide& guide) {
      const std::size_t group = best_of_name_.try_emplace(record.name, best_.size()).first->second;
      if (group == best_.size()) best_.emplace_back();
      best_[group].add(site, totals[site - first], guide.totals, o_.design.rows, *o_.design.top);
    });
  }

  void write_best() {
    JoinedGuide guide;
    for (BestOfRecord& best : best_) {
      RowText text;
      for (const BestOfRecord::One& one : best.take()) {
        guide.set_totals(*sites_, one.site, one.totals, limits_);
        append_row(one.site, sites_->records()[sites_->record_of(one.site)], guide, text);
      }
      tables_to_->write(text.view());
    }
  }

  GuidesOptions o_;
  std::optional<GuideSet> every_;
  std::optional<PatternSet> patterns_;
  JoinLimits limits_{};
  std::optional<TextSites> sites_;
  std::unique_ptr<Formatter> rows_;
  std::vector<RowText> waiting_;       // rows that are written next
  std::uint64_t written_ = 0;          // rows
  std::vector<std::uint64_t> counts_;  // places of all guides by mismatches
  std::vector<BestOfRecord> best_;     // of each name of a record
  std::unordered_map<std::string, std::size_t> best_of_name_;
  TextSummary found_;
  std::unique_ptr<GuideTally> tally_;  // null: nothing is counted for plots
  GuideTally::Counts listed_;          // of tally_, when all is found
  const GuideJoin::Loop loop_ = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    tbb::parallel_for(std::size_t{0}, count, work);
  };
};

}  // namespace

bool joins_text(const GuidesOptions& o) {
  const GuideLimits& limits = o.limits;
  const std::vector<std::string> pams = split_pams(o.pam.pams);
  const auto is_short = [](const std::string& pam) { return pam.size() <= SitePlace::kMostPamLetters; };
  return o.design.on && o.hits.empty() && o.annotation.empty() && !o.search.regions.any() && !o.search.is_chunk() &&
         !asks_for_columns(o.search.shown) && limits.max_bulge() == 0 && limits.seed == 0 &&
         limits.mismatches <= kMostJoinMismatches && std::all_of(pams.begin(), pams.end(), is_short);
}

int run_join(const GuidesOptions& options) {
  JoinJob job(options);
  return run_job(job, nullptr);
}

}  // namespace basesweep
