// Indexes of FASTA (.fai) and of BGZF (.gzi).
#include <htslib/bgzf.h>

#include <array>

#include "lib/reader/fai.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

std::string bgzf() {
  std::string all;
  for (const std::string& text : {std::string(300, 'A'), std::string(200, 'C'), std::string()}) {
    std::array<char, BGZF_MAX_BLOCK_SIZE> block;
    std::size_t size = block.size();
    if (bgzf_compress(block.data(), &size, text.data(), text.size(), 6) != 0) std::exit(1);
    all.append(block.data(), size);
  }
  return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basesweep;
  static const fuzz::MemoryFile compressed(bgzf());
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile index(choice.rest);
  fuzz::refuses([&] {
    for (const FaiRecord& record : read_fai_file(index.path())) {
      fuzz::require(record.info.length >= 0 && record.offset >= 0, "numbers of an index are not negative");
      if (record.info.length > 0 && record.line_bases > 0) record.byte_of(record.info.length - 1);
    }
  });
  fuzz::refuses([&] {
    const auto file = open_input(compressed.path(), 1);
    file->load_index(index.path());
    file->seek(static_cast<std::int64_t>(2 * choice.number));
    char letter = 0;
    file->read(&letter, 1);
  });
  return 0;
}
