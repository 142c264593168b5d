// The options of `demux`, its help, and the checks that come before any work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/demux/sample_sheet.hpp"
#include "lib/search/pattern.hpp"
#include "tools/option_table.hpp"
#include "tools/reads_options.hpp"

namespace basesweep {

class PartSet;
struct ReadsQuery;

struct DemuxArguments : ReadsOptions {
  std::string sheet;
  std::string kit;
  std::vector<std::string> structures;  // of each mate, or one geometry
  std::vector<std::string> lists;       // of cell barcodes
  bool no_posterior = false;
  std::optional<double> rate;
  std::optional<std::uint32_t> edits;
  std::uint32_t context = 20;
  std::uint32_t window = 150;
  bool anywhere = false;
  std::uint32_t margin = 2;
  bool either_end = false;
  std::optional<StrandChoice> strand;  // nothing: both of single reads, plus of pairs
  bool orient = false;
  bool no_trim = false;
  bool unassigned = true;  // reads of no sample are written
  std::string name = "{sample}";
  bool gzip = false;  // RunOptions::format is compressed
  std::string table;
  bool force = false;

  // Whether the sheet is only the name of a list that is asked for.
  bool lists_kits() const { return kit == "help"; }
};

Help demux_help();
// The options that affect what is found and how it is written.
OptionTable<DemuxArguments> demux_options();
void add_demux_options(CLI::App& command, DemuxArguments& arguments);

// Throws UsageError for an option that makes no sense for reads with structures. `structure`: what gives these.
void refuse_structure_conflicts(const DemuxArguments& arguments, std::string_view structure);
// Throws UsageError if options conflict or a file is read and written. Without reads, makes stdin the reads.
void check_demux_options(DemuxArguments& arguments);
// The same where parts are merged, and for what these cannot give. `query`: of the parts; `samples`: of the sheet.
void check_demux_merge(const DemuxArguments& arguments, const ReadsQuery& query, const PartSet& parts,
                       std::size_t samples);

}  // namespace basesweep
