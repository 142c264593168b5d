// gzip that several threads inflate: the same text and the same messages as from one thread.
#include <htslib/hfile.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/compressed_file.hpp"
#include "lib/reader/gzip_span.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/gzip.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_parallel_gzip {

using namespace reader_test;

namespace {

Inflated by_many(const std::string& path, std::int64_t bytes, std::mt19937& random) {
  const GzipThreads sizes{static_cast<int>(2 + random() % 3), std::size_t{1} << (12 + random() % 4),
                          std::size_t{1} << (11 + random() % 4), std::size_t{1} << (8 + random() % 12)};
  const bool is_file = random() % 2 == 0;
  return inflated(make_parallel_gzip_file(path, stream_of(path), is_file ? bytes : -1, sizes),
                  1 + random() % (random() % 2 == 0 ? 100000 : 3000));
}

std::string by_zlib(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text, part(1U << 16, '\0');
  int got = 0;
  while ((got = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0)
    text.append(part, 0, static_cast<std::size_t>(got));
  CHECK(got == 0);
  CHECK(gzclose(file) == Z_OK);
  return text;
}

void check_alike(const Scratch& scratch, const std::string& bytes, std::mt19937& random) {
  const std::string path = scratch.write("in", bytes);
  const auto size = static_cast<std::int64_t>(bytes.size());
  check_like(by_many(path, size, random), by_one(path, size));
}

}  // namespace

TEST_CASE("Several threads inflate gzip of any kind", "[reader]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(1000); ++round) {
    const std::string text = random_text(random() % 400000, random);
    const std::string bytes = random_gzip(text, random);
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    const std::string path = scratch.write("in", bytes);
    const Inflated found = by_many(path, static_cast<std::int64_t>(bytes.size()), random);
    CHECK(found.error == "");
    CHECK(found.text.size() == text.size());
    CHECK((found.text == text));
  }
}

// tests/gzip/run.py makes the files.
TEST_CASE("Several threads inflate the gzip files in a folder as zlib does", "[.][gzip_files]") {
  const char* const folder = std::getenv("BASESWEEP_TEST_GZIP");
  REQUIRE(folder != nullptr);
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    INFO(path << ", BASESWEEP_TEST_SEED=" << seed);
    const std::string text = by_zlib(path);
    const auto bytes = static_cast<std::int64_t>(entry.file_size());
    CHECK((by_one(path, bytes) == Inflated{text, ""}));
    for (int i = 0; i < 3; ++i) CHECK((by_many(path, bytes, random) == Inflated{text, ""}));
    ++files;
  }
  CHECK(files > 0);
}

TEST_CASE("Several threads find the faults of gzip that one finds, behind the same text", "[reader]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(200); ++round) {
    const std::string text = random_text(random() % 200000, random);
    const std::string good = random_gzip(text, random);
    if (good.empty()) continue;
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    check_alike(scratch, good.substr(0, random() % good.size()), random);
    check_alike(scratch, good + random_dna(1 + random() % 100, random), random);
    check_alike(scratch, good + std::string(random() % 40000, '\0') + (random() % 2 == 0 ? "x" : ""), random);
    for (int flips = 0; flips < 10; ++flips) {
      std::string bad = good;
      bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
      check_alike(scratch, bad, random);
    }
    std::string bad = good;  // a stretch that is lost
    bad.erase(random() % bad.size(), 1 + random() % 5000);
    check_alike(scratch, bad, random);
  }
}

TEST_CASE("gzip that inflates to much text needs little memory", "[reader]") {
  const Scratch scratch;
  std::string zeros(std::size_t{100} << 20, 'N');
  const std::string bytes = deflated(zeros, {9, Z_DEFAULT_STRATEGY, 9, 15, Z_NO_FLUSH, std::size_t{1} << 20});
  for (const std::size_t span : {std::size_t{1} << 12, std::size_t{1} << 16}) {
    const std::string path = scratch.write("in", bytes);
    const auto file = make_parallel_gzip_file(path, stream_of(path), -1, {2, span, span});
    std::size_t found = 0;
    std::string part(1U << 20, '\0');
    while (const std::size_t got = file->read(part.data(), part.size())) {
      REQUIRE(part.find_first_not_of('N') >= got);
      found += got;
    }
    CHECK(found == zeros.size());
    std::string bad = bytes;  // a fault far behind the begin of a span
    bad[bad.size() - 6] ^= 1;
    const std::string bad_path = scratch.write("bad", bad);
    std::mt19937 random(1);
    const auto size = static_cast<std::int64_t>(bad.size());
    CHECK((inflated(make_parallel_gzip_file(bad_path, stream_of(bad_path), size, {2, span, span}), 1U << 20) ==
           by_one(bad_path, size)));
  }
}

TEST_CASE("Checksums of texts are joined as zlib does it", "[reader]") {
  std::mt19937 random(3);
  const std::string text = random_dna(5000, random);
  const auto crc = [](std::string_view part) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
  };
  for (std::size_t at = 0; at <= text.size(); at += 1 + at / 3) {
    const std::string_view all = text;
    CHECK(joined_crc(crc(all.substr(0, at)), crc(all.substr(at)), text.size() - at) == crc(all));
  }
  for (const std::uint64_t bytes : {std::uint64_t{1} << 31, (std::uint64_t{1} << 33) + 12345})
    CHECK(joined_crc(0x12345678, 0x9abcdef0, bytes) ==
          crc32_combine(0x12345678, 0x9abcdef0, static_cast<z_off_t>(bytes)));
}

}  // namespace basesweep::test_parallel_gzip
