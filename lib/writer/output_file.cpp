#include "lib/writer/output_file.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "lib/error.hpp"

namespace basesweep {
namespace {

// Names of temporary files for the signal handler, which may only look at plain memory.
struct TemporarySlot {
  std::atomic<bool> used{false};
  std::atomic<bool> ready{false};
  char name[PATH_MAX];
};
std::array<TemporarySlot, 8> temporary_slots;

int remember_temporary(const std::string& name) {
  for (std::size_t i = 0; i < temporary_slots.size(); ++i) {
    if (name.size() >= sizeof temporary_slots[i].name || temporary_slots[i].used.exchange(true)) continue;
    std::memcpy(temporary_slots[i].name, name.c_str(), name.size() + 1);
    temporary_slots[i].ready = true;
    return static_cast<int>(i);
  }
  return -1;
}

void forget_temporary(int slot) {
  if (slot < 0) return;
  temporary_slots[static_cast<std::size_t>(slot)].ready = false;
  temporary_slots[static_cast<std::size_t>(slot)].used = false;
}

extern "C" void remove_temporaries(int signal) {
  for (TemporarySlot& slot : temporary_slots) {
    if (slot.ready) unlink(slot.name);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// The number in /dev/stdout, /dev/stderr, /dev/fd/N, else -1. Opening those anew would not share the place to write at.
int descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view kFolder = "/dev/fd/";
  int number = -1;
  if (path.compare(0, kFolder.size(), kFolder) == 0) {
    std::from_chars(path.data() + kFolder.size(), path.data() + path.size(), number);
  }
  return number;
}

bool is_compressed(const std::string& path, OutputCompression compression) {
  if (compression != OutputCompression::by_name) return compression == OutputCompression::bgzf;
  return path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
}

}  // namespace

void remove_temporaries_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;  // nohup, or a shell's background job
    struct sigaction action {};
    action.sa_handler = remove_temporaries;
    sigaction(signal, &action, nullptr);
  }
}

OutputFile::OutputFile(const std::string& path, int threads, OutputCompression compression)
    : path_(path == "-" ? "<stdout>" : path) {
  struct stat status {};
  const bool exists = path != "-" && stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw IoError(path_, "cannot write", EISDIR);
  if (const int descriptor = descriptor_of(path); descriptor >= 0) {
    fd_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  } else if (exists && !S_ISREG(status.st_mode)) {
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    char resolved[PATH_MAX];
    target_ = exists && realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : path;
    if (exists && access(target_.c_str(), W_OK) != 0) throw IoError(path_, "cannot write", errno);
    temporary_ = target_ + ".XXXXXX";
    fd_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (fd_ < 0) {
      temporary_.clear();
    } else {
      slot_ = remember_temporary(temporary_);
      const mode_t mask = umask(0);
      umask(mask);
      if (fchmod(fd_, exists ? status.st_mode & 07777 : 0666 & ~mask) != 0) { /* the file stays private */
      }
    }
  }
  if (fd_ < 0) throw IoError(path_, "cannot write", errno);
  if (is_compressed(path, compression)) {
    hts_set_log_level(HTS_LOG_OFF);
    hFILE* stream = hdopen(fd_, "w");
    bgzf_ = stream == nullptr ? nullptr : bgzf_hopen(stream, "w");
    if (bgzf_ == nullptr) {
      const int code = errno;
      discard();
      throw IoError(path_, "cannot write", code);
    }
    if (threads > 1) bgzf_mt(bgzf_, threads, 256);
  }
}

OutputFile::~OutputFile() { discard(); }

// Closes what is open and removes what is not complete.
void OutputFile::discard() noexcept {
  if (bgzf_ != nullptr) {
    bgzf_close(bgzf_);
  } else if (fd_ >= 0) {
    close(fd_);
  }
  if (!temporary_.empty()) unlink(temporary_.c_str());
  forget_temporary(slot_);
}

void OutputFile::write(std::string_view text) {
  if (bgzf_ == nullptr) return write_plain(text);
  if (bgzf_write(bgzf_, text.data(), text.size()) < 0) fail_compressed();
}

// The error may be one of another thread: errno does not tell.
void OutputFile::fail_compressed() const {
  const int code = herrno(bgzf_->fp);
  throw IoError(path_, "cannot write", code != 0 ? code : EIO);
}

void OutputFile::write_plain(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw IoError(path_, "cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  if (bgzf_ != nullptr && bgzf_flush(bgzf_) < 0) fail_compressed();
  errno = 0;
  const int failed = bgzf_ != nullptr ? bgzf_close(bgzf_) : close(fd_);
  bgzf_ = nullptr;
  fd_ = -1;
  if (failed != 0) throw IoError(path_, "cannot write", errno != 0 ? errno : EIO);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) throw IoError(path_, "cannot rename into place", errno);
  temporary_.clear();
}

}  // namespace basesweep
