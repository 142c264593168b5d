// The second half of a run over stored rows: what comes first, when several blocks fail.
#include "lib/pipeline/row_stages.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "lib/pipeline/workers.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/placed_hit.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_row_stages {

namespace {

constexpr int kBlocks = 6;
constexpr int kThreads = 3;
constexpr std::chrono::milliseconds kSlow{20};

DecodedRows<PlacedHit> block(int number) {
  RowBlockBuilder builder;
  builder.add(place_hit("chr1", 0, number, {0, 6, 1, 0, 0, 0}));
  return DecodedRows<PlacedHit>(builder.take());
}

// Writes the starts of hits, and fails at one of them, late.
class Failing final : public Formatter {
 public:
  explicit Failing(int at) : at_(at) {}
  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return 0; }
  void append(const Row& row, RowText& text) const override {
    const std::int64_t start = static_cast<const PlacedHit&>(row).start;
    if (start == at_) {
      std::this_thread::sleep_for(kSlow);
      throw std::runtime_error("format " + std::to_string(start));
    }
    text.append(std::to_string(start));
  }

 private:
  const int at_;
};

// Where it fails; -1: nowhere.
struct Faults {
  int next = -1;
  int decode = -1;
  int select = -1;
  int format = -1;
};

// Returns what is written, and the fault.
std::string run(const Faults& faults) {
  std::string written;
  const Failing formatter(faults.format);
  int given = 0;
  RowStages<PlacedHit> stages;
  stages.next = [&]() -> std::optional<StoredRows<PlacedHit>> {
    const int number = given++;
    if (number == faults.next) throw std::runtime_error("next " + std::to_string(number));
    if (number == kBlocks) return std::nullopt;
    return StoredRows<PlacedHit>{[number, &faults] {
      if (number == faults.decode) {
        std::this_thread::sleep_for(kSlow);
        throw std::runtime_error("decode " + std::to_string(number));
      }
      return block(number);
    }};
  };
  stages.select = [&](std::vector<PlacedHit>& hits) {
    if (hits.front().start == faults.select) throw std::runtime_error("select " + std::to_string(faults.select));
    return true;
  };
  stages.formatter = &formatter;
  stages.write = [&](std::string_view text) { written += text; };
  try {
    on_workers(kThreads, [&] { run_row_stages<PlacedHit>(stages, kThreads); });
  } catch (const std::runtime_error& error) {
    written += std::string(" ") + error.what();
  }
  return written;
}

}  // namespace

TEST_CASE("row stages: the fault of the first block is thrown", "[pipeline]") {
  CHECK(run({}) == "012345");
  CHECK(run({.next = 3}) == "012 next 3");
  CHECK(run({.next = 2, .decode = 1}) == "0 decode 1");
  CHECK(run({.decode = 3, .format = 1}) == "0 format 1");
  CHECK(run({.select = 4, .format = 3}) == "012 format 3");
  CHECK(run({.next = 4, .decode = 3, .select = 1, .format = 2}) == "0 select 1");
  CHECK(run({.next = 6, .decode = 5}) == "01234 decode 5");
  CHECK(run({.next = 6}) == "012345 next 6");
}

TEST_CASE("row stages: all blocks are read when no more rows are wanted", "[pipeline]") {
  int given = 0;
  std::size_t selected = 0;
  RowStages<PlacedHit> stages;
  stages.next = [&]() -> std::optional<StoredRows<PlacedHit>> {
    if (given == kBlocks) return std::nullopt;
    return StoredRows<PlacedHit>{[number = given++] { return block(number); }};
  };
  stages.select = [&](std::vector<PlacedHit>& hits) {
    selected += hits.size();
    return false;
  };
  on_workers(kThreads, [&] { run_row_stages<PlacedHit>(stages, kThreads); });
  CHECK(given == kBlocks);
  CHECK(selected == 1);
}

}  // namespace basesweep::test_row_stages
