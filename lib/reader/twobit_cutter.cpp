#include <algorithm>
#include <utility>

#include "lib/reader/cutter.hpp"
#include "lib/reader/twobit_file.hpp"

namespace basesweep {
namespace {

// Each record counts as this many bases, so that blocks of tiny records stay small too.
constexpr std::int64_t kBasesOfRecord = 64;

// Bases [begin, end) of a record, and whether the record begins with them.
struct BaseRange {
  std::size_t record;
  std::uint32_t begin;
  std::uint32_t end;
  bool starts;
};

class TwoBitCutter final : public Cutter {
 public:
  TwoBitCutter(std::shared_ptr<InputFile> file, std::optional<FastaWindows> windows, CutterOptions options)
      : file_(std::move(file)), records_(file_), windows_(std::move(windows)), options_(options) {
    if (windows_) layout_ = records_.layout();
  }

  std::optional<RawBlock> next() override {
    RawBlock block;
    block.format = Format::twobit;
    block.file_offset = RawBlock::kNoFile;
    block.file = file_;
    const auto wanted = static_cast<std::int64_t>(options_.block_bytes);
    for (std::int64_t left = wanted; left > 0;) {
      if (!part_) {
        if (!block.stretches.empty() && begins_window()) break;
        part_ = next_part(block.resume);
        if (!part_) break;
      }
      left -= take(block, left);
    }
    if (block.stretches.empty()) return std::nullopt;
    return block;
  }

 private:
  // Moves some of part_, about `wanted` bases, to the block. Returns how many they count for.
  std::int64_t take(RawBlock& block, std::int64_t wanted) {
    BaseRange& part = *part_;
    if (record_ == nullptr || part.record != record_number_) record_ = records_.record(part.record);
    record_number_ = part.record;
    // Blocks are cut between bytes of codes.
    const std::int64_t end = std::min<std::int64_t>(part.begin + (wanted + 3) / 4 * 4, part.end);
    const TwoBitStretch stretch{record_, part.begin, static_cast<std::uint32_t>(end), part.starts};
    block.size += (stretch.end - stretch.begin + 3) / 4;
    block.stretches.push_back(stretch);
    part.begin = stretch.end;
    part.starts = false;
    if (part.begin == part.end) part_.reset();
    return stretch.end - stretch.begin + kBasesOfRecord;
  }

  // Whether the next part does not continue the one before.
  bool begins_window() const { return windows_ && in_window_ == end_of_window_ && window_ != windows_->windows.size(); }

  // The next part; sets `resume` where it begins a window.
  std::optional<BaseRange> next_part(std::optional<Resume>& resume) {
    if (!windows_) {
      if (next_record_ == records_.records()) return std::nullopt;
      const std::size_t record = next_record_++;
      return BaseRange{record, 0, records_.length(record), true};
    }
    if (in_window_ == end_of_window_) {
      if (window_ == windows_->windows.size()) return std::nullopt;
      const FastaWindow& window = windows_->windows[window_++];
      in_window_ = window.range.begin;
      end_of_window_ = window.range.end;
      resume = window.resume;
      const BaseRange part = part_of_window();
      resume->offset = part.begin;
      return part;
    }
    return part_of_window();
  }

  // Parts begin between bytes of codes, so up to three bases earlier than the window.
  BaseRange part_of_window() {
    const auto next = std::upper_bound(layout_.begin(), layout_.end(), in_window_,
                                       [](std::int64_t at, const FaiRecord& record) { return at < record.offset - 1; });
    const FaiRecord& record = *std::prev(next);
    const std::int64_t first_base = std::max(in_window_ - record.offset, std::int64_t{0}) / 4 * 4;
    const BaseRange part{static_cast<std::size_t>(std::prev(next) - layout_.begin()),
                         static_cast<std::uint32_t>(first_base),
                         static_cast<std::uint32_t>(std::min(end_of_window_ - record.offset, record.info.length)),
                         in_window_ < record.offset};
    in_window_ = std::min(end_of_window_, record.offset + record.info.length);
    return part;
  }

  std::shared_ptr<InputFile> file_;
  TwoBitFile records_;
  std::optional<FastaWindows> windows_;  // nothing: everything is handed out
  CutterOptions options_;
  std::vector<FaiRecord> layout_;  // with windows
  std::size_t next_record_ = 0;    // without windows
  std::size_t window_ = 0;         // the next one
  std::int64_t in_window_ = 0;     // where the next part begins, in bytes of the layout
  std::int64_t end_of_window_ = 0;
  std::optional<BaseRange> part_;               // the rest of the current part
  std::shared_ptr<const TwoBitRecord> record_;  // that was read last
  std::size_t record_number_ = 0;
};

}  // namespace

std::unique_ptr<Cutter> make_twobit_cutter(std::shared_ptr<InputFile> file, std::optional<FastaWindows> windows,
                                           CutterOptions options) {
  return std::make_unique<TwoBitCutter>(std::move(file), std::move(windows), options);
}

}  // namespace basesweep
