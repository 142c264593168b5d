#include "lib/reader/block_inflater.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace basesweep {
namespace {

constexpr unsigned kBlockBits = 3;  // whether a block is the last one, and its kind
constexpr unsigned kDynamic = 2;

// Stores three letters; what is behind those that count will be written again.
void store_letters(std::uint8_t* to, std::uint32_t letters) { std::memcpy(to, &letters, sizeof letters); }
void store_letters(Symbol* to, std::uint64_t letters) {
  const std::uint64_t three = (letters & 0xff) | (letters & 0xff00) << 8 | (letters & 0xff0000) << 16;
  std::memcpy(to, &three, sizeof three);
}

// Copies `length` units from `distance` units before. May write up to 32 bytes behind them.
template <class Unit>
[[gnu::always_inline]] inline void copy_back(Unit* to, std::size_t distance, std::size_t length) {
  constexpr std::size_t kStep = 16 / sizeof(Unit);
  const Unit* from = to - distance;
  if (distance >= kStep) {
    std::memcpy(to, from, kStep * sizeof(Unit));
    std::memcpy(to + kStep, from + kStep, kStep * sizeof(Unit));
    for (std::size_t done = 2 * kStep; done < length; done += kStep)
      std::memcpy(to + done, from + done, kStep * sizeof(Unit));
  } else if (distance == 1) {
    std::fill_n(to, length, *from);
  } else {
    for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
  }
}

}  // namespace

void BlockInflater::begin(std::uint64_t position) {
  position_ = position;
  blocks_ = 0;
  inside_ = Inside::none;
  last_block_ = false;
}

void BlockInflater::begin_member(std::uint64_t position) {
  const std::size_t blocks = blocks_;
  begin(position);
  blocks_ = blocks;
}

template <class Unit>
Stopped BlockInflater::run(std::span<const std::uint8_t> input, std::uint64_t wanted, InflateRoom<Unit>& room) {
  DeflateBits bits(input, position_);
  while (true) {
    std::optional<Stopped> stopped;
    switch (inside_) {
      case Inside::none: stopped = begin_block(bits, input, wanted); break;
      case Inside::stored: stopped = copy_stored(bits, input, room); break;
      case Inside::coded:
        stopped = bits.far_from_end() ? decode<false>(bits, room) : decode<true>(bits, room);
        position_ = bits.position();
    }
    if (stopped) return *stopped;
  }
}

template Stopped BlockInflater::run(std::span<const std::uint8_t>, std::uint64_t, InflateRoom<Symbol>&);
template Stopped BlockInflater::run(std::span<const std::uint8_t>, std::uint64_t, InflateRoom<std::uint8_t>&);

std::optional<Stopped> BlockInflater::begin_block(DeflateBits& bits, std::span<const std::uint8_t> input,
                                                  std::uint64_t wanted) {
  position_ = bits.position();
  if (last_block_) return Stopped::at_end;
  if (position_ >= wanted && block_begins_at(input, position_)) return Stopped::at_border;
  bits.refill();
  const bool last = bits.take(1) != 0;
  const unsigned kind = bits.take(2);
  if (kind == 0) {
    const std::uint64_t lengths = (bits.position() + 7) / 8;
    if (lengths + 4 > input.size()) return Stopped::input_ends;
    const unsigned length = input[lengths] | unsigned{input[lengths + 1]} << 8;
    const unsigned complement = input[lengths + 2] | unsigned{input[lengths + 3]} << 8;
    if ((length ^ complement) != 0xffff) return Stopped::fault;
    bits.seek((lengths + 4) * 8);
    stored_left_ = length;
    inside_ = Inside::stored;
  } else {
    if (kind == 3) return Stopped::fault;
    CodesFound found = CodesFound::yes;
    if (kind == kDynamic) {
      found = codes_.read(bits);
    } else {
      codes_.set_fixed();
    }
    if (bits.overrun() || found == CodesFound::input_ends) return Stopped::input_ends;
    if (found == CodesFound::no) return Stopped::fault;
    inside_ = Inside::coded;
  }
  last_block_ = last;
  position_ = bits.position();
  return std::nullopt;
}

