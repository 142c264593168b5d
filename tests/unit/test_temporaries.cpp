// Temporary: a signal leaves no temporary file, whatever other threads do meanwhile.
#include "lib/writer/temporaries.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_temporaries {

namespace {

// A file that is removed with the object.
class File {
 public:
  explicit File(std::string path) : path_(std::move(path)) {
    const SignalsWait guard;
    watched_ = Temporary(path_, Temporary::Kind::file);
    ::close(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600));
  }
  ~File() { unlink(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

 private:
  std::string path_;
  Temporary watched_;
};

// Adds and removes files for ever.
void make_files(const std::string& stem, int count) {
  std::vector<std::unique_ptr<File>> files(static_cast<std::size_t>(count));
  for (std::size_t i = 0;; i = (i + 1) % files.size()) {
    files[i] = nullptr;
    files[i] = std::make_unique<File>(stem + std::to_string(i));
  }
}

}  // namespace

TEST_CASE("a signal removes all temporary files while threads make and remove some", "[output][fork]") {
  constexpr int kThreads = 3;
  constexpr int kFiles = 7000;  // of each thread
  const std::uint64_t signals = support::test_cases(10);
  for (std::uint64_t i = 0; i < signals; ++i) {
    const support::ScratchFolder folder;
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    const pid_t child = fork();
    if (child == 0) {
      remove_temporaries_on_signals();
      if (::write(ready[1], "x", 1) != 1) _exit(1);
      std::vector<std::jthread> threads;
      for (int thread = 1; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] { make_files(folder.path(std::to_string(thread) + "."), kFiles); });
      }
      make_files(folder.path("0."), kFiles);
    }
    char byte;
    REQUIRE(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    close(ready[1]);
    usleep(static_cast<useconds_t>(i * 79'190 % 250'000));
    kill(child, i % 2 == 0 ? SIGTERM : SIGINT);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    const std::vector<std::string> left = folder.names();
    CHECK(left.empty());
  }
}

TEST_CASE("a path that is no longer watched stays", "[output]") {
  const support::ScratchFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    remove_temporaries_on_signals();
    std::vector<Temporary> kept;
    for (int i = 0; i < 300; ++i) {
      const std::string path = folder.path(std::to_string(i));
      ::close(open(path.c_str(), O_WRONLY | O_CREAT, 0600));
      Temporary watched(path, Temporary::Kind::file);
      if (i % 100 != 7) kept.push_back(std::move(watched));
    }
    kept.erase(kept.begin() + 50);
    std::raise(SIGTERM);
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(folder.names() == std::vector<std::string>{"107", "207", "51", "7"});
}

TEST_CASE("a folder is removed after its files", "[output]") {
  const support::ScratchFolder parent;
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", parent.path(".").c_str(), 1);
    remove_temporaries_on_signals();
    std::vector<std::string> names;
    for (int i = 0; i < 200; ++i) names.push_back(std::to_string(i));
    const TemporaryFolder folder(names);
    for (const std::string& name : names) ::close(open(folder.path(name).c_str(), O_WRONLY | O_CREAT, 0600));
    std::raise(SIGTERM);
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(parent.names().empty());
}

}  // namespace basesweep::test_temporaries
