// BgzfWriter and CompressionPool: the bytes of HTSlib, for any number of helpers and files.
#include "lib/writer/bgzf_writer.hpp"

#include <htslib/bgzf.h>

#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/bgzf_block.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_bgzf_writer {

namespace {

constexpr std::size_t kBlock = CompressionPool::kTextBytes;

std::string some_text(std::size_t size) {
  trial::Random random(size);
  return trial::random_letters(random, size, "ACGT\t\n0123");
}

std::string as_htslib_writes(const std::string& text, const std::string& mode = "w") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("text.gz");
  BGZF* const file = bgzf_open(path.c_str(), mode.c_str());
  REQUIRE(file != nullptr);
  REQUIRE(bgzf_write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  REQUIRE(bgzf_close(file) == 0);
  return support::read_file(path);
}

// A file of many that one pool compresses.
struct File {
  File(const std::shared_ptr<CompressionPool>& pool, std::size_t size)
      : text(some_text(size)), writer(pool, [this](std::string_view block) { written += block; }) {}

  // Writes the next bytes; false at the end.
  bool write(std::size_t size) {
    writer.write(std::string_view(text).substr(at, size));
    at = std::min(text.size(), at + size);
    return at != text.size();
  }

  std::string text;
  std::size_t at = 0;
  std::string written;
  BgzfWriter writer;
};

}  // namespace

TEST_CASE("BGZF is what HTSlib writes, for any number of helpers", "[output]") {
  for (const std::size_t size : {0, 1, 0xfeff, 0xff00, 0xff01, 3 * 0xff00, 2'000'003}) {
    const std::string text = some_text(size);
    const std::string expected = as_htslib_writes(text);
    for (const int threads : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{1000}, std::size_t{0xff00}, std::size_t{500'000}}) {
        CAPTURE(size, threads, step);
        std::string written;
        BgzfWriter writer(std::make_shared<CompressionPool>(threads),
                          [&written](std::string_view block) { written += block; });
        for (std::size_t at = 0; at < size; at += step) writer.write(std::string_view(text).substr(at, step));
        writer.finish();
        const bool same = written == expected;
        CHECK(same);
      }
    }
  }
}

