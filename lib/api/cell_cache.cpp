#include "lib/api/cell_cache.hpp"

#include <algorithm>
#include <utility>

namespace basesweep {
namespace {

bool has(const Batch& batch, std::string_view column) {
  return std::any_of(batch.columns().begin(), batch.columns().end(),
                     [column](const ColumnInfo& info) { return info.name == column; });
}

}  // namespace

CellCache::CellCache(std::function<std::shared_ptr<const Rows>(std::vector<std::string> files)> make)
    : make_(std::move(make)) {}

std::shared_ptr<const CellFormatter> CellCache::get(const std::vector<std::string>& columns,
                                                    const std::vector<std::string>& files) {
  const auto made = [&] { return std::make_shared<const CellFormatter>(make_(files), columns); };
  if (std::find(columns.begin(), columns.end(), "file") != columns.end()) return made();
  const std::lock_guard lock(mutex_);
  if (last_ == nullptr || last_columns_ != columns) {
    last_ = made();
    last_columns_ = columns;
  }
  return last_;
}

std::span<const std::int64_t> integers_if(const Batch& batch, std::string_view column) {
  return has(batch, column) ? batch.integers(column) : std::span<const std::int64_t>();
}

Texts texts_if(const Batch& batch, std::string_view column) {
  return has(batch, column) ? batch.texts(column) : Texts();
}

std::string_view text_at(const Texts& texts, std::size_t row) {
  return texts.size() == 0 ? std::string_view() : texts[row];
}

}  // namespace basesweep
