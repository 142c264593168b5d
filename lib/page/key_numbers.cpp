#include <fmt/format.h>

#include <algorithm>

#include "lib/page/sections.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

KeyNumber number_of(const std::string& name, std::uint64_t count) {
  return {name, grouped(count), static_cast<double>(count)};
}

// "-" where the report has no count there.
KeyNumber number_of(const std::string& name, const Value& count) {
  return count.is_count() ? number_of(name, count.count()) : KeyNumber{name, "-", -1};
}

KeyNumber share_of(const std::string& name, std::uint64_t part, std::uint64_t whole) {
  const double share = whole == 0 ? -1 : static_cast<double>(part) / static_cast<double>(whole);
  return {name, percent(static_cast<double>(part), static_cast<double>(whole)), share};
}

std::uint64_t rows_without_hits(const Value& rows) {
  std::uint64_t without = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) without += hits_of(rows.at(i)) == 0 ? 1 : 0;
  return without;
}

// Hits of patterns, pairs or matrices. `rows`: the key that lists these; `hits`: the key with their number.
std::vector<KeyNumber> of_search(const Value& report, const char* rows, const char* hits, const std::string& hit_noun) {
  const Value listed = report.get(rows);
  std::vector<KeyNumber> numbers;
  if (report.get(hits).exists()) numbers.push_back(number_of(hit_noun, report.get(hits)));
  if (!listed.exists()) return numbers;
  numbers.push_back(number_of(rows, listed.size()));
  if (report.get("parameters").get("pool").text() == "yes") return numbers;  // only pairs with products are listed
  numbers.push_back(number_of(fmt::format("{} without {}", rows, hit_noun), rows_without_hits(listed)));
  return numbers;
}

std::vector<KeyNumber> of_guides(const Value& report) {
  return {number_of("guides", report.get("guides")), number_of("places", report.get("hits")),
          number_of("guides without exact copy", report.get("guides_without_exact_copy"))};
}

std::vector<KeyNumber> of_map(const RunView& run) {
  const Value reads = run.report.get("reads");
  const std::uint64_t all = reads.get("total").count();
  const std::uint64_t mapped = reads.get("mapped").count();
  std::vector<KeyNumber> numbers{number_of("reads", reads.get("total")), share_of("mapped", mapped, all)};
  if (const Value ambiguous = run.plots().get("ambiguous"); ambiguous.exists()) {
    numbers.push_back(share_of("ambiguous, of mapped", ambiguous.count(), mapped));
  }
  return numbers;
}

std::vector<KeyNumber> of_demux(const Value& report) {
  const Value reads = report.get("reads");
  return {number_of("reads", reads.get("total")),
          share_of("assigned", reads.get("assigned").count(), reads.get("total").count()),
          number_of("samples", report.get("samples").size())};
}

std::vector<KeyNumber> of_trim(const Value& report) {
  if (report.get("alignments").exists()) {
    const std::uint64_t all = report.get("alignments").count();
    return {number_of("alignments", report.get("alignments")), share_of("clipped", report.get("clipped").count(), all),
            share_of("bases clipped", report.get("clipped_bases").count(), report.get("bases").count())};
  }
  const char* noun = report.get("pairs").exists() ? "pairs" : "reads";
  const std::uint64_t all = report.get(noun).count();
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const Value& mate : report.get("mates").elements()) {
    before = add_up(before, mate.get("bases").count());
    after = add_up(after, mate.get("written_bases").count());
  }
  return {number_of(noun, report.get(noun)),
          share_of(std::string(noun) + " written", report.get("written").count(), all),
          share_of("bases written", after, before)};
}

std::vector<KeyNumber> of_count(const Value& report) {
  std::uint64_t reads = 0;
  std::uint64_t counted = 0;
  for (const Value& sample : report.get("samples").elements()) {
    reads = add_up(reads, sample.get("reads").count());
    counted = add_up(counted, sample.get("counted").count());
  }
  return {number_of("samples", report.get("samples").size()), number_of("guides", report.get("library").get("guides")),
          number_of("reads", reads), share_of("counted", counted, reads)};
}

std::vector<KeyNumber> of_command(const RunView& run) {
  const std::string command = run.report.get("command").text();
  if (command == "motif" || command == "match") return of_search(run.report, "patterns", "hits", "hits");
  if (command == "pcr") return of_search(run.report, "pairs", "products", "products");
  if (command == "pwm") return of_search(run.report, "matrices", "hits", "hits");
  if (command == "guides") return of_guides(run.report);
  if (command == "map") return of_map(run);
  if (command == "demux") return of_demux(run.report);
  if (command == "trim") return of_trim(run.report);
  if (command == "count") return of_count(run.report);
  return {};
}

}  // namespace

std::vector<KeyNumber> key_numbers(const RunView& run) {
  std::vector<KeyNumber> numbers = of_command(run);
  if (const auto all = sum_of_inputs(run, "bases")) {
    numbers.push_back({"searched", bases(*all), static_cast<double>(*all)});
    numbers.push_back(number_of("records", sum_of_inputs(run, "records").value_or(0)));
  }
  if (const auto seconds = run.report.get("timings").get("seconds").number()) {
    numbers.push_back({"time", duration(*seconds), *seconds});
  }
  return numbers;
}

}  // namespace basesweep
