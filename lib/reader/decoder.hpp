// Decoders of compressed data, for streams that a thread decodes as it reads them. Private to the reader.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "lib/reader/input_file.hpp"

namespace basesweep {

// The data cannot be decoded; what() is the reason, as a part of a message.
struct DecodeFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The data may be sound, but a decoder would need more memory than kMaxDecoderBytes; what() says for what.
struct DecoderNeedsMemory : DecodeFault {
  using DecodeFault::DecodeFault;
};

// Decodes one member after another: a frame of zstd, a stream of bzip2 or xz. Its memory is bounded, whatever the data
// say.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Whether a member may begin with this byte.
  virtual bool begins_with(unsigned char byte) const = 0;
  // How many zeros may stand behind a member: multiples of this number; 0: none.
  virtual std::size_t padding() const { return 0; }
  // Prepares for the next member. To be called before the first one too.
  virtual void begin() = 0;
  // Decodes some of `in` to `out` and removes what it used from the front of both. Returns whether the member is
  // complete. May be called with empty `in`, for text that is decoded already. Throws DecodeFault, and then leaves in
  // `out` what no text was put into.
  virtual bool decode(std::span<const char>& in, std::span<char>& out) = 0;
};

// The most memory, in bytes, that a decoder of zstd or xz may take for what the data may refer back to. Both programs
// write less unless asked for more (zstd --long=28, xz --lzma2=dict=256MiB).
inline constexpr std::size_t kMaxDecoderBytes = std::size_t{1} << 27;

// For zstd, bzip2 and xz.
std::unique_ptr<Decoder> make_decoder(Compression compression);

}  // namespace basesweep
