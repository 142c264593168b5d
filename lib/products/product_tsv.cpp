#include <fmt/format.h>

#include <algorithm>

#include "lib/align/trace.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/products/product_formatter.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

std::string degrees(const std::optional<double>& temperature) {
  return temperature ? fmt::format("{:.1f}", *temperature) : ".";
}

class ProductTsv final : public ProductFormatter {
 public:
  ProductTsv(const PrimerSet& primers, const PatternSet& patterns, const ProductDetails& details)
      : ProductFormatter(primers, patterns, details) {
    for (const Pattern& pattern : patterns.patterns()) {
      melting_.push_back(degrees(primer_melting(pattern.sequence, details_.melting)));
    }
  }

  std::string header(std::span<const RecordInfo>) const override {
    std::string line = "record\tstart\tend\tpair\tstrand\tsize";
    for (const char* side : {"forward", "reverse"}) {
      line += fmt::format("\t{0}\t{0}_start\t{0}_end\t{0}_edits\t{0}_cigar\t{0}_mismatches\t{0}_tm", side);
    }
    if (primers_.has_probes()) line += "\tprobe_start\tprobe_end\tprobe_strand\tprobe_edits";
    line += "\tproduct_tm";
    if (!details_.files.empty()) line += "\tfile";
    return line + "\tmatched\n";
  }
  NameRule names() const override { return NameRule::text; }
  bool needs_letters() const override { return true; }

  void append(const PlacedProduct& placed, Text& text) const override {
    const Product& product = placed.product;
    text.append(placed.record_name);
    text.append(fmt::format("\t{}\t{}\t{}\t{}\t{}", placed.start, placed.end, primers_.name(product.join),
                            strand_letter(product.join.strand), placed.size()));
    append_primer(placed, forward(product), primers_.forward(product.join).name, text);
    append_primer(placed, reverse(product), primers_.reverse(product.join).name, text);
    if (primers_.has_probes()) append_probe(placed, text);
    const auto gc = static_cast<std::size_t>(
        std::count_if(placed.letters.begin(), placed.letters.end(), [](char c) { return c == 'G' || c == 'C'; }));
    text.append("\t" + degrees(product_melting(placed.letters.size(), gc, details_.melting)));
    if (!details_.files.empty()) text.append("\t" + details_.files[placed.source]);
    text.append("\t");
    text.advance(put_matched(text.reserve(placed.letters.size()), placed.letters, product.join.strand));
    text.append("\n");
  }

 private:
  void append_primer(const PlacedProduct& placed, const Hit& hit, const std::string& name, Text& text) const {
    const Query& of = query(hit);
    const auto cigar = per_thread<Tracer>().trace(of, placed.letters_of(hit), hit);
    std::string runs;
    for (const CigarRun& run : cigar) runs += fmt::format("{}{}", run.length, run.op);
    const std::int64_t start = placed.start_of(hit);
    text.append(fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\t{}", name, start, start + hit.length, hit.edits, runs,
                            mismatches(cigar, of), melting_[of.pattern]));
  }

  // The primer's mismatched bases, counted from its 3' end from 1, the nearest first; "." if there are none.
  static std::string mismatches(std::span<const CigarRun> cigar, const Query& of) {
    std::vector<std::size_t> places;
    std::size_t at = 0;  // of the query, from its left end
    for (const CigarRun& run : cigar) {
      if (run.op == 'D') continue;
      for (std::uint32_t i = 0; i < run.length; ++i, ++at) {
        if (run.op == 'X') places.push_back(of.strand == Strand::plus ? of.sets.size() - at : at + 1);
      }
    }
    std::sort(places.begin(), places.end());
    return places.empty() ? "." : fmt::format("{}", fmt::join(places, ","));
  }

  void append_probe(const PlacedProduct& placed, Text& text) const {
    if (placed.probe == nullptr) return text.append("\t.\t.\t.\t.");
    const std::int64_t start = placed.start_of(*placed.probe);
    text.append(fmt::format("\t{}\t{}\t{}\t{}", start, start + placed.probe->length,
                            strand_letter(query(*placed.probe).strand), placed.probe->edits));
  }

  std::vector<std::string> melting_;  // of each pattern
};

}  // namespace

std::unique_ptr<ProductFormatter> make_product_tsv(const PrimerSet& primers, const PatternSet& patterns,
                                                   const ProductDetails& details) {
  return std::make_unique<ProductTsv>(primers, patterns, details);
}

}  // namespace basesweep
