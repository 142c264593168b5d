// The flow graph of `pcr`: reader -> packer -> batcher -> matcher -> resolver -> products -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/product_selector.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/search/matcher.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Fields that PipelineOptions has too mean the same.
struct ProductPipelineOptions {
  PackerOptions packer;
  ProductSelectOptions select{};
  int threads = 1;
  std::uint32_t batch_positions = 0;
  std::optional<std::int64_t> expected_bases{};
  const RegionSet* regions = nullptr;  // only products that start in these regions count; null: all
  std::int64_t first_record = 0;
  CircularRecords circular{};
  bool circular_known = false;
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProgressCounts* progress = nullptr;
  bool find_turned = true;  // warn of pairs without products that would have some with a primer turned round
};

// Without formatter and sink, products are only counted. With a formatter that makes blocks, more products than
// --max-products may be written.
struct ProductOutput {
  const Formatter* formatter = nullptr;
  ByteSink* sink = nullptr;
  std::optional<std::vector<RecordInfo>> records;  // with bases, if known beforehand
  std::string spool_directory = "/tmp";
  NameRule names = NameRule::any;
};

struct ProductSummary {
  std::vector<SourceInfo> sources;
  std::vector<SourceCounts> source_counts;
  // Of each source, or of all as source 0, by pair_of(). Pairs without products are missing.
  std::vector<std::map<std::uint64_t, ProductCounts>> counts;
  std::uint64_t products = 0;
  bool truncated = false;  // there were more than --max-products
};

// Runs the input through the matcher, joins hits to products, and writes them. `patterns`: made from `primers`, both
// strands, palindromes too. Throws like run_pipeline(). Tokens bound the memory: a batch holds its hits, and a part of
// its products at a time.
ProductSummary run_product_pipeline(const ProductPipelineOptions& options, BlockSource& source,
                                    const PrimerSet& primers, const PatternSet& patterns, Matcher& matcher,
                                    const ProductOutput& output);

}  // namespace basesweep
