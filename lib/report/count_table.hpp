// Tables of counts (--count).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/rows/table_rows.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// The subject of a table of counts.
struct CountedBy {
  const char* of = "pattern";             // the counted thing, as its column is named: "pattern", "pair"
  bool named = false;                     // it has a second name
  bool by_file = false;                   // each file has rows of its own
  std::optional<std::uint32_t> widest{};  // with columns of edits, up to this many
  std::vector<std::string> files{};       // names of the inputs, by_file
};
// The columns of such a table: file, pattern, name, strand, count, edits_0, edits_1 ... as far as they are asked for.
std::shared_ptr<const TableRows> count_rows(const CountedBy& by);
// Throws UsageError if there is no such table in this form, before counting begins.
void check_count_table(const CountedBy& by, const TableForm& form);

// A row for each strand that was searched, in the order of the patterns. `counts`: of each query. `names`: second names
// of the patterns; empty: they have none. Where `fine` counts by file there are such rows for each of `files`.
std::string count_table(const PatternSet& patterns, const std::vector<std::uint64_t>& counts,
                        const FineCounts& fine = {}, const std::vector<std::string>& files = {},
                        const std::vector<std::string>& names = {}, const TableForm& form = {});

// A row for each pair and strand, in the order of the pairs; of a pool, where pairs are many, for those with products.
// The rows are by file where the summary has `files`.
std::string product_table(const PrimerSet& primers, const ProductSummary& summary,
                          const std::vector<std::string>& files = {}, const TableForm& form = {});

// The queries of each pattern on each strand that was searched, + first. A pattern with several sequences has several
// on a strand; their counts are added up.
using QueriesByStrand = std::vector<std::map<Strand, std::vector<std::size_t>>>;
QueriesByStrand queries_by_strand(const PatternSet& patterns);
std::uint64_t sum_of(const std::vector<std::uint64_t>& counts, const std::vector<std::size_t>& queries);
// The sums of each pattern. `counts`: of each query.
std::vector<std::uint64_t> counts_by_pattern(const PatternSet& patterns, const std::vector<std::uint64_t>& counts);
// Hits of the queries in a file with this many edits.
std::uint64_t hits_with(const FineCounts& fine, std::size_t source, const std::vector<std::size_t>& queries,
                        std::uint32_t edits);
// Calls use(key, name) for all pairs, see pair_of(); of a pool for those with products.
void for_each_pair(const PrimerSet& primers, const ProductSummary& summary,
                   const std::function<void(std::uint64_t key, const std::string& name)>& use);

}  // namespace basesweep
