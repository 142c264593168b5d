// A library for LD_PRELOAD that makes one call of the C library fail, or logs what changes files.
//
//   FAULT=read:5:EIO      the 5th read() fails with EIO. Functions: see kNames. Errors: EIO ENOSPC EINTR EAGAIN ENOMEM;
//                         `short`: the call moves one byte; `zero`: it moves none
//   FAULT=read:5+:EIO     the 5th and all later ones
//   FAULT_COUNTS=FILE     at exit, appends "read 17" and so on: how often each function was called; then "sizes 24 8
//   ...": how
//                         many bytes each of the first calls of malloc, calloc and realloc asked for
//   FAULT_LOG=FILE        appends a line for each call that opens, changes, syncs, renames or removes a file, once it
//   has
//                         succeeded: its name and its arguments, with tabs between; after the line of a write its bytes
//
// Calls count, and are logged, from the moment at which main() is entered.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {

enum Function {
  kRead,
  kPread,
  kWrite,
  kPwrite,
  kLseek,
  kMmap,
  kFsync,
  kRename,
  kOpen,
  kClose,
  kMkstemp,
  kMkdtemp,
  kThread,
  kMalloc,
  kFunctions
};
constexpr const char* kNames[kFunctions] = {"read",    "pread",   "write",          "pwrite", "lseek",
                                            "mmap",    "fsync",   "rename",         "open",   "close",
                                            "mkstemp", "mkdtemp", "pthread_create", "malloc"};
constexpr int kShort = -1;
constexpr int kZero = -2;

std::atomic<bool> begun{false};
std::atomic<long> calls[kFunctions];
int failing = -1;  // the function that fails
long first = 0;    // its call that fails, from 1
bool all_later = false;
int code = 0;

constexpr long kSizes = 1 << 16;
std::size_t sizes[kSizes];

int code_of(const char* word) {
  constexpr struct {
    const char* word;
    int code;
  } kCodes[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EAGAIN", EAGAIN},
                {"ENOMEM", ENOMEM}, {"short", kShort},  {"zero", kZero}};
  for (const auto& known : kCodes) {
    if (std::strcmp(word, known.word) == 0) return known.code;
  }
  std::fprintf(stderr, "shim: unknown error '%s' in FAULT\n", word);
  _exit(99);
}

void read_setting() {
  const char* text = std::getenv("FAULT");
  if (text == nullptr) return;
  char name[32];
  char rest[32];
  if (std::sscanf(text, "%31[^:]:%ld%31s", name, &first, rest) != 3) _exit(99);
  all_later = rest[0] == '+';
  code = code_of(rest + (all_later ? 2 : 1));
  for (int i = 0; i < kFunctions; ++i) {
    if (std::strcmp(name, kNames[i]) == 0) failing = i;
  }
  if (failing < 0) _exit(99);
}

void print_counts() {
  begun = false;
  const char* path = std::getenv("FAULT_COUNTS");
  if (path == nullptr) return;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) return;
  for (int i = 0; i < kFunctions; ++i) std::fprintf(file, "%s %ld\n", kNames[i], calls[i].load());
  std::fputs("sizes", file);
  for (long i = 0; i < kSizes && i < calls[kMalloc]; ++i) std::fprintf(file, " %zu", sizes[i]);
  std::fputs("\n", file);
  std::fclose(file);
}

thread_local bool in_dlopen = false;

// Whether this call of the function fails. `size`: the bytes that a call of malloc asks for.
bool fails(Function function, std::size_t size = 0) {
  if (!begun || in_dlopen) return false;
  const long number = ++calls[function];
  if (function == kMalloc && number <= kSizes) sizes[number - 1] = size;
  return function == failing && (number == first || (all_later && number > first));
}

int log_file = -1;
std::mutex log_mutex;  // a call and its line, so that lines stand in the order of the calls

template <class Real>
Real real(const char* name) {
  return reinterpret_cast<Real>(dlsym(RTLD_NEXT, name));
}

void log_bytes(const void* bytes, size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (call(log_file, bytes, size) != static_cast<ssize_t>(size)) _exit(98);
}

