// The table of pairs and records of `pcr --table`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/products/primer_set.hpp"
#include "lib/rows/rows.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {

// A row for each pair on each record where it has products, in the order of records and pairs.
class ProductTableRows final : public Rows {
 public:
  // `files`: names of the inputs. `primers` must outlive this.
  ProductTableRows(const PrimerSet& primers, std::vector<std::string> files);

  const PrimerSet& primers() const { return primers_; }

 private:
  const PrimerSet& primers_;
};

// Takes PlacedProducts and writes the rows, as make_line_formatter() prints them. Memory: the rows of one record.
std::unique_ptr<Formatter> make_product_table(std::shared_ptr<const ProductTableRows> rows, OutputFormat format,
                                              const LineOptions& options);

}  // namespace basesweep
