// Brings the alignments of products into coordinate order.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/writer/formatter.hpp"

namespace basesweep {

// The place of an alignment in a file sorted by coordinate.
struct AlignmentPlace {
  std::int64_t record = 0;  // number of the record; only its order matters
  std::int64_t start = 0;   // 0-based
  auto operator<=>(const AlignmentPlace&) const = default;
};

// Products come sorted by their left ends. So the alignment of a left primer can be written at once, and that of the
// right one waits until all that precede it were written. Alignments with the same place keep the order of being added.
// Waiting alignments take at most `memory_bytes`; beyond it, they wait in temporary files. Not thread-safe.
class AlignmentOrder {
 public:
  using Write = std::function<void(std::string_view)>;
  static constexpr std::size_t kMemoryBytes = std::size_t{1} << 26;

  // `directory`: of temporary files.
  AlignmentOrder(std::string directory, Write write, std::size_t memory_bytes = kMemoryBytes);
  ~AlignmentOrder();

  // Takes the alignment of a left primer: none that is added later has a place before it. Throws IoError and what
  // `write` throws, as all functions.
  void add_left(AlignmentPlace place, std::string_view bytes);
  // Takes the alignment of a right primer, which has its place at or after the left one of its product.
  void add_right(AlignmentPlace place, std::string_view bytes);
  // Writes the waiting alignments. To be called once, at the end.
  void finish();

 private:
  struct Key {
    AlignmentPlace place;
    std::uint64_t number;  // of the alignment, in the order of adding
    auto operator<=>(const Key&) const = default;
  };
  struct Waiting {
    Key key;
    std::string bytes;
  };
  class Run;

  static bool later(const Waiting& a, const Waiting& b) { return a.key > b.key; }
  Run* nearest_run();
  void release(const AlignmentPlace* last);
  void spill();
  void put(std::string_view bytes);
  void flush();

  const std::string directory_;
  const Write write_;
  const std::size_t memory_bytes_;
  std::vector<Waiting> waiting_;  // a heap, the nearest on top
  std::size_t waiting_bytes_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;  // sorted, in temporary files
  std::uint64_t added_ = 0;
  std::string text_;  // to be written
};

}  // namespace basesweep
