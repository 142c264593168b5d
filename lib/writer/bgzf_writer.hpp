// Text that is compressed as BGZF, in blocks side by side.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "lib/writer/compression_pool.hpp"

namespace basesweep {

// Writes the bytes that bgzf_write() and bgzf_close() of HTSlib write. HTSlib 1.16 is not used for that because its
// helper threads write a block of rubbish, without an error, when memory for compressing it gives out.
//
// Between two calls of write() it holds less than a block of text, in memory that grows with it.
class BgzfWriter {
 public:
  // `sink` gets the compressed blocks in order, one at a time, on any thread of the pool or one that writes to it, and
  // may throw. `level`: of compression, 0 to 9, as for bgzf_compress() of HTSlib; -1: the default.
  BgzfWriter(std::shared_ptr<CompressionPool> pool, CompressionPool::Sink sink, int level = -1);
  ~BgzfWriter() { pool_->drop(stream_); }
  BgzfWriter(const BgzfWriter&) = delete;
  BgzfWriter& operator=(const BgzfWriter&) = delete;

  // Throws std::bad_alloc, and what the sink throws. Nothing may be written after an error.
  void write(std::string_view text);
  // Hands over what is left, and the block that marks the end. Nothing may be written after it.
  void finish();

 private:
  void push(std::string_view more);

  const std::shared_ptr<CompressionPool> pool_;
  CompressionPool::Stream stream_;
  std::vector<char> rest_;  // of the text, what does not fill a block yet
};

}  // namespace basesweep
