#include <fmt/format.h>

#include <algorithm>
#include <basesweep/reads.hpp>
#include <utility>

#include "lib/api/call.hpp"
#include "lib/api/read_calls.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/chance_calls.hpp"
#include "lib/demux/sample_distances.hpp"
#include "lib/demux/sample_sheet.hpp"
#include "lib/demux/sheet_caller.hpp"

namespace basesweep {
namespace {

DemultiplexerOptions checked(DemultiplexerOptions o) {
  constexpr std::uint32_t kMostMargin = 50;
  if (o.edits && o.error_rate) throw UsageError("use edits or error_rate, not both");
  if (o.error_rate && !(*o.error_rate >= 0 && *o.error_rate < 1))
    throw UsageError("error_rate must be at least 0 and less than 1");
  if (o.margin < 1 || o.margin > kMostMargin) throw UsageError(fmt::format("margin: expected 1 to {}", kMostMargin));
  if (o.context > kMaxBarcodeLetters) throw UsageError(fmt::format("context: expected 0 to {}", kMaxBarcodeLetters));
  if (o.window && *o.window == 0) throw UsageError("window must be at least 1");
  if (o.read_bases && *o.read_bases < 0) throw UsageError("read_bases must be at least 0");
  return o;
}

// A sheet with these samples.
std::string sheet_text(const std::vector<BarcodedSample>& samples) {
  std::string text = "sample\tbarcode\tleft\tright\tbarcode2\tleft2\tright2\tedits\n";
  for (const BarcodedSample& sample : samples) {
    for (const std::string* cell : {&sample.name, &sample.barcode, &sample.left, &sample.right, &sample.barcode2,
                                    &sample.left2, &sample.right2}) {
      if (cell->find_first_of("\t\r\n") != std::string::npos)
        throw DataError(fmt::format("sample '{}': a tab or a line end", sample.name));
      text += *cell + '\t';
    }
    text += (sample.edits ? std::to_string(*sample.edits) : std::string()) + '\n';
  }
  return text;
}

}  // namespace

struct Demultiplexer::State {
  State(SampleSheet given, const BarcodeKit* kit, DemultiplexerOptions o)
      : options(checked(std::move(o))), threads(threads_of(options)), sheet(std::move(given)) {
    options.either_end = options.either_end || sheet.same_at_ends;
    if (options.either_end && !sheet.has_second()) throw UsageError("either_end: the samples have no second barcodes");
    SheetSearch search{{.context = options.context}, options.edits, options.margin, options.either_end};
    if (options.error_rate) search.patterns.error_rate = *options.error_rate;
    if (kit != nullptr && !options.error_rate && !options.edits) search.edits = kit->edits;
    SheetBarcodes barcodes = barcodes_of(sheet, search);
    if (strands() == StrandChoice::both) check_other_way(sheet, search, barcodes, options.paired);
    warnings = sheet.warnings;
    for (const SheetSample& sample : sheet.samples) names.push_back(sample.name);
    const std::uint32_t bases = window(barcodes, kit);
    const SampleCallOptions calls{
        .margin = options.margin, .either_end = options.either_end, .ends = {bases, options.anywhere, strands()}};
    const BarcodeScorerOptions scoring{searcher_options(options.device, options.read_bases, threads),
                                       options.read_bases};
    const auto scorer = [&scoring](const FlankedBarcodes& patterns) { return make_barcode_scorer(patterns, scoring); };
    const auto make = [&]() -> const BarcodeCaller& { return caller.make(barcodes, options.context, scorer, calls); };
    if (options.error_rate || search.edits) {
      make();
    } else {
      lower_error_rate(sheet, search, barcodes, random_reads(options.paired, options.anywhere, bases), make);
    }
    method = caller.first_barcodes().describe();
  }

  std::uint32_t window(const SheetBarcodes& barcodes, const BarcodeKit* kit) const {
    const PatternLengths lengths = pattern_lengths(barcodes, options.context);
    const std::uint32_t window = options.window.value_or(usual_window(kit, lengths));
    if (!options.anywhere && window < lengths.needed)
      throw UsageError(fmt::format("window: a barcode with its flanks has {} letters", lengths.longest));
    return window;
  }

  StrandChoice strands() const {
    if (options.strands == DemultiplexerOptions::Strands::automatic)
      return options.paired ? StrandChoice::plus : StrandChoice::both;
    return strand_choice(options.strands);
  }

  DemultiplexerOptions options;
  const int threads;
  SampleSheet sheet;
  std::vector<std::string> names;
  std::vector<std::string> warnings;
  SheetCaller caller;
  std::string method;
};

Demultiplexer::Demultiplexer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Demultiplexer::Demultiplexer(const std::vector<BarcodedSample>& samples, DemultiplexerOptions options)
    : state_(std::make_unique<State>(parse_sample_sheet(sheet_text(samples), kReadsInMemory, nullptr), nullptr,
                                     std::move(options))) {}
Demultiplexer Demultiplexer::load(const std::string& sheet, const std::string& kit, DemultiplexerOptions options) {
  const BarcodeKit* const known = kit.empty() ? nullptr : &barcode_kit(kit);
  return Demultiplexer(std::make_unique<State>(read_sample_sheet(sheet, known), known, std::move(options)));
}
Demultiplexer::~Demultiplexer() = default;
Demultiplexer::Demultiplexer(Demultiplexer&&) noexcept = default;
Demultiplexer& Demultiplexer::operator=(Demultiplexer&&) noexcept = default;

std::vector<SortedRead> Demultiplexer::sort(std::span<const NamedRead> reads) const {
  const std::size_t mates = state_->options.paired ? 2 : 1;
  std::vector<SortedRead> results(reads.size());
  over_reads(reads, state_->options.paired, state_->threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::string_view> bases;
    for (const NamedRead& read : reads.subspan(begin, end - begin)) bases.push_back(read.bases);
    const BarcodeCaller& caller = state_->caller.caller();
    const std::vector<SampleCall> calls = mates == 2 ? caller.call_pairs(bases) : caller.call_reads(bases);
    for (std::size_t i = 0; i < bases.size(); ++i) {
      const SampleCall& call = calls[i / mates];
      const bool assigned = call.sample != SampleCall::kNoSample;
      SortedRead& result = results[begin + i];
      if (assigned) result.sample = call.sample;
      result.reason = word_of(call.reason);
      result.strand = call.strand;
      result.edits = call.edits;
      result.next_edits = call.second;
      const SampleCall::Stretch& kept = call.kept[i % mates];
      result.begin = assigned ? kept.begin : 0;
      result.end = assigned ? kept.end : static_cast<std::uint32_t>(bases[i].size());
    }
  });
  return results;
}

const std::vector<std::string>& Demultiplexer::samples() const noexcept { return state_->names; }
const std::vector<std::string>& Demultiplexer::warnings() const noexcept { return state_->warnings; }
const std::string& Demultiplexer::method() const noexcept { return state_->method; }

}  // namespace basesweep
