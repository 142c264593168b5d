// The reader: zstd, bzip2 and xz of any shape. Damaged data is never taken for text.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/reader/open_input.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_reader_decoded {

using namespace reader_test;

namespace {

struct Kind {
  std::string name;
  Compression compression;
  std::function<std::string(const std::string&)> pack;
  std::size_t recognised;  // bytes that show the format
};

const std::vector<Kind> kFormats = {
    {"zstd", Compression::zstd, [](const std::string& text) { return zstd(text); }, 4},
    {"bzip2", Compression::bzip2, bzip2, 4},
    {"xz", Compression::xz, xz, 6},
};

struct Decoded {
  std::string text;
  std::string error;
};

// Reads the file in parts of `size` bytes, to its end or to a fault.
Decoded decoded(const std::string& path, std::size_t size) {
  Decoded found;
  std::string part(size, '\0');
  try {
    const auto file = open_input(path, 1);
    while (const std::size_t got = file->read(part.data(), size)) found.text.append(part, 0, got);
  } catch (const DataError& error) {
    found.error = error.what();
  }
  return found;
}

std::string random_text(std::mt19937& random, std::size_t bases) { return ">a\n" + random_dna(bases, random) + "\n"; }

}  // namespace

TEST_CASE("zstd, bzip2 and xz are recognised by their first bytes", "[reader]") {
  const Scratch scratch;
  for (const Kind& format : kFormats) {
    INFO(format.name);
    for (const std::string& text : {std::string(">a\nACGT\n"), std::string()}) {
      const auto file = open_input(scratch.write("in", format.pack(text)), 1);
      CHECK(file->compression() == format.compression);
      CHECK(compression_name(file->compression()) == format.name);
      CHECK_FALSE(file->seekable());
    }
  }
  for (const std::string& text : {std::string("BZh1\tACGT\n"), std::string("BZh"), std::string("BZh0ACGTAC"),
                                  std::string("\xfd"
                                              "7zX"),
                                  std::string("(\xb5/")}) {
    INFO(text);
    CHECK(open_input(scratch.write("in", text), 1)->compression() == Compression::none);
  }
}

TEST_CASE("Members of zstd, bzip2 and xz are read to the end", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(31);
  const std::string a = random_text(random, 300), b = random_text(random, 30000), skipped = "\x52\x2a\x4d\x18\x03";
  const std::string skippable = skipped + std::string(3, '\0') + "abc";
  for (const Kind& format : kFormats) {
    const auto& pack = format.pack;
    std::vector<std::string> cases = {pack("") + pack(a) + pack("") + pack("") + pack(b) + pack(""), pack(a) + pack(b)};
    if (format.name == "xz") cases.push_back(pack(a) + std::string(4, '\0') + pack(b) + std::string(400, '\0'));
    if (format.name == "zstd") cases.push_back(skippable + pack(a) + skippable + skippable + pack(b) + skippable);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::string path = scratch.write("in", cases[i]);
      for (const std::size_t size : {std::size_t{1}, std::size_t{57}, std::size_t{1} << 19}) {
        INFO(format.name << ", case " << i << ", size " << size);
        const Decoded found = decoded(path, size);
        CHECK((found.text == a + b));
        CHECK(found.error == "");
      }
    }
  }
}

TEST_CASE("Text of zstd, bzip2 and xz may be of any size and straddle the buffers in any way", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(32);
  for (const Kind& format : kFormats) {
    for (int round = 0; round < 6; ++round) {
      std::string text, packed;
      while (packed.size() < (1U << 19)) {
        const std::string part = random_text(random, random() % (round == 0 ? 300 : 200000));
        text += part;
        packed += format.pack(part);
      }
      text += std::string(3 << 20, 'A');  // much text from few bytes
      packed += format.pack(text.substr(text.size() - (3 << 20)));
      const Decoded found = decoded(scratch.write("in", packed), 1 + random() % 300000);
      INFO(format.name);
      CHECK(found.error == "");
      CHECK((found.text == text));
    }
  }
}

TEST_CASE("What follows a member of zstd, bzip2 or xz must be one", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(33);
  const std::string a = random_text(random, 300);
  const auto fault_of = [&](const Kind& format, const std::string& tail) {
    const Decoded found = decoded(scratch.write("in", format.pack(a) + tail), 1 << 19);
    CHECK((found.text == a));
    return found.error;
  };
  for (const Kind& format : kFormats) {
    INFO(format.name);
    const std::string place = " follows at compressed byte " + std::to_string(format.pack(a).size());
    for (const std::string& tail : {std::string("x"), std::string(">b\nACGT\n"), gzip(a), std::string("\n")})
      check_error(fault_of(format, tail),
                  {"damaged " + format.name + " data: something that is not " + format.name, place});
    check_error(fault_of(format, format.pack(a).substr(0, 3)), {"truncated " + format.name + " data: it ends at"});
    check_error(fault_of(format, format.pack(a).substr(0, 2) + std::string(30, 'x')),
                {"damaged " + format.name + " data"});
    if (format.name == "xz") {
      check_error(fault_of(format, std::string(5, '\0')), {"damaged xz data: 5 zeros end at compressed byte"});
      check_error(fault_of(format, std::string(7, '\0') + xz(a)), {"7 zeros end", "expected a multiple of 4"});
      check_error(fault_of(format, std::string(8, '\0') + "x"), {"something that is not xz follows"});
    } else {
      check_error(fault_of(format, std::string(4, '\0')), {"something that is not " + format.name + " follows"});
    }
  }
}

