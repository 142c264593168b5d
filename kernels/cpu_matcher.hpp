// What the CPU matchers of all rooms share: a scan into the host sink, on the caller's thread.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/hit_sink.hpp"
#include "kernels/host_sink.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"
#include "lib/matcher.hpp"

namespace basesweep {

class CpuMatcher : public Matcher {
 public:
  CpuMatcher(const PatternSet& patterns, Output output, std::string description)
      : patterns_(patterns), lengths_(sink_lengths(patterns)), output_(output), description_(std::move(description)) {}

  void submit(const PackedBatch& batch, Done done) final {
    MatchResult result;
    std::exception_ptr error;
    Interval open_end;
    try {
      const PackedView text = searched_text(batch.view(), patterns_, open_end);
      HostSink sink(text, lengths_, patterns_.approximate(), output_);
      scan(text, sink);
      result = sink.finish();
    } catch (...) {
      error = std::current_exception();
    }
    done(std::move(result), error);
  }

  std::string describe() const final { return description_; }

 private:
  // Called from many threads at once.
  virtual void scan(const PackedView& text, HitSink& sink) const = 0;

  const PatternSet& patterns_;
  const std::vector<std::uint32_t> lengths_;  // of entries, for the sink
  const Output output_;
  const std::string description_;
};

// For rooms whose scan is compiled once for each instruction set (kernels/scan.hpp): index.view() is the IndexView that
// the scan and scratch_words() take.
template <class Index>
class ScanMatcher final : public CpuMatcher {
 public:
  using Scan = void (*)(const decltype(std::declval<const Index&>().view())& index, const PackedView& text,
                        std::uint64_t* scratch, HitSink& sink);

  ScanMatcher(const RoomOptions& options, const char* algorithm, Index index, Scan scan)
      : CpuMatcher(options.patterns, options.output, fmt::format("{} on cpu ({})", algorithm, to_string(options.isa))),
        index_(std::move(index)),
        scan_(scan) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const auto view = index_.view();
    scan_(view, text, thread_scratch(scratch_words(view)), sink);
  }

  const Index index_;
  const Scan scan_;
};

// For rooms whose one loop serves all instruction sets: scan(index.view(), text, sink).
template <class Index, class Scan>
class LoopMatcher final : public CpuMatcher {
 public:
  LoopMatcher(const RoomOptions& options, const char* algorithm, Index index, Scan scan)
      : CpuMatcher(options.patterns, options.output, fmt::format("{} on cpu", algorithm)),
        index_(std::move(index)),
        scan_(scan) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override { scan_(index_.view(), text, sink); }

  const Index index_;
  const Scan scan_;
};

template <class Index, class Scan>
std::unique_ptr<Matcher> make_loop_matcher(const RoomOptions& options, const char* algorithm, Index index, Scan scan) {
  return std::make_unique<LoopMatcher<Index, Scan>>(options, algorithm, std::move(index), scan);
}

}  // namespace basesweep