TEST_CASE("BGZF of any level but 1 is what HTSlib writes", "[output]") {
  const std::string text = some_text(300'001);
  const auto pool = std::make_shared<CompressionPool>(2);
  for (int level = 0; level <= 9; ++level) {
    if (level == 1) continue;
    CAPTURE(level);
    std::string written;
    BgzfWriter writer(
        pool, [&written](std::string_view block) { written += block; }, level);
    writer.write(text);
    writer.finish();
    const bool same = written == as_htslib_writes(text, "w" + std::to_string(level));
    CHECK(same);
  }
}

TEST_CASE("BGZF of level 1 is read by HTSlib, and is little larger than what it writes", "[output]") {
  trial::Random random(7);
  std::string noise(200'000, ' ');
  for (char& byte : noise) byte = static_cast<char>(random.bits() & 0xff);
  const auto pool = std::make_shared<CompressionPool>(2);
#ifdef __aarch64__
  constexpr double kLongRuns = 1. / 256;  // ISA-L matches less of them at once than on x86-64
#else
  constexpr double kLongRuns = 0;
#endif
  for (const std::string& text :
       {std::string(), std::string("A"), some_text(kBlock), some_text(300'001), noise, std::string(500'000, 'N')}) {
    CAPTURE(text.size());
    std::string written;
    BgzfWriter writer(
        pool, [&written](std::string_view block) { written += block; }, 1);
    writer.write(text);
    writer.finish();
    CHECK(written.size() <= as_htslib_writes(text, "w1").size() * 1.1 + text.size() * kLongRuns + 30);
    const support::ScratchFolder folder;
    const std::string path = folder.path("text.gz");
    support::write_file(path, written);
    BGZF* const file = bgzf_open(path.c_str(), "r");
    REQUIRE(file != nullptr);
    CHECK(bgzf_check_EOF(file) == 1);
    std::string read(text.size() + 1, ' ');
    read.resize(static_cast<std::size_t>(bgzf_read(file, read.data(), read.size())));
    const bool same = read == text;
    CHECK(same);
    CHECK(bgzf_close(file) == 0);
  }
}

// ISA-L alone does not see to it: about a quarter of these texts would make two blocks.
TEST_CASE("a text makes the same block of level 1 wherever the memory of a thread lies", "[output]") {
  std::vector<std::string> texts;
  for (std::size_t size = 60; size < 460; ++size) {
    texts.push_back(some_text(size));
    texts.back() += texts.back().substr(0, 12);  // what begins a text is found again
  }
  constexpr int kThreads = 60;
  trial::Random random(3);
  std::latch all_done(kThreads);  // a thread that ends would leave its memory to the next
  std::vector<std::vector<std::string>> blocks(kThreads);
  std::vector<std::jthread> threads;
  for (auto& own : blocks) {
    threads.emplace_back([&texts, &own, &all_done, moved = 0x10000 * random.below(64)] {
      const auto before = std::make_unique_for_overwrite<char[]>(moved);
      std::string block(CompressionPool::kPackedBytes, ' ');
      for (const std::string& text : texts) {
        own.emplace_back(block.data(), compress_bgzf_block(text, 1, block.data(), block.size()));
      }
      all_done.arrive_and_wait();
    });
  }
  threads.clear();
  for (const auto& own : blocks) {
    const bool same = own == blocks.front();
    CHECK(same);
  }
}

TEST_CASE("one pool compresses many files, and the blocks of each stay in order", "[output]") {
  const int threads = GENERATE(1, 2, 5);
  const auto pool = std::make_shared<CompressionPool>(threads);
  std::vector<std::unique_ptr<File>> files;
  for (std::size_t i = 0; i < 60; ++i) files.push_back(std::make_unique<File>(pool, i * 7919));
  for (bool more = true; more;) {
    more = false;
    for (auto& file : files) more = file->write(20'011) || more;
  }
  for (auto& file : files) file->writer.finish();
  for (auto& file : files) {
    const bool same = file->written == as_htslib_writes(file->text);
    CHECK(same);
  }
}

TEST_CASE("several threads write to files of one pool", "[output]") {
  const int threads = GENERATE(1, 3);
  const auto pool = std::make_shared<CompressionPool>(threads);
  std::vector<std::unique_ptr<File>> files;
  for (std::size_t i = 0; i < 12; ++i) files.push_back(std::make_unique<File>(pool, 500'000 + i));
  {
    std::vector<std::jthread> writers;
    for (auto& file : files) {
      writers.emplace_back([&file] {
        while (file->write(30'000)) {
        }
        file->writer.finish();
      });
    }
  }
  for (auto& file : files) {
    const bool same = file->written == as_htslib_writes(file->text);
    CHECK(same);
  }
}

// The blocks of the others would fill the pool if they waited for the next call of their own writer.
TEST_CASE("files that are left alone do not hold up the pool", "[output]") {
  const auto pool = std::make_shared<CompressionPool>(2);
  std::vector<std::unique_ptr<File>> idle;
  for (int i = 0; i < 50; ++i) {
    idle.push_back(std::make_unique<File>(pool, kBlock));
    idle.back()->write(kBlock);
  }
  File busy(pool, 40 * kBlock);
  busy.write(busy.text.size());
  busy.writer.finish();
  const bool same = busy.written == as_htslib_writes(busy.text);
  CHECK(same);
}

TEST_CASE("An error of what takes BGZF reaches the writer, and helpers end", "[output]") {
  const std::string text = some_text(1'000'000);
  for (const int threads : {1, 3}) {
    BgzfWriter writer(std::make_shared<CompressionPool>(threads),
                      [](std::string_view) { throw std::runtime_error("full"); });
    CHECK_THROWS_AS((writer.write(text), writer.finish()), std::runtime_error);
    CHECK_THROWS_AS(writer.finish(), std::runtime_error);
  }
}

TEST_CASE("an error of one file does not harm the others of its pool", "[output]") {
  const int threads = GENERATE(1, 3);
  const auto pool = std::make_shared<CompressionPool>(threads);
  BgzfWriter full(pool, [](std::string_view) { throw std::runtime_error("full"); });
  File good(pool, 2'000'000);
  const std::string text = some_text(200'000);
  bool failed = false;
  for (bool more = true; more;) {
    try {
      if (!failed) full.write(text);
    } catch (const std::runtime_error&) {
      failed = true;
    }
    more = good.write(100'000);
  }
  good.writer.finish();
  CHECK_THROWS_AS(full.finish(), std::runtime_error);
  const bool same = good.written == as_htslib_writes(good.text);
  CHECK(same);
}

TEST_CASE("a writer that is given up takes nothing more, and waits for its blocks", "[output]") {
  const int threads = GENERATE(1, 3);
  const auto pool = std::make_shared<CompressionPool>(threads);
  for (int i = 0; i < 20; ++i) {
    File file(pool, 700'000);
    file.write(file.text.size());
  }
  File file(pool, 700'000);
  file.write(file.text.size());
  file.writer.finish();
  const bool same = file.written == as_htslib_writes(file.text);
  CHECK(same);
}

}  // namespace basesweep::test_bgzf_writer
