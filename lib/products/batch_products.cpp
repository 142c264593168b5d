#include "lib/products/batch_products.hpp"

#include <algorithm>
#include <tuple>

#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// Whether a product may start with this hit: it starts in positions that the batch owns and that are requested, and on
// a circular record in the record itself.
bool starts_here(const PackedBatch& batch, const Segment& segment, const Hit& hit) {
  const PackedView view = batch.view();
  if (hit.position < view.own_begin || hit.position >= view.own_end) return false;
  if (segment.circular_length != 0) {
    const std::int64_t start = segment.offset + (hit.position - segment.position);
    if (start < 0 || start >= segment.circular_length) return false;
  }
  if (!batch.requested()) return true;
  const std::vector<Interval>& requested = *batch.requested();
  const auto interval = std::partition_point(requested.begin(), requested.end(),
                                             [&](const Interval& i) { return i.end <= hit.position; });
  return interval != requested.end() && interval->begin <= hit.position;
}

auto order(const Product& product) {
  return std::tuple(product.join.first, product.join.second, product.join.strand, product.join.ends,
                    product.left->length, product.right->length);
}

}  // namespace

BatchProducts::BatchProducts(const PrimerSet& primers, const PatternSet& patterns, const PackedBatch& batch,
                             std::vector<Hit> hits)
    : primers_(primers), patterns_(patterns), batch_(batch), hits_(std::move(hits)) {
  if (hits_.empty()) return;
  const bool pool = primers.options().pool;
  const std::vector<Segment>& segments = batch.segments();
  std::size_t at = batch.segment_at(hits_.front().position);
  if (primers.has_probes()) probes_.resize(patterns.patterns().size());
  for (const Hit& hit : hits_) {
    while (at + 1 < segments.size() && segments[at + 1].position <= hit.position) ++at;
    const Segment& segment = segments[at];
    if (segment.circular_length != 0 && hit.length > segment.circular_length) continue;  // sites fit into the record
    const Query& query = patterns.queries()[hit.query];
    if (primers.has_probes()) probes_[query.pattern].push_back(&hit);
    if (query.strand == Strand::minus) {
      rights_.push_back({query.pattern, hit.position + hit.length, &hit});
    } else if ((pool || !primers.partners(query.pattern).empty()) && starts_here(batch, segment, hit)) {
      lefts_.push_back(&hit);
    }
  }
  const auto key = [pool](const Right& right) {
    return std::tuple(pool ? 0 : right.pattern, right.end, right.hit->position);
  };
  std::sort(rights_.begin(), rights_.end(), [&](const Right& a, const Right& b) { return key(a) < key(b); });
  if (pool) return;
  by_pattern_.resize(patterns.patterns().size(), {0, 0});
  for (std::size_t i = 0; i < rights_.size(); ++i) {
    Range& range = by_pattern_[rights_[i].pattern];
    if (range.end == 0) range.begin = i;
    range.end = i + 1;
  }
}

BatchProducts::Range BatchProducts::rights_of(std::uint32_t pattern) const { return by_pattern_[pattern]; }

const Hit* BatchProducts::probe_of(const Product& product) const {
  if (!primers_.has_probes()) return nullptr;  // as with a pool, whose joins name primers
  const auto probe = primers_.probe(product.join.first);
  if (!probe) return nullptr;
  const std::vector<const Hit*>& sites = probes_[*probe];
  const std::uint32_t begin = product.left->position + product.left->length;
  const std::uint32_t end = product.right->position;
  const Hit* best = nullptr;
  auto site = std::partition_point(sites.begin(), sites.end(), [&](const Hit* hit) { return hit->position < begin; });
  for (; site != sites.end() && (*site)->position < end; ++site) {
    if ((*site)->position + (*site)->length > end) continue;
    // Sites come by start, end and strand, so the first of several with the same edits is the leftmost, + first.
    if (best == nullptr || (*site)->edits < best->edits) best = *site;
  }
  return best;
}

