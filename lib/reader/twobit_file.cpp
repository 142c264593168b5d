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

// "record 'chr1'".
std::string record_named(const std::string& name) { return fmt::format("record '{}'", name); }

}  // namespace

// Reads a file's numbers one after another. `part`: the part of the file that they belong to, for messages.
class TwoBitNumbers {
 public:
  TwoBitNumbers(const InputFile& file, bool swapped, std::int64_t at, std::string part)
      : file_(file), swapped_(swapped), at_(at), part_(std::move(part)) {}

  std::int64_t at() const { return at_ + static_cast<std::int64_t>(next_); }
  std::int64_t left() const { return file_.size() - at(); }  // bytes of the file
  std::uint32_t number() { return next<std::uint32_t>(); }
  std::uint64_t long_number() { return next<std::uint64_t>(); }
  std::string text(std::size_t size) {
    need(size);
    std::string taken(buffer_.data() + next_, size);
    next_ += size;
    return taken;
  }
  std::size_t byte() { return static_cast<unsigned char>(text(1)[0]); }
  std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    const std::size_t bytes = count * sizeof(std::uint32_t);
    if (bytes <= kStep) {
      for (std::uint32_t& one : all) one = number();
      return all;
    }
    if (file_.read_at(reinterpret_cast<char*>(all.data()), bytes, at()) != bytes) fail("it ends early");
    at_ = at() + static_cast<std::int64_t>(bytes);
    next_ = 0;
    buffer_.clear();
    if (swapped_) std::transform(all.begin(), all.end(), all.begin(), swap_bytes<std::uint32_t>);
    return all;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(fmt::format("{}: damaged .2bit: {} (byte {}): {}", file_.path(), part_, at(), what));
  }

 private:
  static constexpr std::size_t kStep = 1U << 12;

  template <class Number>
  Number next() {
    need(sizeof(Number));
    Number number;
    std::memcpy(&number, buffer_.data() + next_, sizeof number);
    next_ += sizeof number;
    return swapped_ ? swap_bytes(number) : number;
  }

  // Makes sure that the buffer holds the next `size` bytes.
  void need(std::size_t size) {
    if (buffer_.size() - next_ >= size) return;
    at_ = at();
    next_ = 0;
    buffer_.resize(std::max(size, kStep));
    buffer_.resize(file_.read_at(buffer_.data(), buffer_.size(), at_));
    if (buffer_.size() < size) fail("it ends early");
  }

  const InputFile& file_;
  bool swapped_;
  std::int64_t at_;  // offset of the buffer
  std::string part_;
  std::vector<char> buffer_;
  std::size_t next_ = 0;  // place in the buffer
};

bool is_twobit(std::string_view start) { return start.starts_with(kLittle) || start.starts_with(kBig); }

bool is_twobit(const InputFile& file) {
  std::string start(kLittle.size(), '\0');
  return file.seekable() && file.read_at(start.data(), start.size(), 0) == start.size() && is_twobit(start);
}

TwoBitFile::TwoBitFile(std::shared_ptr<const InputFile> file) : file_(std::move(file)) { read_index(); }

void TwoBitFile::read_index() {
  constexpr std::uint32_t kSignature = 0x1A412743;
  swapped_ = TwoBitNumbers(*file_, false, 0, "its header").number() != kSignature;
  TwoBitNumbers numbers(*file_, swapped_, 4, "its header");
  const std::uint32_t version = numbers.number();
  const std::size_t count = numbers.number();
  if (version > 1) numbers.fail(fmt::format("version {}, expected 0 or 1", version));
  numbers.number();                                 // reserved
  const std::int64_t bytes = version == 0 ? 5 : 9;  // an entry with an empty name
  if (static_cast<std::int64_t>(count) > numbers.left() / bytes)
    numbers.fail(fmt::format("{} records, but the file ends at byte {}", count, file_->size()));
  TwoBitNumbers index(*file_, swapped_, numbers.at(), "its index");
  entries_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = index.text(index.byte());
    const std::uint64_t offset = version == 0 ? index.number() : index.long_number();
    if (std::cmp_greater_equal(offset, file_->size()))
      index.fail(
          fmt::format("{} begins at byte {}, but the file ends at byte {}", record_named(name), offset, file_->size()));
    entries_.push_back({std::move(name), static_cast<std::int64_t>(offset)});
    offsets_.push_back(entries_.back().offset);
  }
  std::sort(offsets_.begin(), offsets_.end());
  check_offsets(index.at());
}

void TwoBitFile::check_offsets(std::int64_t end_of_index) const {
  const TwoBitNumbers index(*file_, swapped_, end_of_index, "its index");
  for (const Entry& entry : entries_) {
    if (entry.offset < end_of_index)
      index.fail(fmt::format("{} begins at byte {}, inside the index", record_named(entry.name), entry.offset));
  }
}

// Where the next record begins, or the file ends.
std::int64_t TwoBitFile::end_of(std::size_t record) const {
  const auto next = std::upper_bound(offsets_.begin(), offsets_.end(), entries_[record].offset);
  return next == offsets_.end() ? file_->size() : *next;
}

std::uint32_t TwoBitFile::length(std::size_t record) const {
  const Entry& entry = entries_[record];
  TwoBitNumbers numbers(*file_, swapped_, entry.offset, record_named(entry.name));
  const std::uint32_t bases = numbers.number();
  if (static_cast<std::int64_t>(bases) / 4 > end_of(record) - numbers.at())
    numbers.fail(fmt::format("{} bases do not fit in before byte {}", bases, end_of(record)));
  return bases;
}

std::shared_ptr<const TwoBitRecord> TwoBitFile::record(std::size_t number) const {
  const Entry& entry = entries_[number];
  auto record = std::make_shared<TwoBitRecord>();
  record->name = name_in_title(entry.name);
  record->length = length(number);
  TwoBitNumbers numbers(*file_, swapped_, entry.offset + 4, record_named(entry.name));
  record->unknown = intervals(numbers, record->length, "block of N");
  record->masked = intervals(numbers, record->length, "block of lower case");
  numbers.number();  // reserved
  record->codes = numbers.at();
  const std::int64_t end = record->codes + (std::int64_t{record->length} + 3) / 4;
  if (end > end_of(number)) {
    const bool last = end_of(number) == file_->size();
    numbers.fail(fmt::format("its bases reach to byte {}, but {} at byte {}", end,
                             last ? "the file ends" : "another record begins", end_of(number)));
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
