#include "lib/pipeline/part_alignments.hpp"

#include "lib/pipeline/part_stages.hpp"

namespace basesweep {

void run_part_alignments(PartSet& parts, const AlignmentFormatter& formatter, int threads,
                         const std::function<void(std::string_view)>& write) {
  RowStages<AlignmentRow> stages;
  stages.select = [](std::vector<AlignmentRow>&) { return true; };
  stages.formatter = &formatter;
  stages.write = write;
  run_part_stages<AlignmentRow>(
      parts, [&formatter](const AlignmentRow& row) { return formatter.can_be(row); }, std::move(stages), threads);
}

}  // namespace basesweep
