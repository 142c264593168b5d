#include <fmt/format.h>

#include <algorithm>
#include <basesweep/map.hpp>
#include <vector>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/memory_reads.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/rows/read_rows.hpp"
#include "lib/search/finder.hpp"

namespace basesweep {
namespace {

MapperOptions checked(MapperOptions o) {
  if (o.edits && o.error_rate) throw UsageError("use edits or error_rate, not both");
  if (!o.edits && !o.error_rate) throw UsageError("set edits or error_rate");
  if (o.error_rate && !(*o.error_rate >= 0 && *o.error_rate < 1)) {
    throw UsageError("error_rate must be at least 0 and less than 1");
  }
  if (o.read_bases && *o.read_bases < 0) throw UsageError("read_bases must be at least 0");
  return o;
}

Report report_of(MapperOptions::Report report) {
  switch (report) {
    case MapperOptions::Report::best: return Report::best;
    case MapperOptions::Report::sites: return Report::sites;
    case MapperOptions::Report::all: return Report::all;
  }
  throw UsageError("report: expected best, sites or all");
}

StrandChoice strands_of(MapperOptions::Strands strands) {
  switch (strands) {
    case MapperOptions::Strands::both: return StrandChoice::both;
    case MapperOptions::Strands::plus: return StrandChoice::plus;
    case MapperOptions::Strands::minus: return StrandChoice::minus;
  }
  throw UsageError("strands: expected both, plus or minus");
}

Algorithm algorithm_for_reads(const std::string& name) {
  if (name == to_string(Algorithm::automatic)) return Algorithm::automatic;
  for (const Algorithm algorithm : read_algorithms()) {
    if (name == to_string(algorithm)) return algorithm;
  }
  throw UsageError(fmt::format("algorithm '{}' is not one that maps reads", name));
}

// With Report::all every place around an end is a hit, up to 2k + 1 of them, so fewer ends are kept in memory.
std::size_t max_ends(const MapperOptions& o) {
  const std::size_t edits = o.edits ? std::min<std::size_t>(*o.edits, kMaxReadLength)
                                    : static_cast<std::size_t>(*o.error_rate * kMaxReadLength);
  const std::size_t usual = FinderOptions().max_ends;
  return o.report == MapperOptions::Report::all ? usual / (2 * edits + 1) : usual;
}

FinderOptions finder_options(const MapperOptions& o, int threads) {
  FinderOptions finding{searcher_options(o.device, o.read_bases, threads)};
  finding.algorithm = algorithm_for_reads(o.algorithm);
  finding.max_ends = max_ends(o);
  return finding;
}

Reference reference_of(const std::string& path, int threads) {
  return load_reference({.path = path, .threads = threads});
}

Reference reference_of(std::span<const NamedSequence> records, int threads) {
  MemorySource source(records, ReaderOptions().block_bytes);
  return load_reference(source, {.path = source.paths().front(), .threads = threads});
}

std::vector<ReferenceRecord> records_of(const Reference& reference) {
  std::vector<ReferenceRecord> records;
  for (const RecordInfo& record : reference.records) records.push_back({record.name, record.length});
  return records;
}

// Gives the cells of alignments.
class ReadCells final : public ReadPrinter {
 public:
  ReadCells(const Reference& reference, const CellFormatter& formatter, bool unmapped)
      : reference_(reference), formatter_(formatter), unmapped_(unmapped) {}

  void append(std::span<const PlacedRead> reads, RowText& text,
              const std::function<void(RowText&)>& flush) const override {
    constexpr std::size_t kRows = 1024;  // that come at once
    auto& rows = per_thread<std::vector<AlignedRead>>();
    for (const PlacedRead& read : reads) {
      const auto append_rows = [&] {
        formatter_.append_rows(rows, text);
        rows.clear();
        if (flush) flush(text);
      };
      rows.clear();
      for (const Hit& hit : read.hits) {
        AlignedRead& row = rows.emplace_back(place_read(reference_, *read.read, hit));
        row.found = read.found;
        row.primary = &hit == &read.hits.front();
        row.mapq = row.primary ? read.mapq : 0;
        if (rows.size() == kRows) append_rows();
      }
      if (!rows.empty()) append_rows();
      if (!read.hits.empty() || !unmapped_) continue;
      AlignedRead row;
      row.read = read.read;
      formatter_.append(row, text);
    }
  }

