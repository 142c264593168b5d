#include <fmt/format.h>

#include <algorithm>
#include <basesweep/pcr.hpp>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/edit_fields.hpp"
#include "lib/api/result_file.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/products/product_sam.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/reader.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {
namespace {

constexpr std::int64_t kMaxSize = 10'000'000;

PcrOptions checked(PcrOptions o) {
  if (o.edits && o.error_rate) throw UsageError("use edits or error_rate, not both");
  if (o.error_rate && !(*o.error_rate >= 0 && *o.error_rate < 1)) {
    throw UsageError("error_rate must be at least 0 and less than 1");
  }
  if (o.min_size < 0 || o.max_size > kMaxSize || o.min_size > o.max_size) {
    throw UsageError(fmt::format("sizes: expected 0 <= min_size <= max_size <= {}", kMaxSize));
  }
  if (o.single && o.pool) throw UsageError("single and pool conflict: pool joins each primer with itself too");
  if (o.max_products && *o.max_products == 0) throw UsageError("max_products must be at least 1");
  return o;
}

PrimerSet primer_set(const std::vector<NamedPair>& given, const PcrOptions& o) {
  if (given.empty()) throw UsageError("no pair given");
  std::vector<PrimerPair> pairs;
  for (const NamedPair& from : given) {
    for (const std::string* letters : {&from.forward, &from.reverse}) {
      const std::string fault =
          letters->find('|') != std::string::npos ? "a primer has one sequence, without '|'" : letters_fault(*letters);
      if (!fault.empty()) throw UsageError(fmt::format("pair '{}': {}", from.name, fault));
    }
    PrimerPair pair;
    pair.name = from.name;
    pair.forward = upper_case(from.forward);
    pair.reverse = upper_case(from.reverse);
    pair.forward_name = from.name + "_F";
    pair.reverse_name = from.name + "_R";
    pair.min_size = from.min_size;
    pair.max_size = from.max_size;
    pair.edits = from.edits;
    pair.pool = from.pool;
    pairs.push_back(std::move(pair));
  }
  return {std::move(pairs), {o.single, o.pool, o.min_size, o.max_size}};
}

PatternSet pattern_set(const PrimerSet& primers, const PcrOptions& o) {
  for (const PrimerPair& pair : primers.pairs()) {
    if (!o.edits && !o.error_rate && !pair.edits) {
      throw UsageError(fmt::format("pair '{}' has no number of edits of its own: set edits or error_rate", pair.name));
    }
  }
  return {primers.patterns(), StrandChoice::both, PalindromeChoice::both, edits_of(o)};
}

ProductReport report_of(PcrOptions::Report report) {
  switch (report) {
    case PcrOptions::Report::all: return ProductReport::all;
    case PcrOptions::Report::best: return ProductReport::best;
    case PcrOptions::Report::best_per_record: return ProductReport::best_per_record;
  }
  throw UsageError("report: expected all, best or best_per_record");
}

// The columns that PcrProduct is made of.
std::vector<std::string> product_columns(bool text) {
  std::vector<std::string> columns{std::string(kRecordNumber),
                                   "record",
                                   "start",
                                   "end",
                                   "strand",
                                   "forward",
                                   "forward_start",
                                   "forward_end",
                                   "forward_edits",
                                   "reverse",
                                   "reverse_start",
                                   "reverse_end",
                                   "reverse_edits"};
  if (text) columns.push_back("matched");
  return columns;
}

// The columns of one primer.
struct SiteColumns {
  explicit SiteColumns(const Batch& batch, const std::string& side)
      : primers(batch.codes(side)),
        starts(batch.integers(side + "_start")),
        ends(batch.integers(side + "_end")),
        edits(batch.integers(side + "_edits")) {}

  PrimerSite at(std::size_t i) const {
    return {static_cast<std::uint32_t>(primers[i]), starts[i], ends[i], static_cast<std::uint16_t>(edits[i])};
  }

  std::span<const std::int32_t> primers;
  std::span<const std::int64_t> starts, ends, edits;
};

// Calls take(product) for the rows of a batch that has these columns.
void give_products(const Batch& batch, const std::function<void(const PcrProduct&)>& take) {
  const auto records = batch.integers(kRecordNumber), starts = batch.integers("start"), ends = batch.integers("end");
  const auto names = batch.codes("record"), strands = batch.codes("strand");
  const SiteColumns forward(batch, "forward"), reverse(batch, "reverse");
  const Texts table = batch.table("record"), texts = texts_if(batch, "matched");
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    take({.record = records[i],
          .start = starts[i],
          .end = ends[i],
          .strand = strands[i] == 0 ? '+' : '-',
          .forward = forward.at(i),
          .reverse = reverse.at(i),
          .record_name = table[static_cast<std::size_t>(names[i])],
          .text = text_at(texts, i)});
  }
}

}  // namespace

struct Pcr::State {
  State(std::vector<NamedPair> pairs, PcrOptions o)
      : given(std::move(pairs)),
        options(checked(std::move(o))),
        report(report_of(options.report)),
        primers(primer_set(given, options)),
        patterns(pattern_set(primers, options)),
        threads(threads_of(options)),
        block_bytes(std::min<std::size_t>(ReaderOptions().block_bytes, max_batch_positions(patterns))),
        cells([this](std::vector<std::string> files) { return rows(std::move(files)); }),
        product_cells(rows({}), product_columns(options.text)),
        matcher(make_matcher(patterns, matcher_options(options, true, threads))),
        method(matcher->describe()) {}

