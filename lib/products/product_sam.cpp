#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/products/product_formatter.hpp"
#include "lib/writer/alignment_order.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_query.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {
namespace {

// What a QNAME has behind the pair's name, at most: a record's number, a place and marks.
constexpr std::size_t kPlaceLetters = 40;

// Stands before each alignment between append() and the gatherer.
struct Frame {
  AlignmentPlace place;
  std::uint64_t bytes;  // of the alignment
  std::uint64_t right;  // 1: of a right primer
};

class Alignments final : public ProductGatherer {
 public:
  Alignments(std::string directory, AlignmentOrder::Write write) : order_(std::move(directory), std::move(write)) {}

  void add(std::string_view text) override {
    while (!text.empty()) {
      Frame frame;
      std::memcpy(&frame, text.data(), sizeof frame);
      const std::string_view bytes = text.substr(sizeof frame, frame.bytes);
      text.remove_prefix(sizeof frame + bytes.size());
      frame.right != 0 ? order_.add_right(frame.place, bytes) : order_.add_left(frame.place, bytes);
    }
  }
  void finish() override { order_.finish(); }

 private:
  AlignmentOrder order_;
};

std::string text_tag(std::string_view tag, std::string_view value, bool binary) {
  std::string text(binary ? "" : "\t");
  text += tag;
  text += binary ? "Z" : ":Z:";
  text += value;
  if (binary) text += '\0';
  return text;
}

class ProductSam final : public ProductFormatter {
 public:
  ProductSam(const PrimerSet& primers, const PatternSet& patterns, const SamOptions& options)
      : ProductFormatter(primers, patterns, {}),
        options_(options),
        read_group_(parse_read_group(options.read_group)),
        queries_(patterns, options.distinguish) {
    const bool pool = primers.options().pool;
    SamQueryNames names(pool ? "primer" : "pair", (kMaxSamNameLetters - kPlaceLetters) / (pool ? 2 : 1));
    if (pool) {
      for (const PrimerSet::Primer& primer : primers.primers()) names_.push_back(names.add(primer.name));
    } else {
      for (const PrimerPair& pair : primers.pairs()) names_.push_back(names.add(pair.name));
    }
  }

  bool needs_records() const override { return true; }
  bool needs_letters() const override { return true; }

  std::string header(std::span<const RecordInfo> records) const override {
    return sam_file_header(options_, read_group_, records);
  }

  std::unique_ptr<ProductGatherer> gatherer(const std::string& directory,
                                            std::function<void(std::string_view)> write) const override {
    return std::make_unique<Alignments>(directory, std::move(write));
  }

  void append(const PlacedProduct& placed, Text& text) const override {
    const std::string name = query_name(placed);
    append_one(placed, *placed.product.left, *placed.product.right, name, text);
    append_one(placed, *placed.product.right, *placed.product.left, name, text);
  }

 private:
  std::string query_name(const PlacedProduct& placed) const {
    const Join& join = placed.product.join;
    std::string name = names_[join.first];
    if (primers_.options().pool) name += "/" + names_[join.second];
    name += fmt::format(":{}:{}-{}:{}", placed.record + 1, placed.start + 1, placed.end, strand_letter(join.strand));
    if (join.ends == PrimerEnds::forward_forward) name += ":F";
    if (join.ends == PrimerEnds::reverse_reverse) name += ":R";
    return name;
  }

  void append_one(const PlacedProduct& placed, const Hit& hit, const Hit& mate, const std::string& name,
                  Text& text) const {
    const Product& product = placed.product;
    const bool right = &hit == product.right;
    const bool first = &hit == &forward(product);
    SamRecord record;
    record.name = name;
    record.flag = sam_flag::paired | sam_flag::proper_pair | (first ? sam_flag::read1 : sam_flag::read2) |
                  (right ? 0U : sam_flag::mate_reverse);
    const auto reference = static_cast<std::int32_t>(placed.record);
    record.place = {reference, placed.record_name, placed.start_of(hit)};
    record.end = record.place.start + hit.length;
    record.mate = {reference, placed.record_name, placed.start_of(mate)};
    record.template_length = right ? -placed.size() : placed.size();
    queries_.describe(hit, placed.letters_of(hit), per_thread<SamScratch>(), record);
    record.read_group = read_group_.id;
    const std::string& primer = (first ? primers_.forward(product.join) : primers_.reverse(product.join)).name;
    const std::string tags =
        text_tag("XP", primers_.name(product.join), options_.binary) + text_tag("XQ", primer, options_.binary);
    record.last_tags = tags;

    Frame frame{{placed.record, record.place.start}, 0, right ? 1U : 0U};
    const std::size_t begin = text.view().size();
    text.advance(text.reserve(sizeof frame) + sizeof frame);
    options_.binary ? append_bam(record, text) : append_sam(record, text);
    const std::size_t bytes = text.view().size() - begin;
    frame.bytes = bytes - sizeof frame;
    std::memcpy(text.reserve(0) - bytes, &frame, sizeof frame);
  }

  SamOptions options_;
  ReadGroup read_group_;
  SamQueries queries_;
  std::vector<std::string> names_;  // as they stand in QNAMEs: of each pair, or of each primer of a pool
};

}  // namespace

std::unique_ptr<ProductFormatter> make_product_sam(const PrimerSet& primers, const PatternSet& patterns,
                                                   const SamOptions& options) {
  return std::make_unique<ProductSam>(primers, patterns, options);
}

}  // namespace basesweep