 private:
  const Reference& reference_;
  const CellFormatter& formatter_;
  const bool unmapped_;
};

}  // namespace

struct Mapper::State {
  template <class From>
  State(const From& from, MapperOptions o)
      : options(checked(std::move(o))),
        report(report_of(options.report)),
        threads(threads_of(options)),
        reference(reference_of(from, threads)),
        records(records_of(reference)),
        cells([this](const std::vector<std::string>&) { return std::make_shared<ReadRows>(reference); }),
        finder(make_finder(*reference.text, finder_options(options, threads))),
        method(finder->describe()) {}

  // `name`: of the reads, in warnings.
  MapperSummary map(RawReadSource& reads, const CellFormatter& formatter, BatchSink& sink, const CallOptions& call,
                    const std::string& name, Warnings& warnings) const {
    ProgressCounts counts;
    MapOptions mapping;
    mapping.reads = {.edits = options.edits, .rate = options.error_rate, .strands = strands_of(options.strands)};
    mapping.report = report;
    mapping.max_secondary = options.max_secondary;
    mapping.threads = threads;
    mapping.progress = &counts;
    const ReadCells printer(reference, formatter, options.unmapped);
    MapSummary summary;
    watch(call, counts, sink, [&] {
      summary =
          run_map(mapping, reads, reference, *finder, printer, [&sink](std::string_view text) { sink.write(text); });
    });
    const LetterCounts letters{static_cast<std::int64_t>(summary.bases),
                               static_cast<std::int64_t>(summary.bases - summary.other_letters)};
    if (const auto warning = warning_of(letters, name)) warnings.add(*warning);
    return {summary.reads, summary.mapped, summary.hits, summary.too_long + summary.too_short + summary.no_bases,
            warnings.take()};
  }

  const MapperOptions options;
  const Report report;
  const int threads;
  const Reference reference;
  const std::vector<ReferenceRecord> records;
  mutable CellCache cells;
  const std::unique_ptr<Finder> finder;
  const std::string method;
};

Mapper::Mapper(const std::string& reference, MapperOptions options)
    : state_(std::make_unique<State>(reference, std::move(options))) {}
Mapper::Mapper(std::span<const NamedSequence> reference, MapperOptions options)
    : state_(std::make_unique<State>(reference, std::move(options))) {}
Mapper::~Mapper() = default;
Mapper::Mapper(Mapper&&) noexcept = default;
Mapper& Mapper::operator=(Mapper&&) noexcept = default;

MapperSummary Mapper::map(std::span<const NamedSequence> reads, const ColumnOptions& columns,
                          const TakeBatch& take) const {
  if (!take) throw UsageError("no function to take alignments");
  MemoryReads source(reads, state_->finder->batch_bytes());
  const auto cells = state_->cells.get(columns.columns, {});
  BatchSink sink(*cells, {.max_rows = columns.batch_rows}, take);
  Warnings warnings;
  return state_->map(source, *cells, sink, call_options(columns.progress), "the reads", warnings);
}

MapperSummary Mapper::map_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                                const TakeBatch& take) const {
  if (!take) throw UsageError("no function to take alignments");
  if (paths.empty()) throw UsageError("no input file");
  Warnings warnings;
  ReadSource source({.paths = paths, .threads = state_->threads, .warn = [&warnings](const std::string& text) {
                       warnings.add(text);
                     }});
  source.hold(state_->finder->batch_bytes());
  const auto cells = state_->cells.get(columns.columns, {});
  BatchSink sink(*cells, {.max_rows = columns.batch_rows}, take);
  const CallOptions call{.progress = columns.progress,
                         .bytes = [bytes = source.stored_bytes()] { return bytes; },
                         .bytes_read = [&source] { return source.stored_bytes_read(); }};
  const std::string name = paths.size() == 1 ? input_name(paths.front()) : "the reads";
  return state_->map(source, *cells, sink, call, name, warnings);
}

std::vector<ColumnInfo> Mapper::columns() const { return state_->cells.infos(); }

const std::vector<ReferenceRecord>& Mapper::records() const noexcept { return state_->records; }
const std::string& Mapper::method() const noexcept { return state_->method; }

}  // namespace basesweep
