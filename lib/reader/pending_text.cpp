#include "lib/reader/pending_text.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace basesweep {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 22;

}  // namespace

PendingText::PendingText(std::shared_ptr<InputFile> file, std::size_t block_bytes)
    : file_(std::move(file)), in_pieces_(block_bytes != 0 && file_->give_pieces(block_bytes)) {}

void PendingText::expect(std::size_t size) {
  const std::int64_t whole = file_->size();  // -1: not known
  if (whole >= 0) size = std::min(size, static_cast<std::size_t>(std::max<std::int64_t>(whole - offset_, 0)) + kStep);
  try {
    make_room(size);
  } catch (const std::bad_alloc&) {
    // Room is made as it is needed.
  }
}

// Has the memory reach from the first pending byte over `size` bytes. Memory that a block got is not used further,
// since it would stay as long as the last of the blocks that share it.
void PendingText::make_room(std::size_t size) {
  if (!given_ && memory_.bytes - begin_ >= size) return;
  TextMemory larger(size);
  std::copy_n(memory_.data.get() + begin_, this->size(), larger.data.get());
  end_ = this->size();
  begin_ = 0;
  memory_ = std::move(larger);
  given_ = false;
}

void PendingText::read_to(std::size_t size) {
  try {
    while (this->size() < size && !all_read_) {
      if (in_pieces_) {
        all_read_ = !take_piece();
        continue;
      }
      // Memory is used only as text comes.
      const auto wanted = static_cast<std::size_t>(
          std::min<std::uint64_t>(std::min(size - this->size(), kStep), static_cast<std::uint64_t>(unread_)));
      const std::size_t got = wanted == 0 ? 0 : read_some(wanted);
      unread_ -= static_cast<std::int64_t>(got);
      all_read_ = got == 0;
    }
  } catch (...) {
    fault_ = std::current_exception();
    all_read_ = true;
  }
}

std::size_t PendingText::read_some(std::size_t wanted) {
  if (given_ || memory_.bytes - end_ < wanted) make_room(std::max(size() + wanted, 2 * size()));
  const std::size_t got = file_->read(memory_.data.get() + end_, wanted);
  end_ += got;
  return got;
}

// False at the end of the file.
bool PendingText::take_piece() {
  TextPiece piece = file_->next_piece();
  const std::string_view text = piece.text();
  if (text.empty()) return false;
  const std::size_t before = size();
  std::erase_if(found_, [&](const FoundInPiece& one) {
    return one.offset + static_cast<std::int64_t>(one.records.begin) < offset_;
  });
  if (!piece.found.records.empty())
    found_.push_back({std::move(piece.found), offset_ + static_cast<std::int64_t>(before)});
  if (before <= piece.begin) {
    const std::size_t begin = piece.begin - before;
    std::copy_n(memory_.data.get() + begin_, before, piece.memory.data.get() + begin);
    memory_ = std::move(piece.memory);
    begin_ = begin;
    end_ = piece.end;
    given_ = false;
  } else {
    if (given_ || memory_.bytes - end_ < text.size()) make_room(std::max(before + text.size(), 2 * before));
    std::copy_n(text.data(), text.size(), memory_.data.get() + end_);
    end_ += text.size();
  }
  return true;
}

std::size_t PendingText::block_size(std::size_t size) const {
  const std::size_t most = in_pieces_ ? size + size / 4 : size;
  return this->size() <= most ? this->size() : size;
}

void PendingText::drop(std::size_t size) {
  begin_ += size;
  offset_ += static_cast<std::int64_t>(size);
}

void PendingText::give(RawBlock& block, std::size_t size) {
  block.shared = std::shared_ptr<const char>(memory_.data, memory_.data.get() + begin_);
  block.size = size;
  block.file_offset = offset_;
  given_ = true;
  drop(size);
}

void PendingText::find_records(RecordFinder finder) {
  if (in_pieces_) file_->find_records(std::move(finder));
}

const FoundRecords* PendingText::found(std::size_t at, std::size_t& zero) const {
  const std::int64_t offset = offset_ + static_cast<std::int64_t>(at);
  for (const FoundInPiece& one : found_) {
    if (one.offset + static_cast<std::int64_t>(one.records.begin) != offset) continue;
    zero = at - one.records.begin;
    return &one.records;
  }
  return nullptr;
}

}  // namespace basesweep
