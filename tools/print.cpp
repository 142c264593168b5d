#include "tools/print.hpp"

#include "lib/writer/output_file.hpp"

namespace basesweep {

int print(const std::string& text) {
  OutputFile output("-", 1);
  output.write(text);
  output.commit();
  return 0;
}

}  // namespace basesweep
