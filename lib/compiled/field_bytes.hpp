// Numbers and texts one after the other, as sections of a compiled set hold them: numbers little-endian, a text behind
// its length, texts and lists of numbers behind their number, an optional number behind a byte that is 1, or only a
// byte that is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace basesweep {

class FieldWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  void texts(const std::vector<std::string>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const std::string& value : values) text(value);
  }
  void numbers(const std::vector<std::uint64_t>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const std::uint64_t value : values) number(value);
  }
  template <class T>
  void maybe(const std::optional<T>& value) {
    number(static_cast<std::uint8_t>(value.has_value()));
    if (value) number(*value);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what a FieldWriter wrote. Reading past the end gives zeros and empty texts, and ok() is false from then on.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    if (const auto from = take(sizeof value); !from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  // Lives as long as the bytes.
  std::string_view text() {
    const auto from = take(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    const auto count = number<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && ok_; ++i) values.emplace_back(text());
    return values;
  }
  // At most `most`; more are not ok, and none is read then.
  std::vector<std::uint64_t> numbers(std::size_t most) {
    const auto count = number<std::uint32_t>();
    if (count > most) ok_ = false;
    std::vector<std::uint64_t> values(ok_ ? count : 0);
    for (std::uint64_t& value : values) value = number<std::uint64_t>();
    return values;
  }
  template <class T>
  std::optional<T> maybe() {
    const auto has = number<std::uint8_t>();
    if (has > 1) ok_ = false;
    return has == 1 ? std::optional<T>(number<T>()) : std::nullopt;
  }
  // One of the values 0 ... max.
  template <class T>
  T choice(T max) {
    const auto value = number<std::uint8_t>();
    if (value > static_cast<std::uint8_t>(max)) ok_ = false;
    return ok_ ? static_cast<T>(value) : T{};
  }

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && bytes_.empty(); }
  std::size_t bytes_left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (!ok_ || count > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace basesweep
