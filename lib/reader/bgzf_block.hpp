// One block of BGZF. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct inflate_state;  // ISA-L's

namespace basesweep {

// A block is a gzip member of at most 64 KiB that says how long it is, so blocks can be inflated side by side.
struct BgzfBlock {
  static constexpr std::size_t kMaxBytes = 1U << 16;  // packed, and of text
  static constexpr std::size_t kHeaderBytes = 18;
  static constexpr std::size_t kTrailerBytes = 8;  // checksum and length of the text

  std::string_view text() const { return {inflated.data(), text_bytes}; }
  // The length of the text, as the block's trailer states it.
  std::uint32_t said_bytes() const;
  // Says what is wrong with the inflated block, as part of a message. The string is empty if nothing is.
  std::string fault() const;

  std::int64_t offset = 0;            // of the block in the compressed file
  std::vector<unsigned char> packed;  // the whole block
  std::vector<char> inflated;         // has room for kMaxBytes
  std::size_t text_bytes = 0;
  int code = 0;  // ISA-L's; 0: inflated, and the checksum is right
};

// Inflates blocks, one at a time.
class BgzfInflater {
 public:
  BgzfInflater();
  ~BgzfInflater();

  // Sets the text and `code`.
  void inflate(BgzfBlock& block) noexcept;

 private:
  std::unique_ptr<inflate_state> state_;
};

}  // namespace basesweep
