// CPU matchers: each runs a room's scan on the caller's thread, into the host sink.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/host_sink.hpp"
#include "kernels/cpu/scan.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/occurrence_sink.hpp"
#include "kernels/room.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

class CpuMatcher : public Matcher {
 public:
  CpuMatcher(const RoomOptions& options, CpuLoop loop)
      : patterns_(options.patterns),
        lengths_(sink_lengths(options.patterns)),
        output_(options.output),
        description_(loop == CpuLoop::one ? fmt::format("{} on cpu", options.name)
                                          : fmt::format("{} on cpu ({})", options.name, to_string(options.isa))) {}

  void submit(const PackedBatch& batch, Done done) final {
    MatchResult result;
    std::exception_ptr error;
    Interval open_end;
    try {
      const PackedView text = searched_text(batch.view(), patterns_, open_end);
      HostSink sink(text, lengths_, patterns_.finds(), output_, batch.max_occurrences);
      scan(text, sink);
      result = sink.finish();
    } catch (const TooManyOccurrences&) {
      result.too_many = true;
    } catch (...) {
      error = std::current_exception();
    }
    done(std::move(result), error);
  }

  std::string describe() const final { return description_; }

 private:
  // Called from many threads at once.
  virtual void scan(const PackedView& text, OccurrenceSink& sink) const = 0;

  const PatternSet& patterns_;
  const std::vector<std::uint32_t> lengths_;  // for the sink
  const Output output_;
  const std::string description_;
};

// For rooms with CpuLoop::per_isa (kernels/cpu/scan.hpp). index.view() is what the scan and scratch_words() take.
template <class Index>
class ScanMatcher final : public CpuMatcher {
 public:
  using Scan = ScanFunction<decltype(std::declval<const Index&>().view())>;

  ScanMatcher(const RoomOptions& options, Index index, Scan* scan)
      : CpuMatcher(options, CpuLoop::per_isa), index_(std::move(index)), scan_(scan) {}

 private:
  void scan(const PackedView& text, OccurrenceSink& sink) const override {
    const auto view = index_.view();
    scan_(view, text, thread_scratch(scratch_words(view)), sink);
  }

  const Index index_;
  Scan* const scan_;
};

// For rooms with CpuLoop::one. Runs scan(index.view(), text, sink).
template <class Index, class Scan>
class LoopMatcher final : public CpuMatcher {
 public:
  LoopMatcher(const RoomOptions& options, Index index, Scan scan)
      : CpuMatcher(options, CpuLoop::one), index_(std::move(index)), scan_(scan) {}

 private:
  void scan(const PackedView& text, OccurrenceSink& sink) const override { scan_(index_.view(), text, sink); }

  const Index index_;
  const Scan scan_;
};

template <class Index, class Scan>
std::unique_ptr<Matcher> make_loop_matcher(const RoomOptions& options, Index index, Scan scan) {
  return std::make_unique<LoopMatcher<Index, Scan>>(options, std::move(index), scan);
}

}  // namespace basesweep
