// The second half of a run over the rows of parts that need no choice: decode -> check -> select -> format -> write.
#pragma once

#include <tbb/task_arena.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {

// Reads all parts. Throws DataError for a row that `can_be` denies, which any thread may call, and what the stages
// throw. `stages`: without `next`.
template <class OneRow>
void run_part_stages(PartSet& parts, const std::function<bool(const OneRow&)>& can_be, RowStages<OneRow> stages,
                     int threads) {
  constexpr std::size_t kBlocksOfThread = 3;
  stages.next = [&parts, &can_be]() -> std::optional<StoredRows<OneRow>> {
    std::optional<PartSet::Block> next = parts.next();
    if (!next) return std::nullopt;
    return [&can_be, block = std::make_shared<PartSet::Block>(std::move(*next))] {
      DecodedRows<OneRow> rows = block->template decode<OneRow>();
      for (const OneRow& row : rows.rows()) {
        if (!can_be(row)) throw DataError(block->part->path() + ": the part is damaged: it has a row that cannot be");
      }
      return rows;
    };
  };
  const Workers workers(threads);
  tbb::task_arena arena(threads, 0);
  start_workers(arena, threads);
  arena.execute([&] { run_row_stages<OneRow>(stages, kBlocksOfThread * static_cast<std::size_t>(threads)); });
}

}  // namespace basesweep
