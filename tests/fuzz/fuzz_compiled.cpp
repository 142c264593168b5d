// Compiled sets. The target mends lengths and checksums first, which no random change would leave right.
#include <cstring>
#include <vector>

#include "lib/compiled/compiled_set.hpp"
#include "lib/reader/crc64.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

// Numbers in the header and in the entries of sections, see lib/compiled/section_file.hpp.
template <class T>
T number_at(const std::string& file, std::size_t at) {
  T number{};
  std::memcpy(&number, file.data() + at, sizeof number);
  return number;
}

void put(std::string& file, std::size_t at, std::uint64_t number) {
  std::memcpy(file.data() + at, &number, sizeof number);
}

std::uint64_t checksum(const std::string& file, std::size_t begin, std::size_t bytes) {
  return crc64(std::as_bytes(std::span(file.data() + begin, bytes)));
}

void mend(std::string& file) {
  constexpr std::size_t kEntry = 64;
  if (file.size() < kEntry) return;
  put(file, 16, file.size());
  const auto sections = number_at<std::uint32_t>(file, 12);
  if (sections > file.size() / kEntry - 1) return;
  for (std::size_t entry = kEntry; entry < kEntry * (1 + sections); entry += kEntry) {
    const auto begin = number_at<std::uint64_t>(file, entry + 32);
    const auto bytes = number_at<std::uint64_t>(file, entry + 40);
    if (begin > file.size() || bytes > file.size() - begin) continue;
    std::vector<std::uint64_t> tiles;
    for (std::uint64_t done = 0; done < bytes; done += kChecksumTile) {
      tiles.push_back(checksum(file, begin + done, std::min<std::uint64_t>(kChecksumTile, bytes - done)));
    }
    put(file, entry + 48, crc64(std::as_bytes(std::span(tiles))));
  }
  put(file, 24, 0);
  put(file, 24, checksum(file, 0, kEntry * (1 + sections)));
}

class Text final : public ByteSink {
 public:
  void write(std::string_view text) override { bytes += text; }
  std::string bytes;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz::refuses([&] { read_compiled_set(fuzz::MemoryFile(bytes).path(), 1); });
  mend(bytes);
  const fuzz::MemoryFile file(bytes);
  fuzz::refuses([&] {
    const CompiledSet set = read_compiled_set(file.path(), 1);
    Text text;
    write_compiled_set(text, set, 1);
    const CompiledSet again = read_compiled_set(fuzz::MemoryFile(text.bytes).path(), 1);
    fuzz::require(set.kind == again.kind && set.patterns.size() == again.patterns.size() &&
                      set.pairs.size() == again.pairs.size() && set.tables.all.size() == again.tables.all.size(),
                  "a set that was read is written and read as it was");
  });
  return 0;
}
