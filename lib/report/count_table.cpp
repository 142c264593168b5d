#include "lib/report/count_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "lib/search/match_result.hpp"

namespace basesweep {

QueriesByStrand queries_by_strand(const PatternSet& patterns) {
  QueriesByStrand queries(patterns.patterns().size());
  for (std::size_t q = 0; q < patterns.queries().size(); ++q) {
    const Query& query = patterns.queries()[q];
    queries[query.pattern][query.strand].push_back(q);
  }
  return queries;
}

std::uint64_t hits_with(const FineCounts& fine, std::size_t source, const std::vector<std::size_t>& queries,
                        std::uint32_t edits) {
  std::uint64_t sum = 0;
  for (const std::size_t q : queries) sum += fine.at(source, q, edits);
  return sum;
}

// Their hits in a file with any number of edits.
std::uint64_t hits_in_file(const FineCounts& fine, std::size_t source, const std::vector<std::size_t>& queries) {
  std::uint64_t sum = 0;
  for (std::uint32_t e = 0; e < fine.width; ++e) sum += hits_with(fine, source, queries, e);
  return sum;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts, const std::vector<std::size_t>& queries) {
  std::uint64_t sum = 0;
  for (const std::size_t q : queries) sum += counts[q];
  return sum;
}

void for_each_pair(const PrimerSet& primers, const ProductSummary& summary,
                   const std::function<void(std::uint64_t key, const std::string& name)>& use) {
  if (!primers.options().pool) {
    for (std::uint64_t i = 0; i < primers.pairs().size(); ++i) use(i << 32 | i, primers.pairs()[i].name);
    return;
  }
  std::set<std::uint64_t> keys;
  for (const auto& counts : summary.counts) {
    for (const auto& [key, count] : counts) keys.insert(key);
  }
  for (const std::uint64_t key : keys) {
    use(key, fmt::format("{}/{}", primers.primers()[key >> 32].name,
                         primers.primers()[static_cast<std::uint32_t>(key)].name));
  }
}

std::vector<std::uint64_t> counts_by_pattern(const PatternSet& patterns, const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> sums(patterns.patterns().size());
  for (std::size_t q = 0; q < counts.size(); ++q) sums[patterns.queries()[q].pattern] += counts[q];
  return sums;
}

std::shared_ptr<const TableRows> count_rows(const CountedBy& by) {
  std::vector<TableRows::Described> columns;
  if (by.by_file) columns.push_back({"file", ColumnType::text, "the input file as it was given"});
  columns.push_back({by.of, ColumnType::text, fmt::format("the name of the {}", by.of)});
  if (by.named) columns.push_back({"name", ColumnType::text, "its second name", true});
  columns.push_back({"strand", ColumnType::strand, "the strand, of those that were searched"});
  columns.push_back({"count", ColumnType::integer, "how many there are"});
  for (std::uint32_t e = 0; by.widest && e < *by.widest; ++e) {
    columns.push_back({fmt::format("edits_{}", e), ColumnType::integer, "those with so many edits"});
  }
  return std::make_shared<TableRows>(columns, by.by_file ? by.files : std::vector<std::string>());
}

void check_count_table(const CountedBy& by, const TableForm& form) {
  make_line_formatter(count_rows(by), form.format, {form.columns, {}});
}

namespace {

// Prints rows of a table.
class TablePrinter {
 public:
  TablePrinter(std::shared_ptr<const TableRows> rows, const TableForm& form)
      : formatter_(make_line_formatter(std::move(rows), form.format, {form.columns, {}})) {
    text_.append(formatter_->header({}));
  }
  void add(std::vector<TableValue> values) {
    TableRow row;
    row.values = std::move(values);
    formatter_->append(row, text_);
  }
  std::string text() const { return std::string(text_.view()); }

 private:
  std::unique_ptr<Formatter> formatter_;
  RowText text_;
};

}  // namespace

std::string product_table(const PrimerSet& primers, const ProductSummary& summary,
                          const std::vector<std::string>& files, const TableForm& form) {
  TablePrinter table(count_rows({.of = "pair", .by_file = !files.empty(), .files = files}), form);
  for (std::size_t source = 0; source < std::max<std::size_t>(files.size(), 1); ++source) {
    for_each_pair(primers, summary, [&](std::uint64_t key, const std::string& name) {
      ProductCounts counts;
      if (source < summary.counts.size()) {
        const auto found = summary.counts[source].find(key);
        if (found != summary.counts[source].end()) counts = found->second;
      }
      for (const auto& [strand, count] : {std::pair("+", counts.plus), {"-", counts.minus}}) {
        std::vector<TableValue> values;
        if (!files.empty()) values.emplace_back(files[source]);
        values.insert(values.end(), {name, strand, static_cast<std::int64_t>(count)});
        table.add(std::move(values));
      }
    });
  }
  return table.text();
}

std::string count_table(const PatternSet& patterns, const std::vector<std::uint64_t>& counts, const FineCounts& fine,
                        const std::vector<std::string>& files, const std::vector<std::string>& names,
                        const TableForm& form) {
  CountedBy by{.named = !names.empty(), .by_file = fine.by_source, .files = files};
  if (fine.by_edits) by.widest = fine.width;
  TablePrinter table(count_rows(by), form);
  const auto by_strand = queries_by_strand(patterns);
  for (std::size_t source = 0; source < (fine.by_source ? files.size() : 1); ++source) {
    for (std::size_t p = 0; p < by_strand.size(); ++p) {
      for (const auto& [strand, queries] : by_strand[p]) {
        std::vector<TableValue> values;
        if (fine.by_source) values.emplace_back(files[source]);
        values.emplace_back(patterns.patterns()[p].name);
        if (!names.empty()) values.push_back(names[p].empty() ? TableValue() : TableValue(names[p]));
        values.emplace_back(std::string(1, strand_letter(strand)));
        const std::uint64_t count = fine.by_source ? hits_in_file(fine, source, queries) : sum_of(counts, queries);
        values.emplace_back(static_cast<std::int64_t>(count));
        for (std::uint32_t e = 0; fine.by_edits && e < fine.width; ++e) {
          values.emplace_back(static_cast<std::int64_t>(hits_with(fine, source, queries, e)));
        }
        table.add(std::move(values));
      }
    }
  }
  return table.text();
}

}  // namespace basesweep
