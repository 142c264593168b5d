// The part of the input that a command works on: regions, or a chunk of a plan.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/parts/part.hpp"
#include "lib/parts/plan.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/reader/reader.hpp"
#include "lib/report/report.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

struct RegionOptions {
  std::vector<std::string> regions;
  std::string regions_file;
  std::optional<std::vector<NamedRegion>> bed{};  // the regions of regions_file, if it was read already
  std::string fai;
  std::string gzi;
  bool strict = false;  // a region of a record that the input lacks is an error

  bool any() const { return !regions.empty() || !regions_file.empty(); }
  // The files that may be read besides the inputs: regions and indices.
  std::vector<std::string> files(const std::vector<std::string>& inputs) const;
};

struct ChunkOptions {
  std::string chunk;  // "i/N"
  std::string plan;
};

// `text`: what the regions are part of ("the reference").
void add_region_options(CLI::App& command, RegionOptions& options, const std::string& text);
void add_chunk_options(CLI::App& command, ChunkOptions& options);

// The regions that the options name; nothing if they name none.
std::optional<RegionSet> read_regions(const RegionOptions& options);

// An input's index, and whether it allows reading the text from any position.
struct TextIndex {
  std::vector<FaiRecord> records;
  std::string gzi;
  bool random_access = false;
};

// Whether the path is a regular file, not compressed, in .2bit. Throws IoError.
bool is_twobit_file(const std::string& path);

// The indices of all inputs, next to them, in them (.2bit) or given by the options; nothing unless every input has one.
// Throws UsageError if the options give an index for several inputs.
std::optional<std::vector<TextIndex>> find_indices(const std::vector<std::string>& paths, const RegionOptions& options);
std::vector<RecordInfo> records_of(const std::vector<TextIndex>& indices);
// The windows of the inputs to read for the regions, with `left` and `right` bases around each; empty if the inputs can
// only be read from the start.
std::vector<FastaWindows> windows_in(const std::vector<std::string>& paths, const std::vector<TextIndex>& indices,
                                     const RegionSet& regions, std::int64_t left, std::int64_t right,
                                     const CircularRecords& circular = {});
// Warns if an index or BGZF would spare reading text outside the regions.
void advise_index(const std::vector<std::string>& paths, const std::function<void(const std::string&)>& warn);

// Makes the plan of the inputs from their indices, or by reading them through. `whole_records`: the inputs are reads
// for `map`, so FASTA is cut at records too, and mates in alignments are put side by side. Throws UsageError if an
// input is a stream.
Plan make_plan(const std::vector<std::string>& paths, const RegionOptions& options, bool whole_records,
               std::uint32_t chunks, int threads, const AlignmentOptions& alignments,
               const std::function<void(const std::string&)>& warn);

// A chunk of a plan.
struct Chunk {
  Plan plan;
  std::uint32_t number;  // from 1

  PartLabel label(const RunParameters& parameters) const;
};
// The chunk that the options name; its plan is read from a file or made. Nothing if they name none.
std::optional<Chunk> find_chunk(const ChunkOptions& chunk, const std::vector<std::string>& paths,
                                const RegionOptions& regions, bool whole_records, int threads,
                                const AlignmentOptions& alignments,
                                const std::function<void(const std::string&)>& warn);

}  // namespace basesweep
