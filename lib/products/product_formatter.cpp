#include "lib/products/product_formatter.hpp"

#include <fmt/format.h>

#include "lib/base/per_thread.hpp"
#include "lib/writer/escape.hpp"
#include "lib/writer/gff3.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

// 1000 (1 - edits / bases of both primers), rounded half up.
std::int64_t score_of(const Product& product, const PatternSet& patterns) {
  constexpr std::int64_t kFull = 1000;
  const auto bases = static_cast<std::int64_t>(patterns.queries()[product.left->query].sets.size() +
                                               patterns.queries()[product.right->query].sets.size());
  return (2 * kFull * (bases - product.edits()) + bases) / (2 * bases);
}

class ProductBed final : public ProductFormatter {
 public:
  using ProductFormatter::ProductFormatter;

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::bed; }
  bool needs_letters() const override { return false; }

  void append(const PlacedProduct& placed, Text& text) const override {
    const Product& product = placed.product;
    const std::uint32_t left = product.left->length;
    const std::uint32_t right = product.right->length;
    const std::int64_t size = placed.size();
    text.append(placed.record_name);
    text.append(fmt::format("\t{0}\t{1}\t{2}\t{3}\t{4}\t{0}\t{1}\t0\t", placed.start, placed.end,
                            primers_.name(product.join), score_of(product, patterns_),
                            strand_letter(product.join.strand)));
    if (std::int64_t{left} + right < size) {
      text.append(fmt::format("2\t{},{}\t0,{}\n", left, right, size - right));
    } else {
      text.append(fmt::format("1\t{}\t0\n", size));
    }
  }
};

class ProductGff3 final : public ProductFormatter {
 public:
  using ProductFormatter::ProductFormatter;

  bool needs_records() const override { return details_.circular.any(); }
  NameRule names() const override { return NameRule::named; }
  bool lists_records() const override { return true; }
  bool needs_letters() const override { return false; }

  std::string header(std::span<const RecordInfo> records) const override {
    return gff3_header(records, details_.circular);
  }

  void append(const PlacedProduct& placed, Text& text) const override {
    const Product& product = placed.product;
    const std::string record = gff3_seqid(placed.record_name);
    const std::string name = gff3_attribute(primers_.name(product.join));
    const std::string forward_name = gff3_attribute(primers_.forward(product.join).name);
    const std::string reverse_name = gff3_attribute(primers_.reverse(product.join).name);
    const char strand = strand_letter(product.join.strand);
    text.append(fmt::format("{}\tbasesweep\tPCR_product\t{}\t{}\t{}\t{}\t.\t", record, placed.start + 1, placed.end,
                            score_of(product, patterns_), strand));
    // The identifier is made of what tells products apart, so it does not depend on the other products.
    text.append(fmt::format("ID={}:{}:{}:{}-{}:{}:{}:{};Name={};size={};forward={};reverse={}", name, record, strand,
                            placed.start + 1, placed.end, forward_name, reverse_name, product.left->length, name,
                            placed.size(), forward_name, reverse_name));
    text.append(fmt::format(";forward_edits={};reverse_edits={}", forward(product).edits, reverse(product).edits));
    if (!details_.files.empty()) text.append(";file=" + gff3_attribute(details_.files[placed.source]));
    text.append("\n");
  }
};

// Memory that is kept from one product to the next.
struct Amplified {
  std::string letters;
};

class ProductFasta final : public ProductFormatter {
 public:
  using ProductFormatter::ProductFormatter;

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::text; }
  bool needs_letters() const override { return true; }

  void append(const PlacedProduct& placed, Text& text) const override {
    const Product& product = placed.product;
    const std::string_view letters = part_of(placed);
    const Place place = place_of(placed, letters.size());
    std::string title = fmt::format(">{}:{}-{}({}) size={} edits={}", placed.record_name, place.start, place.end,
                                    strand_letter(product.join.strand), letters.size(), product.edits());
    if (!details_.files.empty()) {
      title += " file=";
      append_escaped(
          details_.files[placed.source], [](char c) { return c != '%' && (c > ' ' || c < 0) && c != '\x7f'; }, title);
    }
    text.append(title + fmt::format(" pair={}\n", primers_.name(product.join)));
    text.advance(put_matched(text.reserve(letters.size()), letters, product.join.strand));
    text.append("\n");
  }

 private:
  std::string letters_of(const Hit& hit) const {
    std::string letters;
    for (const BaseSet set : query(hit).sets) letters += iupac_letter(set);
    return letters;
  }

  struct Place {
    std::int64_t start;
    std::int64_t end;
  };

  // The place of the requested part. Like a product, an insert starts inside a circular record.
  Place place_of(const PlacedProduct& placed, std::size_t bases) const {
    if (details_.part != ProductPart::insert) return {placed.start, placed.end};
    std::int64_t start = placed.start + placed.product.left->length;
    if (placed.circular_length != 0 && start >= placed.circular_length) start -= placed.circular_length;
    return {start, start + static_cast<std::int64_t>(bases)};
  }

  // The letters of the requested part, forward strand. Keeps its memory from one product to the next.
  std::string_view part_of(const PlacedProduct& placed) const {
    if (details_.part == ProductPart::product) return placed.letters;
    const Product& product = placed.product;
    const std::size_t begin = product.left->length;
    const std::size_t end = placed.letters.size() - product.right->length;
    const std::string_view insert = begin < end ? placed.letters.substr(begin, end - begin) : std::string_view();
    if (details_.part == ProductPart::insert || begin > end) {
      // Primers that overlap leave no room for both, so the text itself is shown.
      return details_.part == ProductPart::insert ? insert : placed.letters;
    }
    auto& built = per_thread<Amplified>().letters;
    built = letters_of(*product.left);
    built += insert;
    built += letters_of(*product.right);
    return built;
  }
};

}  // namespace

std::unique_ptr<ProductFormatter> make_product_bed(const PrimerSet& primers, const PatternSet& patterns,
                                                   const ProductDetails& details) {
  return std::make_unique<ProductBed>(primers, patterns, details);
}

std::unique_ptr<ProductFormatter> make_product_gff3(const PrimerSet& primers, const PatternSet& patterns,
                                                    const ProductDetails& details) {
  return std::make_unique<ProductGff3>(primers, patterns, details);
}

std::unique_ptr<ProductFormatter> make_product_fasta(const PrimerSet& primers, const PatternSet& patterns,
                                                     const ProductDetails& details) {
  return std::make_unique<ProductFasta>(primers, patterns, details);
}

}  // namespace basesweep
