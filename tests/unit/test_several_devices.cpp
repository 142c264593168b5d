// Batches that several devices share: order, failures, and who does what. GPUs are played by threads.
#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <random>
#include <thread>

#include "kernels/registry/many_gpus.hpp"
#include "kernels/registry/shared_matcher.hpp"
#include "lib/base/error.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_several_devices {

namespace {

using std::chrono::milliseconds;

const PatternSet& patterns() {
  static const PatternSet all({{"one", "ACG"}, {"two", "TTNA"}}, StrandChoice::both, PalindromeChoice::once);
  return all;
}

std::unique_ptr<Matcher> real_matcher() {
  MatcherOptions options;
  options.device = Device::cpu;
  return make_matcher(patterns(), options);
}

// How a player behaves from its batch number `sound_batches` on.
enum class Behaviour { sound, fails, throws_in_submit, lacks_memory };

struct Play {
  milliseconds delay{0};  // of each batch
  Behaviour behaviour = Behaviour::sound;
  int sound_batches = 0;
};

// A GPU: works on threads of its own.
class PlayedGpu final : public Matcher {
 public:
  explicit PlayedGpu(Play play) : play_(play) {}
  ~PlayedGpu() override {
    for (std::thread& thread : threads_) thread.join();
  }

  void submit(const PackedBatch& batch, Done done) override {
    const bool sound = play_.behaviour == Behaviour::sound || batches_++ < play_.sound_batches;
    if (!sound && play_.behaviour == Behaviour::throws_in_submit) throw DeviceError("lost in submit");
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, &batch, sound, done = std::move(done)] {
      std::this_thread::sleep_for(play_.delay);
      if (sound) return real_->submit(batch, done);
      done({}, play_.behaviour == Behaviour::fails ? std::make_exception_ptr(DeviceError("lost"))
                                                   : std::make_exception_ptr(std::bad_alloc()));
    });
  }
  std::string describe() const override { return "played on gpu 0"; }
  std::uint32_t batch_positions() const override { return 4000; }
  int slots() const override { return 2; }

 private:
  const Play play_;
  std::atomic<int> batches_ = 0;
  const std::unique_ptr<Matcher> real_ = real_matcher();
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

// A CPU that takes its time.
class SlowCpu final : public Matcher {
 public:
  explicit SlowCpu(milliseconds delay) : delay_(delay) {}
  void submit(const PackedBatch& batch, Done done) override {
    std::this_thread::sleep_for(delay_);
    real_->submit(batch, done);
  }
  std::string describe() const override { return "slow on cpu"; }

 private:
  const milliseconds delay_;
  const std::unique_ptr<Matcher> real_ = real_matcher();
};

class Text final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

class Input {
 public:
  Input() {
    std::mt19937 random(7);
    std::string text;
    for (int record = 0; record < 5; ++record) {
      text += fmt::format(">r{}\n", record);
      for (int i = 0; i < 20'000; ++i) text += "ACGT"[random() % 4];
      text += '\n';
    }
    support::write_file(path_, text);
  }

  std::string hits(Matcher& matcher, int threads, std::uint32_t batch_positions = 700) const {
    ReaderOptions reading;
    reading.paths = {path_};
    reading.block_bytes = 1000;
    Reader reader(reading);
    PipelineOptions options;
    options.threads = threads;
    options.batch_positions = batch_positions;
    const std::unique_ptr<Formatter> formatter = make_hit_formatter(patterns(), OutputFormat::bed);
    Text text;
    run_pipeline(options, reader, patterns(), matcher, {formatter.get(), &text, {}, "/tmp"});
    return text.text;
  }

 private:
  const support::ScratchFolder folder_;
  const std::string path_ = folder_.path("text.fa");
};

// A log that several threads write.
class Log {
 public:
  std::function<void(const std::string&)> taker() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      text_ += line + "\n";
    };
  }
  bool has(const std::string& part) const { return text_.find(part) != std::string::npos; }
  std::string text() const { return text_; }

 private:
  std::mutex mutex_;
  std::string text_;
};

