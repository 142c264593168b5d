// Writes a FASTA file of random bases as fast as memory takes it, for measurements.
//
//   c++ -O3 -std=c++20 -pthread -static scripts/genome.cpp -o genome
//   genome RECORDS BASES FILE [SEED]      lines of 60; records of equal length
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t kLine = 60;
constexpr std::uint64_t kTitle = 8;  // bytes of ">r00001\n"

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: genome RECORDS BASES FILE [SEED]\n"), 2;
  const std::uint64_t records = std::max(std::strtoull(argv[1], nullptr, 10), 1ULL);
  const std::uint64_t lines = std::max<std::uint64_t>(std::strtoull(argv[2], nullptr, 10) / records / kLine, 1);
  const std::uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  const std::uint64_t record_bytes = kTitle + lines * (kLine + 1);
  const std::uint64_t bytes = records * record_bytes;
  const int file = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return std::perror(argv[3]), 4;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return std::perror(argv[3]), 4;
  char* const text = static_cast<char*>(mapped);
  const std::uint64_t threads = std::max(std::thread::hardware_concurrency(), 1U);
  std::vector<std::thread> all;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    all.emplace_back([=] {
      for (std::uint64_t line = thread * records * lines / threads; line < (thread + 1) * records * lines / threads;
           ++line) {
        const std::uint64_t record = line / lines;
        char* at = text + record * record_bytes + kTitle + line % lines * (kLine + 1);
        if (line % lines == 0) {
          char title[kTitle + 1];
          std::snprintf(title, sizeof title, ">r%05u\n", static_cast<unsigned>(record % 100'000));
          std::copy(title, title + kTitle, at - kTitle);
        }
        std::uint64_t random = mix(seed * 0x2545f4914f6cdd1d + 2 * line);
        for (std::uint64_t i = 0; i < kLine; ++i, random >>= 2) {
          if (i == 30) random = mix(seed * 0x2545f4914f6cdd1d + 2 * line + 1);
          at[i] = "ACGT"[random & 3];
        }
        at[kLine] = '\n';
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  return 0;
}
