#include "lib/products/product_sam.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/sam_names.hpp"
#include "lib/products/placed_product.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// The most letters of a QNAME after the pair's name: a record's number, a place and marks.
constexpr std::size_t kPlaceLetters = 40;

void add_tag(std::string_view tag, std::string_view value, bool binary, std::string& tags) {
  if (!binary) tags += '\t';
  tags += tag;
  tags += binary ? "Z" : ":Z:";
  tags += value;
  if (binary) tags += '\0';
}

class ProductSam final : public SamRows {
 public:
  ProductSam(const PrimerSet& primers, const PatternSet& patterns, bool distinguish)
      : primers_(primers), queries_(patterns, distinguish) {
    const bool pool = primers.options().pool;
    SamQueryNames names(pool ? "primer" : "pair", (kMaxSamNameLetters - kPlaceLetters) / (pool ? 2 : 1));
    if (pool) {
      for (const PrimerSet::Primer& primer : primers.primers()) names_.push_back(names.add(primer.name));
    } else {
      for (const PrimerPair& pair : primers.pairs()) names_.push_back(names.add(pair.name));
    }
  }

  int alignments() const override { return 2; }

  void describe(const Row& row, int alignment, bool binary, SamScratch& scratch, SamRecord& record) const override {
    const auto& product = static_cast<const PlacedProduct&>(row);
    const bool right = alignment == 1;
    const Hit& hit = right ? product.right : product.left;
    const Hit& mate = right ? product.left : product.right;
    const bool first = &hit == &product.forward();
    scratch.name = query_name(product);
    record.name = scratch.name;
    record.flag = sam_flag::paired | sam_flag::proper_pair | (first ? sam_flag::read1 : sam_flag::read2) |
                  (right ? 0U : sam_flag::mate_reverse);
    const auto reference = static_cast<std::int32_t>(product.record);
    record.place = {reference, product.record_name, product.start_of(hit)};
    record.end = record.place.start + hit.length;
    record.mate = {reference, product.record_name, product.start_of(mate)};
    record.template_length = right ? -product.size() : product.size();
    queries_.describe(hit, product.letters_of(hit), scratch, record);
    scratch.tags.clear();
    add_tag("XP", primers_.name(product.join), binary, scratch.tags);
    add_tag("XQ", (first ? primers_.forward(product.join) : primers_.reverse(product.join)).name, binary, scratch.tags);
    record.last_tags = scratch.tags;
  }

 private:
  std::string query_name(const PlacedProduct& product) const {
    const Join& join = product.join;
    std::string name = names_[join.first];
    if (primers_.options().pool) name += "/" + names_[join.second];
    name += fmt::format(":{}:{}-{}:{}", product.record + 1, product.start + 1, product.end, strand_letter(join.strand));
    if (join.ends == PrimerEnds::forward_forward) name += ":F";
    if (join.ends == PrimerEnds::reverse_reverse) name += ":R";
    return name;
  }

  const PrimerSet& primers_;
  const SamQueries queries_;
  std::vector<std::string> names_;  // as in QNAMEs: of each pair, or of each primer of a pool
};

}  // namespace

std::shared_ptr<const SamRows> make_product_sam(const PrimerSet& primers, const PatternSet& patterns,
                                                bool distinguish) {
  return std::make_shared<ProductSam>(primers, patterns, distinguish);
}

}  // namespace basesweep