  std::shared_ptr<const Rows> rows(std::vector<std::string> files) const {
    ProductDetails details;
    details.files = std::move(files);
    return std::make_shared<ProductRows>(primers, patterns, std::move(details));
  }

  std::vector<OutputFormat> formats() const { return product_formats(); }
  // `files`: the names of the inputs.
  std::unique_ptr<Formatter> formatter(OutputFormat format, const FileOptions& file,
                                       const std::vector<std::string>& files) const {
    if (circular_of(options).any() && (is_aligned(format) || format == OutputFormat::bed)) {
      throw UsageError(fmt::format("circular: {} has no place for products over the origin", noun_of(format)));
    }
    if (is_aligned(format)) return make_sam(make_product_sam(primers, patterns, false), format, files);
    return make_line_formatter(rows(files), format, lines_of(file, circular_of(options)));
  }

  PcrSummary search(const CallJob& job) const {
    ProgressCounts counts;
    ProductPipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.select.report = report;
    pipeline.select.max_products = options.max_products;
    pipeline.threads = job.threads.number;
    pipeline.alone = job.threads.alone;
    pipeline.circular = circular_of(options);
    pipeline.warn = [&job](const std::string& text) { job.warnings.add(text); };
    pipeline.progress = &counts;
    RowTarget output;
    output.formatter = &job.formatter;
    output.sink = &job.sink;
    output.spool_directory = temporary_folder();
    output.names = job.formatter.names();
    ProductSummary summary;
    watch(job, counts,
          [&] { summary = run_product_pipeline(pipeline, job.source, primers, patterns, *matcher, output); });
    return {summary.hits, summary.truncated, job.warnings.take()};
  }

  const std::vector<NamedPair> given;
  const PcrOptions options;
  const ProductReport report;
  const PrimerSet primers;
  const PatternSet patterns;
  const int threads;
  const std::size_t block_bytes;
  mutable CellCache cells;
  const CellFormatter product_cells;  // for PcrProduct
  const std::unique_ptr<Matcher> matcher;
  const std::string method;
};

Pcr::Pcr(std::vector<NamedPair> pairs, PcrOptions options)
    : state_(std::make_unique<State>(std::move(pairs), std::move(options))) {}
Pcr::~Pcr() = default;
Pcr::Pcr(Pcr&&) noexcept = default;
Pcr& Pcr::operator=(Pcr&&) noexcept = default;

std::vector<PcrProduct> Pcr::find(std::string_view bases) const {
  std::vector<PcrProduct> products;
  const NamedSequence record{"", bases};
  search({&record, 1}, [&products](const PcrProduct& product) {
    PcrProduct& kept = products.emplace_back(product);
    kept.record_name = kept.text = {};
  });
  return products;
}

PcrSummary Pcr::search(std::span<const NamedSequence> records, const Take& take,
                       const ProgressFunction& progress) const {
  check_taker(take, "products");
  const TakeBatch give = [&take](const Batch& batch) { give_products(batch, take); };
  return run_in_memory(*state_, records, wanted(state_->product_cells, give, progress),
                       [this](const CallJob& job) { return state_->search(job); });
}

PcrSummary Pcr::search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                       const TakeBatch& take) const {
  check_taker(take, "products");
  const auto cells = state_->cells.get(columns.columns, {"<memory>"});
  return run_in_memory(*state_, records, wanted(*cells, columns, take),
                       [this](const CallJob& job) { return state_->search(job); });
}

PcrSummary Pcr::search_files(const std::vector<std::string>& paths, const Take& take,
                             const ProgressFunction& progress) const {
  check_taker(take, "products");
  const TakeBatch give = [&take](const Batch& batch) { give_products(batch, take); };
  return run_on_files(*state_, paths, wanted(state_->product_cells, give, progress),
                      [this](const CallJob& job) { return state_->search(job); });
}

PcrSummary Pcr::search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                             const TakeBatch& take) const {
  check_taker(take, "products");
  const auto cells = state_->cells.get(columns.columns, input_names(paths));
  return run_on_files(*state_, paths, wanted(*cells, columns, take),
                      [this](const CallJob& job) { return state_->search(job); });
}

PcrSummary Pcr::write(std::span<const NamedSequence> records, const std::string& path,
                      const FileOptions& options) const {
  return write_in_memory(*state_, records, path, options, [this](const CallJob& job) { return state_->search(job); });
}

PcrSummary Pcr::write_files(const std::vector<std::string>& paths, const std::string& path,
                            const FileOptions& options) const {
  return write_of_files(*state_, paths, path, options, [this](const CallJob& job) { return state_->search(job); });
}

std::vector<ColumnInfo> Pcr::columns() const { return state_->cells.infos(); }

const std::vector<NamedPair>& Pcr::pairs() const noexcept { return state_->given; }
const std::string& Pcr::method() const noexcept { return state_->method; }

std::vector<NamedPair> load_pairs(const std::string& path, const PairFileOptions& options) {
  std::vector<NamedPair> pairs;
  LeftOut left_out;
  const PairColumnChoice columns{options.name_column, options.forward_column, options.reverse_column};
  for (PrimerPair& pair : read_primer_pairs(path, columns, &left_out)) {
    pairs.push_back({std::move(pair.name), std::move(pair.forward), std::move(pair.reverse), pair.min_size,
                     pair.max_size, pair.edits, std::move(pair.pool)});
  }
  if (left_out.any() && options.warn) options.warn(left_out.sentence());
  return pairs;
}

}  // namespace basesweep
