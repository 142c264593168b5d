// Parts of a run, of every kind, through `merge`.
#include "lib/parts/merge_hits.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basesweep;
  const fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
  fuzz::refuses([&] {
    ByteStream stream(file.path());
    std::vector<PartHead> parts{read_head(file.path(), stream)};
    // One file stands for all chunks, so that hits of several parts are merged.
    constexpr std::uint32_t kMost = 3;
    const std::uint32_t chunks = parts.front().label.chunks;
    for (std::uint32_t chunk = 1; chunk <= chunks && chunks <= kMost; ++chunk) {
      if (chunk == 1) parts.front().label.chunk = 1;
      if (chunk == 1) continue;
      parts.push_back(parts.front());
      parts.back().label.chunk = chunk;
    }
    check_parts(parts);
    if (parts.front().kind == PartKind::json) {
      merge_reports(parts, {});
    } else {
      merge_hits(parts, "/tmp", [](std::string_view) {});
    }
  });
  return 0;
}
