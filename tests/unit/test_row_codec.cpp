// Rows are decoded as they were encoded, and bytes that are not rows are refused.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lib/oracle/trial/generate.hpp"
#include "lib/rows/compressed_block.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/row_block.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_row_codec {

namespace {

struct Item {
  std::int64_t begin = 0;
  std::uint32_t kind = 0;
  bool operator==(const Item&) const = default;
};

template <class Codec>
void code(Codec& codec, Coded<Codec, Item>& item) {
  codec.number(item.begin);
  codec.number(item.kind);
}

// A row with a field of each kind.
struct TestRow {
  std::uint64_t large = 0;
  std::int64_t sign = 0;
  std::int16_t small = 0;
  std::int64_t near = 0;
  std::optional<std::uint32_t> maybe{};
  std::string_view text{};
  bool yes = false;
  std::span<const Item> items{};
};

template <class Codec>
void code(Codec& codec, Coded<Codec, TestRow>& row) {
  const auto [yes, has_items] = codec.flags(row.yes, !row.items.empty());
  if constexpr (Codec::kDecodes) row.yes = yes;
  codec.number(row.large);
  codec.number(row.sign);
  codec.number(row.small);
  codec.difference(row.near, row.sign);
  codec.maybe(row.maybe);
  codec.text(row.text);
  if (has_items) codec.list(row.items);
}

bool same(const TestRow& a, const TestRow& b) {
  return a.large == b.large && a.sign == b.sign && a.small == b.small && a.near == b.near && a.maybe == b.maybe &&
         a.text == b.text && a.yes == b.yes && std::ranges::equal(a.items, b.items);
}

bool same(const PlacedHit& a, const PlacedHit& b) {
  return a.record_name == b.record_name && a.record == b.record && a.start == b.start && a.end == b.end &&
         a.letters == b.letters && a.source == b.source && a.circular_length == b.circular_length &&
         a.odd_record == b.odd_record && a.hit == b.hit && a.left == b.left && a.right == b.right &&
         a.standing.best == b.standing.best && a.standing.next_edits == b.standing.next_edits;
}

// A number of 0 to 64 bits, most of them small.
std::uint64_t number(trial::Random& random) {
  const std::uint64_t bits = random.chance(70) ? random.below(10) : random.between(1, 64);
  return bits == 0 ? 0 : random.bits() >> (64 - bits);
}

// Texts that rows point to.
using Texts = std::vector<std::string>;

std::string_view text(trial::Random& random, const Texts& texts) {
  return random.chance(50) ? std::string_view() : std::string_view(random.pick(texts));
}

Texts random_texts(trial::Random& random) {
  Texts texts;
  for (int i = 0; i < 50; ++i) {
    texts.push_back(trial::random_letters(random, random.below(random.chance(5) ? 3000 : 60), "ACGTN"));
  }
  return texts;
}

std::vector<PlacedHit> random_hits(std::uint64_t seed, std::size_t count, const Texts& texts) {
  trial::Random random(seed);
  std::vector<PlacedHit> hits;
  PlacedHit hit;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || random.chance(5)) {
      hit.record = random.chance(50) ? hit.record + 1 : static_cast<std::int64_t>(number(random) >> 1);
      hit.record_name = texts[static_cast<std::size_t>(hit.record) % texts.size()];
      hit.source = static_cast<std::uint32_t>(number(random));
      hit.circular_length = random.chance(50) ? 0 : static_cast<std::int64_t>(number(random) >> 1);
      hit.odd_record = random.chance(50);
    }
    hit.start = random.chance(80) ? wrapped_sum(hit.start, static_cast<std::int64_t>(random.below(5000)))
                                  : static_cast<std::int64_t>(number(random));  // negative, with 64 bits
    if (random.chance(30)) hit.hit.length = static_cast<std::uint32_t>(number(random));
    hit.end = random.chance(90) ? wrapped_sum(hit.start, hit.hit.length) : static_cast<std::int64_t>(number(random));
    hit.hit.query = static_cast<std::uint32_t>(number(random)) >> 1;
    hit.hit.first = random.chance(10) ? 1 : 0;
    hit.hit.edits = static_cast<std::uint16_t>(number(random));
    hit.hit.indels = static_cast<std::uint16_t>(number(random));
    hit.hit.hang_left = random.chance(90) ? 0 : static_cast<std::uint16_t>(number(random));
    hit.hit.hang_right = random.chance(90) ? 0 : static_cast<std::uint16_t>(number(random));
    hit.letters = text(random, texts);
    hit.left = random.chance(80) ? "" : text(random, texts);
    hit.right = random.chance(80) ? "" : text(random, texts);
    hit.standing.best = random.chance(80) ? 0 : number(random);
    hit.standing.next_edits.reset();
    if (random.chance(10)) hit.standing.next_edits = static_cast<std::uint32_t>(number(random));
    hits.push_back(hit);
  }
  return hits;
}

