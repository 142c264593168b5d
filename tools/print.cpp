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

std::string counted(std::uint64_t number, const std::string& noun) {
  return (number == 0 ? "no" : grouped(number)) + " " + (number == 1 ? noun : plural_of(noun));
}

std::string print_without(std::uint64_t without, std::uint64_t all, const std::string& noun, const std::string& found) {
  if (without == 0 || without == all) return "";
  return fmt::format("{} of {} {} {} no {}", grouped(without), grouped(all), plural_of(noun),
                     without == 1 ? "has" : "have", found);
}

std::string inputs_read(std::size_t inputs, std::uint64_t bases) {
  return counted(inputs, "input") + ", " + counted(bases, "base");
}

void tell(const std::string& text) {
  const std::string line = "basesweep: " + printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace basesweep
