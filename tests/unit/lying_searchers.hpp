// Searchers that give what honest ones give, with one fault. The self-test of `doctor` must find it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/search/barcode_scorer.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep::test_doctor {

using Lie = std::function<void(MatchResult& result)>;

// Does the same as another matcher, with one fault.
class LyingMatcher final : public Matcher {
 public:
  LyingMatcher(std::unique_ptr<Matcher> honest, Lie lie) : honest_(std::move(honest)), lie_(std::move(lie)) {}

  void submit(const PackedBatch& batch, Done done) override {
    honest_->submit(batch, [this, done](MatchResult&& result, std::exception_ptr error) {
      try {
        lie_(result);
      } catch (...) {
        error = std::current_exception();
      }
      done(std::move(result), error);
    });
  }
  std::string describe() const override { return honest_->describe(); }

 private:
  std::unique_ptr<Matcher> honest_;
  Lie lie_;
};

class LyingFinder final : public Finder {
 public:
  LyingFinder(std::unique_ptr<Finder> honest, std::function<void(std::vector<ReadEnd>&)> lie)
      : honest_(std::move(honest)), lie_(std::move(lie)) {}

  void submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) override {
    honest_->submit(reads, first_read,
                    [this, done](std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error) {
                      lie_(ends);
                      done(std::move(ends), end_read, error);
                    });
  }
  std::string describe() const override { return honest_->describe(); }

 private:
  std::unique_ptr<Finder> honest_;
  std::function<void(std::vector<ReadEnd>&)> lie_;
};

// Leaves out the first place of each guide.
class LyingGuideFinder final : public GuideFinder {
 public:
  explicit LyingGuideFinder(std::unique_ptr<GuideFinder> honest) : honest_(std::move(honest)) {}

  std::string describe() const override { return honest_->describe(); }
  std::uint32_t batch_positions() const override { return honest_->batch_positions(); }
  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    honest_->find(batch, loop, [&use](std::span<const GuidePlace> places) { use(places.subspan(1)); });
  }

 private:
  std::unique_ptr<GuideFinder> honest_;
};

// Costs of barcodes that are one too low.
class LyingScorer final : public BarcodeScorer {
 public:
  explicit LyingScorer(std::unique_ptr<BarcodeScorer> honest) : honest_(std::move(honest)) {}

  void score(std::span<const std::string_view> texts, std::uint8_t* costs) const override {
    honest_->score(texts, costs);
    std::uint8_t& last = costs[texts.size() * count() - 1];
    if (last != 0) --last;
  }
  std::size_t count() const override { return honest_->count(); }
  std::string describe() const override { return honest_->describe(); }

 private:
  std::unique_ptr<BarcodeScorer> honest_;
};

}  // namespace basesweep::test_doctor