template <class Row>
RowBlock encode(std::span<const Row> rows) {
  RowBlockBuilder builder;
  for (const Row& row : rows) builder.add(row);
  return builder.take();
}

RowBlock block_of(std::uint64_t rows, std::string_view bytes) {
  RowBlock block{rows, {}};
  block.bytes.append(bytes);
  return block;
}

}  // namespace

TEST_CASE("row codec: fields of all sizes") {
  std::vector<std::uint64_t> numbers{0};
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, ~power, ~std::uint64_t{0} << bit});
  }
  std::vector<std::vector<Item>> items;
  std::vector<TestRow> rows;
  for (const std::uint64_t number : numbers) {
    const auto sign = static_cast<std::int64_t>(number);
    items.emplace_back(number % 5, Item{sign, static_cast<std::uint32_t>(number)});
    rows.push_back({number, sign, static_cast<std::int16_t>(number), wrapped_sum(sign, 300),
                    number % 2 == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number)),
                    number % 3 == 0 ? "" : "text", number % 7 == 0, items.back()});
  }
  const DecodedRows<TestRow> decoded(encode<TestRow>(rows));
  REQUIRE(decoded.rows().size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(same(decoded.rows()[i], rows[i]));
}

TEST_CASE("row codec: hits") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  trial::Random random(seed);
  const Texts texts = random_texts(random);
  const std::vector<PlacedHit> hits = random_hits(seed, 20'000, texts);
  const RowBlock block = encode<PlacedHit>(hits);
  RowDecoder<PlacedHit> decoder(block.bytes.view());
  PlacedHit hit;
  const auto inside = [&](std::string_view text) {
    const std::string_view all = block.bytes.view();
    return text.empty() || (text.data() >= all.data() && text.data() + text.size() <= all.data() + all.size());
  };
  for (const PlacedHit& expected : hits) {
    REQUIRE(decoder.next(hit));
    REQUIRE(same(hit, expected));
    REQUIRE((inside(hit.record_name) && inside(hit.letters) && inside(hit.left) && inside(hit.right)));
  }
  CHECK_FALSE(decoder.next(hit));
}

TEST_CASE("row codec: blocks are independent") {
  trial::Random random(4);
  const Texts texts = random_texts(random);
  const std::vector<PlacedHit> hits = random_hits(4, 50'000, texts);
  std::vector<RowBlock> blocks;
  RowBlockBuilder builder;
  for (const PlacedHit& hit : hits) {
    builder.add(hit);
    if (builder.full()) blocks.push_back(builder.take());
  }
  blocks.push_back(builder.take());
  CHECK(builder.empty());
  REQUIRE(blocks.size() > 5);
  std::size_t end = hits.size();
  while (!blocks.empty()) {  // the last block first
    const std::size_t begin = end - blocks.back().rows;
    const std::span<const PlacedHit> own = std::span(hits).subspan(begin, blocks.back().rows);
    CHECK((encode<PlacedHit>(own).bytes.view() == blocks.back().bytes.view()));
    const CompressedBlock compressed = compress(blocks.back());
    const DecodedRows<PlacedHit> decoded(RowBlock{compressed.rows, decompress(compressed)});
    blocks.pop_back();
    CHECK(std::ranges::equal(decoded.rows(), own, [](const auto& a, const auto& b) { return same(a, b); }));
    end = begin;
  }
  CHECK(end == 0);
}

TEST_CASE("row codec: the rows move with their block") {
  const std::vector<PlacedHit> hits{place_hit("chr1", 0, 5, {0, 3, 1, 0, 0, 0}),
                                    place_hit("chr1", 0, 9, {0, 3, 1, 0, 0, 0})};
  DecodedRows<PlacedHit> decoded(encode<PlacedHit>(hits));
  const DecodedRows<PlacedHit> moved = std::move(decoded);
  REQUIRE(moved.rows().size() == 2);
  CHECK(moved.rows()[1].record_name == "chr1");
}

TEST_CASE("row codec: cut and changed bytes") {
  trial::Random random(5);
  const Texts texts = random_texts(random);
  const RowBlock block = encode<PlacedHit>(random_hits(5, 40, texts));
  const std::string bytes(block.bytes.view());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // Exactly so large, so that a sanitizer sees a read past the end.
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_THROWS_AS(DecodedRows<PlacedHit>(block_of(block.rows, {cut.data(), cut.size()})), RowFault);
  }
  for (const std::uint64_t rows : {block.rows - 1, block.rows + 1, kMaxBlockRows + 1, ~std::uint64_t{0}}) {
    CHECK_THROWS_AS(DecodedRows<PlacedHit>(block_of(rows, bytes)), RowFault);
  }
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (std::uint64_t n = random.between(1, 3); n != 0; --n) {
      changed[random.below(changed.size())] = static_cast<char>(random.bits());
    }
    try {
      DecodedRows<PlacedHit>(block_of(block.rows, changed));
    } catch (const RowFault&) {
      ++refused;
    }
  }
  CHECK(refused > 100);  // not all: most numbers may have any value
}

