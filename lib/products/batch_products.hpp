// The products of a batch, made from its hits.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/products/primer_set.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp
struct Segment;     // lib/search/segment.hpp

struct Product {
  const Hit* left;   // on strand +
  const Hit* right;  // on strand -
  Join join;
  std::uint32_t begin() const { return left->position; }  // in the batch, 0-based
  std::uint32_t end() const { return right->position + right->length; }
  std::uint32_t edits() const { return std::uint32_t{left->edits} + right->edits; }
};

// The hits of a batch, ready to be joined. A product belongs to the batch that owns the start of its left hit; the
// batch holds all of it (BatchOptions::halo_right). The number of products may be far larger than that of hits, so they
// are not kept: a ProductCursor makes them one after another.
class BatchProducts {
 public:
  // `hits`: of both strands, ordered by position, also those that start at most the largest size past the batch's own
  // positions. `primers` and `patterns`, made from it, and `batch` must outlive this object.
  BatchProducts(const PrimerSet& primers, const PatternSet& patterns, const PackedBatch& batch, std::vector<Hit> hits);

  const PackedBatch& batch() const { return batch_; }
  // Hits that start products, ordered by position.
  const std::vector<const Hit*>& lefts() const { return lefts_; }
  // The best site of the probe, on either strand, between the two primers of the product: the one with the fewest
  // edits, then leftmost, then on +; null if there is none.
  const Hit* probe_of(const Product& product) const;

 private:
  friend class ProductCursor;

  // A right hit by its end. The hits of a pattern, or all hits for a pool, follow each other, sorted by end and start.
  struct Right {
    std::uint32_t pattern;
    std::uint32_t end;
    const Hit* hit;
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  Range rights_of(std::uint32_t pattern) const;

  const PrimerSet& primers_;
  const PatternSet& patterns_;
  const PackedBatch& batch_;
  std::vector<Hit> hits_;
  std::vector<const Hit*> lefts_;
  std::vector<Right> rights_;
  std::vector<Range> by_pattern_;                // for pairs: of each pattern, the range in rights_
  std::vector<std::vector<const Hit*>> probes_;  // of each pattern that is a probe: its hits on both strands
};

// Makes the products of some left hits in output order: start, end, pair, strand, primers.
class ProductCursor {
 public:
  // Uses lefts()[begin] to lefts()[end - 1]. Left hits with the same start must not be in two ranges.
  ProductCursor(const BatchProducts& products, std::size_t begin, std::size_t end)
      : products_(products), next_(begin), end_(end) {}

  // Sets `product` to the next one; false after the last. Its pointers are valid as long as the BatchProducts.
  bool next(Product& product);

 private:
  // The right hits that one left hit may be joined with, from the nearest end on.
  struct Source {
    std::uint32_t right_end;
    std::size_t at;  // in rights_
    std::size_t last;
    const Hit* left;
    const Join* join;  // null: a pool
    std::uint32_t max_end;
  };

  bool start_group();
  void add_source(const Hit& left, BatchProducts::Range range, const Join* join, std::int64_t min_size,
                  std::int64_t max_size);
  bool fill();
  void take(const Source& source);

  const BatchProducts& products_;
  std::size_t next_;  // the first left hit of the next group: hits with one start
  std::size_t end_;
  const Segment* segment_ = nullptr;
  std::vector<Source> sources_;           // a heap, the nearest end on top
  std::vector<Product> products_of_end_;  // with one start and one end, sorted
  std::size_t given_ = 0;
};

}  // namespace basesweep
