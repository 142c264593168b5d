// The options of `pcr`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/pipeline/product_selector.hpp"
#include "lib/products/product_rows.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

struct PcrJobOptions {
  SearchJobOptions search;  // pattern files are files of pairs
  EditOptions edits;
  std::string forward;  // a pair of the command line; both or none
  std::string reverse;
  std::string probe;
  PairColumnChoice columns;  // of tables of pairs; SearchJobOptions::columns is not used
  std::string sizes;         // of --size, as they are given
  JoinOptions join;
  ProductReport report = ProductReport::all;
  std::optional<std::uint64_t> max_products;
  ProductDetails details;
  SamChoices sam;
  bool table = false;
};

// --forward-column and --reverse-column. `column`: how their help begins ("Column").
void add_pair_columns(CLI::App& command, PairColumnChoice& columns, const std::string& column);

// The options that affect what is found and how it is shown.
OptionTable<PcrJobOptions> pcr_options();
void add_pcr_options(CLI::App& command, PcrJobOptions& options);
Help pcr_help();

// A pair with a probe, and rows of it: examples of what the command searches for, in lists of columns.
PrimerSet example_pair();
void with_example_rows(const ProductDetails& details, const std::function<void(const Rows& rows)>& use);

// The format of the output: that of output_format(), else TSV. Throws UsageError if an option is given that this format
// has no place for; `merge` may choose another format for a chunk.
OutputFormat pcr_format(const PcrJobOptions& options);

// Parses --size, and throws UsageError if options conflict. Without inputs, makes stdin the input. `merges`: pairs come
// from parts.
void settle(PcrJobOptions& options, bool merges);

}  // namespace basesweep
