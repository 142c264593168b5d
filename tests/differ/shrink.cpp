#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "tests/differ/check.hpp"

namespace differ {
namespace {

using Fails = std::function<bool(const Trial&)>;

// Drops regions and parts of regions that lie outside of their records.
void fit_regions(Job& job) {
  std::erase_if(job.regions, [&](support::RegionOfRecord& r) {
    const auto length = static_cast<std::int64_t>(job.question.exact.records[r.record].size());
    r.region.end = std::min(r.region.end, length);
    return r.region.begin >= r.region.end;
  });
}

class Shrinker {
 public:
  Shrinker(Trial trial, const Fails& fails, double seconds)
      : trial_(std::move(trial)),
        fails_(fails),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

  Trial run() {
    do {
      changed_ = false;
      drop_records();
      drop_patterns();
      drop_options();
      drop_letters();
    } while (changed_ && !late());
    return trial_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool late() const { return Clock::now() > deadline_; }

  // Keeps the smaller trial if it fails too.
  bool keep(Trial&& smaller) {
    if (late() || smaller.job.patterns.empty() || smaller.job.question.exact.records.empty()) return false;
    if (!fails_(smaller)) return false;
    trial_ = std::move(smaller);
    return changed_ = true;
  }

  // Tries to leave out stretches of `count` elements, long ones first. without(begin, end) makes the smaller trial.
  template <class Without>
  void drop_stretches(std::size_t count, Without without) {
    for (std::size_t stretch = count; stretch != 0; stretch /= 2) {
      for (std::size_t at = 0; at < count && !late();) {
        const std::size_t end = std::min(count, at + stretch);
        if (keep(without(at, end))) {
          count -= end - at;
        } else {
          at = end;
        }
      }
    }
  }

  void drop_records() {
    drop_stretches(trial_.job.question.exact.records.size(), [&](std::size_t begin, std::size_t end) {
      std::vector<bool> kept(trial_.job.question.exact.records.size(), true);
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(begin), kept.begin() + static_cast<std::ptrdiff_t>(end),
                false);
      return Trial{with_records(trial_.job, kept), trial_.way};
    });
  }

  void drop_patterns() {
    drop_stretches(trial_.job.patterns.size(), [&](std::size_t begin, std::size_t end) {
      std::vector<bool> kept(trial_.job.patterns.size(), true);
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(begin), kept.begin() + static_cast<std::ptrdiff_t>(end),
                false);
      return Trial{with_patterns(trial_.job, kept), trial_.way};
    });
  }

  // Sets a member to its value in a fresh object.
  template <class Object, class Value>
  void reset(Object Trial::*object, Value Object::*member, const Object& fresh) {
    if (trial_.*object.*member == fresh.*member) return;
    Trial simpler = trial_;
    simpler.*object.*member = fresh.*member;
    keep(std::move(simpler));
  }

  template <class Change>
  void change(Change apply) {
    Trial simpler = trial_;
    if (apply(simpler.job)) keep(std::move(simpler));
  }

  void drop_options() {
    Way plain;
    plain.block_bytes = 1U << 20;
    reset(&Trial::way, &Way::threads, plain);
    reset(&Trial::way, &Way::chunks, plain);
    reset(&Trial::way, &Way::counts, plain);
    reset(&Trial::way, &Way::file, plain);
    reset(&Trial::way, &Way::waiting_bytes, plain);
    reset(&Trial::way, &Way::block_bytes, plain);
    reset(&Trial::way, &Way::batch_positions, plain);
    reset(&Trial::job, &Job::max_hits, Job{});
    reset(&Trial::job, &Job::non_overlapping, Job{});
    drop_stretches(trial_.job.regions.size(), [&](std::size_t begin, std::size_t end) {
      Trial smaller = trial_;
      auto& regions = smaller.job.regions;
      regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(begin),
                    regions.begin() + static_cast<std::ptrdiff_t>(end));
      return smaller;
    });
    const auto clear = [&](auto& value) {
      const bool set = value != std::decay_t<decltype(value)>{};
      value = {};
      return set;
    };
    change([&](Job& job) { return clear(job.question.exact.circular); });
    change([&](Job& job) { return clear(job.question.exact.skip_soft_masked); });
    change([&](Job& job) { return clear(job.question.exact.palindromes_twice); });
    change([&](Job& job) {
      const bool both = job.question.exact.strands == oracle::Strands::both;
      if (both) job.question.exact.strands = oracle::Strands::plus;
      return both;
    });
    if (trial_.job.approximate) drop_limits(clear);
  }

  template <class Clear>
  void drop_limits(Clear clear) {
    const auto unlimited = [](std::size_t& limit, auto& option) {
      limit = oracle::ApproximateQuestion{}.max_indels;
      const bool set = option.has_value();
      option.reset();
      return set;
    };
    change([&](Job& job) { return unlimited(job.question.max_mismatches, job.edits.max_mismatches); });
    change([&](Job& job) { return unlimited(job.question.max_indels, job.edits.max_indels); });
    change([&](Job& job) { return unlimited(job.question.max_dna_bulges, job.edits.max_dna_bulges); });
    change([&](Job& job) { return unlimited(job.question.max_rna_bulges, job.edits.max_rna_bulges); });
    change([&](Job& job) { return clear(job.question.overhang_5prime) | clear(job.edits.overhang_5prime); });
    change([&](Job& job) { return clear(job.question.overhang_3prime) | clear(job.edits.overhang_3prime); });
    change([&](Job& job) {
      bool set = clear(job.question.clamp_5prime) | clear(job.edits.clamp_5prime);
      set |= clear(job.question.clamp_3prime) | clear(job.edits.clamp_3prime);
      for (std::size_t p = 0; p < job.patterns.size(); ++p) {
        set |= clear(job.patterns[p].clamp_5prime) | clear(job.patterns[p].clamp_3prime);
      }
      job.question.own_clamps_5prime.clear();
      job.question.own_clamps_3prime.clear();
      return set;
    });
    change([&](Job& job) {
      const bool set = job.question.report != oracle::Report::sites;
      job.question.report = oracle::Report::sites;
      job.question.patterns_compete = false;
      return set;
    });
  }

  void drop_letters() {
    for (std::size_t r = 0; r < trial_.job.question.exact.records.size() && !late(); ++r) {
      drop_stretches(trial_.job.question.exact.records[r].size(), [&](std::size_t begin, std::size_t end) {
        Trial smaller = trial_;
        smaller.job.question.exact.records[r].erase(begin, end - begin);
        fit_regions(smaller.job);
        return smaller;
      });
    }
    for (std::size_t p = 0; p < trial_.job.patterns.size() && !late(); ++p) {
      drop_stretches(trial_.job.patterns[p].sequence.size(), [&](std::size_t begin, std::size_t end) {
        Trial smaller = trial_;
        std::string& letters = smaller.job.patterns[p].sequence;
        letters.erase(begin, end - begin);
        smaller.job.question.exact.patterns[p] = letters;
        return smaller;
      });
    }
  }

  Trial trial_;
  const Fails& fails_;
  const Clock::time_point deadline_;
  bool changed_ = false;
};

}  // namespace

Trial shrunk(Trial trial, const Fails& fails, double seconds) {
  return Shrinker(std::move(trial), fails, seconds).run();
}

}  // namespace differ
