#include "lib/reader/fasta_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/cutter.hpp"
#include "lib/reader/index_titles.hpp"

namespace basesweep {
namespace {

// Parts that are at most this far apart share a window: reading on is quicker than skipping.
constexpr std::int64_t kNearBytes = 1 << 16;
// The most that may lie between the last base of a record and the first of the next: a title and blank lines.
constexpr std::int64_t kMaxBetween = 1 << 26;

class WindowCutter final : public Cutter {
 public:
  WindowCutter(std::shared_ptr<InputFile> file, FastaWindows windows, CutterOptions options)
      : file_(std::move(file)), windows_(std::move(windows)), options_(options) {
    if (!file_->seekable() && !windows_.windows.empty()) file_->load_index(windows_.gzi);
  }

  std::optional<RawBlock> next() override {
    while (true) {
      if (cutter_ != nullptr) {
        std::optional<RawBlock> block = cutter_->next();
        if (block) {
          block->resume = std::exchange(resume_, std::nullopt);
          return block;
        }
      }
      if (next_ == windows_.windows.size()) return std::nullopt;
      open(windows_.windows[next_++]);
    }
  }

 private:
  void open(const FastaWindow& window) {
    if (next_ == 1) check_titles(*file_, windows_);
    resume_ = window.resume;
    if (file_->seekable()) {
      if (window.range.end > file_->size()) throw not_as_indexed(file_->path(), window.resume.name);
      cutter_ = make_fasta_file_cutter(file_, window.range, options_);
      return;
    }
    file_->seek(window.range.begin);
    cutter_ = make_fasta_stream_cutter(PendingText(file_, window.range.begin, window.range.end),
                                       window.range.inside_line, options_);
  }

  std::shared_ptr<InputFile> file_;
  FastaWindows windows_;
  CutterOptions options_;
  std::size_t next_ = 0;
  std::unique_ptr<Cutter> cutter_;
  std::optional<Resume> resume_;  // of the window's first block
};

}  // namespace

FastaWindows windows_of(const std::string& path, const std::vector<FaiRecord>& records, std::int64_t first_reference,
                        const RegionSet& regions, std::int64_t left, std::int64_t right,
                        const CircularRecords& circular) {
  FastaWindows found;
  std::vector<FastaWindow>& windows = found.windows;
  // Behind a URL each title costs a request.
  const bool all_titles = !regions.planned() && !is_url(path);
  std::int64_t title_begin = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const FaiRecord& record = records[i];
    const auto& [name, length] = record.info;
    if (length == 0) continue;
    const std::int64_t reference = first_reference + static_cast<std::int64_t>(i);
    if (record.line_bases == 0 || record.line_bytes < record.line_bases || record.offset <= title_begin ||
        record.offset - title_begin > kMaxBetween) {
      throw not_as_indexed(path, name);
    }
    const auto own = [&]() -> const std::vector<Region>& {
      try {
        return regions.of(reference, record.info.name);
      } catch (const std::invalid_argument& other) {
        throw DataError(fmt::format("{}: {}", path, other.what()));
      }
    }();
    if (all_titles) found.titles.push_back({title_begin, record.offset, name});
    const bool over_origin = !own.empty() && circular.contains(name) &&
                             (own.front().begin < left || std::min(own.back().end, length) > length - right);
    for (const Region& region : over_origin ? std::vector<Region>{{0, length}} : widened(own, left, right)) {
      const std::int64_t end = std::min(region.end, length);
      if (region.begin >= end) continue;
      const TextRange range{record.byte_of(region.begin), record.byte_of(end - 1) + 1,
                            region.begin % record.line_bases != 0};
      if (!windows.empty() && range.begin - windows.back().range.end <= kNearBytes) {
        windows.back().range.end = range.end;
      } else {
        windows.push_back({range, {reference, name, region.begin}});
        if (!all_titles) found.titles.push_back({title_begin, record.offset, name});
      }
    }
    title_begin = record.byte_of(length - 1) + 1;
  }
  found.end = title_begin;
  return found;
}

std::unique_ptr<Cutter> make_window_cutter(std::shared_ptr<InputFile> file, FastaWindows windows,
                                           CutterOptions options) {
  return std::make_unique<WindowCutter>(std::move(file), std::move(windows), options);
}

}  // namespace basesweep