template <class Unit>
std::optional<Stopped> BlockInflater::copy_stored(DeflateBits& bits, std::span<const std::uint8_t> input,
                                                  InflateRoom<Unit>& room) {
  const std::size_t at = bits.position() / 8;
  const auto free = static_cast<std::size_t>(std::max<std::ptrdiff_t>(room.full - room.at, 0));
  const std::size_t size = std::min({stored_left_, input.size() - at, free});
  room.at = std::copy_n(input.data() + at, size, room.at);
  stored_left_ -= size;
  bits.seek((at + size) * 8);
  position_ = bits.position();
  if (stored_left_ != 0) return at + size == input.size() ? Stopped::input_ends : Stopped::text_full;
  inside_ = Inside::none;
  ++blocks_;
  return std::nullopt;
}

// Decodes symbols of a block. Near the end of the input it is careful: it decodes one symbol at a time, and takes back
// one that needs bits behind the end.
template <bool kCareful, class Unit>
std::optional<Stopped> BlockInflater::decode(DeflateBits& in, InflateRoom<Unit>& room) {
  DeflateBits bits = in;
  Unit* const farthest = room.farthest;
  Unit* const full = room.full;
  Unit* to = room.at;
  const auto stop = [&](std::optional<Stopped> why) {
    room.at = to;
    in = bits;
    return why;
  };
  using Kind = DeflateCodes::Letters;
  bits.refill();
  DeflateCodes::Letters found = codes_.letters(bits.bits());
  while (kCareful || bits.far_from_end()) {
    if (to >= full) return stop(Stopped::text_full);
    const DeflateBits before = bits;
    Unit* const text_before = to;
    const auto input_ends = [&] {
      bits = before;
      to = text_before;
      return stop(Stopped::input_ends);
    };
    store_letters(to, found.text());
    to += found.count();
    if (found.are_letters()) {
      bits.drop(found.bits());
      // Bits behind the end are zeros, which may be a part of these letters; the first alone may be right.
      if (kCareful && bits.overrun()) return input_ends();
      bits.refill();
      found = codes_.letters(bits.bits());
      continue;
    }
    if (found.kind() == Kind::table) {
      found = codes_.letters(found, bits.bits());
      store_letters(to, found.text());
      to += found.count();
    }
    if (found.kind() != Kind::length) {
      bits.drop(found.bits());
      if (kCareful && bits.overrun()) return input_ends();
      if (found.are_letters()) {
        bits.refill();
        found = codes_.letters(bits.bits());
        continue;
      }
      if (found.kind() != Kind::end) return stop(Stopped::fault);
      inside_ = Inside::none;
      ++blocks_;
      return stop(std::nullopt);
    }
    const std::size_t length = found.length_from(bits.bits());
    bits.drop(found.bits());
    DeflateCodes::Distance far = codes_.distance(bits.bits());
    if (far.is_table()) far = codes_.distance(far, bits.bits());
    const std::size_t distance = far.distance_from(bits.bits());
    bits.drop(far.bits());
    if (kCareful && bits.overrun()) return input_ends();
    if (far.is_invalid() || distance > static_cast<std::size_t>(to - farthest)) return stop(Stopped::fault);
    bits.refill();
    found = codes_.letters(bits.bits());
    copy_back(to, distance, length);
    to += length;
  }
  return stop(std::nullopt);
}

bool block_begins_at(std::span<const std::uint8_t> input, std::uint64_t position) {
  DeflateBits bits(input, position);
  if (bits.take(kBlockBits) != kDynamic << 1) return false;
  return DeflateCodes::check(bits) == CodesFound::yes;
}

