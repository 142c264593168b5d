// An output of one chunk, read again to be merged.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/regions/part.hpp"

namespace basesweep {

enum class PartKind { bed, tsv, count, sam, bam, json };

// A file's decompressed bytes in order, a line or so many bytes at a time. What was handed out lives until the next
// call.
class ByteStream {
 public:
  explicit ByteStream(const std::string& path);

  // The next line with its end, or what is left where the file has no further line end; empty at the end of the file.
  std::string_view line();
  // The next bytes; fewer at the end of the file.
  std::string_view bytes(std::size_t count);
  // As many bytes as are at hand, at least one; none at the end of the file.
  std::string_view some();
  // The next bytes, which are not taken.
  std::string_view peek(std::size_t count);

 private:
  bool fill();

  std::shared_ptr<InputFile> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// What an output of one chunk begins with.
struct PartHead {
  std::string path;
  PartKind kind;
  PartLabel label;
  std::string header;    // what the merged output begins with: the part's own header without its label
  std::string digest{};  // MD5 of that
  std::string json{};    // of a report: all of it
};

// Opens a part, told apart by content, and reads what it begins with. The stream is left behind that. Throws IoError,
// and DataError where the file is no part.
PartHead read_head(const std::string& path, ByteStream& stream);

// Checks that the parts belong together and are all there; sorts them by chunk. Throws DataError saying which is
// missing, double, or of another run.
void check_parts(std::vector<PartHead>& parts);

}  // namespace basesweep
