#include <fmt/format.h>
#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/decoder.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBufferBytes = 1U << 18;
constexpr std::size_t kStepBytes =
    1U << 14;  // that the decoder gets at a time, so that messages can say where a fault is

// The text before a fault does not depend on how much is asked for: the decoder always gets whole steps and buffers.
// libzstd does not say how much text it made before it met a fault.
class DecodedFile final : public InputFile {
 public:
  DecodedFile(const std::string& path, Stream stream, std::int64_t bytes, Compression compression)
      : InputFile(path),
        stream_(std::move(stream)),
        bytes_(bytes),
        compression_(compression),
        decoder_(make_decoder(compression)),
        input_(kBufferBytes),
        output_(kBufferBytes) {
    decoder_->begin();
  }

  std::size_t read(char* to, std::size_t size) override {
    while (text_.empty() && !at_end_) {
      if (fault_) std::rethrow_exception(fault_);
      inside_ ? decode() : start_next_member();
    }
    const std::size_t got = std::min(size, text_.size());
    std::copy_n(text_.begin(), got, to);
    text_ = text_.subspan(got);
    return got;
  }
  Compression compression() const override { return compression_; }
  std::int64_t stored_bytes_read() const override { return compressed_offset(); }

 private:
  // Reads more compressed data; false at their end.
  bool refill() {
    const UrlWait wait(path());
    const ssize_t got = hread(stream_.get(), input_.data(), input_.size());
    if (got < 0) throw IoError(path(), "cannot read", errno);
    left_ = {input_.data(), static_cast<std::size_t>(got)};
    compressed_bytes_ += got;
    return got > 0;
  }

  std::int64_t compressed_offset() const { return compressed_bytes_ - static_cast<std::int64_t>(left_.size()); }
  DataError fault(std::string_view kind, std::string_view what) const {
    return DataError(fmt::format("{}: {} {} data{}", path(), kind, compression_name(compression_), what));
  }

  void decode() {
    const bool input_ended = left_.empty() && !refill();
    std::span<const char> step = left_.first(std::min(left_.size(), kStepBytes));
    const std::size_t given = step.size();
    std::span<char> room(output_);
    try {
      inside_ = !decoder_->decode(step, room);
      left_ = left_.subspan(given - step.size());
    } catch (const DecoderNeedsMemory& found) {
      fault_ = std::make_exception_ptr(
          fault("the", fmt::format(" near compressed byte {} need {}", compressed_offset(), found.what())));
    } catch (const DecodeFault& found) {
      fault_ = std::make_exception_ptr(
          fault("damaged", fmt::format(" near compressed byte {}: {}", compressed_offset(), found.what())));
    }
    text_ = {output_.data(), output_.size() - room.size()};
    if (input_ended && inside_ && text_.empty() && !fault_)
      throw fault("truncated", fmt::format(": it ends at compressed byte {}", compressed_offset()));
  }

  void start_next_member() {
    while (true) {
      if (left_.empty() && !refill()) return end_input();
      if (left_.front() != 0 || decoder_->padding() == 0) break;
      ++padding_;
      left_ = left_.subspan(1);
    }
    check_padding();
    if (!decoder_->begins_with(static_cast<unsigned char>(left_.front())))
      throw fault("damaged", fmt::format(": something that is not {} follows at compressed byte {}",
                                         compression_name(compression_), compressed_offset()));
    decoder_->begin();
    inside_ = true;
  }

  void end_input() {
    check_padding();
    if (compressed_bytes_ < bytes_) throw became_shorter(path());
    at_end_ = true;
  }

  void check_padding() {
    if (padding_ != 0 && padding_ % decoder_->padding() != 0)
      throw fault("damaged", fmt::format(": {} zeros end at compressed byte {}, expected a multiple of {}", padding_,
                                         compressed_offset(), decoder_->padding()));
    padding_ = 0;
  }

  Stream stream_;
  std::int64_t bytes_;  // that the stream has; -1: unknown
  Compression compression_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<char> input_;
  std::vector<char> output_;
  std::span<const char> left_;         // of input_, not decoded yet
  std::span<const char> text_;         // of output_, not returned yet
  std::int64_t compressed_bytes_ = 0;  // read so far
  std::size_t padding_ = 0;            // zeros since the last member
  std::exception_ptr fault_;           // comes after text_
  bool inside_ = true;                 // a member
  bool at_end_ = false;
};

}  // namespace

std::shared_ptr<InputFile> make_decoded_file(const std::string& path, Stream stream, std::int64_t bytes,
                                             Compression compression) {
  return std::make_shared<DecodedFile>(path, std::move(stream), bytes, compression);
}

}  // namespace basesweep