// Appends a line to the log.
__attribute__((format(printf, 1, 2))) void log_line(const char* format, ...) {
  char line[8192];
  va_list more;
  va_start(more, format);
  const int size = std::vsnprintf(line, sizeof line, format, more);
  va_end(more);
  log_bytes(line, static_cast<size_t>(size));
}

void open_log() {
  static const auto call = real<int (*)(const char*, int, ...)>("open");
  const char* path = std::getenv("FAULT_LOG");
  if (path == nullptr) return;
  log_file = call(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (log_file < 0) _exit(98);
}

// Makes a call and, if it succeeds, logs it.
template <class Call, class Log>
auto logged(const Call& call, const Log& log) {
  if (!begun || log_file < 0) return call();
  const std::lock_guard lock(log_mutex);
  const auto result = call();
  const int code_of_call = errno;
  if (result >= 0) log(result);
  errno = code_of_call;
  return result;
}

// The result of a failed call that returns -1 and sets errno.
int failed() {
  errno = code;
  return -1;
}

}  // namespace

extern "C" {

using Main = int (*)(int, char**, char**);
static Main real_main;

static int counted_main(int argc, char** argv, char** environment) {
  read_setting();
  open_log();
  std::atexit(print_counts);
  begun = true;
  return real_main(argc, argv, environment);
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __libc_start_main(Main program, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld)(), void* end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = program;
  return real<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld, end);
}

ssize_t read(int fd, void* to, size_t size) {
  static const auto call = real<ssize_t (*)(int, void*, size_t)>("read");
  if (size == 0 || !fails(kRead)) return call(fd, to, size);
  if (code == kZero) return 0;
  return code == kShort ? call(fd, to, 1) : failed();
}

ssize_t pread(int fd, void* to, size_t size, off_t at) {
  static const auto call = real<ssize_t (*)(int, void*, size_t, off_t)>("pread");
  if (size == 0 || !fails(kPread)) return call(fd, to, size, at);
  if (code == kZero) return 0;
  return code == kShort ? call(fd, to, 1, at) : failed();
}
ssize_t pread64(int fd, void* to, size_t size, off_t at) { return pread(fd, to, size, at); }

ssize_t write(int fd, const void* from, size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  const auto log = [&](ssize_t written) {
    log_line("write\t%d\t%zd\n", fd, written);
    log_bytes(from, static_cast<size_t>(written));
  };
  if (fd == STDERR_FILENO || size == 0) return call(fd, from, size);
  if (!fails(kWrite)) return logged([&] { return call(fd, from, size); }, log);
  if (code == kZero) return 0;
  return code == kShort ? call(fd, from, 1) : failed();
}

ssize_t pwrite(int fd, const void* from, size_t size, off_t at) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  const bool failing_call = size != 0 && fails(kPwrite);
  if (failing_call && code != kShort) return failed();
  return logged([&] { return call(fd, from, failing_call ? 1 : size, at); },
                [&](ssize_t written) {
                  log_line("pwrite\t%d\t%zd\t%lld\n", fd, written, static_cast<long long>(at));
                  log_bytes(from, static_cast<size_t>(written));
                });
}
ssize_t pwrite64(int fd, const void* from, size_t size, off_t at) { return pwrite(fd, from, size, at); }

off_t lseek(int fd, off_t at, int whence) noexcept {
  static const auto call = real<off_t (*)(int, off_t, int)>("lseek");
  if (fails(kLseek)) return failed();
  return logged([&] { return call(fd, at, whence); },
                [&](off_t to) { log_line("lseek\t%d\t%lld\n", fd, static_cast<long long>(to)); });
}
off_t lseek64(int fd, off_t at, int whence) noexcept { return lseek(fd, at, whence); }

// Not of malloc's own calls, which glibc makes without a name.
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static const auto call = real<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  if (!fails(kMmap)) return call(at, size, protection, flags, fd, offset);
  failed();
  return MAP_FAILED;
}
void* mmap64(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  return mmap(at, size, protection, flags, fd, offset);
}

int ftruncate(int fd, off_t size) noexcept {
  static const auto call = real<int (*)(int, off_t)>("ftruncate");
  return logged([&] { return call(fd, size); },
                [&](int) { log_line("ftruncate\t%d\t%lld\n", fd, static_cast<long long>(size)); });
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }

