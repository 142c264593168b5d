// Products that can only be written when more of the input was read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/writer/nameless_file.hpp"

namespace basesweep {

// What is chosen and counted by, of a product.
struct ProductEntry {
  std::uint32_t first;   // of its Join
  std::uint32_t second;  // the same
  std::uint32_t edits;   // of both primers
  std::uint32_t source;  // index of its record's file
  std::int64_t record;   // number among the records of the input
  std::int64_t size;     // in bases
  std::uint64_t text_bytes;
  bool minus;

  std::uint64_t pair() const { return std::uint64_t{first} << 32 | second; }
};

// Products with their text, in a temporary file. Not thread-safe.
class ProductSpool {
 public:
  explicit ProductSpool(std::string directory) : file_(std::move(directory)) {}

  // Throws IoError.
  void add(const ProductEntry& entry, std::string_view text);
  // To be called once, after the last add(). Throws IoError.
  void finish();

  // Reads what was added, from the first on.
  class Walk {
   public:
    explicit Walk(const ProductSpool& spool);
    // Sets `entry` and, unless it is null, `text`; false after the last. Throws IoError.
    bool next(ProductEntry& entry, std::string* text);

   private:
    NamelessReader reader_;
  };

 private:
  NamelessFile file_;
  std::string buffer_;  // not yet in the file
};

}  // namespace basesweep
