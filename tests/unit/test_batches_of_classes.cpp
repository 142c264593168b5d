// Batches of products, matrix hits and places of guides, compared with those that come one by one.
#include <fmt/format.h>

#include <basesweep/guides.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <random>

#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_batches_of_classes {

namespace {

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

std::string print_real(const std::optional<double>& number) { return number ? fmt::format("{:.9g}", *number) : "."; }

std::vector<NamedSequence> views_of(const std::vector<std::string>& bases) {
  std::vector<NamedSequence> records;
  for (const std::string& one : bases) records.push_back({one.empty() ? "empty" : "some", one});
  return records;
}

}  // namespace

TEST_CASE("batches of products are those that come one by one", "[batches]") {
  std::mt19937 random(5);
  const std::vector<std::string> bases{random_bases(random, 60'000), "", random_bases(random, 30'000)};
  const bool pool = GENERATE(false, true);
  const auto report = GENERATE(PcrOptions::Report::all, PcrOptions::Report::best, PcrOptions::Report::best_per_record);
  const Pcr pcr({{"a", "ACGTAC", "GGATCA"}, {"b", "TTGACA", "CCGATT"}},
                {.edits = 1, .max_size = 900, .pool = pool, .report = report, .text = true});
  std::string single;
  const PcrSummary summary = pcr.search(views_of(bases), [&](const PcrProduct& p) {
    const auto name = [&](const PrimerSite& site) {
      return pcr.pairs()[site.primer / 2].name + (site.primer % 2 == 0 ? "_F" : "_R");
    };
    const std::string pair =
        pool ? fmt::format("{}/{}", name(p.forward), name(p.reverse)) : pcr.pairs()[p.forward.primer / 2].name;
    single += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", p.record, p.record_name, p.start,
                          p.end, pair, p.strand, p.size(), name(p.forward), p.forward.start, p.reverse.end,
                          p.forward.edits + p.reverse.edits, p.text.substr(0, 5), ".");
  });
  std::string lines;
  const std::vector<std::string> columns{"record_number", "record",      "start", "end",
                                         "pair",          "strand",      "size",  "forward",
                                         "forward_start", "reverse_end", "edits", "matched"};
  pcr.search(views_of(bases), {.columns = columns, .batch_rows = 37}, [&](const Batch& batch) {
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      std::string line;
      for (const ColumnInfo& column : batch.columns()) {
        const std::string value = support::print_value(batch, column, i);
        line += (column.name == "matched" ? value.substr(0, 5) : value) + "\t";
      }
      lines += line + ".\n";
    }
  });
  CHECK(summary.products > (report == PcrOptions::Report::all ? 40 : 0));
  CHECK(lines == single);
}

TEST_CASE("batches of matrix hits are those that come one by one", "[batches]") {
  std::mt19937 random(6);
  const std::vector<std::string> bases{random_bases(random, 40'000), "", random_bases(random, 3'000)};
  std::vector<WeightMatrix> matrices;
  for (const char* const name : {"", "TBP", "TBP"}) {
    WeightMatrix& matrix = matrices.emplace_back();
    matrix.id = fmt::format("m{}", matrices.size());
    matrix.name = name;
    for (int i = 0; i < 7; ++i) {
      std::array<double, 4> column{};
      for (double& count : column) count = static_cast<double>(1 + random() % 20);
      matrix.columns.push_back(column);
    }
  }
  const Pwm pwm(matrices, {.p_value = 0.01});
  std::string single;
  const SearchSummary summary = pwm.search(views_of(bases), [&](const PwmHit& hit) {
    std::string text(hit.text);
    if (hit.strand == '-') {
      std::reverse(text.begin(), text.end());
      for (char& base : text) base = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A';
    }
    const std::string& name = pwm.matrices()[hit.matrix].name;
    single +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.9g}\t{:.9g}\t{}\n", hit.record, hit.record_name, hit.start, hit.end,
                    pwm.matrices()[hit.matrix].id, name.empty() ? "." : name, hit.strand, hit.score, hit.p_value, text);
  });
  CHECK(summary.hits > 100);
  std::string lines;
  const std::vector<std::string> columns{"record_number", "record", "start", "end",     "matrix",
                                         "name",          "strand", "score", "p_value", "matched"};
  pwm.search(views_of(bases), {.columns = columns, .batch_rows = 50}, [&](const Batch& batch) {
    lines += support::print_rows(batch);
    CHECK(batch.table("name").size() == 1);  // each name once
    std::size_t absent = 0;
    for (const std::int32_t code : batch.codes("name")) absent += code < 0 ? 1 : 0;
    CHECK(batch.validity("name").size() == (absent == 0 ? 0 : (batch.rows() + 7) / 8));
  });
  CHECK(lines == single);
}

TEST_CASE("batches of places are those that come one by one", "[batches]") {
  std::mt19937 random(7);
  const std::vector<std::string> bases{random_bases(random, 200'000), "", random_bases(random, 100'000)};
  const Guides guides({{"scored", random_bases(random, 20)}, {"short", random_bases(random, 16)}},
                      {.mismatches = 8, .max_dna_bulges = 1, .max_rna_bulges = 1});
  std::string single;
  const GuidesResult result = guides.search(views_of(bases), [&](const OffTarget& place) {
    single += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", place.record, place.record_name,
                          place.start, place.end, guides.guides()[place.guide].name, place.strand,
                          place.bulge == BulgeKind::none  ? "none"
                          : place.bulge == BulgeKind::dna ? "dna"
                                                          : "rna",
                          place.bulge_size, place.mismatches, print_real(place.mit), print_real(place.cfd),
                          place.aligned_guide, place.aligned_text);
  });
  CHECK(result.rows[0].places > 50);
  CHECK(result.rows[1].places > 50);
  std::string lines;
  const std::vector<std::string> columns{"record_number", "record",        "start",       "end",        "guide",
                                         "strand",        "bulge",         "bulge_size",  "mismatches", "mit",
                                         "cfd",           "aligned_guide", "aligned_text"};
  const GuidesResult again =
      guides.search(views_of(bases), {.columns = columns, .batch_rows = 64}, [&](const Batch& batch) {
        lines += support::print_rows(batch);
        for (std::size_t i = 0; i < batch.rows(); ++i) {
          CHECK(batch.has("cfd", i) == (batch.codes("guide")[i] == 0));
          CHECK(std::isnan(batch.reals("cfd")[i]) == !batch.has("cfd", i));
        }
      });
  CHECK(lines == single);
  CHECK(again.rows[0].places == result.rows[0].places);
}

}  // namespace basesweep::test_batches_of_classes
