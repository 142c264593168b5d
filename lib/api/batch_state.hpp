// The memory of a batch.
#pragma once

#include <basesweep/batch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/unset_vector.hpp"

namespace basesweep {

// Texts as Arrow has them.
struct TextTable {
  std::vector<std::int32_t> offsets{0};
  std::string bytes;

  void add(std::string_view text) {
    bytes += text;
    offsets.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  std::size_t size() const { return offsets.size() - 1; }
  Texts view() const { return {offsets, bytes.data()}; }
};

struct Batch::State {
  // A column fills only those of the first five members that its kind has.
  struct Values {
    UnsetVector<std::int64_t> integers;
    UnsetVector<double> reals;
    TextTable texts;
    UnsetVector<std::int32_t> codes;
    std::shared_ptr<const TextTable> table;
    std::vector<std::uint8_t> validity;  // empty: no value is absent
    std::size_t absent = 0;
  };

  std::size_t rows = 0;
  std::shared_ptr<const std::vector<ColumnInfo>> infos;
  std::vector<Values> columns;
};

struct BatchAccess {
  static Batch make(std::shared_ptr<const Batch::State> state) {
    Batch batch;
    batch.state_ = std::move(state);
    return batch;
  }
  // Null: the batch has no columns.
  static const std::shared_ptr<const Batch::State>& state(const Batch& batch) { return batch.state_; }
};

}  // namespace basesweep
