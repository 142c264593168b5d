// Rows as bytes: the one encoding for parts of a run, for temporary files and for bytes that go from thread to thread.
//
// One function for each kind of row says how it is encoded and decoded, both at once:
//
//     template <class Codec>
//     void code(Codec& codec, Coded<Codec, Kind>& row);
//
// It calls number(), text() and so on of the codec for one field after another. A FieldEncoder reads the fields, a
// FieldDecoder sets them. Folders above this one define code() for their kinds of rows, next to the kind, in its
// namespace.
//
// An integer takes 1 to 9 bytes. So many zeros as the first byte has at its low end, so many bytes follow it. The
// number comes after a one, little-endian: 7 bits for each byte, or 64 after a first byte of zeros only. Signed
// integers are folded: 0, -1, 1, -2 become 0, 1, 2, 3.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "lib/base/text.hpp"
#include "lib/rows/row.hpp"

namespace basesweep {

// Bytes that are not encoded rows.
struct RowFault : std::runtime_error {
  RowFault() : std::runtime_error("its rows are not valid") {}
};
[[noreturn]] void throw_row_fault();

// code() takes a T that it sets, or one that it reads.
template <class Codec, class T>
using Coded = std::conditional_t<Codec::kDecodes, T, const T>;

// The row before, with which a row is compared. The first row of a block has none, so blocks are independent.
struct RowBefore {
  bool any = false;
  std::uint32_t source = 0;
  std::int64_t record = 0;
  std::int64_t circular_length = 0;
  bool odd_record = false;
  std::string_view record_name{};  // known to decoders only
  std::int64_t start = 0;
  std::uint32_t length = 0;  // of the hit
};

constexpr std::uint64_t fold_sign(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unfold_sign(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

inline constexpr std::size_t kMaxNumberBytes = 9;

// Sum and difference of values that may be anything in rows that are not valid: they wrap around.
constexpr std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// Encodes the fields of a row.
class FieldEncoder {
 public:
  static constexpr bool kDecodes = false;

  FieldEncoder(Text& to, RowBefore& row_before) : before(row_before), to_(to) { make_room(0); }
  // After the last field.
  void finish() { to_.advance(at_); }

  template <std::integral T>
  void number(const T& value) {
    if constexpr (std::is_signed_v<T>) {
      put(fold_sign(value));
    } else {
      put(value);
    }
  }
  // A number that is often a little larger than `base`.
  void difference(std::int64_t value, std::int64_t base) {
    if (left() < kMaxNumberBytes) make_room(kMaxNumberBytes);
    put_any(fold_sign(wrapped_difference(value, base)));
  }
  template <std::unsigned_integral T>
  void maybe(const std::optional<T>& value) {
    static_assert(sizeof(T) < sizeof(std::uint64_t));
    put(value ? std::uint64_t{*value} + 1 : 0);
  }
  void text(std::string_view text) {
    put(text.size());
    if (text.empty()) return;
    if (left() < text.size()) make_room(text.size());
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  // Yes or no, up to eight times. Returns them.
  template <std::same_as<bool>... Flags>
  std::array<bool, sizeof...(Flags)> flags(Flags... values) {
    static_assert(sizeof...(Flags) <= 8);
    unsigned bits = 0;
    unsigned bit = 1;
    ((bits |= values ? bit : 0U, bit <<= 1), ...);
    if (left() == 0) make_room(1);
    *at_++ = static_cast<char>(bits);
    return {values...};
  }
  // Each item by its own code().
  template <class T>
  void list(std::span<const T> items) {
    put(items.size());
    for (const T& item : items) code(*this, item);
  }

  RowBefore& before;

 private:
  static constexpr std::size_t kRoom = 128;  // bytes; few rows without text need more

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  void make_room(std::size_t bytes) {
    if (bytes != 0) to_.advance(at_);
    at_ = to_.reserve(bytes + kRoom);
    end_ = at_ + bytes + kRoom;
  }
  void put(std::uint64_t value) {
    if (left() < kMaxNumberBytes) make_room(kMaxNumberBytes);
    if (value < 0x80) {
      *at_++ = static_cast<char>(value << 1 | 1);
    } else {
      put_any(value);
    }
  }
  // Puts any number, without a branch that depends on how long it is. There must be room.
  void put_any(std::uint64_t value) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(value | 1));
    if (bits > 56) [[unlikely]] {
      *at_++ = 0;
      std::memcpy(at_, &value, sizeof value);
      at_ += sizeof value;
      return;
    }
    const unsigned bytes = (bits + 6) / 7;
    const std::uint64_t stored = (value << 1 | 1) << (bytes - 1);
    std::memcpy(at_, &stored, sizeof stored);
    at_ += bytes;
  }

  Text& to_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

// A number, and where it ends.
struct NumberAt {
  std::uint64_t value;
  const char* next;
};
// Reads a number that may end after `end`; then throws RowFault.
NumberAt number_at_end(const char* at, const char* end);

// Decodes the fields of a row. All functions are those of FieldEncoder, set the field, and throw RowFault.
class FieldDecoder {
 public:
  static constexpr bool kDecodes = true;

  FieldDecoder(const char* at, const char* end, RowBefore& row_before, std::pmr::memory_resource* lists)
      : before(row_before), at_(at), end_(end), lists_(lists) {}
  const char* at() const { return at_; }

  template <std::integral T>
  void number(T& value) {
    if constexpr (std::is_signed_v<T>) {
      narrow(unfold_sign(get()), value);
    } else {
      narrow(get(), value);
    }
  }
  void difference(std::int64_t& value, std::int64_t base) { value = wrapped_sum(base, unfold_sign(get_any())); }
  template <std::unsigned_integral T>
  void maybe(std::optional<T>& value) {
    const std::uint64_t stored = get();
    value.reset();
    if (stored != 0) narrow(stored - 1, value.emplace());
  }
  void text(std::string_view& text) {
    const std::uint64_t size = get();
    if (size > left()) throw_row_fault();
    text = {at_, static_cast<std::size_t>(size)};
    at_ += size;
  }
  template <std::same_as<bool>... Flags>
  std::array<bool, sizeof...(Flags)> flags(Flags...) {
    if (at_ == end_) throw_row_fault();
    const auto bits = static_cast<unsigned char>(*at_++);
    if (bits >> sizeof...(Flags) != 0) throw_row_fault();
    std::array<bool, sizeof...(Flags)> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (bits >> i & 1) != 0;
    return values;
  }
  template <class T>
  void list(std::span<const T>& items) {
    static_assert(std::is_trivially_destructible_v<T>);
    const std::uint64_t count = get();
    if (count > left()) throw_row_fault();  // each item has a byte at least
    if (count == 0) return;
    T* const to = static_cast<T*>(lists_->allocate(count * sizeof(T), alignof(T)));
    for (std::uint64_t i = 0; i < count; ++i) code(*this, *new (to + i) T{});
    items = {to, static_cast<std::size_t>(count)};
  }

  RowBefore& before;

 private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t get() {
    if (at_ == end_) throw_row_fault();
    if (const auto first = static_cast<unsigned char>(*at_); (first & 1) != 0) {
      ++at_;
      return first >> 1;
    }
    return get_any();
  }
  // Gets any number, without a branch that depends on how long it is.
  std::uint64_t get_any() {
    if (left() < kMaxNumberBytes) [[unlikely]] {
      const auto [value, next] = number_at_end(at_, end_);
      at_ = next;
      return value;
    }
    std::uint64_t stored;
    std::memcpy(&stored, at_, sizeof stored);
    if ((stored & 0xff) == 0) [[unlikely]] {
      std::memcpy(&stored, at_ + 1, sizeof stored);
      at_ += kMaxNumberBytes;
      return stored;
    }
    const unsigned bytes = static_cast<unsigned>(std::countr_zero(stored)) + 1;
    at_ += bytes;
    return stored >> bytes & ~std::uint64_t{0} >> (64 - 7 * bytes);
  }
  template <class From, class T>
  static void narrow(From from, T& value) {
    value = static_cast<T>(from);
    if (static_cast<From>(value) != from) throw_row_fault();
  }

  const char* at_;
  const char* end_;
  std::pmr::memory_resource* lists_;
};

// Appends an encoded row to a text. `before`: the rows that are in it.
//
// A call of another function would keep the codec in memory, and each byte that is written might change it there, as
// far as the compiler knows. So all is inlined here, which makes it several times as fast.
template <class Row>
[[gnu::flatten]] void encode_row(const Row& row, RowBefore& before, Text& to) {
  FieldEncoder codec(to, before);
  code(codec, row);
  codec.finish();
}

// Appends encoded rows to a text, as one block.
class RowEncoder {
 public:
  // `to` must outlive this object.
  explicit RowEncoder(Text& to) : to_(&to) {}

  template <class Row>
  void add(const Row& row) {
    encode_row(row, before_, *to_);
  }

 private:
  Text* to_;
  RowBefore before_;
};

// Reads the encoded rows of a block. Any bytes may be given to it.
template <class Row>
class RowDecoder {
 public:
  // The rows point into `bytes` and, if they have lists, into memory of `lists`. Both must outlive them.
  explicit RowDecoder(std::string_view bytes, std::pmr::memory_resource* lists = std::pmr::null_memory_resource())
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), lists_(lists) {}

  bool at_end() const { return at_ == end_; }
  // Sets `row` to the next row; false at the end. Throws RowFault.
  bool next(Row& row) {
    if (at_end()) return false;
    row = empty_;
    decode(row);
    return true;
  }
  // Sets `row`, which must be a copy of empty(), to the next row. Throws RowFault, also at the end. All is inlined, as
  // in encode_row().
  [[gnu::flatten]] void decode(Row& row) {
    FieldDecoder codec(at_, end_, before_, lists_);
    code(codec, row);
    at_ = codec.at();
  }
  const Row& empty() const { return empty_; }

 private:
  const char* at_;
  const char* end_;
  std::pmr::memory_resource* lists_;
  RowBefore before_;
  const Row empty_{};  // compilers copy a row much faster than they make one
};

// Whether a row tells its record, or has that of the row before. A record has one number and one name.
template <class Codec>
bool tells_record(const Codec& codec, const PlacedRow& row) {
  const RowBefore& before = codec.before;
  return !before.any || row.record != before.record || row.source != before.source ||
         row.circular_length != before.circular_length;
}

// For code() of rows with a place: all of a PlacedRow but its end and letters. `tells`: tells_record(), as it was
// encoded.
template <class Codec>
void code_place(Codec& codec, Coded<Codec, PlacedRow>& row, bool tells) {
  RowBefore& before = codec.before;
  if (tells) {
    codec.difference(row.record, before.record);
    codec.text(row.record_name);
    codec.number(row.source);
    codec.number(row.circular_length);
    codec.number(row.odd_record);
    if constexpr (Codec::kDecodes) {
      if (!tells_record(codec, row)) throw_row_fault();  // else a record could have two names
    }
    before.any = true;
    before.record = row.record;
    before.source = row.source;
    before.circular_length = row.circular_length;
    before.odd_record = row.odd_record;
    before.start = 0;
    if constexpr (Codec::kDecodes) before.record_name = row.record_name;
  } else if constexpr (Codec::kDecodes) {
    if (!before.any) throw_row_fault();
    row.record = before.record;
    row.record_name = before.record_name;
    row.source = before.source;
    row.circular_length = before.circular_length;
    row.odd_record = before.odd_record;
  }
  codec.difference(row.start, before.start);
  before.start = row.start;
}

}  // namespace basesweep
