// The values of one column in rows that follow each other, as numbers and bytes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "lib/rows/column.hpp"

namespace basesweep {

// The numbers that mean an absent value. A real that is absent is not a number.
inline constexpr std::int64_t kAbsentInteger = std::numeric_limits<std::int64_t>::min();
inline constexpr std::uint32_t kAbsentText = std::numeric_limits<std::uint32_t>::max();

// Writes values to memory that need not be aligned: integers and reals take 8 bytes each, codes 4. A text takes 4 bytes
// for its length, and its bytes go to a string.
class CellArray {
 public:
  // `type`: of the values that are added as cells. `texts`: only used for texts.
  CellArray(ColumnType type, char* to, std::string& texts) : type_(type), to_(to), texts_(&texts) {}

  void add(const Cell& cell) {
    const bool absent = cell.holds() == Cell::Holds::nothing;
    switch (type_) {
      case ColumnType::integer: return put(absent ? kAbsentInteger : cell.integer());
      case ColumnType::real: return put(absent ? std::numeric_limits<double>::quiet_NaN() : cell.real());
      case ColumnType::text:
      case ColumnType::strand:
      case ColumnType::cigar: return absent ? put(kAbsentText) : put_text(cell.text());
    }
  }
  // An integer, or a code.
  template <class T>
  void put(T value) {
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    texts_->append(text);
  }
  // Memory for texts of so many bytes together, whose lengths are then put as std::uint32_t.
  char* room(std::size_t bytes) {
    texts_->resize(texts_->size() + bytes);
    return texts_->data() + texts_->size() - bytes;
  }

 private:
  ColumnType type_;
  char* to_;  // where the next value goes
  std::string* texts_;
};

}  // namespace basesweep
