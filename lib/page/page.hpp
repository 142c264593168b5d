// Reports of runs as one HTML page: numbers, tables and pictures, without a request to any server.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace basesweep {

// A run to show.
struct PageRun {
  std::string name;  // as the page calls it: the name of its report, or of its sample
  nlohmann::ordered_json report;
};

struct PageOptions {
  std::string title{};   // of the page; "": made of the command and the names of the runs
  std::string genome{};  // an assembly such as hg38: places get links to browsers that know it; "": no links
};

// Parses a report. Throws DataError, which names `path`, unless it is one of a run (schema basesweep-report/1).
nlohmann::ordered_json parse_report(const std::string& text, const std::string& path);

// Throws UsageError for a genome that is not a word such as hg38.
void check_page_options(const PageOptions& options);

// The page of one or several runs. It leaves out what a report lacks, and says so. Throws DataError, which names the
// run, for a report of another schema, and UsageError as check_page_options() does.
std::string render_page(const std::vector<PageRun>& runs, const PageOptions& options = {});

}  // namespace basesweep
