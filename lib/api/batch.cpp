#include <basesweep/batch.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "lib/api/batch_state.hpp"

namespace basesweep {
namespace {

const char* word_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::integer: return "integers";
    case ColumnKind::real: return "reals";
    case ColumnKind::text: return "texts";
    case ColumnKind::dictionary: return "a dictionary";
  }
  return "";
}

std::size_t index_of(const Batch& batch, std::string_view name) {
  const std::vector<ColumnInfo>& columns = batch.columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(), [name](const ColumnInfo& column) { return column.name == name; });
  if (found == columns.end()) throw UsageError(fmt::format("the batch has no column '{}'", name));
  return static_cast<std::size_t>(found - columns.begin());
}

const Batch::State::Values& values_of(const Batch& batch, std::string_view name) {
  return BatchAccess::state(batch)->columns[index_of(batch, name)];
}

const Batch::State::Values& values_of(const Batch& batch, std::string_view name, ColumnKind kind) {
  const std::size_t index = index_of(batch, name);
  const ColumnKind own = batch.columns()[index].kind;
  if (own != kind) {
    throw UsageError(fmt::format("column '{}' has {}, not {}", name, word_of(own), word_of(kind)));
  }
  return BatchAccess::state(batch)->columns[index];
}

bool is_set(std::span<const std::uint8_t> bits, std::size_t row) {
  return bits.empty() || (bits[row / 8] >> row % 8 & 1) != 0;
}

}  // namespace

std::size_t Batch::rows() const noexcept { return state_ == nullptr ? 0 : state_->rows; }

const std::vector<ColumnInfo>& Batch::columns() const noexcept {
  static const std::vector<ColumnInfo> none;
  return state_ == nullptr ? none : *state_->infos;
}

std::span<const std::int64_t> Batch::integers(std::string_view column) const {
  return values_of(*this, column, ColumnKind::integer).integers;
}

std::span<const double> Batch::reals(std::string_view column) const {
  return values_of(*this, column, ColumnKind::real).reals;
}

Texts Batch::texts(std::string_view column) const { return values_of(*this, column, ColumnKind::text).texts.view(); }

std::span<const std::int32_t> Batch::codes(std::string_view column) const {
  return values_of(*this, column, ColumnKind::dictionary).codes;
}

Texts Batch::table(std::string_view column) const {
  return values_of(*this, column, ColumnKind::dictionary).table->view();
}

bool Batch::has(std::string_view column, std::size_t row) const {
  return is_set(values_of(*this, column).validity, row);
}

std::span<const std::uint8_t> Batch::validity(std::string_view column) const {
  return values_of(*this, column).validity;
}

std::string_view Batch::text(std::string_view column, std::size_t row) const {
  const std::size_t index = index_of(*this, column);
  const State::Values& values = state_->columns[index];
  if (columns()[index].kind == ColumnKind::text) return values.texts.view()[row];
  const std::int32_t code = values_of(*this, column, ColumnKind::dictionary).codes[row];
  return code < 0 ? std::string_view() : values.table->view()[static_cast<std::size_t>(code)];
}

}  // namespace basesweep
