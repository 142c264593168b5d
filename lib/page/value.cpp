#include "lib/page/value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace basesweep {

Value Value::get(const char* key) const {
  if (json_ == nullptr || !json_->is_object()) return {};
  const auto found = json_->find(key);
  return found == json_->end() ? Value() : Value(*found);
}

Value Value::at(std::size_t i) const {
  return json_ != nullptr && json_->is_array() && i < json_->size() ? Value((*json_)[i]) : Value();
}

std::size_t Value::size() const {
  return json_ != nullptr && (json_->is_array() || json_->is_object()) ? json_->size() : 0;
}

std::vector<Value> Value::elements() const {
  std::vector<Value> all;
  if (json_ == nullptr || !json_->is_array()) return all;
  all.reserve(json_->size());
  for (const Json& element : *json_) all.emplace_back(element);
  return all;
}

std::vector<std::pair<std::string, Value>> Value::members() const {
  std::vector<std::pair<std::string, Value>> all;
  if (json_ == nullptr || !json_->is_object()) return all;
  for (const auto& [key, value] : json_->items()) all.emplace_back(key, Value(value));
  return all;
}

std::optional<double> Value::number() const {
  if (json_ == nullptr || !json_->is_number()) return std::nullopt;
  const auto value = json_->get<double>();
  // Larger numbers are none that a run counts, and could become infinite in a sum.
  constexpr double kMost = 1e18;
  return std::isfinite(value) ? std::optional(std::clamp(value, -kMost, kMost)) : std::nullopt;
}

bool Value::is_count() const {
  return json_ != nullptr &&
         (json_->is_number_unsigned() || (json_->is_number_integer() && json_->get<std::int64_t>() >= 0));
}

std::uint64_t Value::count() const {
  if (json_ == nullptr) return 0;
  if (json_->is_number_unsigned()) return json_->get<std::uint64_t>();
  if (json_->is_number_integer())
    return static_cast<std::uint64_t>(std::max<std::int64_t>(json_->get<std::int64_t>(), 0));
  return 0;
}

std::uint64_t Value::sum() const {
  std::uint64_t sum = 0;
  for (const Value& element : elements()) sum = add_up(sum, element.count());
  for (const auto& [key, member] : members()) sum = add_up(sum, member.count());
  return sum;
}

std::string Value::text() const { return is_text() ? json_->get<std::string>() : std::string(); }

std::string Value::shown() const {
  if (is_text()) return text();
  if (json_ == nullptr || json_->is_structured()) return "";
  return json_->dump();
}

std::vector<std::uint64_t> Value::counts() const {
  std::vector<std::uint64_t> all;
  for (const Value& element : elements()) all.push_back(element.count());
  return all;
}

std::uint64_t add_up(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

std::uint64_t total_of(const std::vector<std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum = add_up(sum, count);
  return sum;
}

std::vector<Bin> bins_of(const Value& histogram) {
  std::vector<Bin> bins;
  for (const Value& element : histogram.elements()) {
    const auto from = element.at(0).number();
    const auto to = element.at(1).number();
    const std::uint64_t count = element.at(2).count();
    if (!from || !to || *to <= *from || count == 0) continue;
    if (!bins.empty() && *from < bins.back().to) continue;
    bins.push_back({*from, *to, count});
  }
  return bins;
}

}  // namespace basesweep
