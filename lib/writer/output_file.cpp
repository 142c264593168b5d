#include "lib/writer/output_file.hpp"

#include <fcntl.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
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

OutputFile::OutputFile(const std::string& path, const std::shared_ptr<CompressionPool>& pool,
                       OutputCompression compression, std::optional<int> level)
    : path_(output_name(path)) {
  const bool compressed = is_compressed(path, compression);
  try {
    open_target(path);
    if (!compressed && compression != OutputCompression::binary) return;
    if (temporary_.empty() && isatty(descriptor()) != 0) {
      throw UsageError(path_ +
                       ": this output is binary, and a terminal cannot show it: name a file (-o FILE), or send it "
                       "to a program (basesweep ... | PROGRAM)");
    }
    if (!compressed) return;
    hts_set_log_level(HTS_LOG_OFF);
    const auto sink = [this](std::string_view block) { write_plain(block); };
    const int usual = compression == OutputCompression::by_name ? kTextLevel : -1;
    bgzf_ = std::make_unique<BgzfWriter>(pool, sink, level.value_or(usual));
  } catch (...) {  // no destructor runs for an object that was not made
    discard();
    throw;
  }
}

void OutputFile::open_target(const std::string& path) {
  struct stat status {};
  const bool exists = path != "-" && stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw IoError(path_, "cannot write", EISDIR);
  int fd = -1;
  if (const int descriptor = descriptor_of(path); descriptor >= 0) {
    fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  } else if (exists && !S_ISREG(status.st_mode)) {
    fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    char resolved[PATH_MAX];
    target_ = exists && realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : followed(path, path_);
    if (exists && access(target_.c_str(), W_OK) != 0) throw IoError(path_, "cannot write", errno);
    if (exists) mode_ = status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (open_temporary()) return;
  }
  if (fd < 0) throw IoError(path_, "cannot write", errno);
  file_.adopt(fd);
}

// Makes the temporary file in the target's folder; false, with errno set, if that fails. It stays private until its end
// if it replaces a file; otherwise its mode is what the umask leaves.
bool OutputFile::open_temporary() {
  constexpr int kTries = 100;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::size_t kRandomLetters = 8;
  // Where the target has the longest name that a file may have, or a little less, the file begins with a part of it.
  const std::size_t name = target_.rfind('/') + 1;
  const bool is_name = target_.size() - name <= NAME_MAX;
  const std::string beginning = (is_name ? target_.substr(0, name + NAME_MAX - 1 - kRandomLetters) : target_) + ".";
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    temporary_ = beginning;
    std::uint64_t number = std::uint64_t{random()} << 32 | random();  // each call takes microseconds
    for (std::size_t letter = 0; letter < kRandomLetters; ++letter, number /= kLetters.size())
      temporary_ += kLetters[number % kLetters.size()];
    const SignalsWait guard;
    Temporary watched(temporary_, Temporary::Kind::file);
    if (file_.create(temporary_, mode_ ? S_IRUSR | S_IWUSR : 0666)) {
      watched_ = std::move(watched);
      return true;
    }
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  return false;
}

OutputFile::~OutputFile() { discard(); }

// Closes the file, and removes it if it is not complete.
void OutputFile::discard() noexcept {
  bgzf_.reset();
  file_.close();
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::write(std::string_view text) { bgzf_ ? bgzf_->write(text) : write_plain(text); }

// Called by any thread that compresses.
void OutputFile::write_plain(std::string_view text) {
  const CachedDescriptor::Use use(file_, path_);
  while (!text.empty()) {
    const ssize_t written = ::write(use.fd(), text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw IoError(path_, "cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Writes what is not compressed yet.
void OutputFile::finish_text() {
  if (bgzf_) bgzf_->finish();
  bgzf_.reset();
}

void OutputFile::finish() {
  if (finished_) return;
  finish_text();
  // The content is on the disk before the file gets its name, so that a crash never leaves a half-written file.
  if (!temporary_.empty()) {
    const CachedDescriptor::Use use(file_, path_);
    if (mode_ && fchmod(use.fd(), *mode_) != 0) { /* the file stays private */
    }
    sync_descriptor(use.fd(), path_);
    file_.check_place(path_);
  }
  if (const int code = file_.close(); code != 0) throw IoError(path_, "cannot write", code);
  finished_ = true;
}

void OutputFile::rename_into_place() {
  if (rename(temporary_.c_str(), target_.c_str()) != 0) throw IoError(path_, "cannot rename into place", errno);
  temporary_.clear();
  const Temporary released = std::move(watched_);
}

void OutputFile::commit() {
  finish();
  if (temporary_.empty()) return;
  rename_into_place();
  sync_folder_of(target_, path_);
}

void finish_files(std::span<OutputFile* const> files, int threads) {
  constexpr std::size_t kFew = 8;   // do not need threads
  constexpr int kSyncThreads = 16;  // wait for the disk, which is faster when it has more to do at once
  std::vector<std::exception_ptr> errors(files.size());
  const auto for_each = [&](int workers, const auto& work) {
    parallel_for(files.size() <= kFew ? 1 : workers, files.size(), [&](std::size_t i) {
      try {
        work(*files[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
    const auto first = std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
    if (first == errors.end()) return;
    for (OutputFile* file : files) file->discard();
    std::rethrow_exception(*first);
  };
  for_each(threads, [](OutputFile& file) { file.finish_text(); });
  for_each(kSyncThreads, [](OutputFile& file) { file.finish(); });
}

void place_files(std::span<OutputFile* const> files) {
  std::map<std::string, const OutputFile*> folders;  // a file of each
  for (auto at = files.begin(); at != files.end(); ++at) {
    OutputFile& file = **at;
    if (file.temporary_.empty()) continue;
    try {
      folders.emplace(std::filesystem::path(file.target_).parent_path(), &file);
      file.rename_into_place();
    } catch (...) {
      for (; at != files.end(); ++at) (*at)->discard();
      throw;
    }
  }
  for (const auto& [folder, file] : folders) sync_folder_of(file->target_, file->path_);
}

}  // namespace basesweep
