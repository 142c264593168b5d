// Products: they are decoded as they were encoded, and the best are chosen however they are cut into blocks.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lib/oracle/trial/generate.hpp"
#include "lib/pipeline/product_selector.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/search/match_result.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_products {

namespace {

Hit random_site(trial::Random& random, std::uint32_t position) {
  Hit hit{};
  hit.position = position;
  hit.length = static_cast<std::uint32_t>(random.between(1, 40));
  hit.query = static_cast<std::uint32_t>(random.below(300));
  hit.edits = static_cast<std::uint16_t>(random.chance(50) ? 0 : random.below(4));
  hit.indels = static_cast<std::uint16_t>(random.below(hit.edits + std::uint64_t{1}));
  return hit;
}

// `letters`: of all sizes.
std::vector<PlacedProduct> random_products(std::uint64_t seed, std::size_t count, const std::string& letters) {
  trial::Random random(seed);
  std::vector<PlacedProduct> products;
  PlacedProduct product;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || random.chance(30)) {
      ++product.record;
      product.record_name = std::string_view(letters).substr(0, static_cast<std::size_t>(product.record) % 9);
      product.source = static_cast<std::uint32_t>(random.below(3));
      product.circular_length = random.chance(20) ? 1000 : 0;
      product.start = 0;
    }
    product.start += static_cast<std::int64_t>(random.below(500));
    const auto begin = static_cast<std::uint32_t>(random.below(1U << 30));
    product.left = random_site(random, begin);
    const std::uint32_t room = product.left.length + static_cast<std::uint32_t>(random.below(400));
    product.right = random_site(random, begin + room);
    product.probe.reset();
    if (room > 40 && random.chance(30)) product.probe = random_site(random, begin + room - 40);
    product.end = product.start + room + product.right.length;
    product.letters =
        std::string_view(letters).substr(0, random.chance(20) ? 0 : static_cast<std::size_t>(product.size()));
    product.join = {static_cast<std::uint32_t>(random.below(4)), 0, random.chance(50) ? Strand::plus : Strand::minus,
                    static_cast<PrimerEnds>(random.below(3)),    0, 0};
    product.join.second = product.join.first + static_cast<std::uint32_t>(random.below(2));
    products.push_back(product);
  }
  return products;
}

std::string letters_of_all_sizes() {
  trial::Random random(3);
  return trial::random_letters(random, 1000, "ACGTN");
}

// All that is kept of a product.
auto fields(const PlacedProduct& product) {
  const auto site = [&product](const Hit& hit) {
    return std::tuple(product.start_of(hit), hit.length, std::uint32_t{hit.query}, hit.edits, hit.indels);
  };
  const auto probe = product.probe ? std::optional(site(*product.probe)) : std::nullopt;
  const Join& join = product.join;
  return std::tuple(std::tuple(product.record_name, product.record, product.start, product.end, product.letters,
                               product.source, product.circular_length),
                    site(product.left), site(product.right), probe,
                    std::tuple(join.first, join.second, join.strand, join.ends));
}

RowBlock encode(std::span<const PlacedProduct> products) {
  RowBlockBuilder builder;
  for (const PlacedProduct& product : products) builder.add(product);
  return builder.take();
}

// The products that are chosen, by comparison with all others.
std::vector<PlacedProduct> chosen(const std::vector<PlacedProduct>& products, ProductReport report) {
  using Group = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
  const auto group = [report](const PlacedProduct& product) {
    return Group(report == ProductReport::best ? 0 : product.record, product.join.first, product.join.second);
  };
  std::map<Group, std::uint32_t> fewest;
  for (const PlacedProduct& product : products) {
    std::uint32_t& edits = fewest.try_emplace(group(product), product.edits()).first->second;
    edits = std::min(edits, product.edits());
  }
  std::vector<PlacedProduct> best;
  std::copy_if(products.begin(), products.end(), std::back_inserter(best), [&](const PlacedProduct& product) {
    return report == ProductReport::all || product.edits() == fewest.at(group(product));
  });
  return best;
}

}  // namespace

TEST_CASE("products: encoded and decoded", "[pcr]") {
  const std::string letters = letters_of_all_sizes();
  const std::vector<PlacedProduct> products = random_products(1, 2000, letters);
  const DecodedRows<PlacedProduct> decoded(encode(products));
  REQUIRE(decoded.rows().size() == products.size());
  for (std::size_t i = 0; i < products.size(); ++i) {
    REQUIRE(fields(decoded.rows()[i]) == fields(products[i]));
    CHECK(decoded.rows()[i].left.position == 0);
  }
}

TEST_CASE("products: bytes that are none are refused, or their sites lie in them", "[pcr]") {
  const std::string letters = letters_of_all_sizes();
  const RowBlock block = encode(random_products(2, 20, letters));
  const std::string bytes(block.bytes.view());
  trial::Random random(9);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string changed = bytes;
    for (std::uint64_t n = random.between(1, 3); n != 0; --n) {
      changed[random.below(changed.size())] = static_cast<char>(random.bits());
    }
    RowBlock other{block.rows, {}};
    other.bytes.append(changed);
    try {
      const DecodedRows<PlacedProduct> decoded(std::move(other));
      for (const PlacedProduct& product : decoded.rows()) {
        if (product.letters.empty()) continue;
        for (const Hit& hit : {product.left, product.right, product.probe.value_or(product.left)}) {
          CHECK(product.letters_of(hit).size() == hit.length);
        }
      }
    } catch (const RowFault&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("products: the best, in blocks of any size", "[pcr]") {
  const std::string letters = letters_of_all_sizes();
  const auto report = GENERATE(ProductReport::all, ProductReport::best, ProductReport::best_per_record);
  const std::size_t in_block = GENERATE(1, 2, 3, 7, 1000);
  const std::uint64_t max = GENERATE(1, 5, 1000);
  const std::vector<PlacedProduct> products = random_products(4, 300, letters);
  std::vector<std::vector<PlacedProduct>> blocks;
  for (std::size_t i = 0; i < products.size(); i += in_block) {
    const auto begin = products.begin() + static_cast<std::ptrdiff_t>(i);
    blocks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(std::min(in_block, products.size() - i)));
  }
  ProductSelector selector({report, max, true});
  if (selector.chooses()) {
    for (const auto& block : blocks) selector.see(block);
  }
  std::vector<PlacedProduct> kept;
  for (auto& block : blocks) {
    selector.keep(block);
    kept.insert(kept.end(), block.begin(), block.end());
  }
  std::vector<PlacedProduct> expected = chosen(products, report);
  CHECK(selector.truncated() == (expected.size() > max));
  expected.resize(std::min<std::size_t>(expected.size(), max));
  CHECK(selector.total() == expected.size());
  CHECK(std::ranges::equal(kept, expected, [](const auto& a, const auto& b) { return fields(a) == fields(b); }));
  std::uint64_t counted = 0;
  for (const auto& of_source : selector.counts()) {
    for (const auto& [pair, counts] : of_source) counted += counts.plus + counts.minus;
  }
  CHECK(counted == expected.size());
}

}  // namespace basesweep::test_products
