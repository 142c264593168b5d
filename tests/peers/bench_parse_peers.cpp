// Times the parsing of plain FASTA on one thread: basesweep's reader and packer, kseq (HTSlib's kseq.h), and reading
// alone.
//
//   bench_peers [MEGABASES [ROUNDS]]    default: 100, 11; makes a file in TMPDIR and removes it
//
// They take turns in each round, so a busy machine slows all of them. Prints medians. The file is in the page cache.
#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/kseq.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/reader.hpp"

namespace with_zlib {
KSEQ_INIT(gzFile, gzread)
}
namespace with_read {
KSEQ_INIT(int, read)
}

namespace {

constexpr std::size_t kLine = 60;
constexpr std::size_t kReadBytes = 1U << 19;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

// A file with one record of random bases. The destructor removes it.
class FastaFile {
 public:
  explicit FastaFile(std::uint64_t bases) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/bench_peers.XXXXXX";
    const int fd = mkstemp(path_.data());
    if (fd < 0) fail("cannot make " + path_);
    std::mt19937_64 random(1);
    std::string text = ">random\n";
    for (std::uint64_t done = 0; done < bases;) {
      const std::uint64_t line = std::min<std::uint64_t>(kLine, bases - done);
      for (std::uint64_t bits = random(), i = 0; i < line; ++i, bits >>= 2) {
        if (i == 32) bits = random();
        text += "ACGT"[bits & 3];
      }
      text += '\n';
      done += line;
      if (text.size() > kReadBytes || done == bases) {
        if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail("cannot write " + path_);
        text.clear();
      }
    }
    close(fd);
  }
  ~FastaFile() { unlink(path_.c_str()); }
  FastaFile(const FastaFile&) = delete;
  FastaFile& operator=(const FastaFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int open_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY);
  if (fd < 0) fail("cannot open " + path);
  return fd;
}

// Each function returns how many bases it found.

std::uint64_t read_alone(const std::string& path) {
  static std::vector<char> buffer(kReadBytes);
  const int fd = open_file(path);
  std::uint64_t bytes = 0;
  for (ssize_t got; (got = read(fd, buffer.data(), buffer.size())) > 0;) bytes += static_cast<std::uint64_t>(got);
  close(fd);
  const std::uint64_t text = bytes - std::string_view(">random\n").size();
  return text - (text + kLine) / (kLine + 1);
}

std::uint64_t kseq_zlib(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "r");
  if (file == nullptr) fail("cannot open " + path);
  with_zlib::kseq_t* sequence = with_zlib::kseq_init(file);
  std::uint64_t bases = 0;
  while (with_zlib::kseq_read(sequence) >= 0) bases += sequence->seq.l;
  with_zlib::kseq_destroy(sequence);
  gzclose(file);
  return bases;
}

std::uint64_t kseq_read2(const std::string& path) {
  const int fd = open_file(path);
  with_read::kseq_t* sequence = with_read::kseq_init(fd);
  std::uint64_t bases = 0;
  while (with_read::kseq_read(sequence) >= 0) bases += sequence->seq.l;
  with_read::kseq_destroy(sequence);
  close(fd);
  return bases;
}

std::uint64_t basesweep_pack(const std::string& path) {
  basesweep::Reader reader({.paths = {path}});
  const basesweep::PackerOptions options;
  std::uint64_t bases = 0;
  while (const auto block = reader.next()) bases += basesweep::pack(*block, options).positions;
  return bases;
}

struct Contender {
  const char* name;
  std::function<std::uint64_t(const std::string&)> parse;
  std::vector<double> seconds = {};

  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

void run(std::uint64_t bases, int rounds) {
  const FastaFile file(bases);
  std::vector<Contender> contenders{{"read(2) alone, 512 KiB at a time", read_alone},
                                    {"kseq, gzread", kseq_zlib},
                                    {"kseq, read(2)", kseq_read2},
                                    {"basesweep, Reader + pack()", basesweep_pack}};
  for (int round = -1; round < rounds; ++round) {  // round -1 is the warm-up
    for (Contender& contender : contenders) {
      const auto begin = std::chrono::steady_clock::now();
      const std::uint64_t found = contender.parse(file.path());
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (found != bases) fail(fmt::format("{}: found {} bases of {}", contender.name, found, bases));
      if (round >= 0) contender.seconds.push_back(seconds);
    }
  }
  const double giga = static_cast<double>(bases) / 1e9;
  const double best_peer = std::min(contenders[1].median(), contenders[2].median());
  fmt::print("Plain FASTA, {} bases, {} columns, one thread, {}, median of {}\n", bases, kLine,
             to_string(basesweep::best_isa()), rounds);
  for (Contender& contender : contenders) {
    fmt::print("{:<34} {:7.2f} Gbase/s\n", contender.name, giga / contender.median());
  }
  fmt::print("basesweep / faster kseq            {:7.2f}\n", best_peer / contenders[3].median());
  fmt::print("basesweep / reading alone          {:7.2f}\n", contenders[0].median() / contenders[3].median());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const long megabases = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 100;
    const long rounds = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 11;
    if (argc > 3 || megabases < 1 || rounds < 1) {
      fmt::print(stderr, "usage: bench_peers [MEGABASES [ROUNDS]]\n");
      return 2;
    }
    run(static_cast<std::uint64_t>(megabases) * 1'000'000, static_cast<int>(rounds));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_peers: {}\n", error.what());
    return 1;
  }
}
