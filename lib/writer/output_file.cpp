#include "lib/writer/output_file.hpp"

#include <fcntl.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <random>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/rows/output_format.hpp"
#include "lib/writer/bgzf_writer.hpp"
#include "lib/writer/sync.hpp"

namespace basesweep {
namespace {

// The descriptor that /dev/stdout, /dev/stderr or /dev/fd/N stands for, otherwise -1. It is duplicated, because a file
// that is opened anew has a write position of its own.
int descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view kFolder = "/dev/fd/";
  if (!path.starts_with(kFolder)) return -1;
  int number = -1;
  const char* const last = path.data() + path.size();
  const auto [end, error] = std::from_chars(path.data() + kFolder.size(), last, number);
  return error == std::errc() && end == last ? number : -1;
}

// The path that a link which leads nowhere points to; the path itself when it is none. Throws IoError for links that
// lead to each other.
std::string followed(std::string path, const std::string& shown) {
  constexpr int kMaxLinks = 40;  // Linux follows as many
  for (int i = 0; i < kMaxLinks; ++i) {
    char link[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), link, sizeof link);
    if (size < 0) return path;
    const std::string_view to(link, static_cast<std::size_t>(size));
    path = to.starts_with('/') ? std::string(to) : path.substr(0, path.rfind('/') + 1).append(to);
  }
  throw IoError(shown, "cannot write", ELOOP);
}

bool is_compressed(const std::string& path, OutputCompression compression) {
  if (compression != OutputCompression::by_name) return compression == OutputCompression::bgzf;
  return ends_in_gz(path);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, int threads, OutputCompression compression) : path_(output_name(path)) {
  struct stat status {};
  const bool exists = path != "-" && stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw IoError(path_, "cannot write", EISDIR);
  if (const int descriptor = descriptor_of(path); descriptor >= 0) {
    fd_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  } else if (exists && !S_ISREG(status.st_mode)) {
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    char resolved[PATH_MAX];
    target_ = exists && realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : followed(path, path_);
    if (exists && access(target_.c_str(), W_OK) != 0) throw IoError(path_, "cannot write", errno);
    open_temporary(exists, status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
  }
  if (fd_ < 0) throw IoError(path_, "cannot write", errno);
  const bool compressed = is_compressed(path, compression);
  if ((compressed || compression == OutputCompression::binary) && isatty(fd_) != 0) {
    discard();
    throw UsageError(path_ +
                     ": this output is binary, and a terminal cannot show it: name a file (-o FILE), or send it "
                     "to a program (basesweep ... | PROGRAM)");
  }
  if (!compressed) return;
  try {
    hts_set_log_level(HTS_LOG_OFF);
    bgzf_ = std::make_unique<BgzfWriter>(threads, [this](std::string_view block) { write_plain(block); });
  } catch (...) {  // memory may give out; no destructor runs for an object that was not made
    discard();
    throw;
  }
}

// Makes the temporary file in the target's folder. `replaces`: the target exists and has this mode, which the new file
// gets too; otherwise the mode is what the umask leaves.
void OutputFile::open_temporary(bool replaces, unsigned mode) {
  constexpr int kTries = 100;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    temporary_ = target_ + ".";
    for (int letter = 0; letter < 8; ++letter) temporary_ += kLetters[random() % kLetters.size()];
    fd_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? S_IRUSR | S_IWUSR : 0666);
    if (fd_ >= 0 || errno != EEXIST) break;
  }
  if (fd_ < 0) {
    temporary_.clear();
    return;
  }
  watched_ = Temporary(temporary_, Temporary::Kind::file);
  if (replaces && fchmod(fd_, mode) != 0) { /* the file stays private */
  }
}

OutputFile::~OutputFile() { discard(); }

// Closes the file, and removes it if it is not complete.
void OutputFile::discard() noexcept {
  bgzf_.reset();
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::write(std::string_view text) { bgzf_ ? bgzf_->write(text) : write_plain(text); }

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

void OutputFile::finish() {
  if (finished_) return;
  if (bgzf_) bgzf_->finish();
  bgzf_.reset();
  if (close(std::exchange(fd_, -1)) != 0) throw IoError(path_, "cannot write", errno);
  // The content is on the disk before the file gets its name, so that a crash never leaves a half-written file.
  if (!temporary_.empty()) sync_file(temporary_, path_);
  finished_ = true;
}

void OutputFile::commit() {
  finish();
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) throw IoError(path_, "cannot rename into place", errno);
  temporary_.clear();
  sync_folder_of(target_, path_);
}

}  // namespace basesweep
