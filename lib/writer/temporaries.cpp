#include "lib/writer/temporaries.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/temporary_folder.hpp"

namespace basesweep {

// A path that the signal handler may remove. The handler may neither allocate, free nor lock, and other threads run
// while it does its work. So slots are never freed, and a path that the handler has taken is not freed or changed any
// more.
struct TemporarySlot {
  enum class State { free, used, taken };  // taken: by the handler
  std::atomic<State> state{State::free};
  bool folder = false;
  char* path = nullptr;
  TemporarySlot* next_free = nullptr;
};

namespace {

using State = TemporarySlot::State;

struct Chunk {
  std::array<TemporarySlot, 64> slots;
  std::atomic<Chunk*> next{nullptr};
};
constinit Chunk first_chunk;
constinit std::atomic<bool> ending{false};  // the handler has begun
constinit std::atomic<int> makers{0};       // the number of SignalsWait
static_assert(std::atomic<State>::is_always_lock_free && std::atomic<Chunk*>::is_always_lock_free);

// Variables of the threads that add and remove paths; the handler uses none of these.
constinit std::mutex mutex;
constinit TemporarySlot* free_slots = nullptr;
constinit Chunk* last_chunk = nullptr;

TemporarySlot& take_slot() {
  const std::lock_guard lock(mutex);
  if (free_slots == nullptr) {
    Chunk* const chunk = last_chunk == nullptr ? &first_chunk : new Chunk;
    for (TemporarySlot& slot : chunk->slots) slot.next_free = std::exchange(free_slots, &slot);
    if (last_chunk != nullptr) last_chunk->next = chunk;
    last_chunk = chunk;
  }
  return *std::exchange(free_slots, free_slots->next_free);
}

void give_back(TemporarySlot& slot) {
  const std::lock_guard lock(mutex);
  slot.next_free = std::exchange(free_slots, &slot);
}

// A handler on another thread may have taken the path before this one, and may not be done with it.
void remove_paths(bool folders) noexcept {
  for (Chunk* chunk = &first_chunk; chunk != nullptr; chunk = chunk->next) {
    for (TemporarySlot& slot : chunk->slots) {
      State state = State::used;
      if (!slot.state.compare_exchange_strong(state, State::taken) && state != State::taken) continue;
      if (slot.folder == folders) folders ? rmdir(slot.path) : unlink(slot.path);
    }
  }
}

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
  ending = true;
  constexpr int kMilliseconds = 1000;  // a maker may have crashed, or wait for a file system that does not answer
  for (int i = 0; makers != 0 && i < kMilliseconds; ++i) poll(nullptr, 0, 1);
  remove_paths(false);
  remove_paths(true);
}

void remove_temporaries_on_signals() {
  for (const int signal : kOtherEnds) handle(signal, true);
  for (const int signal : kCrashes) handle(signal, false);  // a sanitizer's handler reports the crash
  std::signal(SIGXFSZ, SIG_IGN);
}

// A file that is made when the handler has read the list would be left, so the thread waits for the end of the process.
SignalsWait::SignalsWait() noexcept {
  sigset_t all;
  sigfillset(&all);
  for (const int signal : kCrashes) sigdelset(&all, signal);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
  ++makers;
  if (!ending) return;
  --makers;
  while (true) pause();
}

SignalsWait::~SignalsWait() {
  --makers;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

Temporary::Temporary(const std::string& path, Kind kind) {
  const auto size = path.size() + 1;
  std::unique_ptr<char[]> copy(new char[size]);
  std::memcpy(copy.get(), path.c_str(), size);
  slot_ = &take_slot();
  slot_->path = copy.release();
  slot_->folder = kind == Kind::empty_folder;
  slot_->state = State::used;
}

Temporary::~Temporary() {
  State state = State::used;
  if (slot_ == nullptr || !slot_->state.compare_exchange_strong(state, State::free)) return;
  delete[] std::exchange(slot_->path, nullptr);
  give_back(*slot_);
}

Temporary::Temporary(Temporary&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

TemporaryFolder::TemporaryFolder(std::vector<std::string> files) : files_(std::move(files)) {
  const std::string parent = temporary_folder();
  path_ = parent + "/basesweep.XXXXXX";
  const SignalsWait guard;
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
