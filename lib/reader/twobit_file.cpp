#include "lib/reader/twobit_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kLittle = "\x43\x27\x41\x1A";
constexpr std::string_view kBig = "\x1A\x41\x27\x43";

template <class Number>
Number swap_bytes(Number number) {
  if constexpr (sizeof number == 8) return static_cast<Number>(__builtin_bswap64(number));
  return static_cast<Number>(__builtin_bswap32(static_cast<std::uint32_t>(number)));
}

}  // namespace

// The bytes of a file, read many at a time: the heads of short records follow each other closely.
class TwoBitWindow {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 16;

  explicit TwoBitWindow(const InputFile& file) : file_(file) {}

  const InputFile& file() const { return file_; }
  // Bytes from `offset` on: at least `size`, or fewer where the file ends. Valid until the next call.
  std::string_view from(std::int64_t offset, std::size_t size) {
    const auto end = begin_ + static_cast<std::int64_t>(buffer_.size());
    if (offset < begin_ || offset + static_cast<std::int64_t>(size) > end) {
      buffer_.resize(std::max(size, kBytes));
      begin_ = offset;
      buffer_.resize(file_.read_at(buffer_.data(), buffer_.size(), offset));
    }
    return std::string_view(buffer_.data(), buffer_.size()).substr(static_cast<std::size_t>(offset - begin_));
  }

 private:
  const InputFile& file_;
  std::vector<char> buffer_;
  std::int64_t begin_ = 0;  // offset of the buffer
};

// Reads a file's numbers one after another.
class TwoBitNumbers {
 public:
  // For messages, the numbers belong to `part` of the file, or to the record `part`.
  enum class Of { part, record };
  TwoBitNumbers(TwoBitWindow& window, bool swapped, std::int64_t at, std::string_view part, Of of = Of::part)
      : window_(window), swapped_(swapped), at_(at), part_(part), of_(of) {}

  std::int64_t at() const { return at_; }
  std::int64_t left() const { return window_.file().size() - at_; }  // bytes of the file
  std::uint32_t number() { return next<std::uint32_t>(); }
  std::uint64_t long_number() { return next<std::uint64_t>(); }
  std::string text(std::size_t size) { return std::string(take(size)); }
  std::size_t byte() { return static_cast<unsigned char>(take(1)[0]); }
  std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    const std::size_t bytes = count * sizeof(std::uint32_t);
    if (bytes > TwoBitWindow::kBytes) {
      if (window_.file().read_at(reinterpret_cast<char*>(all.data()), bytes, at_) != bytes) fail("it ends early");
      at_ += static_cast<std::int64_t>(bytes);
    } else if (count != 0) {
      std::memcpy(all.data(), take(bytes).data(), bytes);
    }
    if (swapped_) std::transform(all.begin(), all.end(), all.begin(), swap_bytes<std::uint32_t>);
    return all;
  }
  [[noreturn]] void fail(const std::string& what) const {
    const std::string part = of_ == Of::record ? record_named(part_) : std::string(part_);
    throw DataError(fmt::format("{}: damaged .2bit: {} (byte {}): {}", window_.file().path(), part, at_, what));
  }
  static std::string record_named(std::string_view name) { return fmt::format("record '{}'", name); }

 private:
  template <class Number>
  Number next() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return swapped_ ? swap_bytes(number) : number;
  }

  // The next `size` bytes.
  std::string_view take(std::size_t size) {
    const std::string_view bytes = window_.from(at_, size);
    if (bytes.size() < size) fail("it ends early");
    at_ += static_cast<std::int64_t>(size);
    return bytes.substr(0, size);
  }

  TwoBitWindow& window_;
  bool swapped_;
  std::int64_t at_;
  std::string_view part_;
  Of of_;
};

bool is_twobit(std::string_view start) { return start.starts_with(kLittle) || start.starts_with(kBig); }

bool is_twobit(const InputFile& file) {
  std::string start(kLittle.size(), '\0');
  return file.seekable() && file.read_at(start.data(), start.size(), 0) == start.size() && is_twobit(start);
}

TwoBitFile::TwoBitFile(std::shared_ptr<const InputFile> file)
    : file_(std::move(file)), window_(std::make_unique<TwoBitWindow>(*file_)) {
  read_index();
  find_ends();
}

TwoBitFile::~TwoBitFile() = default;

void TwoBitFile::read_index() {
  constexpr std::uint32_t kSignature = 0x1A412743;
  swapped_ = TwoBitNumbers(*window_, false, 0, "its header").number() != kSignature;
  TwoBitNumbers numbers(*window_, swapped_, 4, "its header");
  const std::uint32_t version = numbers.number();
  const std::size_t count = numbers.number();
  if (version > 1) numbers.fail(fmt::format("version {}, expected 0 or 1", version));
  numbers.number();                                 // reserved
  const std::int64_t bytes = version == 0 ? 5 : 9;  // an entry with an empty name
  if (static_cast<std::int64_t>(count) > numbers.left() / bytes)
    numbers.fail(fmt::format("{} records, but the file ends at byte {}", count, file_->size()));
  TwoBitNumbers index(*window_, swapped_, numbers.at(), "its index");
  entries_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = index.text(index.byte());
    const std::uint64_t offset = version == 0 ? index.number() : index.long_number();
    if (std::cmp_greater_equal(offset, file_->size()))
      index.fail(fmt::format("{} begins at byte {}, but the file ends at byte {}", TwoBitNumbers::record_named(name),
                             offset, file_->size()));
    entries_.push_back({std::move(name), static_cast<std::int64_t>(offset), 0});
  }
  check_offsets(index.at());
}

