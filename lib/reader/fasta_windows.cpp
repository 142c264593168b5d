#include "lib/reader/fasta_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/cutter.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// Parts that are at most this far apart share a window: reading on is quicker than skipping.
constexpr std::int64_t kNearBytes = 1 << 16;
// The most that may lie between the last base of a record and the first of the next: a title and blank lines.
constexpr std::int64_t kMaxBetween = 1 << 26;

DataError not_as_indexed(const std::string& path, const std::string& record) {
  return DataError(fmt::format(
      "{}: record '{}' is not where the index says: index the file again with 'samtools faidx'", path, record));
}

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
    if (next_ == 1) check_index();
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

  void check_index() {
    for (const FastaTitle& title : windows_.titles) {
      std::string between = read(title.begin, title.end);
      if (title.begin == 0) between.erase(0, byte_order_mark(between));
      const std::optional<std::string_view> line = last_title(between);
      const bool sound = line && line->starts_with('>') && between.ends_with('\n');
      if (!sound || first_word(line->substr(1)) != title.name) {
        throw not_as_indexed(file_->path(), title.name);
      }
    }
    check_end();
  }

  // Behind the last indexed record only records without bases may follow.
  void check_end() {
    constexpr std::int64_t kStepBytes = 1 << 16;
    std::string rest;
    for (std::int64_t at = windows_.end, got = kStepBytes; got == kStepBytes; at += got) {
      const std::string next = read(at, at + kStepBytes);
      got = static_cast<std::int64_t>(next.size());
      rest += next;
      if (!last_title(rest)) {
        throw DataError(fmt::format(
            "{}: the file has records that its index lacks: index it again; all records need different names",
            file_->path()));
      }
      rest = rest.substr(rest.rfind('\n') + 1, 1);  // the first character shows whether a line that goes on is a title
    }
  }

  // The last line of the text, which may hold titles and blank lines only; nothing if it holds another line.
  static std::optional<std::string_view> last_title(std::string_view text) {
    std::string_view line;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const bool blank = line.find_first_not_of('\r') == std::string_view::npos;
      if (!blank && !line.starts_with('>')) return std::nullopt;
    }
    return line;
  }

  std::string read(std::int64_t begin, std::int64_t end) {
    std::string text(static_cast<std::size_t>(end - begin), '\0');
    std::size_t have = 0;
    if (file_->seekable()) {
      have = file_->read_at(text.data(), text.size(), begin);
    } else {
      file_->seek(begin);
      for (std::size_t got = 1; have < text.size() && got != 0; have += got) {
        got = file_->read(text.data() + have, text.size() - have);
      }
    }
    text.resize(have);
    return text;
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
