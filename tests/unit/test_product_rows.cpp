// Products as rows: columns and lines of formats, for a product that is made by hand.
#include <memory>
#include <string>

#include "lib/products/placed_product.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/products/product_table.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/primer_hit.hpp"

namespace basesweep::test_product_rows {

using Catch::Matchers::ContainsSubstring;

namespace {

// A pair, and a product of it on strand -: the reverse primer is the left one, the forward one has a mismatch.
struct Example {
  explicit Example(const std::string& probe = "")
      : primers({{.name = "a,b",
                  .forward = "ACGTG",
                  .reverse = "TTGAC",
                  .forward_name = "F",
                  .reverse_name = "R",
                  .probe = probe}},
                {}),
        patterns(primers.patterns(), StrandChoice::both, PalindromeChoice::both, {.edits = 1}) {
    product.record_name = "r;1";
    product.record = 3;
    product.start = 100;
    product.end = 112;
    product.letters = "TTGACGGCACGA";
    product.join = primers.partners(1).front().join;
    product.left = hit(primers.reverse(product.join).pattern, Strand::plus, 40);
    product.right = hit(primers.forward(product.join).pattern, Strand::minus, 47);
    product.right.edits = 1;
  }

  Hit hit(std::uint32_t pattern, Strand strand, std::uint32_t position) const {
    return support::primer_hit(patterns, pattern, strand, position);
  }

  std::string print(OutputFormat format, const ShownColumns& columns = {}, ProductPart part = ProductPart::product) {
    const ProductDetails details{.part = part, .files = {"x y.fa"}};
    const auto formatter =
        make_line_formatter(std::make_shared<ProductRows>(primers, patterns, details), format, {columns, {}});
    RowText text;
    formatter->append(product, text);
    return formatter->header({}) + std::string(text.view());
  }

  const PrimerSet primers;
  const PatternSet patterns;
  PlacedProduct product;
};

}  // namespace

TEST_CASE("product rows: tables", "[rows]") {
  Example example;
  const ShownColumns some{.only = {"record", "start", "pair", "strand", "size", "forward_start", "forward_cigar",
                                   "forward_mismatches", "reverse_mismatches", "edits", "bed_score", "matched"}};
  CHECK(example.print(OutputFormat::tsv, some) ==
        "record\tstart\tpair\tstrand\tsize\tforward_start\tforward_cigar\tforward_mismatches\treverse_mismatches\t"
        "edits\tbed_score\tmatched\n"
        "r;1\t100\ta,b\t-\t12\t107\t4=1X\t5\t.\t1\t900\tTCGTGCCGTCAA\n");
  // 81.5 + 16.6 log10(0.05 + 0.12 sqrt(0.9)) + 0.41 * 100 * 7 / 12 - 600 / 12
  const ShownColumns few{.only = {"pair", "size", "reverse_mismatches", "product_tm", "file"}};
  CHECK(example.print(OutputFormat::csv, few) ==
        "pair,size,reverse_mismatches,product_tm,file\n\"a,b\",12,,42.4,x y.fa\n");
  CHECK(example.print(OutputFormat::jsonl, few) ==
        "{\"pair\":\"a,b\",\"size\":12,\"reverse_mismatches\":null,\"product_tm\":42.4,\"file\":\"x y.fa\"}\n");
  CHECK_THAT(example.print(OutputFormat::tsv), !ContainsSubstring("probe") && !ContainsSubstring("file"));
  CHECK_THROWS_WITH(example.print(OutputFormat::tsv, {.only = {"probe_start"}}),
                    ContainsSubstring("no pair has a probe"));
}

TEST_CASE("product rows: probes", "[rows]") {
  Example example("GGC");
  const ShownColumns columns{.only = {"probe_start", "probe_end", "probe_strand", "probe_edits"}};
  const std::string header = "probe_start\tprobe_end\tprobe_strand\tprobe_edits\n";
  CHECK(example.print(OutputFormat::tsv, columns) == header + ".\t.\t.\t.\n");
  example.product.probe = example.hit(*example.primers.probe(0), Strand::minus, 45);
  example.product.probe->length = 3;
  CHECK(example.print(OutputFormat::tsv, columns) == header + "105\t108\t-\t0\n");
}

TEST_CASE("product rows: formats", "[rows]") {
  Example example;
  const ShownColumns file{.added = {"file"}};
  CHECK(example.print(OutputFormat::bed) == "r;1\t100\t112\ta,b\t900\t-\t100\t112\t0\t2\t5,5\t0,7\n");
  CHECK_THAT(example.print(OutputFormat::gff3, file),
             ContainsSubstring("r%3B1\tbasesweep\tPCR_product\t101\t112\t900\t-\t.\t"
                               "ID=a%2Cb:r%3B1:-:101-112:F:R:5;Name=a%2Cb;size=12;forward=F;reverse=R;"
                               "forward_edits=1;reverse_edits=0;file=x y.fa\n"));
  CHECK(example.print(OutputFormat::fasta, file) ==
        ">r;1:100-112(-) size=12 edits=1 file=x%20y.fa pair=a,b\nTCGTGCCGTCAA\n");
  CHECK(example.print(OutputFormat::fasta, {}, ProductPart::amplified) ==
        ">r;1:100-112(-) size=12 edits=1 pair=a,b\nACGTGCCGTCAA\n");
  example.product.circular_length = 105;
  CHECK(example.print(OutputFormat::fasta, {}, ProductPart::insert) == ">r;1:0-2(-) size=2 edits=1 pair=a,b\nCC\n");
}

TEST_CASE("product table: a row for each pair and record", "[rows]") {
  Example example;
  const auto table = make_product_table(
      std::make_shared<ProductTableRows>(example.primers, std::vector<std::string>{"x y.fa"}), OutputFormat::csv, {});
  RowText text;
  table->append(example.product, text);
  example.product.right.position = 50;
  example.product.end = 115;
  table->append(example.product, text);
  example.product.record = 4;
  example.product.record_name = "next";
  example.product.join.strand = Strand::plus;
  table->append(example.product, text);
  std::string written = table->header({});
  const auto gatherer = table->gatherer("", [&written](std::string_view lines) { written += lines; });
  gatherer->add(text.view());
  gatherer->finish();
  CHECK(written ==
        "record,pair,count,plus,minus,fewest_edits,min_size,max_size,sizes\n"
        "r;1,\"a,b\",2,0,2,1,12,15,\"12,15\"\n"
        "next,\"a,b\",1,1,0,1,15,15,15\n");
}

}  // namespace basesweep::test_product_rows
