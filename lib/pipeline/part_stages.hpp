// The rows of parts on their way to the output: decode -> check -> select -> format -> write.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {

// Whether the run can have this row; it may also add to the row what parts leave out. Any thread may call it.
template <class OneRow>
using CanBe = std::function<bool(OneRow& row)>;

// The rows of all parts, for RowStages::next. Throws DataError for a row that `can_be` denies. `parts` must outlive it.
template <class OneRow>
std::function<std::optional<StoredRows<OneRow>>()> part_rows(PartSet& parts, CanBe<OneRow> can_be) {
  return [&parts, check = std::make_shared<CanBe<OneRow>>(std::move(can_be))]() -> std::optional<StoredRows<OneRow>> {
    std::optional<PartSet::Block> next = parts.next();
    if (!next) return std::nullopt;
    const auto block = std::make_shared<PartSet::Block>(std::move(*next));
    const auto decode = [check, block] {
      DecodedRows<OneRow> rows = block->template decode<OneRow>();
      for (OneRow& row : rows.rows()) {
        if (!(*check)(row)) throw damaged_part(block->part->path(), "it has a row that cannot be");
      }
      return rows;
    };
    return StoredRows<OneRow>{decode, block->part->path()};
  };
}

// Calls take(row) for the rows of all parts, one after the other. Throws DataError for a row that it denies.
template <class OneRow>
void for_each_part_row(PartSet& parts, CanBe<OneRow> take) {
  const auto next = part_rows<OneRow>(parts, std::move(take));
  while (const auto block = next()) block->decode();
}

// Reads all parts, whose rows need no choice. Throws DataError for a row that `can_be` denies, and what the stages
// throw. `stages`: without `next`.
template <class OneRow>
void run_part_stages(PartSet& parts, CanBe<OneRow> can_be, RowStages<OneRow> stages, int threads) {
  stages.next = part_rows<OneRow>(parts, std::move(can_be));
  on_workers(threads, [&] { run_row_stages<OneRow>(stages, threads); });
}

}  // namespace basesweep
