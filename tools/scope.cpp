#include "tools/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/scan_records.hpp"
#include "lib/reader/index_titles.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/reader/pending_text.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/reader/twobit_file.hpp"
#include "lib/reader/url_file.hpp"
#include "tools/alignment_input.hpp"

namespace basesweep {
namespace {

bool file_exists(const std::string& path) { return is_url(path) ? url_exists(path) : is_regular_file(path); }

// Parses "i/N" into i and N. Throws UsageError.
std::pair<std::uint32_t, std::uint32_t> parse_chunk(const std::string& text) {
  std::string_view rest = text;
  std::uint32_t chunk = 0;
  std::uint32_t chunks = 0;
  if (!parse_number(take_to(rest, '/'), chunk) || !parse_number(rest, chunks) || chunk < 1 || chunk > chunks ||
      chunks > kMaxChunks) {
    throw UsageError(fmt::format("--chunk {}: expected i/N with i from 1 to N, and N at most {}", text, kMaxChunks));
  }
  return {chunk, chunks};
}

// The index that a .2bit file holds; nothing if two records have one name, which only reading all of it tells apart.
std::optional<TextIndex> index_of_twobit(const std::string& path) {
  TextIndex index;
  index.records = TwoBitFile(open_ranges(path, 1)).layout();
  index.random_access = true;
  std::erase_if(index.records, [](const FaiRecord& record) { return record.info.length == 0; });
  std::set<std::string_view> names;
  for (const FaiRecord& record : index.records) {
    if (!names.insert(record.info.name).second) return std::nullopt;
  }
  return index;
}

// Throws DataError if the index lacks records of its file, where the file can be read at any position. A .2bit file is
// its own index; a URL costs a request for each record, so jobs see it when they read their chunk.
void check_index(const std::string& path, const TextIndex& index) {
  if (!index.random_access || is_url(path) || is_twobit_file(path)) return;
  check_titles(path, index.records, index.gzi);
}

// Throws DataError if the first record of the input is not that of the plan, as far as it can be read twice.
void check_first(const Plan& plan, const std::string& path, const std::string& plan_path, bool whole_records) {
  if (plan.first.empty() || !is_regular_file(path)) return;
  std::string name;
  try {
    Reader reader({.paths = {path}, .block_bytes = std::size_t{1} << 16, .whole_records = whole_records});
    const RawBlock* const block = reader.first_block();
    // Mates of alignments may come in another order than in the file.
    if (block == nullptr || reader.sources().front().alignments) return;
    name = first_name(*block);
  } catch (const std::exception&) {
    return;  // the run finds the fault too
  }
  if (name.empty() || name == plan.first) return;
  throw DataError(fmt::format("{}: its first record is '{}', that of the plan {} is '{}': the plan is of other files",
                              path, name, input_name(plan_path), plan.first));
}

}  // namespace

bool is_twobit_file(const std::string& path) {
  if (!is_url(path)) return is_regular_file(path) && is_twobit(*open_input(path, 1));
  const std::shared_ptr<InputFile> file = open_input(path, 1);
  PendingText text(file);
  text.read_to(sizeof(std::uint32_t));
  return file->compression() == Compression::none && is_twobit(text.view());
}

std::vector<std::string> RegionOptions::files(const std::vector<std::string>& inputs) const {
  std::vector<std::string> all;
  for (const std::string* file : {&regions_file, &fai, &gzi}) {
    if (!file->empty()) all.push_back(*file);
  }
  for (const std::string& input : inputs) {
    if (input == "-") continue;
    all.push_back(index_name(input, ".fai"));
    all.push_back(index_name(input, ".gzi"));
  }
  return all;
}

void add_region_options(CLI::App& command, RegionOptions& o, const std::string& text) {
  begin_group(command, group::kChunks);
  add_texts(command, "--region", "REGION", o.regions,
            fmt::format("Report only hits that start in this region of {}: record, record:from or record:from-to, "
                        "1-based, both ends included; may be repeated. A record whose own name ends so is written in "
                        "braces: {{HLA:A:1}} or {{HLA:A:1}}:20-90",
                        text));
  add_text(command, "--regions-file", "FILE", o.regions_file,
           fmt::format("Report only hits that start in a region of this BED file. Regions of records that {} does not "
                       "have are left out with a warning, unless all are",
                       text));
  add_flag(command, "--strict-regions", o.strict,
           fmt::format("Refuse a --regions-file with a record that {} does not have", text));
  add_text(command, "--fai", "FILE", o.fai, fmt::format("Index (.fai) of {} (default: the one beside it)", text));
  add_text(command, "--gzi", "FILE", o.gzi,
           fmt::format("Index (.gzi) of the BGZF compression of {} (default: the one beside it)", text));
}

void add_chunk_options(CLI::App& command, ChunkOptions& o) {
  begin_group(command, group::kChunks);
  add_text(command, "--chunk", "i/N", o.chunk,
           "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs");
  add_text(command, "--plan", "FILE", o.plan,
           "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)");
}

std::optional<RegionSet> read_regions(const RegionOptions& o) {
  if (o.strict && o.regions_file.empty()) throw UsageError("--strict-regions needs --regions-file");
  if (!o.any()) return std::nullopt;
  RegionSet regions = RegionSet::of_names();
  for (const std::string& region : o.regions) add_region(region, regions);
  const AbsentRecord absent = o.strict ? AbsentRecord::refused : AbsentRecord::warned;
  if (o.bed) {
    add_bed(*o.bed, absent, regions);
  } else if (!o.regions_file.empty()) {
    add_bed(o.regions_file, absent, regions);
  }
  return regions;
}

std::optional<std::vector<TextIndex>> find_indices(const std::vector<std::string>& paths, const RegionOptions& o) {
  if (paths.size() > 1 && !(o.fai.empty() && o.gzi.empty())) throw UsageError("--fai and --gzi need a single input");
  std::vector<TextIndex> indices;
  for (const std::string& path : paths) {
    if (is_twobit_file(path)) {
      if (!(o.fai.empty() && o.gzi.empty()))
        throw UsageError(fmt::format("--fai, --gzi: {} is .2bit, which has its own index", path));
      std::optional<TextIndex> index = index_of_twobit(path);
      if (!index) return std::nullopt;
      indices.push_back(std::move(*index));
      continue;
    }
    if (o.fai.empty() && (path == "-" || !has_fai(path))) return std::nullopt;
    const bool reached = is_regular_file(path) || is_url(path);
    if (reached && Reader({.paths = {path}}).format() == Format::fastq) return std::nullopt;
    TextIndex index;
    index.records = read_fai_file(o.fai.empty() ? index_name(path, ".fai") : o.fai);
    std::erase_if(index.records, [](const FaiRecord& record) { return record.info.length == 0; });
    if (reached) {
      index.gzi = o.gzi.empty() ? index_name(path, ".gzi") : o.gzi;
      const Compression compression = open_input(path, 1)->compression();
      index.random_access = compression == Compression::none ||
                            (compression == Compression::bgzf && (!o.gzi.empty() || file_exists(index.gzi)));
    }
    indices.push_back(std::move(index));
  }
  return indices;
}

std::vector<RecordInfo> records_of(const std::vector<TextIndex>& indices) {
  std::vector<RecordInfo> all;
  for (const TextIndex& index : indices) {
    for (const FaiRecord& record : index.records) all.push_back(record.info);
  }
  return all;
}

std::vector<FastaWindows> windows_in(const std::vector<std::string>& paths, const std::vector<TextIndex>& indices,
                                     const RegionSet& regions, std::int64_t left, std::int64_t right,
                                     const CircularRecords& circular) {
  if (!std::all_of(indices.begin(), indices.end(), [](const TextIndex& index) { return index.random_access; }))
    return {};
  std::vector<FastaWindows> windows;
  std::int64_t reference = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    windows.push_back(windows_of(paths[i], indices[i].records, reference, regions, left, right, circular));
    windows.back().gzi = indices[i].gzi;
    reference += static_cast<std::int64_t>(indices[i].records.size());
  }
  return windows;
}

