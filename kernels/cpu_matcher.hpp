// What the CPU matchers of all rooms share: a scan into the host sink, on the caller's thread.
#pragma once

#include <string>
#include <utility>

#include "kernels/hit_sink.hpp"
#include "kernels/host_sink.hpp"
#include "lib/matcher.hpp"

namespace basesweep {

class CpuMatcher : public Matcher {
 public:
  CpuMatcher(const PatternSet& patterns, Output output, std::string description)
      : patterns_(patterns), output_(output), description_(std::move(description)) {}

  void submit(const PackedBatch& batch, Done done) final {
    MatchResult result;
    std::exception_ptr error;
    try {
      HostSink sink(batch.view(), patterns_.entries(), output_);
      scan(batch.view(), sink);
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
  const Output output_;
  const std::string description_;
};

}  // namespace basesweep
