#include "lib/writer/hit_spool.hpp"

#include <fcntl.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/writer/bgzf_handle.hpp"
#include "lib/writer/bgzf_writer.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {
namespace {

// A hit in the file is a list of numbers, then its record's name unless it is that of the hit before, then its letters
// and those on the left and on the right. A number takes a byte for each 7 bits, the lowest first; the high bit says
// that more bytes follow. What is not written need not be compressed, so numbers are differences to the hit before
// where these are small, and the last ones, which are 0 in most hits, are left out if they are.
constexpr std::size_t kNumbers = 17;
constexpr std::size_t kMostBytes = 10;  // of a number
static_assert(kNumbers * kMostBytes <= std::numeric_limits<unsigned char>::max());

class NumberWriter {
 public:
  void add(std::uint64_t number) {
    const bool zero = number == 0;
    for (; number >= 0x80; number >>= 7) bytes_[end_++] = static_cast<char>(number | 0x80);
    bytes_[end_++] = static_cast<char>(number);
    if (!zero) size_ = end_;
  }
  // A number that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3.
  void add_signed(std::int64_t number) {
    add(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63));
  }
  // The numbers up to the last that is not 0, with the size that they take before them.
  std::string_view bytes() {
    bytes_[0] = static_cast<char>(size_ - 1);
    return {bytes_, size_};
  }

 private:
  std::size_t end_ = 1;
  std::size_t size_ = 1;
  char bytes_[1 + kNumbers * kMostBytes];
};

class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t next() {
    std::uint64_t number = 0;
    for (int shift = 0; !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
    return number;
  }
  std::int64_t next_signed() {
    const std::uint64_t number = next();
    return static_cast<std::int64_t>(number >> 1 ^ -(number & 1));
  }
  template <class Integer>
  void set(Integer& to) {
    to = static_cast<Integer>(next());
  }

 private:
  std::string_view bytes_;
};

}  // namespace

struct HitSpool::State {
  std::string directory;
  int threads;
  int fd;
  std::optional<BgzfWriter> writer;  // until rewind()
  BgzfHandle bgzf;                   // afterwards
  std::uint64_t hits = 0;            // stored, and not yet read back
  PlacedHit last{};                  // that was added or read back, without its texts
  std::string name{};                // of its record, when it was read back
  std::string letters{};             // the same

  State(std::string folder, int helpers)
      : directory(std::move(folder)), threads(helpers), fd(open_nameless(directory)) {
    if (fd < 0) fail("cannot make a temporary file in this folder", errno);
    hts_set_log_level(HTS_LOG_OFF);
    constexpr int kFast = 1;
    writer.emplace(
        threads, [this](std::string_view block) { write_block(block); }, kFast);
  }
  ~State() {
    writer.reset();
    bgzf = {};
    if (fd >= 0) close(fd);
  }

  [[noreturn]] void fail(const char* what, int code) const { throw IoError(directory, what, code != 0 ? code : EIO); }
  [[noreturn]] void fail_reading() const { fail("cannot read back a temporary file in this folder", herrno(bgzf->fp)); }

