// Ashkiani, Amenta, Owens 2016, Figures 3b and 3c: texts of many lengths.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {

void ashkiani_over_text(Session& session) {
  constexpr std::uint32_t kFixedLength = 16;  // of the pattern in Figure 3b
  const std::vector<std::uint32_t> lengths = {4, 16, 32, 64, 256, 1024, 4096, 8192, 16384, 65536};
  const std::vector<std::string> family = {"drk-wom32", "drk-wom64", "drk", "hrk", "crk"};
  // The first and last exponent of 2 of n, and the step between them.
  const auto [first, last, step] =
      session.gpu_used ? std::tuple(20, 30, session.quick ? 5 : 1) : std::tuple(16, session.quick ? 18 : 22, 2);
  const std::string ours = fmt::format(
      "{}; random bases of A and C; 2 bits a base whatever the letters, one random pattern, one strand, "
      "positions stored, search alone, {}",
      session.chip(), session.runs());
  Table times{
      "ashkiani-3b", "Ashkiani, Amenta, Owens 2016, Figure 3b: time over the text's length n, m = 16, binary alphabet",
      "Tesla K40c; the figure has no numbers. Its text: linear from the length on that keeps the GPU busy", ours};
  Table fastest{
      "ashkiani-3c",
      "Ashkiani, Amenta, Owens 2016, Figure 3c: the fastest for pattern length m and text length n, binary alphabet",
      "Tesla K40c; from its text on the figure. Without modulo, 32 bits hold up to 32 of its characters, 64 "
      "bits up to 64",
      ours};
  times.over = "n =";
  fastest.over = "m =";
  for (const std::string& name : family) {
    if (exists(name)) times.rows.push_back({By::ours, name, "ms", {}});
  }
  for (const std::uint32_t length : lengths) fastest.columns.push_back(fmt::format("{}", length));
  fastest.rows.push_back(
      {By::paper,
       "n = 2^25",
       "",
       {"drk-wom32", "drk-wom32", "drk-wom32", "drk-wom64", "drk", "drk", "drk", "crk", "crk", "crk"}});
  for (int exponent = first; exponent <= last; exponent += step) {
    const Text text = random_text_for(session, 1U << exponent, true);
    times.columns.push_back(power_of_two(text.positions));
    Row row{By::ours, "n = " + power_of_two(text.positions), "", {}};
    for (const std::uint32_t length : lengths) {
      Subject subject(session, random_set(1, length, true), text);
      std::optional<double> best;
      std::string name = "-";
      auto cells = times.rows.begin();
      for (const std::string& algorithm : family) {
        if (!exists(algorithm)) continue;
        const std::optional<double> seconds = subject.seconds(algorithm, session.gpu_used ? On::gpu : On::core);
        if (length == kFixedLength) cells->cells.push_back(cell(seconds, 1e3));
        ++cells;
        if (!seconds || (best && *best <= *seconds)) continue;
        best = seconds;
        name = algorithm;
      }
      row.cells.emplace_back(name);
    }
    fastest.rows.push_back(std::move(row));
  }
  session.show(std::move(times));
  session.show(std::move(fastest));
}

}  // namespace basesweep::paper
