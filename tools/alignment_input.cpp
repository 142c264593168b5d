#include "tools/alignment_input.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "lib/base/error.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

void refuse_region(const std::string& path, AlignmentFormat format) {
  throw UsageError(fmt::format(
      "--region: {} is {}, whose reads are searched whole; 'samtools view -u {} REGION | basesweep ...' searches the "
      "reads that are aligned to a region",
      path, alignment_format_name(format), path == "<stdin>" ? "FILE" : path));
}

}  // namespace

std::vector<std::string> AlignmentInput::files() const {
  return cram_reference.empty() ? std::vector<std::string>() : std::vector{cram_reference};
}

void add_alignment_options(CLI::App& command, AlignmentInput& input, const std::string& more) {
  add_text(command, "--cram-reference", "FILE", input.cram_reference,
           "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded" + more,
           {.kept = false, .in_merge = "The reference that CRAM is written with"});
  add_timeout_option(command);
}

void prepare(AlignmentInput& input) {
  if (input.cram_reference.empty()) return;
  input.indexed = std::make_shared<CramReference>(input.cram_reference);
  input.reading.cram_reference = input.indexed->indexed_path();
}

void refuse_regions(const std::vector<std::string>& paths) {
  const AlignmentOptions options;
  for (const std::string& path : paths) {
    struct stat status {};
    if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (const auto found = open_input(path, 1, &options)->alignments()) refuse_region(path, found->format);
  }
}

void refuse_regions(const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) {
    if (source.alignments) refuse_region(source.path, source.alignments->format);
  }
}

}  // namespace basesweep
