// Separates the chip's part of a figure from the algorithm's: rates per processor and clock, the share of the roof, and
// the same job from file to file.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "kernels/cuda/bench.hpp"
#include "lib/base/threads.hpp"
#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr int kFileRuns = 3;
constexpr int kLineLength = 60;

bool of_a_gpu(const Row& row) {
  if (row.unit != "ms" && row.unit != "Gbase/s" && row.unit != "GB/s" && row.unit != "GCUPS") return false;
  return row.label.find("CPU") == std::string::npos && row.label.find("core") == std::string::npos;
}

// Work in a second, from a cell of `row` that is about `work` bases or cells.
std::optional<double> rate(const Row& row, const Cell& cell, double work) {
  const auto* value = std::get_if<double>(&cell);
  if (value == nullptr || work == 0) return std::nullopt;
  return row.unit == "ms" ? work / *value * 1e3 : *value * 1e9;
}

}  // namespace

void show_per_clock(Session& session, const Table& table, const PaperChip& theirs, const Work& work,
                    std::optional<std::uint32_t> roof_positions) {
  if (!session.gpu_used) return;
  const cuda::ChipSpeed ours = cuda::chip_speed(session.gpu);
  Table clocks{
      table.id + "-clock",
      fmt::format(
          "{}: the part of the speed that is the algorithm's, in bases (cells of a matrix in Man's) for each processor "
          "and clock",
          table.id),
      fmt::format("{}: {} processors at {} GHz", theirs.name, theirs.processors, theirs.gigahertz),
      fmt::format("{}: {} processors at {:.3g} GHz, its highest clock; so the chip alone would be {:.3g} times "
                  "as fast. The same measurements as {}",
                  session.gpu_name, ours.processors, ours.gigahertz,
                  ours.processors * ours.gigahertz / (theirs.processors * theirs.gigahertz), table.id)};
  clocks.over = table.over;
  clocks.columns = table.columns;
  const std::optional<double> roof =
      roof_positions ? std::optional(*roof_positions / cuda::time_read(session.gpu, *roof_positions, 5).seconds)
                     : std::nullopt;
  std::vector<Row> shares;
  for (const Row& row : table.rows) {
    if (!of_a_gpu(row)) continue;
    const bool paper = row.by == By::paper;
    const double clock = 1e9 * (paper ? theirs.processors * theirs.gigahertz : ours.processors * ours.gigahertz);
    Row per_clock{row.by, row.label, "per clock", {}};
    Row share{row.by, row.label, "% of roof", {}};
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::optional<double> found = rate(row, row.cells[c], work(row, c));
      per_clock.cells.push_back(!found  ? Cell()
                                : paper ? Cell(fmt::format("{:.3g}", *found / clock))
                                        : Cell(*found / clock));
      share.cells.push_back(found && roof ? Cell(100 * *found / *roof) : Cell());
    }
    clocks.rows.push_back(std::move(per_clock));
    if (!paper && roof) shares.push_back(std::move(share));
  }
  if (roof) {
    clocks.notes.push_back(fmt::format("The roof is reading the text alone, measured: {:.4g} Gbase/s on {} bases.",
                                       *roof / 1e9, power_of_two(*roof_positions)));
  }
  clocks.rows.insert(clocks.rows.end(), shares.begin(), shares.end());
  session.show(std::move(clocks));
}

void show_files(Session& session, const std::string& id, const std::vector<FileSet>& sets, std::uint32_t positions,
                bool two_letters) {
  const int threads = available_threads();
  const DeviceChoice where = session.gpu_used ? DeviceChoice{Device::gpu, {session.gpu}} : DeviceChoice{Device::cpu};
  Table table{
      id, "The same sets from file to file, which the paper does not measure", "search alone",
      fmt::format("{}, {} threads; a FASTA file of {} random bases{} in the page cache, to BED on /dev/null, the "
                  "algorithm that auto takes, matcher and tables made anew, median of {}",
                  session.gpu_used ? session.gpu_name + " with " + session.cpu_name : session.cpu_name, threads,
                  power_of_two(positions), two_letters ? " of A and C" : "", kFileRuns)};
  Row times{By::ours, "auto, from file to file", "ms", {}};
  Row hits{By::ours, "hits", "", {}};
  const FastaFile file(positions, kLineLength, two_letters);
  for (const FileSet& set : sets) {
    table.columns.push_back(set.name);
    const FileJob job = time_file_job(file, set.patterns, where, threads, kFileRuns);
    times.cells.emplace_back(job.seconds * 1e3);
    hits.cells.emplace_back(static_cast<double>(job.hits));
  }
  table.rows = {std::move(times), std::move(hits)};
  session.show(std::move(table));
}

}  // namespace basesweep::paper
