// The formatters of calls, since most calls of one object choose the same columns.
#pragma once

#include <basesweep/batch.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lib/api/cells.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

// Keeps the last one, which holds tables of names. Thread-safe.
class CellCache {
 public:
  // `make`: makes rows of the inputs with these names.
  explicit CellCache(std::function<std::shared_ptr<const Rows>(std::vector<std::string> files)> make);

  // `columns`: see CellFormatter.
  std::shared_ptr<const CellFormatter> get(const std::vector<std::string>& columns,
                                           const std::vector<std::string>& files);
  std::vector<ColumnInfo> infos() const { return column_infos(*make_({})); }

 private:
  const std::function<std::shared_ptr<const Rows>(std::vector<std::string> files)> make_;
  std::mutex mutex_;
  std::vector<std::string> last_columns_;
  std::shared_ptr<const CellFormatter> last_;  // null: none yet
};

// The values of a column, none if the batch does not have it.
std::span<const std::int64_t> integers_if(const Batch& batch, std::string_view column);
Texts texts_if(const Batch& batch, std::string_view column);
// The value of a row, or nothing if the column has none.
std::string_view text_at(const Texts& texts, std::size_t row);

}  // namespace basesweep
