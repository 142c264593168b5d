#include "tools/count_windows.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/counting/start_finder.hpp"
#include "lib/reader/reader.hpp"
#include "lib/reader/record_slices.hpp"

namespace basesweep {
namespace {

// Where the guides of a file of reads are looked for.
struct SearchedBases {
  std::size_t step = 1;                // 2 for pairs,
  std::size_t record = 0;              // of which the one with this number has the guide
  const ReadLayout* layout = nullptr;  // the guide is in the insert of `mate`; null: anywhere in the read
  std::size_t mate = 0;

  // The bases of a read in which the guide is; nothing if the read does not fit its structure.
  std::optional<std::string_view> bases(std::string_view read) const {
    if (layout == nullptr) return read;
    std::vector<PlacedSegment> places;
    if (!(*layout)[mate].place(read, places)) return std::nullopt;
    return part_of(read, places[*layout->insert(mate)]);
  }
};

// Adds the reads of a block until there are enough. `records`: how many came before.
void add_reads(const RawBlock& block, const SearchedBases& searched, std::size_t& records, StartFinder& finder) {
  std::string joined;
  for (const RecordText& record : block.records) {
    if (finder.is_done()) return;
    if (records++ % searched.step != searched.record) continue;
    std::string_view read = HeldRecord{block, record}.text(record.sequence_begin, record.sequence_end);
    if (line_size(read) != read.size()) {
      joined = read;
      std::erase_if(joined, is_line_end);
      read = joined;
    }
    if (const auto bases = searched.bases(read)) finder.add(*bases);
  }
}

class Windows {
 public:
  Windows(const CountOptions& options, const GuideLibrary& library, bool interleaved, const ReadLayout* layout)
      : o_(options),
        library_(library),
        interleaved_(interleaved),
        searched_{interleaved ? 2U : 1U, interleaved ? o_.mate - 1 : 0, layout, o_.mate - 1} {}

  // Looks at the first reads of each file that can be read twice; of others, only `first_block` is known, which is of
  // the first file.
  std::vector<InputStarts> find(const RawBlock* first_block) {
    if (!o_.window) finder_.emplace(library_);
    const std::vector<std::string>& files = o_.guide_files();
    std::vector<InputStarts> inputs(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      inputs[i].path = input_name(files[i]);
      if (o_.window) {
        inputs[i].windows = {*o_.window, *o_.window};
      } else if (is_regular_file(files[i])) {
        inputs[i].found = look_at(files[i]);
      } else if (first_block != nullptr && first_block->source == i && (interleaved_ || o_.mate == 1)) {
        finder_->reset();
        std::size_t records = 0;
        add_reads(*first_block, searched_, records, *finder_);
        inputs[i].found = finder_->result();
      }
    }
    if (!o_.window) set_windows(inputs);
    return inputs;
  }

 private:
  // A fault here must end the run: without some of the first reads the window might be another one.
  FoundStarts look_at(const std::string& path) {
    finder_->reset();
    std::size_t records = 0;
    AlignmentOptions alignments = o_.alignments.reading;
    alignments.mates = true;
    alignments.keep_empty = true;
    Reader reader({.paths = {path}, .whole_records = true, .alignments = alignments});
    while (!finder_->is_done()) {
      const std::optional<RawBlock> block = reader.next();
      if (!block) break;
      add_reads(*block, searched_, records, *finder_);
    }
    return finder_->result();
  }

  // A file without starts of its own has those of the others, or any.
  static void set_windows(std::vector<InputStarts>& inputs) {
    for (const std::size_t strand : {0, 1}) {
      std::optional<StartWindow> all;
      for (const InputStarts& input : inputs) {
        if (!input.found || !input.found->windows[strand]) continue;
        const StartWindow window = *input.found->windows[strand];
        if (!all) all = window;
        all->first = std::min(all->first, window.first);
        all->last = std::max(all->last, window.last);
      }
      for (InputStarts& input : inputs) {
        const bool own = input.found && input.found->windows[strand];
        input.windows[strand] = own ? *input.found->windows[strand] : all.value_or(StartWindow());
      }
    }
  }

  const CountOptions& o_;
  const GuideLibrary& library_;
  const bool interleaved_;
  const SearchedBases searched_;
  std::optional<StartFinder> finder_;
};

}  // namespace

std::vector<InputStarts> find_windows(const CountOptions& options, const GuideLibrary& library, bool interleaved,
                                      const ReadLayout* layout, const RawBlock* first_block) {
  return Windows(options, library, interleaved, layout).find(first_block);
}

}  // namespace basesweep
