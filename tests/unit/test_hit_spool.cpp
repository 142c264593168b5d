// HitSpool returns hits unchanged.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/hit_spool.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_hit_spool {

using Catch::Matchers::StartsWith;

namespace {

// A PlacedHit that owns the data it points to.
struct Kept {
  std::string name;
  std::int64_t record;
  std::int64_t start;
  std::int64_t end;
  Hit hit;
  std::string letters, left, right;
  std::uint32_t source;
  std::int64_t circular_length;
  std::uint64_t best;
  std::optional<std::uint32_t> next_edits;

  PlacedHit view() const {
    PlacedHit row = place_hit(name, record, start, hit);
    row.end = end;
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
    hit.length = static_cast<std::uint32_t>(random.bits());
    hit.query = static_cast<std::uint32_t>(random.bits() >> 33);
    hit.first = random.chance(50) ? 1 : 0;
    hit.edits = static_cast<std::uint16_t>(random.bits());
    hit.indels = static_cast<std::uint16_t>(random.bits());
    const auto start = static_cast<std::int64_t>(random.bits() >> 2);
    const std::int64_t end = random.chance(90) ? start + hit.length : static_cast<std::int64_t>(random.bits() >> 2);
    hits.push_back(
        {name, record, start, end, hit, trial::random_letters(random, random.below(60), "ACGTN"),
         random.chance(50) ? "" : trial::random_letters(random, random.below(90), "ACGTN"),
         random.chance(50) ? "" : trial::random_letters(random, kMaxFlank, "ACGTN").substr(0, random.below(99)),
         static_cast<std::uint32_t>(random.bits()), static_cast<std::int64_t>(random.bits() >> 1), random.bits(),
         random.chance(50) ? std::nullopt : std::optional(static_cast<std::uint32_t>(random.below(1000)))});
  }
  return hits;
}

Kept keep(const PlacedHit& hit) {
  return {std::string(hit.record_name),
          hit.record,
          hit.start,
          hit.end,
          hit.hit,
          std::string(hit.letters),
          std::string(hit.left),
          std::string(hit.right),
          hit.source,
          hit.circular_length,
          hit.standing.best,
          hit.standing.next_edits};
}

std::vector<Kept> replayed(HitSpool& spool) {
  std::vector<Kept> hits;
  spool.rewind();
  for (PlacedHit hit; spool.next(hit);) hits.push_back(keep(hit));
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

TEST_CASE("spool: block by block") {
  const support::ScratchFolder folder;
  HitSpool spool(folder.path(""), GENERATE(1, 3));
  const std::vector<Kept> hits = random_hits(50'000);
  for (const Kept& hit : hits) spool.add(hit.view());
  spool.rewind();
  std::vector<CompressedBlock> blocks;
  for (CompressedBlock block; spool.next_block(block);) blocks.push_back(std::move(block));
  REQUIRE(blocks.size() > 3);
  std::vector<std::vector<Kept>> decoded(blocks.size());
  parallel_for(3, blocks.size(), [&](std::size_t i) {
    const DecodedRows<PlacedHit> rows = spool.decode(blocks[i]);
    for (const PlacedHit& hit : rows.rows()) decoded[i].push_back(keep(hit));
  });
  std::vector<Kept> all;
  for (const std::vector<Kept>& block : decoded) all.insert(all.end(), block.begin(), block.end());
  CHECK((all == hits));
}

TEST_CASE("spool: a position in a batch is not kept") {
  const support::ScratchFolder folder;
  HitSpool spool(folder.path(""), 1);
  spool.add(place_hit("r", 0, 5, {.position = 7, .length = 3, .query = 1, .first = 0, .edits = 0, .indels = 0}));
  spool.rewind();
  PlacedHit hit;
  REQUIRE(spool.next(hit));
  CHECK(hit.hit == Hit{.position = 0, .length = 3, .query = 1, .first = 0, .edits = 0, .indels = 0});
  CHECK_FALSE(spool.next(hit));
  CHECK_FALSE(spool.next(hit));
}

TEST_CASE("spool: a damaged block") {
  const support::ScratchFolder folder;
  HitSpool spool(folder.path(""), 1);
  for (const Kept& hit : random_hits(100)) spool.add(hit.view());
  spool.rewind();
  CompressedBlock block;
  REQUIRE(spool.next_block(block));
  SECTION("checksum") { ++block.checksum; }
  SECTION("rows") { ++block.rows; }
  CHECK_THROWS_AS(spool.decode(block), IoError);
  CHECK_THROWS_WITH(spool.decode(block),
                    StartsWith(folder.path("") + ": cannot read back a temporary file in this folder"));
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

TEST_CASE("spool: not all hits are taken") {
  const support::ScratchFolder folder;
  {
    HitSpool spool(folder.path(""), GENERATE(1, 3));
    const std::vector<Kept> hits = random_hits(20'000);
    for (const Kept& hit : hits) spool.add(hit.view());
    spool.rewind();
    PlacedHit hit;
    REQUIRE(spool.next(hit));
    CHECK((keep(hit) == hits.front()));
  }
  CHECK(folder.names().empty());
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
    replayed(spool);
  } catch (const IoError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_THAT(message, StartsWith(folder.path("") + ": cannot write a temporary file in this folder"));
}

}  // namespace basesweep::test_hit_spool