// A job that the CPU is expected to take long for, with a GPU that starts at once.
SharedMatcherOptions long_job(Log& log, Play gpu) {
  SharedMatcherOptions options;
  options.make_cpu = [] { return std::make_unique<SlowCpu>(milliseconds(1)); };
  options.start_gpu = [] { return std::nullopt; };
  options.make_gpu = [gpu]() -> GpuMatcher { return {std::make_unique<PlayedGpu>(gpu), 1e-9}; };
  options.gpu_slots = 2;
  options.gpu_start_seconds = 0.001;
  options.cpu_seconds_per_position = 1e-3;
  options.expected_positions = 100'000;
  options.threads = 3;
  options.log = log.taker();
  return options;
}

std::uint64_t sum(const std::vector<DeviceBatches>& batches) {
  std::uint64_t all = 0;
  for (const DeviceBatches& one : batches) all += one.batches;
  return all;
}

}  // namespace

TEST_CASE("CPU and GPU share the batches, and output is as of the CPU alone", "[devices]") {
  const Input input;
  const std::string expected = input.hits(*real_matcher(), 1);
  for (const int threads : {1, 4}) {
    for (const milliseconds gpu_delay : {milliseconds(0), milliseconds(3)}) {
      for (const std::uint32_t batch_positions : {0U, 300U}) {
        Log log;
        SharedMatcher matcher(long_job(log, {gpu_delay}));
        CHECK(input.hits(matcher, threads, batch_positions) == expected);
        const std::vector<DeviceBatches> batches = matcher.batches();
        REQUIRE(batches.size() == 2);
        CHECK(batches[0].device == "cpu");
        CHECK(batches[1].device == "gpu 0");
        CHECK(sum(batches) > 0);
        if (batch_positions != 0) CHECK(batches[1].batches > 0);
      }
    }
  }
}

TEST_CASE("a slow GPU gets few of the batches that a CPU would finish first", "[devices]") {
  const Input input;
  Log log;
  SharedMatcherOptions options = long_job(log, {milliseconds(30)});
  options.cpu_seconds_per_position = 3e-6;
  options.make_gpu = []() -> GpuMatcher { return {std::make_unique<PlayedGpu>(Play{milliseconds(30)}), 1e-4}; };
  options.min_cpu_seconds = 0;
  SharedMatcher matcher(std::move(options));
  input.hits(matcher, 2);
  const std::vector<DeviceBatches> batches = matcher.batches();
  CHECK(batches[0].batches > batches[1].batches);
}

TEST_CASE("a GPU that cannot start leaves the work to the CPU", "[devices]") {
  const Input input;
  const std::string expected = input.hits(*real_matcher(), 1);
  for (const bool late : {false, true}) {
    for (const int way : {0, 1, 2}) {
      Log log;
      SharedMatcherOptions options = long_job(log, {});
      options.cpu_late = late;
      options.gpu_start_seconds = 0.05;
      options.start_gpu = [way]() -> std::optional<std::string> {
        std::this_thread::sleep_for(milliseconds(20));
        if (way == 0) return "it is broken";
        if (way == 1) throw DeviceError("it is broken");
        return std::nullopt;
      };
      if (way == 2) options.make_gpu = []() -> GpuMatcher { throw DeviceError("it is broken"); };
      SharedMatcher matcher(std::move(options));
      CHECK(input.hits(matcher, 3) == expected);
      CHECK(matcher.batches()[1].batches == 0);
      CHECK(log.has("GPU 0 is not used: it is broken"));
    }
  }
}

