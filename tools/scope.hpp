// Which part of its input a command works on: regions, or a chunk of a plan.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/reader.hpp"
#include "lib/regions/part.hpp"
#include "lib/regions/plan.hpp"
#include "lib/report/report.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

struct RegionOptions {
  std::vector<std::string> regions;
  std::string regions_file;
  std::string fai;
  std::string gzi;

  bool any() const { return !regions.empty() || !regions_file.empty(); }
  // Files that may be read for inputs, besides these.
  std::vector<std::string> files(const std::vector<std::string>& inputs) const;
};

struct ChunkOptions {
  std::string chunk;  // "i/N"
  std::string plan;
};

// `text`: what regions are of ("the reference").
void add_region_options(CLI::App& command, RegionOptions& options, const std::string& text);
void add_chunk_options(CLI::App& command, ChunkOptions& options);

// The regions that the options name; nothing where they name none.
std::optional<RegionSet> read_regions(const RegionOptions& options);

// An input's index, and whether its text can be read from anywhere by it.
struct TextIndex {
  std::vector<FaiRecord> records;
  std::string gzi;
  bool random_access = false;
};

// Of all inputs, where each has one: beside it, or given (for a single input). Throws UsageError where one is given for
// several.
std::optional<std::vector<TextIndex>> find_indices(const std::vector<std::string>& paths, const RegionOptions& options);
std::vector<RecordInfo> records_of(const std::vector<TextIndex>& indices);
// Which parts of the inputs to read; empty where they cannot be read from anywhere.
std::vector<FastaWindows> windows_in(const std::vector<std::string>& paths, const std::vector<TextIndex>& indices,
                                     const RegionSet& regions, std::int64_t left, std::int64_t right);
// Says that an index and BGZF would spare reading what is not asked for.
void advise_index(const std::vector<std::string>& paths, const std::function<void(const std::string&)>& warn);

// Makes the plan of inputs by their indices or by reading them through. `whole_records`: cut at records, whatever the
// format. Throws UsageError for a stream.
Plan make_plan(const std::vector<std::string>& paths, const RegionOptions& options, bool whole_records,
               std::uint32_t chunks, int threads, const std::function<void(const std::string&)>& warn);

// A chunk that was asked for.
struct Chunk {
  Plan plan;
  std::uint32_t number;

  PartLabel label(const RunParameters& parameters) const;
};
// The chunk that the options name, with its plan, which is read or made; nothing where they name none.
std::optional<Chunk> find_chunk(const ChunkOptions& chunk, const std::vector<std::string>& paths,
                                const RegionOptions& regions, bool whole_records, int threads,
                                const std::function<void(const std::string&)>& warn);

}  // namespace basesweep
