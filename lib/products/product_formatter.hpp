// Formats products as text or bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/record_info.hpp"
#include "lib/products/batch_products.hpp"
#include "lib/products/melting.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {

// A product with everything that is written about it.
struct PlacedProduct {
  std::string_view record_name;
  std::int64_t record;  // number among the records with bases of the whole input, from 0
  std::int64_t start;   // in the record, 0-based
  std::int64_t end;     // exclusive; past the record's end if the product goes over the origin of a circular record
  const Product& product;
  const Hit* probe;                  // null: none
  std::string_view letters;          // of the product, forward strand, upper case; empty unless the formatter needs it
  std::uint32_t source = 0;          // index of the record's file among the inputs
  std::int64_t circular_length = 0;  // see Segment

  std::int64_t size() const { return end - start; }
  // The place of a hit of the product in the record.
  std::int64_t start_of(const Hit& hit) const { return start + (hit.position - product.begin()); }
  // The letters of a hit of the product.
  std::string_view letters_of(const Hit& hit) const {
    return letters.substr(hit.position - product.begin(), hit.length);
  }
};

// The part of a product that FASTA shows.
enum class ProductPart {
  product,    // as the text reads, with the places of both primers
  amplified,  // as the reaction makes it: with the primers themselves at its ends
  insert,     // without the places of the primers
};

struct ProductDetails {
  MeltingConditions melting{};
  ProductPart part = ProductPart::product;
  std::vector<std::string> files{};  // names of the inputs, to be written with each product; empty: they are not
  CircularRecords circular{};
};

// Takes what ProductFormatter::append() makes, in the order of products, and writes what the output shows. Not
// thread-safe.
class ProductGatherer {
 public:
  virtual ~ProductGatherer() = default;
  // `text`: of the next products that are written. Throws what the writing throws.
  virtual void add(std::string_view text) = 0;
  // To be called once, behind the last product.
  virtual void finish() = 0;
};

// One output format. Thread-safe once made.
class ProductFormatter {
 public:
  // `primers` and `patterns`, made from it, must outlive this object.
  ProductFormatter(const PrimerSet& primers, const PatternSet& patterns, ProductDetails details)
      : primers_(primers), patterns_(patterns), details_(std::move(details)) {}
  virtual ~ProductFormatter() = default;
  ProductFormatter(const ProductFormatter&) = delete;
  ProductFormatter& operator=(const ProductFormatter&) = delete;

  // See Formatter.
  virtual bool needs_records() const { return false; }
  virtual bool lists_records() const { return needs_records(); }
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  virtual NameRule names() const { return NameRule::any; }
  virtual bool needs_letters() const = 0;
  virtual void append(const PlacedProduct& product, Text& text) const = 0;
  // What must stand between append() and the output, which `write` writes to; null: nothing. `directory`: of temporary
  // files.
  virtual std::unique_ptr<ProductGatherer> gatherer(const std::string& directory,
                                                    std::function<void(std::string_view)> write) const {
    static_cast<void>(directory);
    static_cast<void>(write);
    return nullptr;
  }

 protected:
  const Query& query(const Hit& hit) const { return patterns_.queries()[hit.query]; }
  const Hit& forward(const Product& product) const {
    return PrimerSet::forward_is_left(product.join) ? *product.left : *product.right;
  }
  const Hit& reverse(const Product& product) const {
    return PrimerSet::forward_is_left(product.join) ? *product.right : *product.left;
  }

  const PrimerSet& primers_;
  const PatternSet& patterns_;
  const ProductDetails details_;
};

// TSV with a header line: place, pair, strand and size; for each primer its name, place, edits, CIGAR, mismatches from
// the 3' end and melting temperature; the probe; the product's melting temperature; the file if requested; the product.
std::unique_ptr<ProductFormatter> make_product_tsv(const PrimerSet& primers, const PatternSet& patterns,
                                                   const ProductDetails& details);
// BED12: the primers are blocks, or one block where they touch. The score is 1000 (1 - edits / bases of both primers).
std::unique_ptr<ProductFormatter> make_product_bed(const PrimerSet& primers, const PatternSet& patterns,
                                                   const ProductDetails& details);
// GFF3: a feature PCR_product per product.
std::unique_ptr<ProductFormatter> make_product_gff3(const PrimerSet& primers, const PatternSet& patterns,
                                                    const ProductDetails& details);
// FASTA: ProductDetails::part of each product, reverse-complemented for strand -. The title is
// "record:start-end(strand)", the place of this part, then size=N, the bases that are printed, edits=N, file=NAME if
// requested, and pair=NAME. An insert between primers that touch or overlap is empty; it stands at the end of the left
// one.
std::unique_ptr<ProductFormatter> make_product_fasta(const PrimerSet& primers, const PatternSet& patterns,
                                                     const ProductDetails& details);

// A table of pairs and records: a row for each pair on each record where it has products, in this order of records and
// pairs, with a header line: file if requested, record, pair, how many products, on + and on -, the fewest edits of
// one, the smallest and the largest size, and all sizes, separated by commas. Memory: the rows of one record.
std::unique_ptr<ProductFormatter> make_product_table(const PrimerSet& primers, const PatternSet& patterns,
                                                     const ProductDetails& details);
// SAM or BAM, sorted by coordinate: two alignments per product, those of its primers, as a proper pair. READ1 is the
// forward primer, or the first one of a pool; with one primer at both ends, the left one. QNAME is
// PAIR:NUMBER:START-END:STRAND, with the number of the record in the header, and the place of the product, 1-based;
// with JoinOptions::single, `:F` or `:R` follows where the forward or the reverse primer stands at both ends. TLEN is
// the product's size. The alignments are as SamQueries describes them; XP:Z has the pair's name, XQ:Z the primer's.
// Throws like make_sam_formatter(). There are no products over the origin of circular records.
std::unique_ptr<ProductFormatter> make_product_sam(const PrimerSet& primers, const PatternSet& patterns,
                                                   const SamOptions& options);

}  // namespace basesweep
