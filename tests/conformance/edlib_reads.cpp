// The lowest edits of real reads agree with edlib's.
#include <edlib.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "lib/align/placer.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/reads/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace {

using namespace basesweep;

int min_of(int a, int b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); }

// A text letter that is not a base is written as '#' and equals nothing.
int edlib_edits(std::string read, const std::string& text, int most) {
  std::replace_if(
      read.begin(), read.end(), [](char c) { return std::string_view("ACGT").find(c) == std::string_view::npos; }, '!');
  const EdlibAlignResult result =
      edlibAlign(read.data(), static_cast<int>(read.size()), text.data(), static_cast<int>(text.size()),
                 edlibNewAlignConfig(most, EDLIB_MODE_HW, EDLIB_TASK_DISTANCE, nullptr, 0));
  const int edits = result.editDistance;
  edlibFreeAlignResult(result);
  return edits;
}

std::string reverse_complement(const std::string& letters) {
  std::string reversed(letters.rbegin(), letters.rend());
  for (char& c : reversed) {
    const auto at = std::string_view("ACGT").find(c);
    if (at != std::string_view::npos) c = "TGCA"[at];
  }
  return reversed;
}

std::vector<ReadEnd> find(Finder& finder, const ReadBatch& batch) {
  std::vector<ReadEnd> found;
  finder.submit(batch.view(), 0, [&found](std::vector<ReadEnd>&& ends, std::uint32_t, std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
    found = std::move(ends);
  });
  return found;
}

// Compares the first `max_reads` reads of a file and returns how many are placed.
std::size_t compare(const std::string& genome, const std::string& file, double rate, std::size_t max_reads) {
  const char* data = std::getenv("BASESWEEP_TEST_DATA");
  const Reference reference = load_reference({.path = data + ("/genomes/" + genome)});
  REQUIRE(reference.text->segments().size() == 1);
  std::string text(reference.text->positions(), ' ');
  reference.text->copy_letters(0, reference.text->positions(), text.data());
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::string_view("ACGT").find(c) == std::string_view::npos; }, '#');
  FinderOptions finding;
  finding.device = Device::cpu;  // on the CPU a finder answers at once
  const auto finder = make_finder(*reference.text, finding);
  const Placer placer(*reference.text, Report::best);
  ReadSource source({.paths = {data + ("/reads/" + file)}});
  source.hold(1U << 16);
  std::size_t reads = 0;
  std::size_t placed = 0;
  while (auto raw = source.next()) {
    const ReadBatch batch = parse_reads(std::move(*raw), {.rate = rate});
    const auto placements =
        placer.place(batch, 0, static_cast<std::uint32_t>(batch.reads.size()), find(*finder, batch));
    for (std::size_t i = 0; i < batch.reads.size() && reads < max_reads; ++i, ++reads) {
      const std::string letters(batch.reads[i].letters);
      if (batch.reads[i].skipped != Skipped::none) continue;
      const int most = static_cast<int>(rate * static_cast<double>(letters.size()) + 1e-9);
      const int expected =
          min_of(edlib_edits(letters, text, most), edlib_edits(reverse_complement(letters), text, most));
      const int found = placements[i].hits.empty() ? -1 : placements[i].hits.front().edits;
      placed += found >= 0 ? 1 : 0;
      if (found != expected) {
        FAIL(fmt::format("{}: read {}: {} edits, edlib {}", file, batch.reads[i].name, found, expected));
      }
    }
    if (reads == max_reads) break;
  }
  return placed;
}

}  // namespace

TEST_CASE("the lowest edits of real reads are edlib's", "[edlib]") {
  if (std::getenv("BASESWEEP_TEST_DATA") == nullptr) {
    WARN("skipped: BASESWEEP_TEST_DATA is not set");
    return;
  }
  const std::size_t cases = support::test_cases(1000);
  const std::size_t some = std::min<std::size_t>(cases, 5000) / 2;
  const std::string virus = "sarscov2_MN908947.3.fa.gz";
  CHECK(compare(virus, "artic_illumina_R1.fq.gz", 0.1, cases) > some);
  CHECK(compare(virus, "artic_illumina_R2.fq.gz", 0.15, cases) > some);
  compare(virus, "hiseq_multiplex_R1.fq.gz", 0.2, cases);
  const std::size_t few = std::max<std::size_t>(cases / 100, 10);  // of the first two none is from this genome
  const std::string bacterium = "ecoli_K12_MG1655_NC_000913.3.fa.gz";
  CHECK(compare(bacterium, "miseq16S_sam1F.fq.gz", 0.25, few) > 0);
  compare(bacterium, "hiseq_multiplex_R2.fq.gz", 0.08, few);
}