// Nearly all positions are dismissed by their first 17 bits and by the lengths of the code for code lengths, which must
// be complete.
std::optional<std::uint64_t> find_block(std::span<const std::uint8_t> input, std::uint64_t begin, std::uint64_t end) {
  // How many positions on the next one is that 13 bits do not rule out: a dynamic block that is not the last, with at
  // most 286 codes of letters and lengths and 30 of distances.
  constexpr unsigned kHeadBits = 13;
  static const auto kSkip = [] {
    std::array<std::uint8_t, 1U << kHeadBits> skip{};
    const auto possible = [](unsigned head, unsigned bits) {
      const auto known = [&](unsigned from, unsigned count) { return bits >= from + count; };
      const unsigned all = kDynamic << 1, mask = bits >= kBlockBits ? 7U : (1U << bits) - 1;
      if (((head ^ all) & mask) != 0) return false;
      if (known(3, 5) && (head >> 3 & 31) > 29) return false;
      return !known(8, 5) || (head >> 8 & 31) <= 29;
    };
    for (unsigned head = 0; head < skip.size(); ++head) {
      unsigned passed = 0;
      while (passed < kHeadBits && !possible(head >> passed, kHeadBits - passed)) ++passed;
      skip[head] = static_cast<std::uint8_t>(passed);
    }
    return skip;
  }();
  // Four lengths of 3 bits: their sum, in 128ths of all words.
  static const auto kShares = [] {
    std::array<std::uint16_t, 1U << 12> shares{};
    for (unsigned i = 0; i < shares.size(); ++i) {
      for (unsigned at = 0; at < 12; at += 3) {
        const unsigned length = i >> at & 7;
        if (length != 0) shares[i] = static_cast<std::uint16_t>(shares[i] + (128U >> length));
      }
    }
    return shares;
  }();
  end = std::min<std::uint64_t>(end, input.size() * 8);
  for (std::uint64_t position = begin; position < end;) {
    std::uint64_t word;
    std::memcpy(&word, input.data() + position / 8, sizeof word);
    word >>= position % 8;
    const unsigned skip = kSkip[word & ((1U << kHeadBits) - 1)];
    if (skip != 0) {
      position += skip;
      continue;
    }
    const unsigned given = static_cast<unsigned>(word >> 13 & 15) + 4;
    std::uint64_t lengths;
    std::memcpy(&lengths, input.data() + (position + 17) / 8, sizeof lengths);
    lengths >>= (position + 17) % 8;
    lengths &= (std::uint64_t{1} << (3 * given)) - 1;
    unsigned share = 0;
    for (; lengths != 0; lengths >>= 12) share += kShares[lengths & 0xfff];
    if (share == 128 && block_begins_at(input, position)) return position;
    ++position;
  }
  return std::nullopt;
}

bool resolve_symbols(std::span<const Symbol> symbols, std::span<const std::uint8_t> window, std::uint8_t* bytes) {
  const std::size_t missing = kDeflateWindow - window.size();
  if (missing != 0 && std::any_of(symbols.begin(), symbols.end(), [missing](Symbol symbol) {
        return symbol >= kFirstMark && symbol - kFirstMark < static_cast<int>(missing);
      }))
    return false;
  // One look-up a symbol, whether it is a byte or a mark: a branch could not be foretold.
  std::array<std::uint8_t, std::size_t{1} << 16> byte_of;
  for (std::size_t i = 0; i < 256; ++i) byte_of[i] = static_cast<std::uint8_t>(i);
  std::copy(window.begin(), window.end(), byte_of.begin() + static_cast<std::ptrdiff_t>(kFirstMark + missing));
  std::size_t i = 0;
  constexpr std::size_t kStep = 8;
  for (; i + kStep <= symbols.size(); i += kStep) {
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), symbols.data() + i, sizeof words);
    std::uint64_t eight = 0;
    for (unsigned at = 0; at < kStep; ++at)
      eight |= std::uint64_t{byte_of[words[at / 4] >> (16 * (at % 4)) & 0xffff]} << (8 * at);
    std::memcpy(bytes + i, &eight, sizeof eight);
  }
  for (; i < symbols.size(); ++i) bytes[i] = byte_of[symbols[i]];
  return true;
}

}  // namespace basesweep
