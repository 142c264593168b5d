// A value of a report, or its absence. Reports may come from other versions or be damaged, so reading one never fails:
// what is missing or of another type counts as empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basesweep {

// A view of a JSON value. It is valid as long as the report.
class Value {
 public:
  using Json = nlohmann::ordered_json;
  Value() = default;
  explicit Value(const Json& json) : json_(json.is_null() ? nullptr : &json) {}

  // The member of an object, or the element of an array; an absent value if there is none.
  Value get(const char* key) const;
  Value at(std::size_t i) const;

  bool exists() const { return json_ != nullptr; }  // and is not null
  bool is_object() const { return json_ != nullptr && json_->is_object(); }
  bool is_text() const { return json_ != nullptr && json_->is_string(); }
  // Elements of an array or members of an object; of others 0.
  std::size_t size() const;
  std::vector<Value> elements() const;
  std::vector<std::pair<std::string, Value>> members() const;

  std::optional<double> number() const;  // finite
  double number_or(double otherwise) const { return number().value_or(otherwise); }
  bool is_count() const;  // an integer that is not negative
  // An integer that is not negative; 0 for all else.
  std::uint64_t count() const;
  // The sum of count() of all elements or members. It stops at the largest number.
  std::uint64_t sum() const;
  std::string text() const;  // "" if it is no text
  // Text as it is, numbers and booleans as JSON writes them, and "" for all else.
  std::string shown() const;
  std::vector<std::uint64_t> counts() const;  // of the elements

 private:
  const Json* json_ = nullptr;
};

// a + b, or the largest number.
std::uint64_t add_up(std::uint64_t a, std::uint64_t b);
std::uint64_t total_of(const std::vector<std::uint64_t>& counts);

// A bin of a histogram: values from `from` up to `to`, exclusive.
struct Bin {
  double from;
  double to;
  std::uint64_t count;
};
// Reads [[from, to, count], ...], in order; leaves out what is no bin.
std::vector<Bin> bins_of(const Value& histogram);

}  // namespace basesweep
