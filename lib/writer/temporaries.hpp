// Temporary files and folders that are removed even when a signal or an abort ends the process.
#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace basesweep {

// From now on every signal that can be caught and that ends the process removes temporary files and folders first. A
// signal that was ignored stays ignored, and a handler of crashes (SIGSEGV and the like) stays in place. SIGXFSZ is
// ignored: the write that is too large then fails with EFBIG. A mapped file that cannot be read (SIGBUS) ends the
// process with a message and kExitIo.
void remove_temporaries_on_signals();

// Removes them now, for a process that ends without destructors. Async-signal-safe.
void remove_temporaries() noexcept;

// While this object lives, signals wait, at most for a second. Made around the lines that make a temporary file or
// folder and its Temporary, in either order, so that no signal comes between. To be kept short.
class SignalsWait {
 public:
  SignalsWait() noexcept;
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;  // the signals that this thread blocks otherwise
};

struct TemporarySlot;

// While this object lives, the signal handler removes its path. There may be any number of them, and any thread may
// make and destroy them while a signal comes.
class Temporary {
 public:
  enum class Kind { file, empty_folder };  // a folder is removed after all files

  Temporary() = default;
  // Throws std::bad_alloc.
  Temporary(const std::string& path, Kind kind);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;

 private:
  TemporarySlot* slot_ = nullptr;
};

// A new folder in temporary_folder(). It is removed, with its files, when this object is destroyed.
class TemporaryFolder {
 public:
  // `files`: names of the files that may be made in it. Throws IoError.
  explicit TemporaryFolder(std::vector<std::string> files);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
  std::vector<std::string> files_;
  std::vector<Temporary> watched_;
};

}  // namespace basesweep