void TwoBitFile::check_offsets(std::int64_t end_of_index) const {
  const TwoBitNumbers index(*window_, swapped_, end_of_index, "its index");
  for (const IndexEntry& entry : entries_) {
    if (entry.offset < end_of_index)
      index.fail(
          fmt::format("{} begins at byte {}, inside the index", TwoBitNumbers::record_named(entry.name), entry.offset));
  }
}

void TwoBitFile::find_ends() {
  std::vector<IndexEntry*> by_offset;
  by_offset.reserve(entries_.size());
  for (IndexEntry& entry : entries_) by_offset.push_back(&entry);
  const auto before = [](const IndexEntry* a, const IndexEntry* b) { return a->offset < b->offset; };
  if (!std::is_sorted(by_offset.begin(), by_offset.end(), before))
    std::sort(by_offset.begin(), by_offset.end(), before);
  std::int64_t end = file_->size();
  for (auto entry = by_offset.rbegin(); entry != by_offset.rend(); ++entry) {
    if (entry != by_offset.rbegin() && (*std::prev(entry))->offset != (*entry)->offset)
      end = (*std::prev(entry))->offset;
    (*entry)->end = end;
  }
}

std::uint32_t TwoBitFile::length(std::size_t record) const {
  const IndexEntry& entry = entries_[record];
  TwoBitNumbers numbers(*window_, swapped_, entry.offset, entry.name, TwoBitNumbers::Of::record);
  const std::uint32_t bases = numbers.number();
  if (static_cast<std::int64_t>(bases) / 4 > entry.end - numbers.at())
    numbers.fail(fmt::format("{} bases do not fit in before byte {}", bases, entry.end));
  return bases;
}

std::shared_ptr<const TwoBitRecord> TwoBitFile::record(std::size_t number) const {
  const IndexEntry& entry = entries_[number];
  auto record = std::make_shared<TwoBitRecord>();
  record->name = name_in_title(entry.name);
  record->length = length(number);
  TwoBitNumbers numbers(*window_, swapped_, entry.offset + 4, entry.name, TwoBitNumbers::Of::record);
  record->unknown = intervals(numbers, record->length, "block of N");
  record->masked = intervals(numbers, record->length, "block of lower case");
  numbers.number();  // reserved
  record->codes = numbers.at();
  const std::int64_t end = record->codes + (std::int64_t{record->length} + 3) / 4;
  if (end > entry.end) {
    const bool last = entry.end == file_->size();
    numbers.fail(fmt::format("its bases reach to byte {}, but {} at byte {}", end,
                             last ? "the file ends" : "another record begins", entry.end));
  }
  return record;
}

// Blocks are written in order; some that touch are joined here.
std::vector<Interval> TwoBitFile::intervals(TwoBitNumbers& numbers, std::uint32_t length, const char* kind) const {
  const std::size_t count = numbers.number();
  constexpr std::int64_t kBytes = 2 * sizeof(std::uint32_t);
  if (static_cast<std::int64_t>(count) > numbers.left() / kBytes)
    numbers.fail(fmt::format("{} {}s, but the file ends at byte {}", count, kind, file_->size()));
  const std::vector<std::uint32_t> starts = numbers.numbers(count);
  const std::vector<std::uint32_t> sizes = numbers.numbers(count);
  std::vector<Interval> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t end = std::uint64_t{starts[i]} + sizes[i];
    const std::uint32_t before = all.empty() ? 0 : all.back().end;
    if (end > length || starts[i] < before)
      numbers.fail(fmt::format("{} number {} has bases {} to {}, expected it after base {} and before base {}", kind,
                               i + 1, std::uint64_t{starts[i]} + 1, end, before, std::uint64_t{length} + 1));
    if (sizes[i] == 0) continue;
    if (!all.empty() && starts[i] == before) {
      all.back().end = static_cast<std::uint32_t>(end);
    } else {
      all.push_back({starts[i], static_cast<std::uint32_t>(end)});
    }
  }
  return all;
}

std::vector<FaiRecord> TwoBitFile::layout() const {
  std::vector<FaiRecord> all;
  all.reserve(records());
  std::int64_t at = 0;
  for (std::size_t i = 0; i < records(); ++i) {
    const std::int64_t bases = length(i);
    all.push_back({{std::string(name_in_title(entries_[i].name)), bases}, at + 1, bases, bases});
    at += 1 + bases;
  }
  return all;
}

}  // namespace basesweep