  void open_stream() {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);  // the stream closes its descriptor, which would end the file
    hFILE* stream = copy < 0 ? nullptr : hdopen(copy, "r");
    if (stream == nullptr) {
      const int code = errno;
      if (copy >= 0) close(copy);
      fail("cannot open a temporary file in this folder", code);
    }
    bgzf = BgzfHandle(bgzf_hopen(stream, "r"));
    if (!bgzf) {
      const int code = errno;
      hclose_abruptly(stream);
      fail("cannot open a temporary file in this folder", code);
    }
    if (!bgzf.add_helpers(threads)) {
      fail("cannot open a temporary file in this folder", errno);
    }
  }

  void write_block(std::string_view block) {
    while (!block.empty()) {
      const ssize_t written = ::write(fd, block.data(), block.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write a temporary file in this folder", errno);
      block.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void read(char* to, std::size_t size) {
    if (bgzf_read(bgzf.get(), to, size) != static_cast<ssize_t>(size)) fail_reading();
  }
};

HitSpool::HitSpool(const std::string& directory, int threads) : state_(std::make_unique<State>(directory, threads)) {}

HitSpool::~HitSpool() = default;

void HitSpool::add(const PlacedHit& hit) {
  PlacedHit& last = state_->last;
  const bool same_name = hit.record == last.record && state_->hits != 0;
  const std::int64_t step = hit.start - last.start;
  NumberWriter numbers;
  numbers.add_signed(step);
  numbers.add(hit.hit.length);
  numbers.add(hit.letters.size());
  numbers.add(std::uint64_t{hit.hit.query} << 1 | hit.hit.first);
  numbers.add(hit.hit.edits);
  numbers.add(hit.hit.indels);
  numbers.add(hit.source);
  numbers.add(hit.standing.best);
  numbers.add(hit.standing.next_edits ? std::uint64_t{*hit.standing.next_edits} + 1 : 0);
  numbers.add(hit.left.size());
  numbers.add(hit.right.size());
  numbers.add(same_name ? 0 : hit.record_name.size() + 1);
  numbers.add_signed(hit.record - last.record);
  numbers.add_signed(hit.circular_length - last.circular_length);
  numbers.add(hit.hit.position - last.hit.position - static_cast<std::uint32_t>(step));
  numbers.add(hit.hit.hang_left);
  numbers.add(hit.hit.hang_right);
  last = hit;
  ++state_->hits;
  state_->writer->write(numbers.bytes());
  if (!same_name) state_->writer->write(hit.record_name);
  for (const std::string_view text : {hit.letters, hit.left, hit.right}) {
    if (!text.empty()) state_->writer->write(text);
  }
}

void HitSpool::rewind() {
  State& state = *state_;
  state.last = {};
  state.writer->finish();
  state.writer.reset();
  if (lseek(state.fd, 0, SEEK_SET) != 0) state.fail("cannot read back a temporary file in this folder", errno);
  state.open_stream();
}

bool HitSpool::next(PlacedHit& hit) {
  State& state = *state_;
  // Helper threads of HTSlib may take a read error for the end of the file, so the number of hits is the judge.
  if (state.hits == 0) return false;
  --state.hits;
  unsigned char size = 0;
  char bytes[std::numeric_limits<unsigned char>::max()];
  state.read(reinterpret_cast<char*>(&size), 1);
  if (size != 0) state.read(bytes, size);
  NumberReader numbers({bytes, size});
  PlacedHit& last = state.last;
  const std::int64_t step = numbers.next_signed();
  last.start += step;
  numbers.set(last.hit.length);
  last.end = last.start + last.hit.length;
  const std::uint64_t letters = numbers.next();
  const std::uint64_t query = numbers.next();
  last.hit.query = query >> 1 & 0x7fffffffU;
  last.hit.first = query & 1U;
  numbers.set(last.hit.edits);
  numbers.set(last.hit.indels);
  numbers.set(last.source);
  numbers.set(last.standing.best);
  const std::uint64_t next_edits = numbers.next();
  last.standing.next_edits.reset();
  if (next_edits != 0) last.standing.next_edits = static_cast<std::uint32_t>(next_edits - 1);
  const std::uint64_t left = numbers.next();
  const std::uint64_t right = numbers.next();
  const std::uint64_t name = numbers.next();
  last.record += numbers.next_signed();
  last.circular_length += numbers.next_signed();
  last.hit.position += static_cast<std::uint32_t>(step) + static_cast<std::uint32_t>(numbers.next());
  numbers.set(last.hit.hang_left);
  numbers.set(last.hit.hang_right);

  if (name != 0) {
    state.name.resize(name - 1);
    state.read(state.name.data(), state.name.size());
  }
  state.letters.resize(letters + left + right);
  state.read(state.letters.data(), state.letters.size());
  const std::string_view all = state.letters;
  last.record_name = state.name;
  last.letters = all.substr(0, letters);
  last.left = all.substr(letters, left);
  last.right = all.substr(letters + left, right);
  hit = last;
  return true;
}

void HitSpool::replay(const std::function<void(const PlacedHit&)>& use) {
  rewind();
  for (PlacedHit hit{}; next(hit);) use(hit);
}

}  // namespace basesweep