void advise_index(const std::vector<std::string>& paths, const std::function<void(const std::string&)>& warn) {
  for (const std::string& path : paths) {
    if (is_regular_file(path + ".fai") && !has_fai(path)) {
      warn(fmt::format("{}.fai is older than {}: it is not used", path, path));
    }
    const Compression compression = is_regular_file(path) ? open_input(path, 1)->compression() : Compression::none;
    if (is_read_from_start(compression)) {
      warn(fmt::format(
          "{}: {} can only be read from the start; with BGZF (bgzip) and an index (samtools faidx) only the "
          "regions would be read",
          path, compression_name(compression)));
    }
  }
}

Plan make_plan(const std::vector<std::string>& paths, const RegionOptions& o, bool whole_records, std::uint32_t chunks,
               int threads, const AlignmentOptions& alignments, const std::function<void(const std::string&)>& warn) {
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path)) throw IoError(path, "cannot read", EISDIR);
    if (path == "-" || (std::filesystem::exists(path) && !is_regular_file(path))) {
      throw UsageError(fmt::format(
          "{}: a plan is made of files, since a stream cannot be read twice; chunks of a stream need a plan "
          "of the same text (--plan)",
          input_name(path)));
    }
  }
  if (o.any() && !whole_records) refuse_regions(paths);
  const std::optional<RegionSet> regions = read_regions(o);
  const RegionSet* const requested = regions ? &*regions : nullptr;
  const auto cut_bases = [&](const std::vector<RecordInfo>& records) {
    if (regions) warn_of_regions(check_regions(*regions, records, name_of_all(paths)), warn);
    return plan_bases(records, requested, chunks);
  };
  if (!whole_records) {
    if (const auto indices = find_indices(paths, o)) {
      for (std::size_t i = 0; i < paths.size(); ++i) check_index(paths[i], (*indices)[i]);
      return cut_bases(records_of(*indices));
    }
  }
  AlignmentOptions reading = alignments;
  reading.mates = whole_records;
  reading.count_empty = true;  // whether a run passes over them or not, its plan counts them
  Reader reader(
      {.paths = paths, .threads = threads, .whole_records = whole_records, .alignments = reading, .warn = warn});
  if (whole_records || reader.format() == Format::fastq) {
    if (regions) throw UsageError("regions need FASTA input: FASTQ and reads are cut at records");
    const RecordCount count = count_records(reader);
    return plan_records(count.records, count.names, chunks, count.first);
  }
  return cut_bases(scan_records(reader, threads));
}

