#include "tools/print.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"

namespace basesweep {

int print(const std::string& text) {
  OutputFile output("-", 1);
  output.write(text);
  output.commit();
  return 0;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return (number == 0 ? "no" : grouped(number)) + " " + noun + (number == 1 ? "" : "s");
}

std::string print_without(std::uint64_t without, std::uint64_t all, const std::string& noun, const std::string& found) {
  if (without == 0 || without == all) return "";
  const std::string nouns = noun == "matrix" ? "matrices" : noun + "s";
  return fmt::format("{} of {} {} {} no {}", grouped(without), grouped(all), nouns, without == 1 ? "has" : "have",
                     found);
}

std::string inputs_read(std::size_t inputs, std::uint64_t bases) {
  return counted(inputs, "input") + ", " + counted(bases, "base");
}

void tell(const std::string& text) {
  const std::string line = "basesweep: " + printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace basesweep
