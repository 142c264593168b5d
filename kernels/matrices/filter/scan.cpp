// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/matrices/filter/scan.hpp"

#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using filter::Candidate;
using filter::FilterQuery;
using filter::IndexView;
using filter::kCopied;
using filter::kPlaces;
using filter::kWordHits;
using filter::RestPlace;
using filter::Start;

// The positions among 64 whose q-grams have candidates.
struct Block {
  std::uint32_t count;
  std::uint32_t positions[64];
  std::uint32_t begins[64];  // of their candidates; at first the q-grams
  std::uint32_t ends[64];
};

void find_grams(const IndexView& index, const PackedView& text, std::uint64_t position, Block& block) {
  const std::uint64_t* const lo = text.lo + position / 64;
  const std::uint64_t* const hi = text.hi + position / 64;
  const std::uint64_t mask = (1ULL << index.q) - 1;
  std::uint32_t grams[64];
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t low = lo[0] >> i | lo[1] << 1 << (63 - i);
    const std::uint64_t high = hi[0] >> i | hi[1] << 1 << (63 - i);
    grams[i] = static_cast<std::uint32_t>((low & mask) | (high & mask) << index.q);
  }
  std::uint32_t count = 0;
  for (unsigned i = 0; i < 64; ++i) {
    block.positions[count] = static_cast<std::uint32_t>(position + i);
    block.begins[count] = grams[i];
    count += index.any[grams[i] / 64] >> grams[i] % 64 & 1;
  }
  for (std::uint32_t i = 0; i < count; ++i) __builtin_prefetch(index.begins + block.begins[i]);
  block.count = count;
}

void find_lists(const IndexView& index, Block& block) {
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const std::uint32_t gram = block.begins[i];
    block.begins[i] = index.begins[gram];
    block.ends[i] = index.begins[gram + 1];
    __builtin_prefetch(index.candidates + block.begins[i]);
  }
}

// Scores places in groups and sends hits in the order of their words.
class Scorer {
 public:
  Scorer(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink)
      : index_(index), text_(text), sink_(sink) {
    starts_[0] = reinterpret_cast<Start*>(scratch);
    starts_[1] = starts_[0] + kWordHits;
    candidates_ = reinterpret_cast<Candidate*>(starts_[1] + kWordHits);
    positions_ = reinterpret_cast<std::uint32_t*>(candidates_ + kPlaces);
  }

  void score(const Block& block) {
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const std::uint32_t end = block.ends[i];
      for (std::uint32_t c = block.begins[i]; c < end; c += kCopied) {
        if (places_ > kPlaces - kCopied) score_places();
        __builtin_memcpy(candidates_ + places_, index_.candidates + c, kCopied * sizeof(Candidate));
        for (std::uint32_t k = 0; k < kCopied; ++k) positions_[places_ + k] = block.positions[i];
        places_ += end - c < kCopied ? end - c : kCopied;
      }
    }
    score_places();
  }

  // Sends the hits of the word before `position`, a multiple of 64; later hits start after it.
  void send_before(std::uint64_t position) { send(position / 64 % 2 ^ 1); }

 private:
  std::int32_t rest(const RestPlace& place, std::uint64_t lo, std::uint64_t hi) const {
    return index_.rests[place.rest].scores[(lo >> place.offset & 3) | (hi >> place.offset & 3) << 2];
  }

  void score_places() {
    for (std::uint32_t i = 0; i < places_; ++i) {
      const Candidate& candidate = candidates_[i];
      const FilterQuery& query = index_.queries[candidate.query];
      const bool inside = positions_[i] >= query.lead;
      const std::uint32_t start = inside ? positions_[i] - query.lead : 0;
      const std::uint64_t lo = positions_at(text_.lo, start);
      const std::uint64_t hi = positions_at(text_.hi, start);
      std::int32_t sum = candidate.score;
      for (const RestPlace& place : query.plain) sum += rest(place, lo, hi);
      for (std::uint32_t r = 0; r < query.more_rests; ++r) {
        sum += rest(index_.places[query.first_more_rest + r], lo, hi);
      }
      // A hit or not, it is written, since no branch could be predicted.
      const std::uint32_t which = start / 64 % 2;
      starts_[which][count_[which]] = {start, query.query};
      count_[which] += inside & (sum >= query.threshold);
      if (count_[which] == kWordHits) send(which);
    }
    places_ = 0;
  }

  void send(std::uint32_t which) {
    for (std::uint32_t i = 0; i < count_[which]; ++i) {
      const Start& start = starts_[which][i];
      sink_.word(start.position / 64 * 64, start.query, 1ULL << start.position % 64);
    }
    count_[which] = 0;
  }

  const IndexView& index_;
  const PackedView& text_;
  OccurrenceSink& sink_;
  Start* starts_[2];  // hits of words with an even and with an odd number
  std::uint32_t count_[2] = {};
  Candidate* candidates_;
  std::uint32_t* positions_;  // of the candidates' q-grams
  std::uint32_t places_ = 0;
};

}  // namespace

void filter_scan(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  // Three blocks are on their way: the processor fetches the table's lines for the q-grams of one, and the candidates
  // of the one before it, while those of the third are scored.
  Block blocks[3];
  Scorer scorer(index, text, scratch, sink);
  std::uint64_t end = std::uint64_t{text.own_end} + index.max_lead;
  if (end > text.positions) end = text.positions;  // a window with its stretch past the text is blocked
  const std::uint64_t begin = text.own_begin / 64;
  const std::uint64_t count = end <= 64 * begin ? 0 : (end + 63) / 64 - begin;
  for (std::uint64_t b = 0; b < count + 2; ++b) {
    if (b < count) find_grams(index, text, 64 * (begin + b), blocks[b % 3]);
    if (b >= 1 && b <= count) find_lists(index, blocks[(b - 1) % 3]);
    if (b < 2) continue;
    scorer.score(blocks[(b - 2) % 3]);
    scorer.send_before(64 * (begin + b - 2));
  }
  scorer.send_before(64 * (begin + count));
}

}  // namespace basesweep::BASESWEEP_ISA