PartLabel Chunk::label(const RunParameters& parameters) const {
  PartLabel label{BASESWEEP_VERSION, "", plan.digest(), number, plan.chunks};
  for (const auto& [key, value] : parameters) {
    label.parameters += fmt::format("{}{}={}", label.parameters.empty() ? "" : " ", key, word_of(value));
  }
  return label;
}

std::optional<Chunk> find_chunk(const ChunkOptions& o, const std::vector<std::string>& paths,
                                const RegionOptions& regions, bool whole_records, int threads,
                                const AlignmentOptions& alignments,
                                const std::function<void(const std::string&)>& warn) {
  if (o.chunk.empty()) {
    if (!o.plan.empty()) throw UsageError("--plan needs --chunk i/N");
    return std::nullopt;
  }
  const auto [number, chunks] = parse_chunk(o.chunk);
  if (o.plan.empty()) return Chunk{make_plan(paths, regions, whole_records, chunks, threads, alignments, warn), number};
  if (regions.any() && !whole_records)
    throw UsageError("--plan and --region conflict: the plan already holds the regions");
  Chunk chunk{read_plan(o.plan), number};
  if (chunk.plan.chunks != chunks) {
    throw UsageError(fmt::format("--chunk {}: {} has {} chunks", o.chunk, o.plan, chunk.plan.chunks));
  }
  // The plan of empty files has no rows, and does not know what they would hold.
  if (whole_records && chunk.plan.unit != PlanUnit::records && !chunk.plan.rows.empty()) {
    throw UsageError(fmt::format(
        "{}: this plan cuts FASTA at bases; reads need a plan of records ('basesweep plan --reads')", o.plan));
  }
  if (!paths.empty()) check_first(chunk.plan, paths.front(), o.plan, whole_records);
  return chunk;
}

}  // namespace basesweep
