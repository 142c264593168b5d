#include <fmt/format.h>

#include <array>
#include <basesweep/guides.hpp>
#include <set>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/result_file.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/guides/guide_sam.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/guides/scores.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/reader.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {
namespace {

GuideLimits limits_of(const GuideOptions& o) {
  const auto at_most = [](const char* option, std::uint32_t value, std::uint32_t most) {
    if (value > most) throw UsageError(fmt::format("{}: expected 0 to {}", option, most));
  };
  at_most("mismatches", o.mismatches, kMaxGuideLength);
  at_most("max_dna_bulges", o.max_dna_bulges, kMaxBulge);
  at_most("max_rna_bulges", o.max_rna_bulges, kMaxBulge);
  at_most("seed", o.seed, kMaxGuideLength);
  if (o.seed_mismatches != 0 && o.seed == 0) throw UsageError("seed_mismatches needs seed");
  return {o.mismatches, o.max_dna_bulges, o.max_rna_bulges, o.seed, o.seed_mismatches};
}

PamChoice pam_choice(const GuideOptions& o) {
  if (o.pams.empty()) throw UsageError("no PAM given");
  PamChoice choice;
  for (const std::string& pam : o.pams) choice.pams.push_back(upper_case(pam));
  choice.side = o.pam_5prime ? PamSide::five_prime : PamSide::three_prime;
  if (o.pam_in_guide) choice.in_guide = *o.pam_in_guide ? PamInGuide::yes : PamInGuide::no;
  return choice;
}

GuideSet guide_set(const std::vector<NamedGuide>& given, const GuideOptions& o) {
  if (given.empty()) throw UsageError("no guide given");
  std::vector<Pattern> patterns;
  std::set<std::string_view> names;
  for (const NamedGuide& guide : given) {
    const std::string fault = letters_fault(guide.bases);
    if (!fault.empty()) throw UsageError(fmt::format("guide '{}': {}", guide.name, fault));
    if (!names.insert(guide.name).second) throw UsageError(fmt::format("guide '{}' is given twice", guide.name));
    patterns.push_back({guide.name, upper_case(guide.bases)});
  }
  return {patterns, pam_choice(o), limits_of(o)};
}

double fraction(std::uint64_t score) { return static_cast<double>(score) / kFullScore; }

// The columns that OffTarget is made of.
std::vector<std::string> place_columns() {
  return {std::string(kRecordNumber),
          "record",
          "start",
          "end",
          "guide",
          "strand",
          "bulge",
          "bulge_size",
          "mismatches",
          "mit",
          "cfd",
          "aligned_guide",
          "aligned_text"};
}

// Calls take(place) for the rows of a batch that has these columns.
void give_places(const Batch& batch, const std::function<void(const OffTarget&)>& take) {
  constexpr std::array kBulges{BulgeKind::none, BulgeKind::dna, BulgeKind::rna};  // in the order of the table
  const auto records = batch.integers(kRecordNumber), starts = batch.integers("start"), ends = batch.integers("end");
  const auto names = batch.codes("record"), guides = batch.codes("guide"), strands = batch.codes("strand");
  const auto bulges = batch.codes("bulge");
  const auto sizes = batch.integers("bulge_size"), mismatches = batch.integers("mismatches");
  const auto mit = batch.reals("mit"), cfd = batch.reals("cfd");
  const Texts table = batch.table("record"), guide_texts = batch.texts("aligned_guide");
  const Texts texts = batch.texts("aligned_text");
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    OffTarget place{.record = records[i],
                    .start = starts[i],
                    .end = ends[i],
                    .guide = static_cast<std::uint32_t>(guides[i]),
                    .strand = strands[i] == 0 ? '+' : '-',
                    .bulge = kBulges[static_cast<std::size_t>(bulges[i])],
                    .bulge_size = static_cast<std::uint32_t>(sizes[i]),
                    .mismatches = static_cast<std::uint32_t>(mismatches[i]),
                    .record_name = table[static_cast<std::size_t>(names[i])],
                    .aligned_guide = guide_texts[i],
                    .aligned_text = texts[i]};
    if (batch.has("mit", i)) place.mit = mit[i];
    if (batch.has("cfd", i)) place.cfd = cfd[i];
    take(place);
  }
}

GuideRow row_of(const GuideTotals& totals, bool scored) {
  constexpr double kPercent = 100;
  GuideRow row;
  row.places = totals.places();
  row.counts = totals.counts;
  if (const auto mit = totals.mit_specificity(scored)) row.mit_specificity = kPercent * fraction(*mit);
  if (const auto cfd = totals.cfd_specificity(scored)) row.cfd_specificity = kPercent * fraction(*cfd);
  row.unique = totals.places() == 1 && totals.nearest.front().exact();
  return row;
}

}  // namespace

