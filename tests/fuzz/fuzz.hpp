// Shared by the fuzz targets: each takes bytes, gives them to one parser as a file, and calls std::abort() when a
// promise of the parser is broken. A parser may refuse its input by an Error and by nothing else.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace basesweep::fuzz {

// A file in memory that has a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (fd_ < 0 || ::write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      std::perror("memfd");
      std::exit(1);
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// Calls parse(); returns whether it threw an Error.
template <class Parse>
bool refuses(Parse parse) {
  try {
    parse();
  } catch (const Error&) {
    return true;
  }
  return false;
}

inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// The result of reading the same file with two block sizes: the text, and whether more of it was refused.
struct Reading {
  std::string text;
  bool refused;
};

// Both read the same. Damage in compressed data may show itself a little earlier or later.
inline void require_same(const Reading& a, const Reading& b, bool compressed, const char* promise) {
  if (a.refused == b.refused && (a.text == b.text || (a.refused && compressed))) return;
  for (const Reading& reading : {a, b}) {
    std::fprintf(stderr, "---%s\n%s\n", reading.refused ? " and more that is refused" : "", reading.text.c_str());
  }
  require(false, promise);
}

// The input without its first byte, which chooses how the parser is called.
struct Choice {
  Choice(const std::uint8_t* data, std::size_t size)
      : number(size == 0 ? 0 : data[0]),
        rest(size == 0 ? "" : reinterpret_cast<const char*>(data) + 1, size == 0 ? 0 : size - 1) {}

  bool compressed() const { return rest.starts_with('\x1f'); }

  std::size_t number;
  std::string_view rest;
};

// Calls read(path, block_bytes, flag) for the file with a small and with a large block size. The choice gives the small
// size and the flag.
inline void check_block_sizes(const Choice& choice, Reading (*read)(const std::string&, std::size_t, bool),
                              const char* promise) {
  const MemoryFile file(choice.rest);
  const bool flag = choice.number >= 128;
  require_same(read(file.path(), 16 + choice.number % 128, flag), read(file.path(), 1U << 19, flag),
               choice.compressed(), promise);
}

}  // namespace basesweep::fuzz
