// Work in processes of its own, which may crash or hang.
#pragma once

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace differ {

// `count` objects in memory that this process shares with those that it starts.
template <class T>
T* shared(std::size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  T* objects = static_cast<T*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (objects + i) T{};
  return objects;
}

// Starts a process that does the work. It ends with 3 when the work throws.
template <class Work>
pid_t start_process(Work work) {
  std::fflush(nullptr);  // else both would print what is in the buffers
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process");
  if (process != 0) return process;
  int code = 0;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "differ: %s\n", error.what());
    code = 3;
  }
  std::fflush(nullptr);
  _exit(code);
}

// The status of a process that has ended.
inline std::optional<int> ended(pid_t process) {
  int status = 0;
  return waitpid(process, &status, WNOHANG) == process ? std::optional(status) : std::nullopt;
}

inline void stop(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

// Returns the string that work() returns in its own process; a message if that crashes or takes longer than `seconds`.
template <class Work>
std::string in_process(double seconds, Work work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t process = start_process([&] {
    const std::string text = work();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t wrote = write(ends[1], text.data() + at, text.size() - at);
      if (wrote <= 0) break;
      at += static_cast<std::size_t>(wrote);
    }
  });
  close(ends[1]);
  std::string text;
  pollfd waiting{ends[0], POLLIN, 0};
  bool late = false;
  for (char buffer[4096];;) {
    late = poll(&waiting, 1, static_cast<int>(seconds * 1000)) == 0;
    if (late) break;
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (late) {
    stop(process);
    return "it takes longer than " + std::to_string(static_cast<int>(seconds)) + " s";
  }
  int status = 0;
  waitpid(process, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return status == 0 ? text : "exit " + std::to_string(WEXITSTATUS(status));
}

}  // namespace differ
