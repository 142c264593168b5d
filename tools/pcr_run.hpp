// `pcr` once pairs and output format are known.
#pragma once

#include <memory>
#include <optional>

#include "lib/parts/part_set.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/reader/reader.hpp"
#include "lib/report/report.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/search/stored_tables.hpp"
#include "lib/writer/formatter.hpp"
#include "tools/pcr_options.hpp"
#include "tools/run.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

struct PcrJob {
  const PcrJobOptions& options;
  const PrimerSet& primers;
  const PatternSet& patterns;
  const Formatter& formatter;  // of a part: PartRows
  OutputFormat format;
  Scope scope;
  RunParameters parameters;              // all options that affect the result
  std::optional<PartHead> part{};        // of a chunk
  const StoredTables* tables = nullptr;  // of a compiled set
};

// Whether the chunks of such a run hold counts instead of products.
bool only_counts(const PcrJobOptions& options);

// Searches the text of the reader, or finishes the run that has these parts, and writes the files that the options
// name. One of both is null. Returns the exit code.
int run_pcr_job(const PcrJob& job, Run& run, Reader* reader, PartSet* parts);

}  // namespace basesweep
