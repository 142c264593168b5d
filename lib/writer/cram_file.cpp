#include "lib/writer/cram_file.hpp"

#include <fcntl.h>
#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/writer/bam_record.hpp"
#include "lib/writer/cram_reference.hpp"
#include "lib/writer/output_file.hpp"

namespace basesweep {
namespace {

struct DestroyHeader {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};
using Header = std::unique_ptr<sam_hdr_t, DestroyHeader>;

Header parse_header(const std::string& text) {
  Header header(sam_hdr_parse(text.size(), text.c_str()));
  if (header == nullptr) throw Error(kExitFailure, "HTSlib does not accept the header of the output");
  return header;
}

}  // namespace

struct CramFile::State {
  int threads;
  CramReference reference;
  OutputFile file;
  Header header;
  hFILE* stream = nullptr;  // cram's
  htsFile* cram = nullptr;
  BamRecord record;

  State(const std::string& path, int threads_to_use, const std::string& reference_path)
      : threads(threads_to_use), reference(reference_path), file(path, 1, OutputCompression::binary) {}
  ~State() {
    if (cram != nullptr) hts_close(cram);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail(int code) const { throw IoError(file.path(), "cannot write", code != 0 ? code : EIO); }
  void open();
  void use_reference();
  void check_end();
};

void CramFile::State::open() {
  hts_set_log_level(HTS_LOG_OFF);
  const int copy = fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);  // closed with the stream; `file` closes its own
  stream = copy < 0 ? nullptr : hdopen(copy, "w");
  if (stream == nullptr) {
    const int code = errno;
    if (copy >= 0) close(copy);
    fail(code);
  }
  cram = hts_hopen(stream, "cram", "wc");
  if (cram == nullptr) {
    const int code = errno;
    hclose_abruptly(stream);
    fail(code);
  }
  // By default HTSlib embeds a reference that it cannot read. Here that is an error, so embedding is off.
  if (hts_set_opt(cram, CRAM_OPT_VERSION, "3.0") != 0 || hts_set_opt(cram, CRAM_OPT_EMBED_REF, 0) != 0 ||
      (threads > 1 && hts_set_threads(cram, threads) != 0)) {
    fail(errno);
  }
}

void CramFile::State::use_reference() {
  std::string path = reference.indexed_path();
  if (hts_set_opt(cram, CRAM_OPT_REFERENCE, path.data()) != 0) throw IoError(reference.path(), "cannot read", errno);
  // HTSlib would write the path of the temporary folder to the header. Without it the reference stays loaded.
  char* const none = nullptr;
  if (hts_set_opt(cram, CRAM_OPT_REFERENCE, none) != 0) fail(errno);
}

// Throws if a regular file does not end with the mark of the end: HTSlib 1.16 leaves it out without an error when
// memory gives out.
void CramFile::State::check_end() {
  constexpr unsigned char kEnd[] = {0x0f, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xe0, 0x45, 0x4f, 0x46,
                                    0,    0, 0, 0, 1,    0,    5,    0xbd, 0xd9, 0x4f, 0,    1,    0,
                                    6,    6, 1, 0, 1,    0,    1,    0,    0xee, 0x63, 1,    0x4b};
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  unsigned char end[sizeof kEnd];
  const off_t at = status.st_size - static_cast<off_t>(sizeof end);
  const bool read = pread(file.descriptor(), end, sizeof end, at) == sizeof end;
  if (!read && errno == EBADF) return;  // open for writing only
  if (!read || std::memcmp(end, kEnd, sizeof end) != 0) fail(ENOMEM);
}

CramFile::CramFile(const std::string& path, int threads, const std::string& reference)
    : state_(std::make_unique<State>(path, threads, reference)) {}

CramFile::~CramFile() = default;

void CramFile::write_header(const std::string& text) {
  State& state = *state_;
  state.header = parse_header(text);
  state.reference.check(*state.header);
  state.open();
  state.use_reference();
  errno = 0;
  if (sam_hdr_write(state.cram, state.header.get()) == 0) return;
  if (const int code = herrno(state.stream); code != 0) state.fail(code);
  throw IoError(state.reference.path(), "cannot read", errno);
}

void CramFile::write(std::string_view records) {
  while (!records.empty()) {
    records = state_->record.parse(records);
    errno = 0;
    if (sam_write1(state_->cram, state_->header.get(), state_->record.get()) < 0) {
      const int code = herrno(state_->stream);
      state_->fail(code != 0 ? code : errno);
    }
  }
}

OutputFile& CramFile::finish() {
  State& state = *state_;
  if (state.cram == nullptr) return state.file;
  errno = 0;
  if (hts_close(std::exchange(state.cram, nullptr)) != 0) state.fail(errno);
  state.check_end();
  state.file.finish();
  return state.file;
}

void CramFile::commit() { finish().commit(); }

}  // namespace basesweep
