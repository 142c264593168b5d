// gzip: several threads inflate the same text as one, and find the same fault.
#include <htslib/hfile.h>

#include <algorithm>
#include <vector>

#include "lib/reader/compressed_file.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

struct Inflated {
  std::string text, error;
};

Inflated inflate(const std::shared_ptr<InputFile>& file) {
  Inflated found;
  std::vector<char> part(5000);
  try {
    while (const std::size_t got = file->read(part.data(), part.size())) {
      found.text.append(part.data(), got);
      if (found.text.size() > (std::size_t{64} << 20)) break;
    }
  } catch (const Error& error) {
    found.error = error.what();
  }
  return found;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile file(choice.rest);
  const auto stream = [&] { return Stream(hopen(file.path().c_str(), "r")); };
  const std::size_t span = 32 + 8 * (choice.number % 64), tail = 64 << choice.number / 64;
  const Inflated one = inflate(make_gzip_file("in", stream(), -1));
  const Inflated many =
      inflate(make_parallel_gzip_file("in", stream(), -1, {.threads = 2, .span_bytes = span, .tail_bytes = tail}));
  // ISA-L may notice damage some bytes behind it, depending on where it began, and hand out what it made of them.
  const std::size_t near = one.error.find(" near ");
  fuzz::require(one.error.compare(0, near, many.error, 0, near) == 0, "the same fault");
  const std::size_t unsure = near == std::string::npos ? 0 : 300;
  const std::size_t sure = one.text.size() - std::min(one.text.size(), unsure);
  fuzz::require(one.text.compare(0, sure, many.text, 0, sure) == 0, "the same text");
  fuzz::require(many.text.size() <= one.text.size() + unsure, "no more text");
  return 0;
}
