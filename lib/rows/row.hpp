// The base of all rows of output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace basesweep {

// A row of any kind. The data that a row points to live until the next one is made.
struct Row {};

// Rows of one kind in an array.
class RowSpan {
 public:
  template <class OneRow>
  RowSpan(const OneRow* rows, std::size_t size) : first_(rows), stride_(sizeof(OneRow)), size_(size) {}
  template <class OneRow>
  RowSpan(const std::vector<OneRow>& rows) : RowSpan(rows.data(), rows.size()) {}

  std::size_t size() const { return size_; }
  const Row& operator[](std::size_t i) const {
    return *reinterpret_cast<const Row*>(reinterpret_cast<const char*>(first_) + i * stride_);
  }

 private:
  const Row* first_;
  std::size_t stride_;
  std::size_t size_;
};

// A row that is about a place in a record, independent of its batch.
struct PlacedRow : Row {
  std::string_view record_name{};
  std::int64_t record = 0;  // number among the records with bases of the whole input, from 0: its index in a SAM header
  std::int64_t start = 0;   // in the record, 0-based
  std::int64_t end = 0;     // exclusive; past the record's end if the row is over_origin()
  std::string_view letters{};        // the text [start, end), forward strand, upper case; empty unless it is needed
  std::uint32_t source = 0;          // index of the record's file among the inputs
  std::int64_t circular_length = 0;  // see Segment
  bool odd_record = false;           // the number of the record among all, from 0, is odd: of pairs, the second mates

  bool over_origin() const { return circular_length != 0 && end > circular_length; }
};

}  // namespace basesweep
