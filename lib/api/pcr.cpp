#include <fmt/format.h>

#include <algorithm>
#include <basesweep/pcr.hpp>
#include <cstring>

#include "lib/api/call.hpp"
#include "lib/api/memory_source.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/base/upper_case.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/products/placed_product.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/reader.hpp"
#include "lib/rows/letters.hpp"

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
  return {primers.patterns(),
          StrandChoice::both,
          PalindromeChoice::both,
          {.edits = o.edits,
           .rate = o.error_rate,
           .max_mismatches = o.max_mismatches,
           .max_indels = o.max_indels,
           .clamp_5prime = o.clamp_5prime,
           .clamp_3prime = o.clamp_3prime,
           .max_dna_bulges = o.max_dna_bulges,
           .max_rna_bulges = o.max_rna_bulges}};
}

ProductReport report_of(PcrOptions::Report report) {
  switch (report) {
    case PcrOptions::Report::all: return ProductReport::all;
    case PcrOptions::Report::best: return ProductReport::best;
    case PcrOptions::Report::best_per_record: return ProductReport::best_per_record;
  }
  throw UsageError("report: expected all, best or best_per_record");
}

// Stands for a product between append() and the caller's function; the name of its record and its text follow.
struct Frame {
  std::int64_t record;
  std::int64_t start;
  std::int64_t end;
  PrimerSite forward;
  PrimerSite reverse;
  std::uint64_t name_bytes;
  std::uint64_t text_bytes;
  char strand;
};

// Gives the products to the caller.
class Giver final : public Gatherer {
 public:
  explicit Giver(const std::function<void(PcrProduct&)>& take) : take_(take) {}

  void add(std::string_view text) override {
    while (!text.empty()) {
      Frame frame;
      std::memcpy(&frame, text.data(), sizeof frame);
      text.remove_prefix(sizeof frame);
      PcrProduct product{.record = frame.record,
                         .start = frame.start,
                         .end = frame.end,
                         .strand = frame.strand,
                         .forward = frame.forward,
                         .reverse = frame.reverse,
                         .record_name = text.substr(0, frame.name_bytes),
                         .text = text.substr(frame.name_bytes, frame.text_bytes)};
      text.remove_prefix(frame.name_bytes + frame.text_bytes);
      take_(product);
    }
  }
  void finish() override {}

 private:
  const std::function<void(PcrProduct&)>& take_;
};

class ProductFrames final : public Formatter {
 public:
  ProductFrames(const PrimerSet& primers, bool text, const std::function<void(PcrProduct&)>& take)
      : primers_(primers), text_(text), take_(take) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return text_ ? need::letters : 0; }
  std::unique_ptr<Gatherer> gatherer(const std::string&, Write) const override {
    return std::make_unique<Giver>(take_);
  }

  void append(const Row& row, RowText& text) const override {
    const auto& product = static_cast<const PlacedProduct&>(row);
    const Frame frame{product.record,
                      product.start,
                      product.end,
                      site(product, product.forward(), primers_.forward(product.join)),
                      site(product, product.reverse(), primers_.reverse(product.join)),
                      product.record_name.size(),
                      text_ ? product.letters.size() : 0,
                      strand_letter(product.join.strand)};
    char* const to = text.reserve(sizeof frame);
    std::memcpy(to, &frame, sizeof frame);
    text.advance(to + sizeof frame);
    text.append(product.record_name);
    if (text_) text.advance(put_matched(text.reserve(product.letters.size()), product.letters, product.join.strand));
  }

 private:
  PrimerSite site(const PlacedProduct& product, const Hit& hit, const PrimerSet::Primer& primer) const {
    const std::int64_t start = product.start_of(hit);
    const auto index = static_cast<std::uint32_t>(&primer - primers_.primers().data());
    return {index, start, start + hit.length, hit.edits};
  }

  const PrimerSet& primers_;
  const bool text_;
  const std::function<void(PcrProduct&)>& take_;
};

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
        matcher(make_matcher(patterns, matcher_options(options, true, threads))),
        method(matcher->describe()) {}

  PcrSummary search(BlockSource& source, const std::function<void(PcrProduct&)>& take, int max_threads,
                    Warnings& warnings) const {
    const ProductFrames frames(primers, options.text, take);
    NoOutput sink;
    ProductPipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.select.report = report;
    pipeline.select.max_products = options.max_products;
    pipeline.threads = max_threads;
    pipeline.circular = {options.circular, {options.circular_records.begin(), options.circular_records.end()}};
    pipeline.warn = [&warnings](const std::string& text) { warnings.add(text); };
    ProductOutput output;
    output.formatter = &frames;
    output.sink = &sink;
    output.spool_directory = temporary_folder();
    const ProductSummary summary = run_product_pipeline(pipeline, source, primers, patterns, *matcher, output);
    return {summary.products, summary.truncated, warnings.take()};
  }

  const std::vector<NamedPair> given;
  const PcrOptions options;
  const ProductReport report;
  const PrimerSet primers;
  const PatternSet patterns;
  const int threads;
  const std::size_t block_bytes;
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

PcrSummary Pcr::search(std::span<const NamedSequence> records, const Take& take) const {
  if (!take) throw UsageError("no function to take products");
  MemorySource source(records, state_->block_bytes);
  Warnings dropped;  // warnings about names: records in memory may share one
  PcrSummary summary = state_->search(
      source,
      [&](PcrProduct& product) {
        product.record = source.index_of(product.record);
        product.record_name = records[static_cast<std::size_t>(product.record)].name;
        take(product);
      },
      threads_for(records, state_->threads), dropped);
  summary.warnings.clear();
  return summary;
}

PcrSummary Pcr::search_files(const std::vector<std::string>& paths, const Take& take) const {
  if (!take) throw UsageError("no function to take products");
  Warnings warnings;
  Reader reader = open_files(paths, state_->block_bytes, state_->threads, warnings);
  return state_->search(
      reader, [&take](PcrProduct& product) { take(product); }, state_->threads, warnings);
}

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
