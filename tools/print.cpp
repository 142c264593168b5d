#include "tools/print.hpp"

#include <cstdio>

#include "lib/writer/output_file.hpp"

namespace basesweep {

int print(const std::string& text) {
  OutputFile output("-", 1);
  output.write(text);
  output.commit();
  return 0;
}

void tell(const std::string& text) {
  const std::string line = "basesweep: " + text + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace basesweep