int unlink(const char* path) noexcept {
  static const auto call = real<int (*)(const char*)>("unlink");
  return logged([&] { return call(path); }, [&](int) { log_line("unlink\t%s\n", path); });
}

int link(const char* from, const char* to) noexcept {
  static const auto call = real<int (*)(const char*, const char*)>("link");
  return logged([&] { return call(from, to); }, [&](int) { log_line("link\t%s\t%s\n", from, to); });
}

int fsync(int fd) {
  static const auto call = real<int (*)(int)>("fsync");
  return fails(kFsync) ? failed() : logged([&] { return call(fd); }, [&](int) { log_line("fsync\t%d\n", fd); });
}

int rename(const char* from, const char* to) noexcept {
  static const auto call = real<int (*)(const char*, const char*)>("rename");
  return fails(kRename) ? failed()
                        : logged([&] { return call(from, to); }, [&](int) { log_line("rename\t%s\t%s\n", from, to); });
}

int open(const char* path, int flags, ...) {
  static const auto call = real<int (*)(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails(kOpen) ? failed()
                      : logged([&] { return call(path, flags, mode); },
                               [&](int fd) { log_line("open\t%d\t%d\t%s\n", fd, flags, path); });
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open(path, flags, mode);
}

int fcntl(int fd, int command, ...) {
  static const auto call = real<int (*)(int, int, ...)>("fcntl");
  va_list more;
  va_start(more, command);
  void* const argument = va_arg(more, void*);
  va_end(more);
  if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) return call(fd, command, argument);
  return logged([&] { return call(fd, command, argument); }, [&](int copy) { log_line("dup\t%d\t%d\n", fd, copy); });
}
int fcntl64(int fd, int command, ...) {
  va_list more;
  va_start(more, command);
  void* const argument = va_arg(more, void*);
  va_end(more);
  return fcntl(fd, command, argument);
}

// glibc 2.36 crashes when dlopen(), with which oneTBB looks for its allocator, lacks memory. So nothing fails in it.
void* dlopen(const char* file, int mode) noexcept {
  static const auto call = real<void* (*)(const char*, int)>("dlopen");
  in_dlopen = true;
  void* const library = call(file, mode);
  in_dlopen = false;
  return library;
}

// The descriptor is closed all the same, as Linux does it.
int close(int fd) {
  static const auto call = real<int (*)(int)>("close");
  if (!fails(kClose)) return logged([&] { return call(fd); }, [&](int) { log_line("close\t%d\n", fd); });
  call(fd);
  return failed();
}

int mkstemp(char* name) {
  static const auto call = real<int (*)(char*)>("mkstemp");
  return fails(kMkstemp) ? failed()
                         : logged([&] { return call(name); },
                                  [&](int fd) { log_line("open\t%d\t%d\t%s\n", fd, O_RDWR | O_CREAT | O_EXCL, name); });
}
int mkstemp64(char* name) { return mkstemp(name); }
int mkostemp(char* name, int flags) {
  static const auto call = real<int (*)(char*, int)>("mkostemp");
  return fails(kMkstemp) ? failed()
                         : logged([&] { return call(name, flags); },
                                  [&](int fd) { log_line("open\t%d\t%d\t%s\n", fd, O_RDWR | O_CREAT | O_EXCL, name); });
}
int mkostemp64(char* name, int flags) { return mkostemp(name, flags); }

char* mkdtemp(char* name) noexcept {
  static const auto call = real<char* (*)(char*)>("mkdtemp");
  if (!fails(kMkdtemp)) return call(name);
  failed();
  return nullptr;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) {
  static const auto call = real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return fails(kThread) ? code : call(thread, attributes, run, with);
}

// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
// NOLINTEND(bugprone-reserved-identifier)

static void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}
void* malloc(size_t size) { return fails(kMalloc, size) ? no_memory() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return fails(kMalloc, count * size) ? no_memory() : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) { return fails(kMalloc, size) ? no_memory() : __libc_realloc(old, size); }

}  // extern "C"
