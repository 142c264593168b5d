#include "lib/reader/plain_pieces.hpp"

#include <algorithm>

namespace basesweep {
namespace {

// The first piece is small, since what the file is may be all that is wanted of it.
constexpr std::size_t kFirstPiece = std::size_t{1} << 16;
constexpr std::size_t kRunsPerHelper = 4;

// Reading and finding records takes a tenth of what searching takes.
int helpers(int threads) { return threads == 1 ? 1 : std::max(2, threads / 4); }

}  // namespace

void PlainReader::make(PlainRun& run) noexcept {
  TextPiece& piece = run.piece_;
  piece.begin = piece.end = TextPiece::kRoom;
  try {
    piece.end += run.file_->read_at(piece.memory.data.get() + piece.begin, run.size_, run.offset_);
  } catch (...) {
    run.fault_ = std::current_exception();
  }
}

PlainPieces::PlainPieces(const InputFile& file, std::int64_t offset, std::size_t bytes, int threads)
    : file_(file),
      bytes_(bytes),
      offset_(offset),
      queue_(helpers(threads), {kRunsPerHelper * static_cast<std::size_t>(helpers(threads)), 1,
                                TextPiece::kRoom + std::max(bytes, kFirstPiece)}) {}

TextPiece PlainPieces::next() {
  if (handing_out_) queue_.pop();
  handing_out_ = false;
  while (!queue_.full() && offset_ < file_.size()) {
    const std::size_t wanted = begun_ ? bytes_ : kFirstPiece;
    const auto size =
        static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(wanted), file_.size() - offset_));
    queue_.back().set(offset_, size, file_);
    queue_.push();
    offset_ += static_cast<std::int64_t>(size);
    begun_ = true;
  }
  if (queue_.empty()) return {};
  handing_out_ = true;
  PlainRun& run = queue_.front();
  if (run.fault()) std::rethrow_exception(run.fault());
  return run.take_piece();
}

}  // namespace basesweep
