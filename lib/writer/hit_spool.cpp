#include "lib/writer/hit_spool.hpp"

#include <fcntl.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/writer/bgzf_handle.hpp"
#include "lib/writer/bgzf_writer.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {
namespace {

// A hit in the file; its record name, letters, and the letters on the left and on the right follow.
struct Stored {
  std::int64_t record;
  std::int64_t start;
  std::int64_t circular_length;
  std::uint64_t best;        // of the standing
  std::uint32_t next_edits;  // the same; kNoNextEdits: nothing
  Hit hit;
  std::uint32_t name_size;  // kSameName: the name of the hit before, not repeated
  std::uint32_t letters_size;
  std::uint32_t source;
  std::uint16_t left_size;
  std::uint16_t right_size;
};
static_assert(kMaxFlank <= std::numeric_limits<std::uint16_t>::max());
static_assert(std::has_unique_object_representations_v<Stored>);  // else bytes without a value would go into the file
constexpr std::uint32_t kNoNextEdits = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kSameName = std::numeric_limits<std::uint32_t>::max();

}  // namespace

struct HitSpool::State {
  std::string directory;
  int threads;
  int fd;
  std::optional<BgzfWriter> writer;  // until rewind()
  BgzfHandle bgzf;                   // afterwards
  std::int64_t last_record = -1;
  std::uint64_t hits = 0;  // stored, and not yet read back
  std::string name{};      // of the last hit that was read back
  std::string letters{};   // the same

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
  const bool same_name = hit.record == state_->last_record;
  const Stored stored{hit.record,
                      hit.start,
                      hit.circular_length,
                      hit.standing.best,
                      hit.standing.next_edits.value_or(kNoNextEdits),
                      hit.hit,
                      same_name ? kSameName : static_cast<std::uint32_t>(hit.record_name.size()),
                      static_cast<std::uint32_t>(hit.letters.size()),
                      hit.source,
                      static_cast<std::uint16_t>(hit.left.size()),
                      static_cast<std::uint16_t>(hit.right.size())};
  state_->last_record = hit.record;
  ++state_->hits;
  state_->writer->write({reinterpret_cast<const char*>(&stored), sizeof stored});
  if (!same_name) state_->writer->write(hit.record_name);
  for (const std::string_view text : {hit.letters, hit.left, hit.right}) {
    if (!text.empty()) state_->writer->write(text);
  }
}

void HitSpool::rewind() {
  State& state = *state_;
  state.writer->finish();
  state.writer.reset();
  if (lseek(state.fd, 0, SEEK_SET) != 0) state.fail("cannot read back a temporary file in this folder", errno);
  state.open_stream();
}

bool HitSpool::next(PlacedHit& hit) {
  State& state = *state_;
  Stored stored;
  // Helper threads of HTSlib may take a read error for the end of the file, so the number of hits is the judge.
  if (state.hits == 0) return false;
  --state.hits;
  state.read(reinterpret_cast<char*>(&stored), sizeof stored);
  if (stored.name_size != kSameName) {
    state.name.resize(stored.name_size);
    state.read(state.name.data(), state.name.size());
  }
  state.letters.resize(std::size_t{stored.letters_size} + stored.left_size + stored.right_size);
  state.read(state.letters.data(), state.letters.size());
  const std::string_view all = state.letters;
  const std::string_view beside = all.substr(stored.letters_size);
  hit = place_hit(state.name, stored.record, stored.start, stored.hit);
  hit.letters = all.substr(0, stored.letters_size);
  hit.left = beside.substr(0, stored.left_size);
  hit.right = beside.substr(stored.left_size);
  hit.source = stored.source;
  hit.circular_length = stored.circular_length;
  hit.standing.best = stored.best;
  if (stored.next_edits != kNoNextEdits) hit.standing.next_edits = stored.next_edits;
  return true;
}

void HitSpool::replay(const std::function<void(const PlacedHit&)>& use) {
  rewind();
  for (PlacedHit hit{}; next(hit);) use(hit);
}

}  // namespace basesweep
