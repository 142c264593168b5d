// A Room describes an algorithm to the rest of the program, which knows nothing else of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/base/isa.hpp"
#include "lib/search/algorithm.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/text_sample.hpp"

struct CUstream_st;  // cudaStream_t points to it

namespace basesweep {

class PatternSet;     // lib/search/pattern_set.hpp
struct Query;         // lib/search/query.hpp
struct StoredTables;  // lib/search/stored_tables.hpp
struct WindowScan;    // kernels/cpu/window_scan.hpp

inline constexpr double kUsualBases = 1e8;  // expected of an input of unknown size

// Everything that a room's matcher or kernel is made from.
struct RoomOptions {
  const PatternSet& patterns;
  std::vector<std::uint32_t> queries;  // indices into patterns.queries(): the ones to search for
  Output output = Output::occurrences;
  Isa isa = kIsas.front();  // for the CPU
  int gpu = 0;              // for CUDA: the device's number
  Tuning tuning{};
  double expected_bases = kUsualBases;         // that the input is expected to hold: whether large tables will pay
  std::optional<std::uint64_t> table_bytes{};  // see MatcherOptions
  const StoredTables* tables = nullptr;        // the same
  int threads = 1;                             // that may build tables
  // Takes what -v says of tables. Called from any thread.
  std::function<void(const std::string&)> log = [](const std::string&) {};
  const char* name = "";  // Room::name, for Matcher::describe()
};

namespace cuda {

class Kernel;       // kernels/cuda/kernel.hpp
struct WindowTask;  // kernels/cuda/windows.cuh
template <class T, class Memory>
class Buffer;  // kernels/cuda/buffer.hpp
struct DeviceMemory;

// Makes a room's kernel; the current device is options.gpu. Throws DeviceError.
using MakeKernel = std::unique_ptr<Kernel>(const RoomOptions& options);

// Queues the search of windows on a stream: each position of a window in which the window's query ends with at most its
// edits is sent once, with the fewest edits. `workspace` grows as needed. Throws OutOfMemory.
using VerifyWindows = void(const WindowTask& task, Buffer<std::byte, DeviceMemory>& workspace, CUstream_st* stream);

}  // namespace cuda

// Queries of an exact search without IUPAC codes, and a sample of the text that they are to be searched in.
struct SampledSearch {
  const PatternSet& patterns;
  const std::vector<std::uint32_t>& queries;  // indices into patterns.queries()
  const TextSample& text;
  double hits;   // at a position of the sample
  double bases;  // that the input is expected to hold: tables must pay
};

// How a room's loop is compiled for the CPU.
enum class CpuLoop {
  one,      // once, for all instruction sets
  per_isa,  // once for each, see kernels/cpu/scan.hpp
};

// Each algorithm defines an `extern const Room kRoom` in the cpu.cpp of its folder, and kernels/registry/rooms.cpp
// lists it.
struct Room {
  const char* name;  // for --algorithm and in reports
  Algorithm algorithm;
  Finds finds;
  CpuLoop cpu_loop;
  // Why the algorithm cannot take a query, as the end of a sentence ("is longer than 16 bases"), or nothing.
  std::optional<std::string> (*decline)(const Query& query);
  // Takes only queries that the algorithm does not decline.
  std::unique_ptr<Matcher> (*make_cpu_matcher)(const RoomOptions& options);
  cuda::MakeKernel* make_cuda_kernel;  // null in builds without CUDA
  // The most positions of all patterns and strands together.
  std::size_t max_positions = std::numeric_limits<std::size_t>::max();
  bool staged = false;  // whether Tuning::stage changes how it runs on a GPU
  // The nanoseconds that one thread is expected to take for a position of such text. Null: `auto` never takes the room
  // because of its text. Depends on nothing but the search, so that the choice is the same on every machine.
  double (*nanoseconds)(const SampledSearch& search) = nullptr;
  // Verifies the windows of reads on the CPU (`map`); null: the algorithm cannot.
  WindowScan (*window_scan)(Isa isa) = nullptr;
  cuda::VerifyWindows* verify_windows = nullptr;  // the same on a GPU; null also in builds without CUDA
};

// Stands for a function of a room's cuda.cu or windows.cu. Builds without CUDA leave these files out and get null.
#ifdef BASESWEEP_WITH_CUDA
#define BASESWEEP_IF_CUDA(function) function
#else
#define BASESWEEP_IF_CUDA(function) nullptr
#endif

// Room::decline of a room that takes no IUPAC codes, and of one that also takes no more than `max` positions. `why`
// ends the latter's sentence.
std::optional<std::string> decline_sets(const Query& query);
std::optional<std::string> decline_longer(const Query& query, std::size_t max, const char* why = "");

}  // namespace basesweep
