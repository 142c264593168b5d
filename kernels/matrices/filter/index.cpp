#include "kernels/matrices/filter/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace basesweep::filter {
namespace {

// The limit for the candidates of all q-grams, 32 MB. Unspecific matrices only stay below it if q-grams are short.
constexpr double kMaxCandidates = 1 << 22;

std::uint32_t choose_gram(const MatrixSet& matrices, const std::vector<std::uint32_t>& queries) {
  std::uint32_t q = kMaxGram;
  for (; q > 1; --q) {
    double share = 0;
    for (const std::uint32_t query : queries) {
      const QueryScores& scores = matrices.scores(query);
      share += share_within(scores, sharpest_stretch(scores, q), allowance_of(matrices.of_query(query)));
    }
    if (std::ldexp(share, static_cast<int>(2 * q)) <= kMaxCandidates) break;
  }
  return q;
}

// The q-grams from which a query's threshold is within reach.
class Reachable {
 public:
  Reachable(const QueryScores& scores, Stretch stretch, std::int64_t allowance, std::uint32_t q) : q_(q) {
    for (std::uint32_t i = 0; i < q; ++i) {
      Column& column = columns_[i];
      column.place = i;
      if (i < stretch.length) column.scores = scores[stretch.lead + i];
      column.max = *std::max_element(column.scores.begin(), column.scores.end());
      max_ += column.max;
      for (const std::int32_t score : column.scores) column.loss += column.max - std::int64_t{score};
    }
    allowance_ = allowance;
    // The sooner a word has lost too much, the fewer of its ends are tried.
    std::stable_sort(columns_.begin(), columns_.begin() + q,
                     [](const Column& a, const Column& b) { return a.loss > b.loss; });
  }

  // Calls visit(q-gram, score) for each.
  template <class Visit>
  void each(const Visit& visit) const {
    step(0, 0, 0, visit);
  }

 private:
  struct Column {
    std::array<std::int32_t, 4> scores{};
    std::int32_t max = 0;
    std::int64_t loss = 0;
    std::uint32_t place = 0;  // in the q-gram
  };

  template <class Visit>
  void step(std::uint32_t column, std::uint32_t gram, std::int64_t deficit, const Visit& visit) const {
    if (column == q_) {
      visit(gram, static_cast<std::int32_t>(max_ - deficit));
      return;
    }
    const Column& own = columns_[column];
    for (std::uint32_t code = 0; code < 4; ++code) {
      const std::int64_t next = deficit + own.max - own.scores[code];
      if (next > allowance_) continue;
      step(column + 1, gram | (code & 1) << own.place | (code >> 1) << (q_ + own.place), next, visit);
    }
  }

  std::uint32_t q_;
  std::array<Column, kMaxGram> columns_{};
  std::int64_t max_ = 0;  // score of the best word
  std::int64_t allowance_ = 0;
};

}  // namespace

Index::Index(const MatrixSet& matrices, const std::vector<std::uint32_t>& queries, std::uint32_t gram)
    : q_(gram != 0 ? gram : choose_gram(matrices, queries)),
      any_(std::max<std::size_t>(1, (std::size_t{1} << (2 * q_)) / 64)),
      begins_((std::size_t{1} << (2 * q_)) + 1),
      rests_(1) {
  std::vector<Reachable> reachable;
  for (const std::uint32_t query : queries) {
    const SearchedMatrix& matrix = matrices.of_query(query);
    const QueryScores& scores = matrices.scores(query);
    const Stretch stretch = sharpest_stretch(scores, q_);
    reachable.emplace_back(scores, stretch, allowance_of(matrix), q_);
    FilterQuery own{};
    own.query = query;
    own.lead = stretch.lead;
    own.threshold = static_cast<std::int32_t>(matrix.threshold);
    own.first_more_rest = static_cast<std::uint32_t>(places_.size());
    const std::vector<RestPlace> places = add_rests(scores, stretch);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i < kPlainRests) {
        own.plain[i] = places[i];
      } else {
        places_.push_back(places[i]);
        ++own.more_rests;
      }
    }
    max_lead_ = std::max(max_lead_, stretch.lead);
    queries_.push_back(own);
  }
  // Counts first; then begins[g] is where the next candidate of g goes, and in the end where those of g + 1 begin.
  std::uint32_t* const ends = begins_.get() + 1;
  for (const Reachable& one : reachable) {
    one.each([&](std::uint32_t g, std::int32_t) { ++ends[g]; });
  }
  std::uint32_t count = 0;
  for (std::size_t g = 0; g < std::size_t{1} << (2 * q_); ++g) {
    const std::uint32_t own = ends[g];
    if (own != 0) any_[g / 64] |= 1ULL << g % 64;
    ends[g] = count;
    count += own;
  }
  candidates_ = HugeArray<Candidate>(std::size_t{count} + kCopied);
  for (std::uint32_t q = 0; q < reachable.size(); ++q) {
    reachable[q].each([&](std::uint32_t g, std::int32_t score) { candidates_.get()[ends[g]++] = {q, score}; });
  }
}

std::vector<RestPlace> Index::add_rests(const QueryScores& scores, Stretch stretch) {
  std::vector<RestPlace> places;
  const auto add = [&](std::uint32_t begin, std::uint32_t end) {
    for (; begin < end; begin += 2) {
      places.push_back({begin, static_cast<std::uint32_t>(rests_.size())});
      Rest& rest = rests_.emplace_back();
      for (unsigned code = 0; code < 16; ++code) {
        const std::int32_t second = begin + 1 < end ? scores[begin + 1][(code >> 1 & 1) | (code >> 2 & 2)] : 0;
        rest.scores[code] = scores[begin][(code & 1) | (code >> 1 & 2)] + second;
      }
    }
  };
  add(0, stretch.lead);
  add(stretch.lead + stretch.length, static_cast<std::uint32_t>(scores.size()));
  return places;
}

}  // namespace basesweep::filter
