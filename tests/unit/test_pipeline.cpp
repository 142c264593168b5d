// When a stage of the pipeline fails, the pipeline ends with its error.
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"

#include <atomic>
#include <fstream>

#include "lib/base/error.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_pipeline {

namespace {

enum class Failure { in_submit, in_done, out_of_memory };

class FailingMatcher final : public Matcher {
 public:
  FailingMatcher(Failure failure, int after) : failure_(failure), left_(after) {}

  void submit(const PackedBatch&, Done done) override {
    if (left_-- > 0) return done({}, nullptr);
    if (failure_ == Failure::in_submit) throw DeviceError("from submit");
    if (failure_ == Failure::out_of_memory) throw std::bad_alloc();
    done({}, std::make_exception_ptr(DeviceError("from done")));
  }
  std::string describe() const override { return "failing"; }

 private:
  const Failure failure_;
  std::atomic<int> left_;
};

}  // namespace

TEST_CASE("a matcher that fails ends the run with its error", "[pipeline]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("text.fa");
  std::ofstream(path) << ">a\n" << std::string(200'000, 'A') << "\n";
  const PatternSet patterns({{"A", "A"}}, StrandChoice::both, PalindromeChoice::once);
  for (const int after : {0, 5}) {
    for (const int threads : {1, 3}) {
      PipelineOptions options;
      options.batch_positions = 500;
      options.threads = threads;
      const auto run = [&](Failure failure) {
        ReaderOptions reading;
        reading.paths = {path};
        reading.block_bytes = 1000;
        Reader reader(reading);
        FailingMatcher matcher(failure, after);
        run_pipeline(options, reader, patterns, matcher, {});
      };
      CHECK_THROWS_AS(run(Failure::in_submit), DeviceError);
      CHECK_THROWS_AS(run(Failure::in_done), DeviceError);
      CHECK_THROWS_AS(run(Failure::out_of_memory), std::bad_alloc);
    }
  }
}

}  // namespace basesweep::test_pipeline
