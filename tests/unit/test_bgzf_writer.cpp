// BgzfWriter: the bytes of HTSlib, for any number of helpers.
#include "lib/writer/bgzf_writer.hpp"

#include <stdexcept>
#include <string>

#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace basesweep;

namespace {

std::string some_text(std::size_t size) {
  trial::Random random(size);
  return trial::random_letters(random, size, "ACGT\t\n0123");
}

std::string as_htslib_writes(const std::string& text) {
  const support::ScratchFolder folder;
  support::write_file(folder.path("text.gz"), text, support::Packing::bgzf);
  return support::read_file(folder.path("text.gz"));
}

}  // namespace

TEST_CASE("BGZF is what HTSlib writes, for any number of helpers") {
  for (const std::size_t size : {0, 1, 0xfeff, 0xff00, 0xff01, 3 * 0xff00, 2'000'003}) {
    const std::string text = some_text(size);
    const std::string expected = as_htslib_writes(text);
    for (const int threads : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{1000}, std::size_t{0xff00}, std::size_t{500'000}}) {
        CAPTURE(size, threads, step);
        std::string written;
        BgzfWriter writer(threads, [&written](std::string_view block) { written += block; });
        for (std::size_t at = 0; at < size; at += step) writer.write(std::string_view(text).substr(at, step));
        writer.finish();
        CHECK(written == expected);
      }
    }
  }
}

TEST_CASE("An error of what takes BGZF reaches the writer, and helpers end") {
  const std::string text = some_text(1'000'000);
  for (const int threads : {1, 3}) {
    BgzfWriter writer(threads, [](std::string_view) { throw std::runtime_error("full"); });
    CHECK_THROWS_AS((writer.write(text), writer.finish()), std::runtime_error);
  }
}
