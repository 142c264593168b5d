// basesweep pcr: finds the products of primer pairs; writes TSV, BED, GFF3, FASTA, SAM or BAM.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/pipeline/part_products.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/products/primer_pairs.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/products/product_sam.hpp"
#include "lib/products/product_table.hpp"
#include "lib/reader/md5.hpp"
#include "lib/report/count_table.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/product_plots.hpp"
#include "lib/tallies/product_tally.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/compiled_options.hpp"
#include "tools/file_kind.hpp"
#include "tools/pcr_options.hpp"
#include "tools/print.hpp"
#include "tools/text_job.hpp"

namespace basesweep {
namespace {

PrimerPair given_pair(const PcrJobOptions& o, LeftOut& left_out) {
  const auto sequence = [&left_out](const char* option, const std::string& written) {
    const std::string letters = given_sequence(option, written, left_out);
    if (letters.find('|') != std::string::npos)
      throw UsageError(fmt::format("{} {}: a primer has one sequence", option, written));
    return letters;
  };
  PrimerPair pair;
  pair.name = "pair";
  pair.forward = sequence("--forward", o.forward);
  pair.reverse = sequence("--reverse", o.reverse);
  pair.probe = sequence("--probe", o.probe);
  pair.forward_name = "forward";
  pair.reverse_name = "reverse";
  return pair;
}

PrimerSet find_primers(const PcrJobOptions& o, std::optional<CompiledSet>& compiled, LeftOut& left_out) {
  std::vector<PrimerPair> pairs;
  if (compiled) return {std::move(compiled->pairs), o.join};
  for (const std::string& path : o.search.pattern_files) {
    for (PrimerPair& pair : read_sequences(path, [&] { return read_primer_pairs(path, o.columns, &left_out); })) {
      pairs.push_back(std::move(pair));
    }
  }
  if (!o.forward.empty()) pairs.push_back(given_pair(o, left_out));
  return {std::move(pairs), o.join};
}

// The digest of the pairs, for the label of parts.
std::string digest_of(const PrimerSet& primers) {
  Md5 md5;
  for (const PrimerPair& pair : primers.pairs()) {
    md5.add(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", pair.name, pair.forward, pair.reverse, pair.probe,
                        pair.min_size.value_or(-1), pair.max_size.value_or(-1),
                        pair.edits ? std::int64_t{*pair.edits} : -1, pair.pool));
  }
  return md5.take();
}

RunParameters parameters_in(const PcrJobOptions& o, OutputFormat format) {
  RunParameters all = parameters_of(pcr_options(), o);
  all.emplace_back("output", word_of(format));
  return all;
}

std::unique_ptr<Formatter> formatter_of(OutputFormat format, const PcrJobOptions& o, const PrimerSet& primers,
                                        const PatternSet& patterns) {
  if (is_aligned(format)) {
    const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
    return make_sam_formatter(make_product_sam(primers, patterns, o.sam.distinguish),
                              {.binary = format == OutputFormat::bam,
                               .program = !o.sam.no_program,
                               .command_line = program_of("pcr", pcr_options(), o),
                               .read_group = o.sam.read_group,
                               .path = input_name(path)});
  }
  const LineOptions lines{shown_columns(o.search), o.search.circular};
  if (o.table) {
    return make_product_table(std::make_shared<ProductTableRows>(primers, o.details.files), format, lines);
  }
  return make_line_formatter(std::make_shared<ProductRows>(primers, patterns, o.details), format, lines);
}

CountedBy counted_by(const SearchJobOptions& o) {
  return {.of = "pair", .by_file = o.per_file, .files = input_names(o.inputs)};
}

// Whether the chunks of such a run hold counts instead of products.
bool only_counts(const PcrJobOptions& o) { return o.search.count && o.report == ProductReport::all; }

// Throws UsageError where parts cannot give what the options ask for.
void check_parts(const PartSet& parts, const PcrJobOptions& o) {
  if (parameter(parts.head().label, "rows") == "counts" && !only_counts(o)) {
    throw UsageError("the chunks only counted products (--count), so merge cannot choose among them or list them");
  }
}

// Throws UsageError if chunks stopped before products that the options ask for.
void check_truncated(const PcrJobOptions& o, const PartSet& parts, const Summaries& summaries) {
  if (!summaries.truncated()) return;
  std::uint64_t of_chunk = 0;
  parse_number(parameter(parts.head().label, "max_hits"), of_chunk);
  if (o.report == ProductReport::all && o.max_products && *o.max_products <= of_chunk) return;
  throw UsageError(
      "a chunk stopped at its --max-products, so merge cannot give more, or choose: lower --max-products, or run the "
      "chunks without it");
}

class PcrJob final : public TextJob {
 public:
  explicit PcrJob(PcrJobOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "pcr"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }
  int show_columns() override {
    if (o_.search.count) return basesweep::show_columns(*count_rows(counted_by(o_.search)), o_.search.shown);
    int code = 0;
    const auto show = [&](const Rows& rows) { code = basesweep::show_columns(rows, o_.search.shown); };
    o_.table ? show(ProductTableRows(example_pair(), {})) : with_example_rows(o_.details, show);
    return code;
  }

  void settle(const PartSet* parts) override {
    basesweep::settle(o_, parts != nullptr);
    chosen_ = pcr_format(o_);
    if (o_.search.count) check_count_table(counted_by(o_.search), table_form());
    if (parts != nullptr) check_parts(*parts, o_);
  }