TEST_CASE("Truncated zstd, bzip2 and xz are never taken for complete", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(34);
  const std::string text = random_text(random, 400);
  for (const Kind& format : kFormats) {
    const std::string whole = format.pack("") + format.pack(text);
    const std::size_t first = format.pack("").size();
    for (std::size_t size = 1; size < whole.size(); ++size) {
      if (size == first) continue;  // the first member alone
      INFO(format.name << ", " << size << " of " << whole.size());
      const std::string path = scratch.write("in", whole.substr(0, size));
      CHECK_THROWS_AS(read_all({.paths = {path}, .block_bytes = 1 + size % 100}), DataError);
      if (size >= format.recognised)
        check_error(error_of({.paths = {path}}), {path + ": truncated " + format.name +
                                                  " data: it ends at compressed byte " + std::to_string(size)});
    }
  }
}

TEST_CASE("Damaged zstd, bzip2 and xz are refused, or the damage changes nothing", "[reader]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  for (const Kind& format : kFormats) {
    std::size_t refused = 0;
    for (std::uint64_t round = 0; round < support::test_cases(10000); ++round) {
      const std::string text = random_text(random, 1 + random() % 600) + random_text(random, random() % 60);
      std::string bad = round % 2 == 0 ? format.pack(text) : in_parts(text, 1 + text.size() / 3, format.pack);
      const std::size_t bit = random() % (8 * bad.size());
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
      const std::string path = scratch.write("in", bad);
      try {
        const std::string fault = fasta_fault(read_all({.paths = {path}, .block_bytes = 1 + random() % 1000}), text);
        INFO(format.name << ", seed " << seed << ", round " << round << ", bit " << bit);
        CHECK(fault == "");
      } catch (const DataError&) {
        ++refused;
      }
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("The text before a fault in zstd, bzip2 or xz does not depend on how it is read", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(36);
  const std::string text = random_text(random, 3000000);
  for (const Kind& format : kFormats) {
    const std::string whole = format.pack(text);
    for (std::size_t tenth = 3; tenth < 10; tenth += 2) {
      std::string damaged = whole;
      for (std::size_t i = 0; i < 300; ++i) damaged[whole.size() * tenth / 10 + i] ^= 0x5a;
      for (const std::string& bytes : {whole.substr(0, whole.size() * tenth / 10), damaged}) {
        const std::string path = scratch.write("in", bytes);
        const Decoded found = decoded(path, std::size_t{1} << 22);
        INFO(format.name << ", " << tenth << " tenths");
        CHECK(found.error != "");
        CHECK(found.text.size() < text.size());
        if (bytes.size() < whole.size()) {
          CHECK((found.text == text.substr(0, found.text.size())));
          CHECK(found.text.size() + 1500000 > text.size() * tenth / 10);
        }
        for (const std::size_t size : {std::size_t{1000}, std::size_t{777777}}) {
          const Decoded again = decoded(path, size);
          CHECK((again.text == found.text));
          CHECK(again.error == found.error);
        }
      }
    }
  }
}

TEST_CASE("Decoders of zstd and xz refuse data that need much memory", "[reader]") {
  const Scratch scratch;
  // A frame with a window of 2 GiB, and no more of it.
  const std::string path =
      scratch.write("in", "\x28\xb5\x2f\xfd" + std::string(1, '\0') + "\xa8" + std::string(9, '\0'));
  check_error(decoded(path, 100).error, {path + ": the zstd data near compressed byte",
                                         "need a window of more than 128 MiB", "zstd -dc --long=31"});
  // The block header of xz is at byte 12, and names a filter, the size of its properties, and the dictionary's size.
  std::string big = xz(">a\nACGT\n");
  const std::size_t header = 4 * (static_cast<std::size_t>(big[12]) + 1);
  big[big.find("\x21\x01", 12) + 2] = 36;  // 1 GiB
  const std::uint32_t crc = lzma_crc32(reinterpret_cast<const std::uint8_t*>(big.data()) + 12, header - 4, 0);
  for (std::size_t i = 0; i < 4; ++i) big[12 + header - 4 + i] = static_cast<char>(crc >> (8 * i));
  const std::string other = scratch.write("in", big);
  check_error(decoded(other, 100).error,
              {other + ": the xz data near compressed byte", "need a dictionary of more than 128 MiB", "xz -dc"});
  // The largest that both programs write unasked are read.
  for (const std::uint32_t level : {6U, 9U}) {
    std::string out(4096, '\0');
    std::size_t size = 0;
    const std::string text = ">a\nACGT\n";
    REQUIRE(lzma_easy_buffer_encode(level, LZMA_CHECK_CRC32, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) == LZMA_OK);
    CHECK(decoded(scratch.write("in", out.substr(0, size)), 100).text == text);
    CHECK(decoded(scratch.write("in", zstd(text, 19)), 100).text == text);
  }
}

}  // namespace basesweep::test_reader_decoded
