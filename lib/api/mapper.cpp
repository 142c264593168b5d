#include <fmt/format.h>

#include <algorithm>
#include <basesweep/map.hpp>
#include <vector>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/memory_reads.hpp"
#include "lib/api/result_file.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/rows/read_rows.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/search/finder.hpp"
#include "lib/writer/read_formatter.hpp"

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

// The arguments of a call.
struct MapCall : CallTarget {
  RawReadSource& reads;
  const ReadPrinter& printer;
  const std::string& name;  // of the reads, in warnings
  bool binary = false;      // the printer makes BAM
};

}  // namespace

struct Mapper::State {
  // `path`: of the reference; empty: it is in memory.
  template <class From>
  State(const From& from, std::string path, MapperOptions o)
      : options(checked(std::move(o))),
        reference_path(std::move(path)),
        report(report_of(options.report)),
        threads(threads_of(options)),
        reference(reference_of(from, threads)),
        records(records_of(reference)),
        cells([this](const std::vector<std::string>&) { return std::make_shared<ReadRows>(reference); }),
        finder(make_finder(*reference.text, finder_options(options, threads))),
        method(finder->describe()) {}

  MapperSummary map(const MapCall& job) const {
    ProgressCounts counts;
    MapOptions mapping;
    mapping.reads = {.edits = options.edits,
                     .rate = options.error_rate,
                     .strands = strands_of(options.strands),
                     .binary_tags = job.binary};
    mapping.report = report;
    mapping.max_secondary = options.max_secondary;
    mapping.threads = threads;
    mapping.progress = &counts;
    MapSummary summary;
    watch(job, counts, [&] {
      summary = run_map(mapping, job.reads, reference, *finder, job.printer,
                        [&job](std::string_view text) { job.sink.write(text); });
    });
    const LetterCounts letters{static_cast<std::int64_t>(summary.bases),
                               static_cast<std::int64_t>(summary.bases - summary.other_letters)};
    if (const auto warning = warning_of(letters, job.name)) job.warnings.add(*warning);
    return {summary.reads, summary.mapped, summary.hits, summary.too_long + summary.too_short + summary.no_bases,
            job.warnings.take()};
  }

  // Maps the reads to columns.
  MapperSummary map(RawReadSource& reads, const ColumnOptions& columns, const TakeBatch& take, const CallOptions& call,
                    const std::string& name, Warnings& warnings) const {
    const auto formatter = cells.get(columns.columns, {});
    BatchSink sink(*formatter, {.max_rows = columns.batch_rows}, take);
    const ReadCells printer(reference, *formatter, options.unmapped);
    return map({{sink, &sink, call, warnings}, reads, printer, name});
  }

  // Maps them to a file. `inputs`: the files that they come from.
  MapperSummary write(RawReadSource& reads, std::vector<std::string> inputs, const std::string& path, FileOptions to,
                      const CallOptions& call, const std::string& name, Warnings& warnings) const {
    if (to.cram_reference.empty()) to.cram_reference = reference_path;
    inputs.push_back(reference_path);
    ResultFile file(path, to, read_alignment_formats(), inputs, threads);
    const bool binary = file.format() != OutputFormat::sam;
    const ReadFormatter printer(reference, {.binary = binary, .hits_only = !options.unmapped});
    file.sink().write(printer.header());
    MapperSummary summary = map({{file.sink(), nullptr, call, warnings}, reads, printer, name, binary});
    file.commit();
    return summary;
  }

  const MapperOptions options;
  const std::string reference_path;
  const Report report;
  const int threads;
  const Reference reference;
  const std::vector<ReferenceRecord> records;
  mutable CellCache cells;
  const std::unique_ptr<Finder> finder;
  const std::string method;
};

Mapper::Mapper(const std::string& reference, MapperOptions options)
    : state_(std::make_unique<State>(reference, reference, std::move(options))) {}
Mapper::Mapper(std::span<const NamedSequence> reference, MapperOptions options)
    : state_(std::make_unique<State>(reference, "", std::move(options))) {}
Mapper::~Mapper() = default;
Mapper::Mapper(Mapper&&) noexcept = default;
Mapper& Mapper::operator=(Mapper&&) noexcept = default;

namespace {

// The reads of files, and what is said of them.
class FileReads {
 public:
  FileReads(const std::vector<std::string>& paths, int threads, std::size_t batch_bytes)
      : name(paths.size() == 1 ? input_name(paths.front()) : "the reads"),
        source({.paths = paths, .threads = threads, .warn = [this](const std::string& text) { warnings.add(text); }}) {
    source.hold(batch_bytes);
  }

  const std::string name;
  Warnings warnings;
  ReadSource source;
};

void check_paths(const std::vector<std::string>& paths) {
  if (paths.empty()) throw UsageError("no input file");
}

const std::string kInMemory = "the reads";

}  // namespace

MapperSummary Mapper::map(std::span<const NamedSequence> reads, const ColumnOptions& columns,
                          const TakeBatch& take) const {
  check_taker(take, "alignments");
  MemoryReads source(reads, state_->finder->batch_bytes());
  Warnings warnings;
  return state_->map(source, columns, take, call_options(columns.progress), kInMemory, warnings);
}

MapperSummary Mapper::map_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                                const TakeBatch& take) const {
  check_taker(take, "alignments");
  check_paths(paths);
  FileReads reads(paths, state_->threads, state_->finder->batch_bytes());
  return state_->map(reads.source, columns, take, call_options(columns.progress, reads.source), reads.name,
                     reads.warnings);
}

MapperSummary Mapper::write(std::span<const NamedSequence> reads, const std::string& path,
                            const FileOptions& options) const {
  MemoryReads source(reads, state_->finder->batch_bytes());
  Warnings warnings;
  return state_->write(source, {}, path, options, call_options(options.progress), kInMemory, warnings);
}

MapperSummary Mapper::write_files(const std::vector<std::string>& paths, const std::string& path,
                                  const FileOptions& options) const {
  check_paths(paths);
  FileReads reads(paths, state_->threads, state_->finder->batch_bytes());
  return state_->write(reads.source, paths, path, options, call_options(options.progress, reads.source), reads.name,
                       reads.warnings);
}

std::vector<ColumnInfo> Mapper::columns() const { return state_->cells.infos(); }

const std::vector<ReferenceRecord>& Mapper::records() const noexcept { return state_->records; }
const std::string& Mapper::method() const noexcept { return state_->method; }

}  // namespace basesweep