  void find_queries(const PartSet* parts, Run& run) override {
    find_compiled_set(parts, SetKind::pairs);
    if (compiled_) take_options(*compiled_, o_.search, o_.edits);
    LeftOut left_out;
    primers_.emplace(find_primers(o_, compiled_, left_out));
    run.tell_left_out(left_out);
    patterns_ = with_edits(primers_->patterns(), StrandChoice::both, PalindromeChoice::both, o_.edits);
    o_.search.reach = static_cast<std::uint32_t>(primers_->max_size());
    o_.details.files = input_names(o_.search.inputs);
  }

  RunParameters parameters() const override {
    RunParameters all = parameters_in(o_, format());
    for (const auto& [key, column] : {std::pair("name_column", o_.columns.name),
                                      {"forward_column", o_.columns.forward},
                                      {"reverse_column", o_.columns.reverse}}) {
      if (!column.empty()) all.emplace_back(key, column);
    }
    return all;
  }

  void search(Run& run) override {
    const std::unique_ptr<Matcher> matcher = make_matcher(*patterns_, matcher_options(run));
    run.say()(fmt::format("matching the primers of {} pairs with {}, {} threads", primers_->pairs().size(),
                          matcher->describe(), run.threads()));
    ProductPipelineOptions pipeline;
    set_text_options(run, pipeline);
    pipeline.select = select_options();
    pipeline.find_turned = !is_part();  // a chunk does not see the products of the others
    found_ = run_product_pipeline(pipeline, reader(), *primers_, *patterns_, *matcher, row_target());
    if (is_part() && only_counts(o_)) write_product_counts(found_, *rows_to_);
    keep(*matcher);
  }

  void merge(PartSet& parts, const Run& run) override {
    const bool counts = parameter(parts.head().label, "rows") == "counts";
    found_ = counts ? merge_product_counts(parts, *primers_, o_.search.per_file)
                    : run_part_products(select_options(), run.threads(), parts, *primers_, *patterns_, row_target());
  }

  TextSummary& summary() override { return found_; }
  void take_summaries(const Summaries& summaries, const PartSet& parts) override {
    check_truncated(o_, parts, summaries);
  }

  void write_tables(const Run& /*run*/) override {
    if (!o_.search.count) return;
    const std::vector<std::string> files =
        o_.search.per_file ? input_names(o_.search.inputs) : std::vector<std::string>();
    tables_to_->write(product_table(*primers_, found_, files, table_form()));
  }

  void add_findings(nlohmann::ordered_json& report) const override {
    add_products(*primers_, found_, report);
    if (!tally_ || found_.truncated) return;  // the tally may have more products than were written
    add_product_plots(*tally_, *primers_, found_, knows_records(found_), report);
  }
  std::string found() override { return counted(found_.hits, "product"); }
  std::string found_more() override {
    if (primers_->options().pool) return "";
    std::set<std::uint64_t> with;
    for (const auto& of_source : found_.counts) {
      for (const auto& [pair, counts] : of_source) with.insert(pair);
    }
    return print_without(primers_->pairs().size() - with.size(), primers_->pairs().size(), "pair", "product");
  }
  void warn_at_end(const Run& run, bool /*merged*/) override {
    if (!found_.truncated) return;
    run.warn()(fmt::format("stopped after {} products (--max-products); there are more", found_.hits));
  }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  OutputFormat choose_format() override { return chosen_; }
  std::unique_ptr<Formatter> make_formatter() override { return formatter_of(format(), o_, *primers_, *patterns_); }
  std::unique_ptr<Formatter> make_part_rows() const override {
    return std::make_unique<PartRows<PlacedProduct>>(o_.table || o_.search.count ? 0 : need::letters);
  }
  std::string print_queries() const override {
    return print_set({.kind = SetKind::pairs, .options = {o_.edits}, .pairs = primers_->pairs()});
  }
  RunParameters label_parameters() const override {
    RunParameters all = parameters_in(o_, format());
    all.emplace_back("pairs", digest_of(*primers_));
    all.emplace_back("rows", only_counts(o_) ? "counts" : "products");
    return all;
  }

 private:
  // Where products go; with what counts them for plots.
  RowTarget row_target() {
    RowTarget to = target(prints_products());
    if (!counts_for_plots() || to.formatter == nullptr) return to;
    const bool in_rows = (to.formatter->needs() & need::letters) != 0;
    const auto letters = o_.table  ? ProductTally::Letters::none
                         : in_rows ? ProductTally::Letters::in_rows
                                   : ProductTally::Letters::on_demand;
    tally_ = std::make_unique<ProductTally>(*primers_, *patterns_, longest(), letters);
    counting_ = counting_formatter(*to.formatter, *tally_);
    to.formatter = counting_.get();
    return to;
  }
  bool prints_products() const { return is_part() ? !only_counts(o_) : !o_.search.count; }
  // A chunk leaves all choices among products to `merge`, apart from the first N where nothing else is chosen. Whether
  // counts are wanted by file is not known before it either.
  ProductSelectOptions select_options() const {
    if (!is_part()) return {o_.report, o_.max_products, o_.search.per_file};
    ProductSelectOptions select{.by_source = true};
    if (o_.report == ProductReport::all) select.max_products = o_.max_products;
    return select;
  }

  PcrJobOptions o_;
  OutputFormat chosen_ = OutputFormat::tsv;
  std::optional<PrimerSet> primers_;
  std::optional<PatternSet> patterns_;
  ProductSummary found_;
  std::unique_ptr<ProductTally> tally_;  // null: nothing is counted for plots
  std::unique_ptr<Formatter> counting_;  // the formatter of products, with the tally
};

}  // namespace

Work add_pcr_command(CLI::App& app) {
  auto options = std::make_shared<PcrJobOptions>();
  CLI::App& command =
      add_command(app, "pcr", "Find the products of primer pairs: in-silico PCR", kSearchCommands, pcr_help());
  add_pcr_options(command, *options);
  return [options](PartSet* parts) {
    PcrJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
