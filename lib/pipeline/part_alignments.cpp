#include "lib/pipeline/part_alignments.hpp"

#include <tbb/task_arena.h>

#include <cstddef>

#include "lib/base/error.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {

void run_part_alignments(PartSet& parts, const AlignmentFormatter& formatter, int threads,
                         const std::function<void(std::string_view)>& write) {
  constexpr std::size_t kBlocksOfThread = 3;
  const auto decode = [&formatter](const PartSet::Block& block) {
    DecodedRows<AlignmentRow> alignments = block.decode<AlignmentRow>();
    for (const AlignmentRow& row : alignments.rows()) {
      if (!formatter.can_be(row)) {
        throw DataError(block.part->path() + ": the part is damaged: an alignment cannot be");
      }
    }
    return alignments;
  };
  const Workers workers(threads);
  tbb::task_arena arena(threads, 0);
  start_workers(arena, threads);
  arena.execute([&] {
    run_row_stages<AlignmentRow, PartSet::Block>({.next = [&parts] { return parts.next(); },
                                                  .decode = decode,
                                                  .select = [](std::vector<AlignmentRow>&) { return true; },
                                                  .formatter = &formatter,
                                                  .write = write},
                                                 kBlocksOfThread * static_cast<std::size_t>(threads));
  });
}

}  // namespace basesweep
