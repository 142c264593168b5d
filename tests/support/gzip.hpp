// Shared by the tests of gzip: files of any kind, and what one thread makes of them.
#pragma once

#include <htslib/hfile.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lib/reader/compressed_file.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::reader_test {

struct Deflating {
  int level, strategy, memory, window_bits;
  int flush;                // after each part
  std::size_t part = 5000;  // bytes
};

inline std::string deflated(const std::string& text, const Deflating& how) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, how.level, Z_DEFLATED, 16 + how.window_bits, how.memory, how.strategy) == Z_OK);
  std::string out;
  std::vector<char> room(1U << 16);
  for (std::size_t at = 0; at <= text.size(); at += how.part) {
    const bool last = at + how.part > text.size();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + at));
    stream.avail_in = static_cast<uInt>(std::min(how.part, text.size() - at));
    do {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
      deflate(&stream, last ? Z_FINISH : how.flush);
      out.append(room.data(), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

inline Deflating random_deflating(std::mt19937& random) {
  const auto one_of = [&random](std::initializer_list<int> all) { return all.begin()[random() % all.size()]; };
  return {static_cast<int>(random() % 10),
          one_of({Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED}),
          static_cast<int>(1 + random() % 9),
          static_cast<int>(9 + random() % 7),
          one_of({Z_NO_FLUSH, Z_NO_FLUSH, Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH}),
          1000 + random() % 50000};
}

inline std::string random_text(std::size_t size, std::mt19937& random) {
  std::string text;
  while (text.size() < size) {
    switch (random() % 6) {
      case 0: text += std::string(random() % 20000, 'N'); break;
      case 1:
        for (std::size_t i = random() % 2000; i-- > 0;) text += static_cast<char>(random());
        break;
      case 2:
        if (!text.empty()) text += text.substr(random() % text.size(), random() % 3000);
        break;
      default:
        text += ">r" + std::to_string(random() % 1000) + "\n" + wrapped(random_dna(random() % 9000, random), 60, "\n");
    }
  }
  return text;
}

struct Inflated {
  std::string text, error;
  bool operator==(const Inflated&) const = default;
};

inline Inflated inflated(const std::shared_ptr<InputFile>& file, std::size_t step) {
  Inflated found;
  std::string part(step, '\0');
  try {
    while (const std::size_t got = file->read(part.data(), part.size())) found.text.append(part, 0, got);
  } catch (const Error& error) {
    found.error = error.what();
  }
  return found;
}

inline Stream stream_of(const std::string& path) { return Stream(hopen(path.c_str(), "r")); }

inline Inflated by_one(const std::string& path, std::int64_t bytes) {
  return inflated(make_gzip_file(path, stream_of(path), bytes), 1U << 16);
}

// Text in members of any kind.
inline std::string random_gzip(const std::string& text, std::mt19937& random) {
  if (random() % 8 == 0) return gzip(text);
  if (random() % 3 != 0) return deflated(text, random_deflating(random));
  std::string out;
  const std::size_t most = random() % 2 == 0 ? 3000 : 200000;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = random() % most;
    out += random() % 8 == 0 ? gzip(text.substr(at, size)) : deflated(text.substr(at, size), random_deflating(random));
    at += size;
  }
  return out;
}

// Checks what several threads made of a file against what one did.
inline void check_like(const Inflated& many, const Inflated& one) {
  // ISA-L may notice damage some bytes behind it, depending on where it began, and hand out what it made of them.
  const std::size_t near = one.error.find(" near ");
  const std::size_t unsure = near == std::string::npos ? 0 : 300;
  CHECK(many.error.substr(0, near) == one.error.substr(0, near));
  CHECK(many.text.size() <= one.text.size() + unsure);
  const std::size_t sure = one.text.size() - std::min(one.text.size(), unsure);
  CHECK((many.text.substr(0, sure) == one.text.substr(0, sure)));
}

}  // namespace basesweep::reader_test
