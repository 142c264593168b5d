#include "lib/writer/temporaries.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/temporary_folder.hpp"

namespace basesweep {
namespace {

// The paths that the signal handler removes. A handler may only look at plain memory, hence the fixed array.
struct Slot {
  std::atomic<bool> used{false};
  std::atomic<bool> ready{false};
  bool folder = false;
  char path[PATH_MAX];
};
std::array<Slot, 8> slots;

// The signal, raised again, ends the process when the handler returns. The code that was interrupted keeps its errno.
extern "C" void end_by_signal(int signal) {
  const int interrupted_errno = errno;
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  errno = interrupted_errno;
}

// The kernel could not read a page of a file that is mapped into memory. Compiled sets are, and nothing else is.
extern "C" void end_by_bus_error(int signal, siginfo_t* about, void*) {
  if (about->si_code != BUS_ADRERR) return end_by_signal(signal);
  remove_temporaries();
  constexpr std::string_view kText =
      "basesweep: a compiled set cannot be read any more: it became shorter, or its disk failed\n";
  if (write(STDERR_FILENO, kText.data(), kText.size()) < 0) {
    // The exit code says it too.
  }
  _exit(kExitIo);
}

constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::array kOtherEnds = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE,   SIGQUIT, SIGALRM,
                                   SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF};

void handle(int signal, bool replaces_handler) {
  struct sigaction old {};
  sigaction(signal, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;  // nohup, or a shell's background job
  if (old.sa_handler != SIG_DFL && !replaces_handler) return;
  struct sigaction action {};
  if (signal == SIGBUS) {
    action.sa_sigaction = end_by_bus_error;
    action.sa_flags = SA_SIGINFO;
  } else {
    action.sa_handler = end_by_signal;
  }
  sigaction(signal, &action, nullptr);
}

}  // namespace

void remove_temporaries() noexcept {
  for (const Slot& slot : slots) {
    if (slot.ready && !slot.folder) unlink(slot.path);
  }
  for (const Slot& slot : slots) {
    if (slot.ready && slot.folder) rmdir(slot.path);
  }
}

void remove_temporaries_on_signals() {
  for (const int signal : kOtherEnds) handle(signal, true);
  for (const int signal : kCrashes) handle(signal, false);  // a sanitizer's handler reports the crash
  std::signal(SIGXFSZ, SIG_IGN);
}

Temporary::Temporary(const std::string& path, Kind kind) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (slot.used.exchange(true)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.folder = kind == Kind::empty_folder;
    slot.ready = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

Temporary::~Temporary() {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.ready = false;
  slot.used = false;
}

Temporary::Temporary(Temporary&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

TemporaryFolder::TemporaryFolder(std::vector<std::string> files) : files_(std::move(files)) {
  const std::string parent = temporary_folder();
  path_ = parent + "/basesweep.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) throw IoError(parent, "cannot make a temporary folder here", errno);
  try {
    watched_.emplace_back(path_, Temporary::Kind::empty_folder);
    for (const std::string& file : files_) watched_.emplace_back(path(file), Temporary::Kind::file);
  } catch (...) {  // memory may give out; no destructor runs for an object that was not made
    rmdir(path_.c_str());
    throw;
  }
}

TemporaryFolder::~TemporaryFolder() {
  for (const std::string& file : files_) unlink(path(file).c_str());
  rmdir(path_.c_str());
}

}  // namespace basesweep
