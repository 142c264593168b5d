// Tables that rooms built from a pattern set, kept in a file for later runs (lib/compiled/). Only the room that built a
// table knows what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace basesweep {

struct StoredTable {
  std::string room;                    // Room::name
  std::vector<std::uint64_t> key;      // which table of the room it is
  std::vector<std::uint32_t> queries;  // indices into PatternSet::queries()
  // The table, as it lies in memory. From a file, each array begins at a multiple of 64 bytes. The file may come from a
  // stranger, so the room checks what it holds.
  std::vector<std::span<const std::byte>> arrays;
};

struct StoredTables {
  // At most one for each room. They live longer than the matchers that use them.
  std::vector<StoredTable> all{};
  // Takes a table that a room has built; null: nobody wants it. The table lives as long as the matcher. Called before
  // the matcher is complete, from one thread at a time.
  std::function<void(const StoredTable& table)> keep{};

  // The table of a room; null: there is none.
  const StoredTable* of(const std::string& room) const {
    for (const StoredTable& table : all) {
      if (table.room == room) return &table;
    }
    return nullptr;
  }
};

}  // namespace basesweep