TEST_CASE("a GPU that fails hands its batches to the CPU", "[devices]") {
  const Input input;
  const std::string expected = input.hits(*real_matcher(), 1);
  for (const Behaviour behaviour : {Behaviour::fails, Behaviour::throws_in_submit, Behaviour::lacks_memory}) {
    for (const int sound_batches : {0, 3}) {
      for (const bool late : {false, true}) {
        Log log;
        SharedMatcherOptions options = long_job(log, {milliseconds(1), behaviour, sound_batches});
        options.cpu_late = late;
        SharedMatcher matcher(std::move(options));
        CHECK(input.hits(matcher, 3) == expected);
        CHECK(log.has("GPU 0 is not used any more: "));
        CHECK(log.text().find("any more") == log.text().rfind("any more"));  // once
        CHECK(matcher.batches()[1].batches <= static_cast<std::uint64_t>(sound_batches));
      }
    }
  }
}

TEST_CASE("an error of the CPU ends the run, also while a GPU starts", "[devices]") {
  class FailingCpu final : public Matcher {
   public:
    explicit FailingCpu(std::shared_ptr<std::atomic<bool>> failed) : failed_(std::move(failed)) {}
    void submit(const PackedBatch&, Done done) override {
      *failed_ = true;
      done({}, std::make_exception_ptr(Error(1, "no")));
    }
    std::string describe() const override { return "failing"; }

   private:
    std::shared_ptr<std::atomic<bool>> failed_;
  };
  const Input input;
  Log log;
  const auto failed = std::make_shared<std::atomic<bool>>(false);  // the thread that starts the GPU may live longer
  SharedMatcherOptions options = long_job(log, {});
  options.gpu_start_seconds = 100;
  options.start_gpu = [failed]() -> std::optional<std::string> {
    while (!*failed) std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(100));
    return std::nullopt;
  };
  options.make_cpu = [failed] { return std::make_unique<FailingCpu>(failed); };
  SharedMatcher matcher(std::move(options));
  CHECK_THROWS_AS(input.hits(matcher, 2), Error);
}

TEST_CASE("nobody waits for a GPU that is still starting when the work is done", "[devices]") {
  const Input input;
  std::promise<void> started;
  const std::shared_future<void> when = started.get_future().share();
  {
    Log log;
    SharedMatcherOptions options = long_job(log, {});
    options.gpu_start_seconds = 100;
    options.start_gpu = [when]() -> std::optional<std::string> {
      when.wait();
      return std::nullopt;
    };
    options.make_gpu = []() -> GpuMatcher { throw Error(1, "made for nobody"); };
    SharedMatcher matcher(std::move(options));
    CHECK(input.hits(matcher, 2) == input.hits(*real_matcher(), 1));
    CHECK(matcher.batches()[1].batches == 0);
  }
  CHECK(gpu_start_unfinished());
  started.set_value();
  for (int i = 0; i < 1000 && gpu_start_unfinished(); ++i) std::this_thread::sleep_for(milliseconds(5));
  CHECK_FALSE(gpu_start_unfinished());
}

