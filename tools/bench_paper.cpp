// basesweep bench paper: the tables of papers that kernels are made after, with our figures beside theirs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/hmm/paper.hpp"
#include "kernels/verify.hpp"
#include "lib/error.hpp"
#include "lib/packed_batch.hpp"
#include "tools/commands.hpp"

namespace basesweep {
namespace {

struct PaperOptions {
  std::string table;
  std::string device = "gpu";
};

// Table I of Man, Nakano, Ito 2013: milliseconds on a GTX 580 for a text of 2^22 columns cut into D pieces.
constexpr std::uint32_t kManColumns = 1U << 22;
constexpr std::uint32_t kManPieces[] = {16, 32, 64, 128, 256, 512, 1024, 2048};
struct ManRow {
  std::uint32_t length;
  double milliseconds[std::size(kManPieces)];
};
constexpr ManRow kManRows[] = {{32, {178.2, 89.23, 44.92, 23.46, 23.53, 23.64, 23.90, 24.38}},
                               {64, {178.6, 89.71, 46.74, 29.13, 29.13, 29.18, 29.39, 30.01}},
                               {128, {181.1, 92.66, 55.81, 48.40, 48.51, 48.92, 50.16, 53.36}},
                               {256, {187.0, 112.2, 95.77, 93.16, 91.83, 93.83, 100.1, 113.3}},
                               {512, {236.5, 191.0, 184.6, 181.3, 185.0, 197.9, 224.1, 277.9}},
                               {1024, {419.6, 423.8, 432.3, 449.4, 483.4, 551.5, 687.7, 960.0}}};

hmm::PaperText random_text(std::uint32_t columns) {
  std::mt19937_64 random(11);
  hmm::PaperText text;
  text.columns = columns;
  for (std::vector<std::uint64_t>* plane : {&text.lo, &text.hi}) {
    for (std::uint32_t word = 0; word < columns / 64; ++word) plane->push_back(random());
    plane->resize(plane->size() + kPlanePadWords);
  }
  return text;
}

std::string random_pattern(std::uint32_t length) {
  std::mt19937 random(length);
  std::string pattern;
  for (std::uint32_t i = 0; i < length; ++i) pattern += base_letter(random() % 4);
  return pattern;
}

// The least cost of the pattern anywhere in the text, by Myers' step on the CPU.
std::uint32_t least_distance(const PatternSet& pattern, const hmm::PaperText& text) {
  const VerifyIndex index(pattern, {0});
  const VerifyEntry& entry = index.entries[0];
  std::vector<std::uint64_t> pv(entry.blocks, ~std::uint64_t{0});
  std::vector<std::uint64_t> mv(entry.blocks);
  pv[0] <<= entry.spare_rows;
  auto score = static_cast<int>(entry.length);
  int least = score;
  for (std::uint32_t column = 0; column < text.columns; ++column) {
    const auto bit = [column](const std::vector<std::uint64_t>& plane) {
      return plane[column / 64] >> column % 64 & 1;
    };
    const std::size_t code = bit(text.lo) | bit(text.hi) << 1;
    std::uint64_t ph = 0;
    std::uint64_t mh = 0;
    for (std::uint32_t b = 0; b < entry.blocks; ++b) {
      myers_step(index.blocks[b].eq[code], pv[b], mv[b], ph, mh);
      ph >>= 63;
      mh >>= 63;
    }
    score += static_cast<int>(ph) - static_cast<int>(mh);
    least = std::min(least, score);
  }
  return static_cast<std::uint32_t>(least);
}

// Prints the times for one pattern; returns whether every distance was right.
bool man_row(const ManRow& row, const hmm::PaperText& text, int gpu) {
  constexpr int kRuns = 5;
  EditOptions exact;
  exact.edits = 0;
  const PatternSet set({{"random", random_pattern(row.length)}}, StrandChoice::plus, PalindromeChoice::once, exact);
  const std::uint32_t expected = least_distance(set, text);
  bool right = true;
  double best = 0;
  std::uint32_t best_pieces = 0;
  std::string ours;
  std::string theirs;
  for (std::size_t i = 0; i < std::size(kManPieces); ++i) {
    const hmm::PaperResult result = hmm::run_paper(set.entries()[0].columns, text, kManPieces[i], gpu, kRuns);
    right = right && result.distance == expected;
    if (best_pieces == 0 || result.seconds < best) {
      best = result.seconds;
      best_pieces = kManPieces[i];
    }
    ours += fmt::format("{:>9.3f}", result.seconds * 1e3);
    theirs += fmt::format("{:>9.2f}", row.milliseconds[i]);
  }
  const double paper_best = *std::min_element(std::begin(row.milliseconds), std::end(row.milliseconds)) / 1e3;
  const double cells = static_cast<double>(row.length) * text.columns;
  fmt::print("{:>5}  ours {}   {:>5} {:>9.3f} ms {:>9.1f} GCUPS  {:>6.0f}x   least distance {}: {}\n", row.length, ours,
             best_pieces, best * 1e3, cells / best / 1e9, paper_best / best, expected, right ? "right" : "WRONG");
  fmt::print("       paper{}         {:>9.2f} ms {:>9.1f} GCUPS\n", theirs, paper_best * 1e3, cells / paper_best / 1e9);
  std::fflush(stdout);
  return right;
}

int man_table(int gpu) {
  fmt::print(
      "Table I of Man, Nakano, Ito 2013: least edit distance of a pattern of m columns and any part of a text of "
      "2^22\ncolumns that is cut into D pieces. Milliseconds, kernel alone, median. Paper: GTX 580, random 0/1; "
      "ours: {},\nrandom bases (a cell costs the same whatever it holds). Checked: Myers' algorithm on the CPU.\n\n",
      cuda::gpu_name(gpu));
  fmt::print("    m     D ");
  for (const std::uint32_t pieces : kManPieces) fmt::print("{:>9}", pieces);
  fmt::print("   best D\n");
  const hmm::PaperText text = random_text(kManColumns);
  bool right = true;
  for (const ManRow& row : kManRows) right = man_row(row, text, gpu) && right;
  fmt::print("\n{}\n", right ? "all distances equal those of the CPU" : "SOME DISTANCES ARE WRONG");
  return right ? 0 : kExitFailure;
}

int run_paper_tables(const PaperOptions& o) {
  const auto [device, gpu] = parse_device(o.device);
  if (device == Device::cpu) throw UsageError("bench paper: the tables are of GPU kernels, so --device must be a GPU");
  if (const auto reason = cuda::unusable_reason(gpu)) {
    throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *reason));
  }
  return man_table(gpu);
}

}  // namespace

std::function<int()> add_bench_paper_command(CLI::App& bench) {
  auto options = std::make_shared<PaperOptions>();
  CLI::App& command = *bench.add_subcommand("paper", "Measure what a paper's table shows, and print both");
  command.add_option("--table", options->table, "Whose: man (Man, Nakano, Ito 2013, Table I)")
      ->required()
      ->check(CLI::IsMember({"man"}));
  command.add_option("--device", options->device, "gpu (default) or gpu:N")->type_name("DEVICE");
  return [options] { return run_paper_tables(*options); };
}

}  // namespace basesweep
