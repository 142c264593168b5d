// OutputFile: the file appears when it is complete, and only then.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/output_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_output_file {

using Names = std::vector<std::string>;

namespace {

std::string long_text(std::size_t bytes) {
  trial::Random random(3);
  return trial::random_letters(random, bytes, "ACGT\n");
}

void write(const std::string& path, const std::string& text, int threads = 1) {
  OutputFile file(path, threads);
  for (std::size_t at = 0; at < text.size(); at += 70'001) file.write(std::string_view(text).substr(at, 70'001));
  file.commit();
}

}  // namespace

TEST_CASE("a file appears with commit") {
  const support::ScratchFolder folder;
  {
    OutputFile file(folder.path("out"), 1);
    file.write("one\n");
    CHECK_FALSE(std::filesystem::exists(folder.path("out")));
    CHECK(folder.names().size() == 1);  // the temporary file, in addition to the final one
    file.write("");
    file.write("two\n");
    file.commit();
    CHECK(support::read_file(folder.path("out")) == "one\ntwo\n");
  }
  CHECK(folder.names() == Names{"out"});
}

TEST_CASE("without commit nothing is left, and an old file stays") {
  const support::ScratchFolder folder;
  const std::string name = GENERATE("out", "out.gz");
  try {
    OutputFile file(folder.path(name), 2);
    file.write(long_text(200'000));
    throw 1;
  } catch (int) {
  }
  CHECK(folder.names().empty());
  support::write_file(folder.path(name), "before");
  { OutputFile(folder.path(name), 1).write("after"); }
  CHECK(folder.names() == Names{name});
  CHECK(support::read_file(folder.path(name)) == "before");
}

TEST_CASE("an existing file is replaced, its mode kept, links followed") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("real"), "before");
  chmod(folder.path("real").c_str(), 0640);
  std::filesystem::create_symlink("real", folder.path("link"));
  write(folder.path("link"), "after");
  CHECK(std::filesystem::is_symlink(folder.path("link")));
  CHECK(support::read_file(folder.path("real")) == "after");
  struct stat status {};
  REQUIRE(stat(folder.path("real").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(folder.names() == Names{"link", "real"});
}

TEST_CASE("a new file's mode follows the umask") {
  const support::ScratchFolder folder;
  const mode_t before = umask(027);
  write(folder.path("out"), "x");
  umask(before);
  struct stat status {};
  REQUIRE(stat(folder.path("out").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("paths that cannot be written") {
  const support::ScratchFolder folder;
  CHECK_THROWS_AS(OutputFile(folder.path("missing/out"), 1), IoError);
  CHECK_THROWS_AS(OutputFile(folder.path(""), 1), IoError);  // a folder
  if (geteuid() != 0) {
    support::write_file(folder.path("read-only"), "before");
    chmod(folder.path("read-only").c_str(), 0400);
    CHECK_THROWS_AS(OutputFile(folder.path("read-only"), 1), IoError);
  }
}

TEST_CASE("/dev/fd: a number and nothing else") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("open"), "");
  const int fd = open(folder.path("open").c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  const std::string path = "/dev/fd/" + std::to_string(fd);
  write(path, "x");
  CHECK(support::read_file(folder.path("open")) == "x");
  for (const std::string& odd : {path + "x", path + " ", std::string("/dev/fd/"), std::string("/dev/fd/x")}) {
    CHECK_THROWS_AS(OutputFile(odd, 1), IoError);
  }
  CHECK(support::read_file(folder.path("open")) == "x");
  close(fd);
}

TEST_CASE("a descriptor to write to") {
  const support::ScratchFolder folder;
  OutputFile file(folder.path("out"), 1, OutputCompression::none);
  REQUIRE(::write(file.descriptor(), "text", 4) == 4);
  CHECK_FALSE(std::filesystem::exists(folder.path("out")));
  file.commit();
  CHECK(support::read_file(folder.path("out")) == "text");
}

TEST_CASE("a full device") {
  if (access("/dev/full", W_OK) != 0) return;
  OutputFile file("/dev/full", 1);
  CHECK_THROWS_AS(
      [&] {
        file.write("x");
        file.commit();
      }(),
      IoError);
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("a full device, compressed") {
  if (access("/dev/full", W_OK) != 0) return;
  const support::ScratchFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.gz"));
  const int threads = GENERATE(1, 3);
  const auto fill = [&] { write(folder.path("full.gz"), long_text(3'000'000), threads); };
  CHECK_THROWS_AS(fill(), IoError);
  const auto fill_little = [&] { write(folder.path("full.gz"), "x", threads); };
  CHECK_THROWS_AS(fill_little(), IoError);
  CHECK(folder.names() == Names{"full.gz"});
}

TEST_CASE("/dev/null and a fifo are written directly") {
  write("/dev/null", long_text(100'000));
  const support::ScratchFolder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream in(path, std::ios::binary);
    got.assign(std::istreambuf_iterator<char>(in), {});
  });
  write(path, "through the fifo\n");
  reader.join();
  CHECK(got == "through the fifo\n");
  CHECK(folder.names() == Names{"fifo"});
}

TEST_CASE("BGZF: readable, and the same bytes for any threads") {
  const support::ScratchFolder folder;
  const std::string text = long_text(GENERATE(0, 1, 65'280, 65'281, 1'000'000));
  write(folder.path("one.gz"), text, 1);
  write(folder.path("three.gz"), text, 3);
  CHECK(support::read_unpacked(folder.path("one.gz")) == text);
  const bool same = support::read_file(folder.path("one.gz")) == support::read_file(folder.path("three.gz"));
  CHECK(same);
  const std::string bytes = support::read_file(folder.path("one.gz"));
  REQUIRE(bytes.size() >= 28);
  CHECK(bytes.substr(12, 2) == "BC");                                               // the BGZF field
  CHECK(bytes.substr(bytes.size() - 28, 4) == std::string("\x1f\x8b\x08\x04", 4));  // the end-of-file block
}

TEST_CASE("requested compression, whatever the name") {
  const support::ScratchFolder folder;
  const std::string text = long_text(100'000);
  for (const std::string name : {"out", "out.gz", "out.bam"}) {
    for (const OutputCompression compression :
         {OutputCompression::by_name, OutputCompression::none, OutputCompression::bgzf}) {
      OutputFile file(folder.path(name), 1, compression);
      file.write(text);
      file.commit();
      const bool compressed =
          compression == OutputCompression::bgzf || (compression == OutputCompression::by_name && name == "out.gz");
      const bool plain = support::read_file(folder.path(name)) == text;
      const bool same = support::read_unpacked(folder.path(name)) == text;
      CHECK(plain == !compressed);
      CHECK(same);
    }
  }
}

TEST_CASE("the level of compression") {
  const support::ScratchFolder folder;
  const std::string text = long_text(100'000);
  for (const int level : {1, 9}) {
    OutputFile file(folder.path(std::to_string(level) + ".gz"), 1, OutputCompression::by_name, level);
    file.write(text);
    file.commit();
  }
  CHECK(std::filesystem::file_size(folder.path("9.gz")) < std::filesystem::file_size(folder.path("1.gz")));
  CHECK(support::read_unpacked(folder.path("9.gz")) == text);
}

TEST_CASE("compressed to a fifo") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::thread reader([&] {
    std::ifstream in(path, std::ios::binary);
    support::write_file(folder.path("got"), std::string(std::istreambuf_iterator<char>(in), {}));
  });
  {
    OutputFile file(path, 1, OutputCompression::bgzf);
    file.write("through the fifo\n");
    file.commit();
  }
  reader.join();
  CHECK(support::read_unpacked(folder.path("got")) == "through the fifo\n");
  CHECK(support::read_file(folder.path("got")).substr(0, 2) == "\x1f\x8b");
}

namespace {

// While this lives, only `more` files may be open in addition to those that are open now.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest_free = dup(STDIN_FILENO);
    close(lowest_free);
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(lowest_free) + more;
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

void finish_and_place(std::span<OutputFile* const> files, int threads) {
  finish_files(files, threads);
  place_files(files);
}

struct ManyFiles {
  ManyFiles(const std::string& stem, int count, int threads, const std::string& ending) {
    const auto pool = std::make_shared<CompressionPool>(threads);
    for (int i = 0; i < count; ++i) {
      owned.push_back(std::make_unique<OutputFile>(stem + std::to_string(i) + ending, pool));
      files.push_back(owned.back().get());
    }
  }
  std::vector<std::unique_ptr<OutputFile>> owned;
  std::vector<OutputFile*> files;
};

}  // namespace

TEST_CASE("more files than may be open", "[output]") {
  const support::ScratchFolder folder;
  const std::string ending = GENERATE("", ".gz");
  const int threads = GENERATE(1, 3);
  constexpr int kFiles = 300;
  const std::string small = long_text(100);
  const std::string large = long_text(90'000);
  std::vector<std::string> texts(kFiles);
  {
    const FewDescriptors few(12);
    ManyFiles many(folder.path("out"), kFiles, threads, ending);
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = 0; i < many.files.size(); ++i) {
        const std::string text = (i % 7 == 0 ? large : small) + std::to_string(i);
        many.files[i]->write(text);
        texts[i] += text;
      }
    }
    CHECK_FALSE(std::filesystem::exists(folder.path("out0" + ending)));
    finish_and_place(many.files, threads);
  }
  CHECK(folder.names().size() == kFiles);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool same = support::read_unpacked(folder.path("out" + std::to_string(i) + ending)) == texts[i];
    CHECK(same);
  }
}

TEST_CASE("the descriptor that was asked for stays open", "[output]") {
  const support::ScratchFolder folder;
  const FewDescriptors few(8);
  OutputFile pinned(folder.path("pinned"), 1);
  const int descriptor = pinned.descriptor();
  ManyFiles many(folder.path("out"), 40, 1, "");
  for (OutputFile* file : many.files) file->write("x");
  REQUIRE(::write(descriptor, "text", 4) == 4);
  pinned.commit();
  CHECK(support::read_file(folder.path("pinned")) == "text");
}

TEST_CASE("a temporary file that was removed or replaced while it was closed", "[output]") {
  const support::ScratchFolder folder;
  std::optional<FewDescriptors> few(8);
  OutputFile file(folder.path("out"), 1);
  file.write("one\n");
  ManyFiles many(folder.path("other"), 40, 1, "");
  for (OutputFile* other : many.files) other->write("x");
  few.reset();  // the file is closed; the test itself opens some more
  const int how = GENERATE(0, 1, 2, 3);
  const std::string temporary = file.written_to();
  std::filesystem::rename(temporary, folder.path("moved"));
  if (how == 1) support::write_file(temporary, "another\n");
  if (how == 2) std::filesystem::create_symlink("moved", temporary);
  if (how == 3) REQUIRE(mkfifo(temporary.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(file.write("two\n"),
                    Catch::Matchers::ContainsSubstring("its temporary file was removed or replaced"));
  CHECK_THROWS_AS(file.commit(), IoError);
  CHECK(support::read_file(folder.path("moved")) == "one\n");
  if (how == 1) CHECK(support::read_file(temporary) == "another\n");
  CHECK_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST_CASE("a temporary file that was replaced while it was open does not get the name", "[output]") {
  const support::ScratchFolder folder;
  OutputFile file(folder.path("out"), 1);
  file.write("one\n");
  std::filesystem::rename(file.written_to(), folder.path("moved"));
  support::write_file(file.written_to(), "another\n");
  CHECK_THROWS_WITH(file.commit(), Catch::Matchers::ContainsSubstring("its temporary file was removed or replaced"));
  CHECK_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST_CASE("files are committed together", "[output]") {
  const support::ScratchFolder folder;
  const int count = GENERATE(3, 40);
  ManyFiles many(folder.path("out"), count, 2, ".gz");
  for (OutputFile* file : many.files) file->write("x");
  OutputFile device("/dev/null", 1);
  many.files.push_back(&device);
  finish_and_place(many.files, 2);
  CHECK(folder.names().size() == static_cast<std::size_t>(count));
}

TEST_CASE("one of many files cannot be written", "[output]") {
  if (access("/dev/full", W_OK) != 0) return;
  const support::ScratchFolder folder;
  const int count = GENERATE(3, 40);
  ManyFiles many(folder.path("out"), count, 2, ".gz");
  std::filesystem::create_symlink("/dev/full", folder.path("full.gz"));
  OutputFile full(folder.path("full.gz"), 2);
  many.files.insert(many.files.begin() + 2, &full);
  for (OutputFile* file : many.files) file->write("x");
  CHECK_THROWS_WITH(finish_and_place(many.files, 2), Catch::Matchers::ContainsSubstring("full.gz: cannot write"));
  CHECK(folder.names() == Names{"full.gz"});
}

TEST_CASE("one of many files cannot get its name", "[output]") {
  const support::ScratchFolder folder;
  const int count = GENERATE(4, 40);
  ManyFiles many(folder.path("out"), count, 2, "");
  for (OutputFile* file : many.files) file->write("x");
  std::filesystem::create_directory(folder.path("out2"));
  CHECK_THROWS_WITH(finish_and_place(many.files, 2),
                    Catch::Matchers::ContainsSubstring("out2: cannot rename into place"));
  CHECK(folder.names() == Names{"out0", "out1", "out2"});
}

}  // namespace basesweep::test_output_file
