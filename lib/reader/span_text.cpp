#include "lib/reader/span_text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace basesweep {
namespace {

constexpr std::size_t kCheckedSymbols = kDeflateWindow;  // after this many, a check shows whether marks are left

bool has_mark(std::span<const Symbol> symbols) {
  constexpr std::size_t kStep = 1024;
  while (!symbols.empty()) {  // from the end, where marks are found soonest
    const auto some = symbols.last(std::min(kStep, symbols.size()));
    const Symbol all = std::accumulate(some.begin(), some.end(), Symbol{0},
                                       [](Symbol a, Symbol b) { return static_cast<Symbol>(a | b); });
    if (all >= kFirstMark) return true;
    symbols = symbols.first(symbols.size() - some.size());
  }
  return false;
}

std::uint8_t* bytes_of(TextPiece& piece) { return reinterpret_cast<std::uint8_t*>(piece.memory.data.get()); }

}  // namespace

// There is also room for the rest of the piece before, which may be nearly half of a block of text.
PieceRoom::PieceRoom(std::size_t bytes)
    : bytes_(bytes),
      begin_(TextPiece::kRoom + bytes / 2),
      memory_(begin_ + bytes + InflateRoom<std::uint8_t>::kSlack) {}

TextPiece PieceRoom::take() {
  TextPiece piece;
  piece.memory = memory_.take();
  piece.begin = piece.end = begin_;
  return piece;
}

void SpanText::begin() {
  if (symbols_ == nullptr)
    symbols_.reset(new Symbol[kDeflateWindow + kMaxBytes + InflateRoom<Symbol>::kSlack]);  // not set, since it is large
  std::iota(symbols_.get(), symbols_.get() + kDeflateWindow, kFirstMark);
  pieces_.clear();
  head_ = size_ = 0;
  in_bytes_ = false;
}

void SpanText::begin(PieceRoom& room, std::span<const std::uint8_t> window) {
  pieces_.clear();
  head_ = size_ = 0;
  begin_bytes(room, window);
}

void SpanText::begin_bytes(PieceRoom& room, std::span<const std::uint8_t> window) {
  in_bytes_ = true;
  begin_piece(room, window, head_ % room.bytes());
}

// The window comes before the text, where it may be in the way of what resolve() writes, which is the same.
void SpanText::begin_piece(PieceRoom& room, std::span<const std::uint8_t> window, std::size_t before) {
  TextPiece piece = room.take();
  std::uint8_t* const begin = bytes_of(piece) + piece.begin;
  bytes_ = {begin + before - window.size(), begin + before, begin + room.bytes()};
  std::copy(window.begin(), window.end(), bytes_.farthest);
  pieces_.push_back(std::move(piece));
}

void SpanText::begin_member(PieceRoom& room) {
  if (!in_bytes_) begin_bytes(room, {});
  bytes_.farthest = bytes_.at;
}

std::span<const std::uint8_t> SpanText::byte_window() const {
  const std::size_t size = std::min(kDeflateWindow, static_cast<std::size_t>(bytes_.at - bytes_.farthest));
  return {bytes_.at - size, size};
}

Stopped SpanText::inflate(PieceRoom& room, BlockInflater& inflater, std::span<const std::uint8_t> input,
                          std::uint64_t wanted) {
  while (!in_bytes_) {
    Symbol* const begin = symbols_.get() + kDeflateWindow;
    InflateRoom<Symbol> to{symbols_.get(), begin + head_, begin + std::min(head_ + kCheckedSymbols, kMaxBytes)};
    const Stopped stopped = inflater.run(input, wanted, to);
    head_ = size_ = static_cast<std::size_t>(to.at - begin);
    if (stopped != Stopped::text_full || head_ >= kMaxBytes) return stopped;
    const std::span<const Symbol> last = symbols().last(kDeflateWindow);
    if (has_mark(last)) continue;
    const std::vector<std::uint8_t> window(last.begin(), last.end());
    begin_bytes(room, window);
  }
  while (true) {
    const std::uint8_t* const from = bytes_.at;
    const Stopped stopped = inflater.run(input, wanted, bytes_);
    size_ += static_cast<std::size_t>(bytes_.at - from);
    pieces_.back().end = static_cast<std::size_t>(bytes_.at - bytes_of(pieces_.back()));
    if (stopped != Stopped::text_full || size_ >= kMaxBytes) return stopped;
    const TextPiece before = pieces_.back();  // keeps its memory
    begin_piece(room, byte_window(), 0);
  }
}

std::vector<std::uint8_t> SpanText::window_after(std::span<const std::uint8_t> window) const {
  if (in_bytes_) return {byte_window().begin(), byte_window().end()};
  const std::size_t own = std::min(kDeflateWindow, head_);
  const std::size_t before = std::min(kDeflateWindow - own, window.size());
  const std::size_t missing = kDeflateWindow - window.size();
  std::vector<std::uint8_t> after(before + own);
  std::copy(window.end() - static_cast<std::ptrdiff_t>(before), window.end(), after.begin());
  std::transform(symbols().end() - static_cast<std::ptrdiff_t>(own), symbols().end(),
                 after.begin() + static_cast<std::ptrdiff_t>(before), [&](Symbol symbol) {
                   if (symbol < kFirstMark) return static_cast<std::uint8_t>(symbol);
                   // A mark of text that is not there is found by resolve().
                   const std::size_t place = symbol - std::size_t{kFirstMark};
                   return place < missing ? std::uint8_t{0} : window[place - missing];
                 });
  return after;
}

bool SpanText::resolve(PieceRoom& room, std::span<const std::uint8_t> window) {
  std::span<const Symbol> left = symbols();
  std::vector<TextPiece> made;
  // Where bytes follow, their first piece takes the end of the head. Otherwise all pieces get the same size.
  const std::size_t whole = in_bytes_ ? head_ / room.bytes() : (head_ + room.bytes() - 1) / room.bytes();
  const std::size_t size = in_bytes_ || whole == 0 ? room.bytes() : (head_ + whole - 1) / whole;
  for (std::size_t i = 0; i < whole; ++i) {
    const std::span<const Symbol> own = left.first(std::min(size, left.size()));
    TextPiece piece = room.take();
    if (!resolve_symbols(own, window, bytes_of(piece) + piece.begin)) return false;
    piece.end = piece.begin + own.size();
    made.push_back(std::move(piece));
    left = left.subspan(own.size());
  }
  if (!left.empty() && !resolve_symbols(left, window, bytes_of(pieces_.front()) + pieces_.front().begin)) return false;
  pieces_.insert(pieces_.begin(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  std::erase_if(pieces_, [](const TextPiece& piece) { return piece.text().empty(); });
  return true;
}

}  // namespace basesweep