struct Guides::State {
  State(std::vector<NamedGuide> guides, GuideOptions o)
      : given(std::move(guides)),
        options(std::move(o)),
        threads(threads_of(options)),
        set(guide_set(given, options)),
        cells([this](std::vector<std::string> files) { return rows(std::move(files)); }),
        place_cells(rows({}), place_columns()),
        finder(make_guide_finder(set, {searcher_options(options, threads)})),
        method(finder->describe()) {}

  std::shared_ptr<const Rows> rows(std::vector<std::string> files) const {
    return std::make_shared<PlaceRows>(set, std::move(files));
  }

  std::vector<OutputFormat> formats() const { return place_formats(); }
  // `files`: the names of the inputs.
  std::unique_ptr<Formatter> formatter(OutputFormat format, const FileOptions& file,
                                       const std::vector<std::string>& files) const {
    if (is_aligned(format)) return make_sam(make_guide_sam(set, false), format, files);
    return make_line_formatter(rows(files), format, lines_of(file));
  }

  // Without `gives`, places are only added up.
  GuidesResult search(const CallJob& job, bool gives) const {
    ProgressCounts counts;
    GuidePipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.threads = job.threads.number;
    pipeline.alone = job.threads.alone;
    pipeline.warn = [&job](const std::string& text) { job.warnings.add(text); };
    pipeline.progress = &counts;
    RowTarget output;
    if (gives) output = {&job.formatter, &job.sink, std::nullopt, temporary_folder()};
    GuideTable table(set);
    const auto work = [&] { run_guide_pipeline(pipeline, job.source, set, *finder, table, output); };
    gives ? watch(job, counts, work) : watch(job.call, counts, work);
    GuidesResult result;
    for (std::size_t i = 0; i < given.size(); ++i) {
      result.rows.push_back(row_of(table.totals(i), is_scored(set, set.guides()[i])));
    }
    result.warnings = job.warnings.take();
    return result;
  }

  const std::vector<NamedGuide> given;
  const GuideOptions options;
  const int threads;
  const GuideSet set;
  const std::size_t block_bytes = ReaderOptions().block_bytes;
  mutable CellCache cells;
  const CellFormatter place_cells;  // for OffTarget
  const std::unique_ptr<GuideFinder> finder;
  const std::string method;
};

Guides::Guides(std::vector<NamedGuide> guides, GuideOptions options)
    : state_(std::make_unique<State>(std::move(guides), std::move(options))) {}
Guides::~Guides() = default;
Guides::Guides(Guides&&) noexcept = default;
Guides& Guides::operator=(Guides&&) noexcept = default;

std::vector<OffTarget> Guides::find(std::string_view bases) const {
  std::vector<OffTarget> places;
  const NamedSequence record{"", bases};
  search({&record, 1}, [&places](const OffTarget& place) {
    OffTarget& kept = places.emplace_back(place);
    kept.record_name = kept.aligned_guide = kept.aligned_text = {};
  });
  return places;
}

GuidesResult Guides::search(std::span<const NamedSequence> records, const Take& take,
                            const ProgressFunction& progress) const {
  const TakeBatch give = [&take](const Batch& batch) { give_places(batch, take); };
  return run_in_memory(*state_, records, wanted(state_->place_cells, give, progress),
                       [&](const CallJob& job) { return state_->search(job, bool(take)); });
}

GuidesResult Guides::search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                            const TakeBatch& take) const {
  check_taker(take, "places");
  const auto cells = state_->cells.get(columns.columns, {"<memory>"});
  return run_in_memory(*state_, records, wanted(*cells, columns, take),
                       [&](const CallJob& job) { return state_->search(job, bool(take)); });
}

GuidesResult Guides::search_files(const std::vector<std::string>& paths, const Take& take,
                                  const ProgressFunction& progress) const {
  const TakeBatch give = [&take](const Batch& batch) { give_places(batch, take); };
  return run_on_files(*state_, paths, wanted(state_->place_cells, give, progress),
                      [&](const CallJob& job) { return state_->search(job, bool(take)); });
}

GuidesResult Guides::search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                                  const TakeBatch& take) const {
  check_taker(take, "places");
  const auto cells = state_->cells.get(columns.columns, input_names(paths));
  return run_on_files(*state_, paths, wanted(*cells, columns, take),
                      [&](const CallJob& job) { return state_->search(job, bool(take)); });
}

GuidesResult Guides::write(std::span<const NamedSequence> records, const std::string& path,
                           const FileOptions& options) const {
  return write_in_memory(*state_, records, path, options,
                         [this](const CallJob& job) { return state_->search(job, true); });
}

GuidesResult Guides::write_files(const std::vector<std::string>& paths, const std::string& path,
                                 const FileOptions& options) const {
  return write_of_files(*state_, paths, path, options,
                        [this](const CallJob& job) { return state_->search(job, true); });
}

std::vector<ColumnInfo> Guides::columns() const { return state_->cells.infos(); }

const std::vector<NamedGuide>& Guides::guides() const noexcept { return state_->given; }
const std::string& Guides::method() const noexcept { return state_->method; }

}  // namespace basesweep
