// HitSpool returns hits unchanged.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/hit_spool.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace basesweep;
using Catch::Matchers::StartsWith;

namespace {

// A PlacedHit that owns the data it points to.
struct Kept {
  std::string name;
  std::int64_t record;
  std::int64_t start;
  Hit hit;
  std::string letters, left, right;
  std::uint32_t source;
  std::int64_t circular_length;
  std::uint64_t best;
  std::optional<std::uint32_t> next_edits;

  PlacedHit view() const {
    PlacedHit row = place_hit(name, record, start, hit);
    row.letters = letters;
    row.left = left;
    row.right = right;
    row.source = source;
    row.circular_length = circular_length;
    row.standing = {best, next_edits};
    return row;
  }
  bool operator==(const Kept&) const = default;
};

std::vector<Kept> random_hits(std::size_t count) {
  trial::Random random(7);
  std::vector<Kept> hits;
  std::int64_t record = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (random.chance(10)) record += static_cast<std::int64_t>(random.between(1, 1ULL << 33));
    const std::string name = record % 5 == 0 ? "" : "record" + std::to_string(record) + std::string(record % 300, 'x');
    Hit hit{};
    hit.position = static_cast<std::uint32_t>(random.bits());
    hit.length = static_cast<std::uint32_t>(random.bits());
    hit.query = static_cast<std::uint32_t>(random.bits() >> 33);
    hit.first = random.chance(50) ? 1 : 0;
    hit.edits = static_cast<std::uint16_t>(random.bits());
    hit.indels = static_cast<std::uint16_t>(random.bits());
    const auto start = static_cast<std::int64_t>(random.bits() >> 1);
    hits.push_back(
        {name, record, start, hit, trial::random_letters(random, random.below(60), "ACGTN"),
         random.chance(50) ? "" : trial::random_letters(random, random.below(90), "ACGTN"),
         random.chance(50) ? "" : trial::random_letters(random, kMaxFlank, "ACGTN").substr(0, random.below(99)),
         static_cast<std::uint32_t>(random.bits()), static_cast<std::int64_t>(random.bits() >> 1), random.bits(),
         random.chance(50) ? std::nullopt : std::optional(static_cast<std::uint32_t>(random.below(1000)))});
  }
  return hits;
}

std::vector<Kept> replayed(HitSpool& spool) {
  std::vector<Kept> hits;
  spool.replay([&](const PlacedHit& hit) {
    hits.push_back({std::string(hit.record_name), hit.record, hit.start, hit.hit, std::string(hit.letters),
                    std::string(hit.left), std::string(hit.right), hit.source, hit.circular_length, hit.standing.best,
                    hit.standing.next_edits});
  });
  return hits;
}

}  // namespace

TEST_CASE("spool: hits come back in order, and the file has no name") {
  const support::ScratchFolder folder;
  const int threads = GENERATE(1, 3);
  const std::vector<Kept> hits = random_hits(GENERATE(0, 1, 2, 50'000));
  {
    HitSpool spool(folder.path(""), threads);
    CHECK(folder.names().empty());
    for (const Kept& hit : hits) spool.add(hit.view());
    CHECK(folder.names().empty());
    CHECK((replayed(spool) == hits));
    CHECK(folder.names().empty());
  }
  CHECK(folder.names().empty());
}

TEST_CASE("spool: hits that are like the ones before") {
  const support::ScratchFolder folder;
  std::vector<Kept> hits;
  trial::Random random(9);
  Kept hit{.name = "a",
           .record = random.chance(50) ? 3 : 0,
           .start = 0,
           .hit = {},
           .letters = "",
           .left = "",
           .right = "",
           .source = 0,
           .circular_length = 0,
           .best = 0,
           .next_edits = {}};
  for (int i = 0; i < 3000; ++i) {
    // One thing changes at a time; back to nothing too.
    const bool back = random.chance(50);
    const auto number = [&](std::uint64_t most) { return back ? 0 : random.below(most); };
    switch (random.below(12)) {
      case 0: hit.start += static_cast<std::int64_t>(number(300)); break;
      case 1: hit.start = 0; break;
      case 2: hit.hit.position = static_cast<std::uint32_t>(number(1U << 31)); break;
      case 3: hit.hit.edits = static_cast<std::uint16_t>(number(1U << 16)); break;
      case 4: hit.hit.hang_right = static_cast<std::uint16_t>(number(200)); break;
      case 5: hit.letters = std::string(number(300), 'A'); break;
      case 6: hit.right = std::string(number(300), 'C'); break;
      case 7: hit.circular_length = static_cast<std::int64_t>(number(1U << 20)); break;
      case 8: hit.next_edits = back ? std::nullopt : std::optional(std::uint32_t{0}); break;
      case 9:
        ++hit.record;
        hit.name = std::string(number(200), 'n');
        break;
      case 10: hit.hit.query = static_cast<std::uint32_t>(number(1U << 31)) & 0x7fffffffU; break;
      default: break;
    }
    hits.push_back(hit);
  }
  HitSpool spool(folder.path(""), 1);
  for (const Kept& one : hits) spool.add(one.view());
  CHECK((replayed(spool) == hits));
}

TEST_CASE("spool: not replayed") {
  const support::ScratchFolder folder;
  const std::vector<Kept> hits = random_hits(20'000);
  {
    HitSpool spool(folder.path(""), GENERATE(1, 3));
    for (const Kept& hit : hits) spool.add(hit.view());
  }
  CHECK(folder.names().empty());
}

TEST_CASE("spool: the user of a hit throws") {
  const support::ScratchFolder folder;
  HitSpool spool(folder.path(""), GENERATE(1, 3));
  const std::vector<Kept> hits = random_hits(20'000);
  for (const Kept& hit : hits) spool.add(hit.view());
  CHECK_THROWS_AS(spool.replay([](const PlacedHit&) { throw 1; }), int);
}

TEST_CASE("spool: a missing folder") {
  const support::ScratchFolder folder;
  CHECK_THROWS_AS(HitSpool(folder.path("missing"), 1), IoError);
  CHECK_THROWS_WITH(HitSpool(folder.path("missing"), 1), StartsWith(folder.path("missing") + ": "));
}

TEST_CASE("spool: the disk is full") {
  // A limit on file sizes stands for the full disk.
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const support::ScratchFolder folder;
  const std::size_t count = GENERATE(5'000, 200'000);  // the error shows when everything is flushed, or before
  const int threads = GENERATE(1, 3);
  const std::vector<Kept> hits = random_hits(count);
  std::string message;
  try {
    HitSpool spool(folder.path(""), threads);
    for (const Kept& hit : hits) spool.add(hit.view());
    spool.replay([](const PlacedHit&) {});
  } catch (const IoError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_THAT(message, StartsWith(folder.path("") + ": cannot write a temporary file in this folder"));
}
