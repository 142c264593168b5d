#include "tests/differ/program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "lib/oracle/trial/batches.hpp"

namespace differ {

using namespace basesweep;

namespace {

using Row = std::map<std::string, std::string>;  // by the names of columns

// Names of records and patterns are such that CSV does not quote them.
std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line + separator);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

std::vector<Row> read_json_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    Row& row = rows.emplace_back();
    const nlohmann::json json = nlohmann::json::parse(line);
    for (const auto& [name, value] : json.items()) {
      row[name] = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return rows;
}

std::vector<Row> read_table(const std::string& text, char separator) {
  std::istringstream in(text);
  std::string line;
  std::vector<std::string> names;
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> fields = fields_of(line, separator);
    if (names.empty()) {
      names = fields;
      continue;
    }
    if (fields.size() != names.size()) throw std::runtime_error("a row with other columns: " + line);
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t number(const std::string& text) { return std::stoull(text); }

Answer to_answer(const Job& job, const Row& row) {
  Answer answer;
  answer.pattern = number(row.at("pattern").substr(1));
  answer.strand = row.at("strand").at(0);
  if (row.contains("count")) {
    answer.count = number(row.at("count"));
    return answer;
  }
  answer.record = std::stoll(row.at("record").substr(1));
  answer.start = std::stoll(row.at("start"));
  answer.end = std::stoll(row.at("end"));
  answer.last = job.patterns.at(answer.pattern).sequence.size();
  if (row.contains("edits")) answer.edits = number(row.at("edits"));
  if (row.contains("indels")) answer.indels = number(row.at("indels"));
  if (row.contains("pattern_start")) answer.first = number(row.at("pattern_start"));
  if (row.contains("pattern_end")) answer.last = number(row.at("pattern_end"));
  if (row.contains("best")) answer.best = number(row.at("best"));
  if (row.contains("next_edits") && row.at("next_edits") != "." && !row.at("next_edits").empty()) {
    answer.next = number(row.at("next_edits"));
  }
  return answer;
}

}  // namespace

std::string write_command(const Trial& trial, const std::string& program, const std::string& folder) {
  const Job& job = trial.job;
  const Way& way = trial.way;
  const support::Target& target = target_of(job, way);
  const char* endings[] = {"", ".gz", ".gz"};
  const std::string text = folder + "/text.fa" + endings[static_cast<int>(way.packing)];
  support::write_file(text, trial::fasta_text(job.question.exact.records, way.lines), way.packing);
  support::write_file(folder + "/patterns.tsv", pattern_table(job));
  const std::string output =
      fmt::format("{}{} --format {}", choice_options(job), way.counts ? " --count" : "", way.format);
  const std::string search =
      fmt::format("{} {} -q -f {}/patterns.tsv{} --algorithm {} --device {} -t {}{}{} {}", program,
                  job.approximate ? "match" : "motif", folder, search_options(job), to_string(target.algorithm),
                  target.device == Device::gpu ? "gpu" : "cpu", way.threads,
                  way.batch_positions == 0 ? "" : fmt::format(" --batch-bases {}", way.batch_positions),
                  way.late ? "" : output, text);
  if (way.chunks == 0) return search;
  return fmt::format(
      "rm -f {1}/part*.bsp; for i in $(seq {0}); do {2} --chunk $i/{0} -o {1}/part$i.bsp || exit; done; "
      "{3} merge -q -t {4} {1}/part*.bsp{5}",
      way.chunks, folder, search, program, way.threads, way.late ? output : "");
}

Answers run_program(const Trial& trial, const std::string& program, const std::string& folder) {
  const std::string output = folder + "/found";
  const std::string command = write_command(trial, program, folder);
  const int status = std::system(fmt::format("{{ {}; }} > {} 2> {}/errors", command, output, folder).c_str());
  if (status != 0) {
    throw std::runtime_error(
        fmt::format("status {:#x} of {}\n{}", status, command, support::read_file(folder + "/errors")));
  }
  Answers answers;
  const std::string text = support::read_file(output);
  const std::string& format = trial.way.format;
  for (const Row& row : format == "jsonl" ? read_json_lines(text) : read_table(text, format == "csv" ? ',' : '\t')) {
    answers.push_back(to_answer(trial.job, row));
  }
  return answers;
}

}  // namespace differ