bool ProductCursor::next(Product& product) {
  if (given_ == products_of_end_.size() && !fill()) return false;
  product = products_of_end_[given_++];
  return true;
}

// Collects the products of the next end, of this start or of one after it.
bool ProductCursor::fill() {
  const auto farther = [](const Source& a, const Source& b) { return a.right_end > b.right_end; };
  products_of_end_.clear();
  given_ = 0;
  while (products_of_end_.empty()) {
    if (sources_.empty() && !start_group()) return false;
    if (sources_.empty()) continue;
    const std::uint32_t end = sources_.front().right_end;
    while (!sources_.empty() && sources_.front().right_end == end) {
      std::pop_heap(sources_.begin(), sources_.end(), farther);
      Source& source = sources_.back();
      take(source);
      if (++source.at == source.last || products_.rights_[source.at].end > source.max_end) {
        sources_.pop_back();
      } else {
        source.right_end = products_.rights_[source.at].end;
        std::push_heap(sources_.begin(), sources_.end(), farther);
      }
    }
  }
  std::sort(products_of_end_.begin(), products_of_end_.end(),
            [](const Product& a, const Product& b) { return order(a) < order(b); });
  return true;
}

// Begins with the left hits of the next start. False when there are none.
bool ProductCursor::start_group() {
  const auto& lefts = products_.lefts();
  if (next_ == end_) return false;
  const std::uint32_t start = lefts[next_]->position;
  const PackedBatch& batch = products_.batch();
  segment_ = &batch.segments()[batch.segment_at(start)];
  for (; next_ != end_ && lefts[next_]->position == start; ++next_) {
    const Hit& left = *lefts[next_];
    const JoinOptions& options = products_.primers_.options();
    if (options.pool) {
      add_source(left, {0, products_.rights_.size()}, nullptr, options.min_size, options.max_size);
      continue;
    }
    for (const PrimerSet::Partner& partner :
         products_.primers_.partners(products_.patterns_.queries()[left.query].pattern)) {
      add_source(left, products_.rights_of(partner.pattern), &partner.join, partner.join.min_size,
                 partner.join.max_size);
    }
  }
  std::make_heap(sources_.begin(), sources_.end(),
                 [](const Source& a, const Source& b) { return a.right_end > b.right_end; });
  return true;
}

void ProductCursor::add_source(const Hit& left, BatchProducts::Range range, const Join* join, std::int64_t min_size,
                               std::int64_t max_size) {
  const std::int64_t nearest =
      std::max<std::int64_t>(std::int64_t{left.position} + min_size, std::int64_t{left.position} + left.length);
  const std::int64_t farthest = std::min<std::int64_t>(std::int64_t{left.position} + max_size, segment_->end);
  const auto rights = products_.rights_.begin();
  const auto first = std::partition_point(rights + static_cast<std::ptrdiff_t>(range.begin),
                                          rights + static_cast<std::ptrdiff_t>(range.end),
                                          [&](const BatchProducts::Right& right) { return right.end < nearest; });
  const auto at = static_cast<std::size_t>(first - rights);
  if (at == range.end || first->end > farthest) return;
  sources_.push_back({first->end, at, range.end, &left, join, static_cast<std::uint32_t>(farthest)});
}

// Adds the products of a left and a right hit, if they are any.
void ProductCursor::take(const Source& source) {
  const Hit& left = *source.left;
  const Hit& right = *products_.rights_[source.at].hit;
  if (right.position < left.position) return;
  if (segment_->circular_length != 0) {
    // Only the first copy of a right hit after the left hit counts.
    const std::int64_t start = std::int64_t{right.position} - segment_->circular_length;
    if (start >= left.position && start + right.length >= std::int64_t{left.position} + left.length) return;
  }
  if (source.join != nullptr) {
    products_of_end_.push_back({&left, &right, *source.join});
    return;
  }
  const auto& queries = products_.patterns_.queries();
  products_.primers_.for_pool(queries[left.query].pattern, queries[right.query].pattern, [&](const Join& join) {
    products_of_end_.push_back({&left, &right, join});
  });
}

}  // namespace basesweep
