#include "kernels/registry/composite_matcher.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

class CompositeMatcher final : public Matcher {
 public:
  CompositeMatcher(std::unique_ptr<Matcher> first, std::unique_ptr<Matcher> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void submit(const PackedBatch& batch, Done done) override {
    first_->submit(batch, [this, &batch, done](MatchResult&& first, std::exception_ptr error) {
      if (error || first.too_many) return done(std::move(first), error);
      try {
        second_->submit(batch, [done, kept = std::move(first)](MatchResult&& second, std::exception_ptr second_error) {
          MatchResult both;
          if (second.too_many) {
            both.too_many = true;
          } else if (!second_error) {
            try {
              both = merge(kept, second);
            } catch (...) {
              second_error = std::current_exception();
            }
          }
          done(std::move(both), second_error);
        });
      } catch (...) {
        done({}, std::current_exception());
      }
    });
  }

  std::string describe() const override { return first_->describe() + " + " + second_->describe(); }
  std::pmr::memory_resource* memory() override { return first_->memory(); }
  std::uint32_t batch_positions() const override { return first_->batch_positions(); }
  int slots() const override { return first_->slots(); }

 private:
  static MatchResult merge(const MatchResult& a, const MatchResult& b) {
    MatchResult both;
    both.occurrences.reserve(a.occurrences.size() + b.occurrences.size());
    std::merge(a.occurrences.begin(), a.occurrences.end(), b.occurrences.begin(), b.occurrences.end(),
               std::back_inserter(both.occurrences));
    both.counts = a.counts;
    for (std::size_t i = 0; i < b.counts.size(); ++i) both.counts[i] += b.counts[i];
    return both;
  }

  std::unique_ptr<Matcher> first_;
  std::unique_ptr<Matcher> second_;
};

}  // namespace

std::unique_ptr<Matcher> compose(std::unique_ptr<Matcher> first, std::unique_ptr<Matcher> second) {
  return std::make_unique<CompositeMatcher>(std::move(first), std::move(second));
}

}  // namespace basesweep