TEST_CASE("a GPU is started where the CPU has much left to do", "[devices]") {
  const Input input;
  Log log;
  std::atomic<int> starts = 0;
  const auto run = [&](milliseconds cpu_delay, std::optional<std::int64_t> expected, double expected_rate) {
    SharedMatcherOptions options = long_job(log, {});
    options.make_cpu = [cpu_delay] { return std::make_unique<SlowCpu>(cpu_delay); };
    options.start_gpu = [&starts]() -> std::optional<std::string> {
      ++starts;
      return std::nullopt;
    };
    options.expected_positions = expected;
    options.cpu_seconds_per_position = expected_rate;
    options.min_cpu_seconds = 0.05;
    options.threads = 2;
    starts = 0;
    SharedMatcher matcher(std::move(options));
    input.hits(matcher, 2);
    return std::pair(starts.load(), matcher.batches().empty());
  };
  CHECK(run(milliseconds(0), 100'000, 1e-9) == std::pair(0, true));   // quick, as expected
  CHECK(run(milliseconds(4), 100'000, 1e-9) == std::pair(1, false));  // measured: 0.3 s
  CHECK(run(milliseconds(4), std::nullopt, 0) == std::pair(1, false));
  CHECK(run(milliseconds(0), 100'000, 1e-4) == std::pair(1, false));  // expected: 5 s
}

TEST_CASE("several GPUs share the batches, and output is as of one", "[devices]") {
  const Input input;
  const std::string expected = input.hits(*real_matcher(), 1);
  std::vector<OnGpu<Matcher>> gpus;
  gpus.push_back({0, std::make_unique<PlayedGpu>(Play{milliseconds(2)})});
  gpus.push_back({3, std::make_unique<PlayedGpu>(Play{milliseconds(2)})});
  gpus.push_back({1, std::make_unique<PlayedGpu>(Play{milliseconds(0)})});
  const std::unique_ptr<Matcher> matcher = join_gpus(std::move(gpus));
  CHECK(matcher->describe() == "played on gpu 0, 3, 1");
  CHECK(matcher->slots() == 6);
  CHECK(input.hits(*matcher, 2) == expected);
  const std::vector<DeviceBatches> batches = matcher->batches();
  REQUIRE(batches.size() == 3);
  CHECK(batches[1].device == "gpu 3");
  for (const DeviceBatches& one : batches) CHECK(one.batches > 0);
}

TEST_CASE("the error of one of several GPUs names it", "[devices]") {
  using Catch::Matchers::Equals;
  const Input input;
  const auto run = [&](Behaviour behaviour) {
    std::vector<OnGpu<Matcher>> gpus;
    gpus.push_back({0, std::make_unique<PlayedGpu>(Play{milliseconds(1)})});
    gpus.push_back({2, std::make_unique<PlayedGpu>(Play{milliseconds(0), behaviour, 2})});
    input.hits(*join_gpus(std::move(gpus)), 2);
  };
  CHECK_THROWS_WITH(run(Behaviour::fails), Equals("GPU 2: lost"));
  CHECK_THROWS_AS(run(Behaviour::fails), DeviceError);
  CHECK_THROWS_AS(run(Behaviour::lacks_memory), std::bad_alloc);
}

TEST_CASE("devices are named", "[devices]") {
  using Catch::Matchers::Equals;
  const auto named = [](const char* text) {
    const DeviceChoice chosen = parse_device(text, "-d");
    return fmt::format("{} {}", to_string(chosen.device), fmt::join(chosen.gpus, " "));
  };
  CHECK(named("auto") == "auto 0");
  CHECK(named("cpu") == "cpu 0");
  CHECK(named("gpu") == "gpu 0");
  CHECK(named("gpu:7") == "gpu 7");
  CHECK(named("gpu:2,0,9999") == "gpu 2 0 9999");
  CHECK(named("gpu:all") == "gpu ");
  for (const char* wrong : {"", "gpus", "GPU", "cpu:1", "auto:0"}) {
    CHECK_THROWS_WITH(named(wrong), Equals("-d: expected auto, cpu, gpu, gpu:N, gpu:N,N or gpu:all"));
  }
  CHECK_THROWS_WITH(named("gpu:x"), Equals("-d: 'x' is not the number of a GPU"));
  CHECK_THROWS_WITH(named("gpu:"), Equals("-d: '' is not the number of a GPU"));
  CHECK_THROWS_WITH(named("gpu:0,"), Equals("-d: '' is not the number of a GPU"));
  CHECK_THROWS_WITH(named("gpu:-1"), Equals("-d: '-1' is not the number of a GPU"));
  CHECK_THROWS_WITH(named("gpu:10000"), Equals("-d: '10000' is not the number of a GPU"));
  CHECK_THROWS_WITH(named("gpu:0,1,0"), Equals("-d: GPU 0 is named twice"));
}

}  // namespace basesweep::test_several_devices