TEST_CASE("row codec: a record without a name or with two, unknown flags, values that are too large") {
  const auto refused = [](auto row, std::string bytes) {
    CHECK_THROWS_AS(DecodedRows<decltype(row)>(block_of(1, bytes)), RowFault);
  };
  const auto one = [](auto row) { return std::string(encode<decltype(row)>(std::span(&row, 1)).bytes.view()); };
  std::string hit = one(place_hit("r", 0, 0, {0, 3, 1, 0, 0, 0}));
  CHECK_NOTHROW(DecodedRows<PlacedHit>(block_of(1, hit)));
  hit[0] = static_cast<char>(hit[0] & ~1);
  refused(PlacedHit(), hit);
  const std::vector<PlacedHit> two{place_hit("r", 0, 0, {0, 3, 1, 0, 0, 0}), place_hit("s", 1, 0, {0, 3, 1, 0, 0, 0})};
  std::string renamed(encode<PlacedHit>(two).bytes.view());
  CHECK_NOTHROW(DecodedRows<PlacedHit>(block_of(2, renamed)));
  renamed[renamed.find('s') - 2] = 1;  // the second record has the number of the first
  CHECK_THROWS_AS(DecodedRows<PlacedHit>(block_of(2, renamed)), RowFault);
  std::string row = one(TestRow());
  CHECK_NOTHROW(DecodedRows<TestRow>(block_of(1, row)));
  row[0] = 4;
  refused(TestRow(), row);
  row = one(TestRow{.large = 0, .sign = 0, .small = 1});
  const std::string large = one(TestRow{.large = 1U << 17, .sign = 0, .small = 1});
  // The folded value that `large` has takes the place of `small`.
  refused(TestRow(), row.substr(0, 3) + large.substr(1, 3) + row.substr(4));
}

TEST_CASE("compressed blocks: of all sizes, and damaged ones") {
  trial::Random random(6);
  const std::uint64_t size = GENERATE(0, 1, 1000, kMaxBlockBytes + 1);  // the last is decompressed in pieces
  std::string raw = trial::random_letters(random, std::min<std::size_t>(size, 100'000), "ACGT");
  raw.resize(size, 'x');
  const CompressedBlock block = compress(raw);
  CHECK((decompress(block).view() == raw));
  const auto changed = [&](auto change) {
    CompressedBlock other{block.rows, block.raw_bytes, block.checksum, {}};
    other.bytes.append(block.bytes.view());
    change(other);
    return other;
  };
  CHECK_THROWS_AS(decompress(changed([](auto& b) { ++b.checksum; })), BlockFault);
  CHECK_THROWS_AS(decompress(changed([](auto& b) { ++b.raw_bytes; })), BlockFault);
  CHECK_THROWS_AS(decompress(changed([](auto& b) { --b.raw_bytes; })), BlockFault);
  CHECK_THROWS_AS(decompress(changed([](auto& b) { b.bytes = {}; })), BlockFault);
}

}  // namespace basesweep::test_row_codec
