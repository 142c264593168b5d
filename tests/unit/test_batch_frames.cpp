// Frames of many rows: they make the same batches as frames of one row each, wherever batches end.
#include <fmt/format.h>

#include <basesweep/guides.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <memory>
#include <random>
#include <set>

#include "lib/api/batch_sink.hpp"
#include "lib/api/cells.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/guides/placed_guide.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/rows/matrix_rows.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/packed_batch.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/primer_hit.hpp"

namespace basesweep::test_batch_frames {

namespace {

using Columns = std::vector<std::string>;

constexpr std::size_t kRows = 150;
const char* const kNames[]{"first", "second", "third"};

// Row i of some is in one of three records, which have runs of rows of several lengths.
template <class OneRow>
void place(std::size_t i, std::string_view letters, OneRow& row) {
  row.record = i < 70 ? 0 : i < 71 ? 4 : 5;
  row.record_name = kNames[i < 70 ? 0 : i < 71 ? 1 : 2];
  row.start = static_cast<std::int64_t>(i * 3);
  row.end = row.start + static_cast<std::int64_t>(letters.size());
  row.letters = letters;
  row.source = static_cast<std::uint32_t>(i % 2);
}

// The batches that a sink makes of these frames, as lines, with a line after each batch.
std::string batches_of(const CellFormatter& cells, std::string_view frames, std::size_t max_rows) {
  std::string lines;
  const TakeBatch take = [&lines](const Batch& batch) {
    lines += support::print_rows(batch) + fmt::format("-- {}", batch.rows());
    for (const ColumnInfo& column : batch.columns()) {
      const auto bits = batch.validity(column.name);
      lines += fmt::format(" {}", fmt::join(bits.begin(), bits.end(), ","));
      if (column.kind != ColumnKind::dictionary) continue;
      const Texts table = batch.table(column.name);
      for (std::size_t i = 0; i < table.size(); ++i) lines += fmt::format(" {}", table[i]);
    }
    lines += '\n';
  };
  BatchSink sink(cells, {.max_rows = max_rows}, take);
  sink.write(frames);
  sink.finish();
  return lines;
}

template <class OneRow>
void check_frames(const std::shared_ptr<const Rows>& rows, const std::vector<OneRow>& all, const Columns& absent) {
  Columns names;
  for (const ColumnInfo& column : column_infos(*rows)) names.push_back(column.name);
  const CellFormatter cells(rows, names);
  RowText together, apart;
  cells.append_rows(all, together);
  for (const OneRow& row : all) cells.append(row, apart);
  CHECK(together.view().size() < apart.view().size());
  for (const std::size_t max_rows : {1, 2, 7, 64, 149, 150, 151, 65'536}) {
    INFO(max_rows);
    const std::string batches = batches_of(cells, together.view(), max_rows);
    CHECK(batches == batches_of(cells, apart.view(), max_rows));
    CHECK(batches.find("third") != std::string::npos);
  }
  std::set<std::string> lacking;
  const TakeBatch see_absent = [&](const Batch& batch) {
    REQUIRE(batch.rows() == all.size());
    for (const std::string& name : names) {
      for (std::size_t i = 0; i < batch.rows(); ++i) {
        if (!batch.has(name, i)) lacking.insert(name);
      }
    }
  };
  BatchSink sink(cells, {}, see_absent);
  sink.write(together.view());
  sink.finish();
  CHECK(lacking == std::set(absent.begin(), absent.end()));
}

// A pair, and products of it with these letters.
struct Products {
  std::vector<PlacedProduct> of(const std::vector<std::string_view>& letters) const {
    std::vector<PlacedProduct> products;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      PlacedProduct& product = products.emplace_back();
      place(i, letters[i], product);
      product.join = primers.partners(1).front().join;
      product.left = hit(primers.reverse(product.join).pattern, Strand::plus, 40);
      product.right = hit(primers.forward(product.join).pattern, Strand::minus, 47);
      if (i % 3 != 0) product.probe = hit(2, i % 3 == 1 ? Strand::plus : Strand::minus, 43);
    }
    return products;
  }
  Hit hit(std::uint32_t pattern, Strand strand, std::uint32_t position) const {
    return support::primer_hit(patterns, pattern, strand, position);
  }
  std::shared_ptr<const Rows> rows() const {
    return std::make_shared<ProductRows>(primers, patterns, ProductDetails{.files = {"x", "y"}});
  }

  const PrimerSet primers{{{.name = "a",
                            .forward = "ACGTG",
                            .reverse = "TTGAC",
                            .forward_name = "F",
                            .reverse_name = "R",
                            .probe = "GGCAA"}},
                          {}};
  const PatternSet patterns{primers.patterns(), StrandChoice::both, PalindromeChoice::both, {.edits = 1}};
};

std::vector<std::size_t> sizes_of(const CellFormatter& cells, std::string_view frames) {
  std::vector<std::size_t> sizes;
  const TakeBatch take = [&sizes](const Batch& batch) { sizes.push_back(batch.rows()); };
  BatchSink sink(cells, {}, take);
  sink.write(frames);
  sink.finish();
  return sizes;
}

std::string random_bases(std::size_t length) {
  std::mt19937 random(11);
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

// Two matrices: CCACGTGG, and one of GATTACA without a name.
std::vector<WeightMatrix> two_matrices() {
  std::vector<WeightMatrix> matrices;
  for (const std::string_view word : {"CCACGTGG", "GATTACA"}) {
    WeightMatrix& matrix = matrices.emplace_back();
    matrix.id = std::string(word);
    if (word.size() == 8) matrix.name = "MYC";
    for (const char base : word) {
      std::array<double, 4> counts{1, 2, 3, 4};
      counts[std::string_view("ACGT").find(base)] = 20;
      matrix.columns.push_back(counts);
    }
  }
  return matrices;
}

// Calls check(search) for each kind of row, where search(batch_rows, take) finds more than 1,000 rows.
template <class Check>
void for_each_search(Check check) {
  const std::string bases = random_bases(400'000);
  const std::vector<NamedSequence> records{
      {"a", std::string_view(bases).substr(0, 150'000)}, {"b", {}}, {"c", std::string_view(bases).substr(150'000)}};
  const auto run = [&](const char* kind, const auto& finder) {
    INFO(kind);
    check([&](std::size_t batch_rows, const TakeBatch& take) {
      Columns columns;
      for (const ColumnInfo& column : finder.columns()) columns.push_back(column.name);
      finder.search(records, {.columns = columns, .batch_rows = batch_rows}, take);
    });
  };
  run("hits", Searcher({{"x", "ACGTN"}, {"y", "GGAT"}}, {.flank = 5, .threads = 2}));
  run("matrix hits", Pwm(two_matrices(), {.p_value = 0.01, .threads = 2}));
  run("products", Pcr({{"x", "ACGTA", "GGATC"}, {"y", "TTGAC", "CCGTA"}}, {.edits = 0, .threads = 2}));
  run("places", Guides({{"x", random_bases(20)}, {"y", random_bases(36).substr(20)}},
                       {.mismatches = 11, .max_dna_bulges = 1, .threads = 2}));
}

}  // namespace

TEST_CASE("a frame of many products is as many frames of one", "[batches]") {
  const Products products;
  const std::vector<PlacedProduct> all =
      products.of(std::vector<std::string_view>(kRows, std::string_view("TTGACGGCACGT")));
  check_frames(products.rows(), all,
               {"forward_mismatches", "reverse_mismatches", "probe_start", "probe_end", "probe_strand", "probe_edits"});
}

TEST_CASE("a frame of many hits is as many frames of one", "[batches]") {
  const PatternSet patterns({{"x", "ACGTA"}, {"y", "AAAAA"}}, StrandChoice::both, PalindromeChoice::once, {.edits = 1});
  HitRowOptions options;
  options.pairs = true;
  options.files = {"x", "y"};
  std::vector<PlacedHit> hits(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    place(i, i % 4 < 2 ? "ACGTA" : "TACGT", hits[i]);
    while (patterns.queries()[hits[i].hit.query].strand != (i % 4 < 2 ? Strand::plus : Strand::minus) ||
           patterns.queries()[hits[i].hit.query].pattern != 0) {
      hits[i].hit.query = hits[i].hit.query + 1;
    }
    hits[i].hit.length = 5;
  }
  check_frames(std::make_shared<HitRows>(patterns, options), hits, {});
}

TEST_CASE("a frame of many matrix hits is as many frames of one", "[batches]") {
  std::vector<FileMatrix> given;
  for (const WeightMatrix& one : two_matrices()) {
    FileMatrix& matrix = given.emplace_back();
    matrix.id = one.id;
    matrix.name = one.name;
    for (const auto& counts : one.columns) matrix.columns.push_back({counts[0], counts[1], counts[2], counts[3]});
  }
  const MatrixSet set(given, {.scoring = {}, .threshold = Threshold{Threshold::Kind::relative, 0}});
  std::vector<PlacedHit> hits(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    hits[i].hit.query = static_cast<std::uint32_t>(i % set.patterns().queries().size()) & 0x7fffffffU;
    const bool long_one = set.patterns().queries()[hits[i].hit.query].pattern == 0;
    place(i, long_one ? "CCACGAGG" : "GATTTCA", hits[i]);
    hits[i].hit.length = static_cast<std::uint32_t>(hits[i].letters.size());
  }
  check_frames(std::make_shared<MatrixRows>(set, Columns{"x", "y"}), hits, {"name"});
}

TEST_CASE("a frame of many places is as many frames of one", "[batches]") {
  const std::string guide = "ACGTACGTACGTACGTACGT";
  const GuideSet set({{"g", guide}}, {.pams = {"NGG", "NAG"}}, {.mismatches = 3});
  const std::string letters = guide + "TGG";
  const std::string mismatched = "ACGTACGTACCTACGTACG-TGG";
  std::vector<PlacedGuide> places(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    place(i, i % 5 == 0 ? mismatched : letters, places[i]);
    places[i].place.strand = Strand::plus;
    places[i].place.pam = 0;
    places[i].place.shape.mismatches = i % 5 == 0 ? 2 : 0;
    if (i % 2 == 0) places[i].scores = PlaceScores{std::nullopt, 1000};
    if (i % 4 == 0) places[i].scores->mit = 77;
  }
  check_frames(std::make_shared<PlaceRows>(set, Columns{"x", "y"}), places, {"mit", "cfd"});
}

TEST_CASE("a frame is cut where its texts fill a batch", "[batches]") {
  const Products products;
  const CellFormatter cells(products.rows(), {"start", "matched"});
  const std::string part(300'000, 'A'), whole(17'000'000, 'C');
  RowText text;
  SECTION("of many texts") {
    cells.append_rows(products.of(std::vector<std::string_view>(100, part)), text);
    CHECK(sizes_of(cells, text.view()) == std::vector<std::size_t>{55, 45});  // of 16 MiB at most
    cells.append_rows(products.of({part, part}), text);
    CHECK(sizes_of(cells, text.view()) == std::vector<std::size_t>{55, 47});
  }
  SECTION("around one that is larger") {
    cells.append_rows(products.of({part, part, whole, part, whole, whole}), text);
    CHECK(sizes_of(cells, text.view()) == std::vector<std::size_t>{2, 1, 1, 1, 1});
  }
}

TEST_CASE("batches end after the rows that were asked for", "[batches]") {
  for_each_search([](const auto& search) {
    std::string whole;
    search(65'536, [&](const Batch& batch) { whole += support::print_rows(batch); });
    CHECK(std::count(whole.begin(), whole.end(), '\n') > 1000);
    for (const std::size_t batch_rows : {1, 255, 256, 257, 1000}) {
      std::string lines;
      std::size_t last = batch_rows;
      search(batch_rows, [&](const Batch& batch) {
        CHECK(last == batch_rows);
        last = batch.rows();
        lines += support::print_rows(batch);
      });
      CHECK(lines == whole);
    }
  });
}

TEST_CASE("what the function of the caller throws ends the search", "[batches]") {
  for_each_search([](const auto& search) {
    int calls = 0;
    const auto throw_third = [&calls](const auto& fault) {
      return [&calls, fault](const Batch&) {
        if (++calls == 3) throw fault;
      };
    };
    CHECK_THROWS_WITH(search(100, throw_third(std::runtime_error("enough"))), "enough");
    CHECK(calls == 3);
    calls = 0;
    CHECK_THROWS_AS(search(100, throw_third(Cancelled())), Cancelled);
    CHECK(calls == 3);
  });
}

TEST_CASE("so many products as are wanted are the first ones", "[batches]") {
  const std::string bases = random_bases(100'000);
  const NamedSequence record{"r", bases};
  const auto lines_of = [&](std::optional<std::uint64_t> max_products) {
    const Pcr pcr({{"x", "ACGT", "GGAT"}}, {.edits = 0, .max_products = max_products, .text = true});
    std::string lines;
    pcr.search({&record, 1}, {.columns = {"start", "end", "pair", "matched"}, .batch_rows = 100},
               [&](const Batch& batch) { lines += support::print_rows(batch); });
    return lines;
  };
  const std::string all = lines_of(std::nullopt);
  for (const std::uint64_t most : {1, 256, 300, 700}) {
    std::size_t end = 0;
    for (std::uint64_t i = 0; i < most; ++i) end = all.find('\n', end) + 1;
    CHECK(lines_of(most) == all.substr(0, end));
  }
}

}  // namespace basesweep::test_batch_frames
