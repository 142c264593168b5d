#include "lib/reader/fasta_text.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {

void for_each_fasta_record(const std::string& path,
                           const std::function<void(const std::string& name, const std::string& sequence)>& use) {
  const std::string text = read_all(path);
  std::string name, sequence;
  bool has_record = false;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.starts_with('>')) {
      if (has_record) use(name, sequence);
      has_record = true;
      line.remove_prefix(1);
      name = line.substr(0, line.find_first_of(" \t"));
      sequence.clear();
    } else if (line.find_first_not_of(" \t") != std::string_view::npos) {
      if (!has_record)
        throw DataError(fmt::format("{}: line {}: expected FASTA, a title line that begins with '>'", path, number));
      sequence += line;
    }
  });
  if (!has_record) throw DataError(fmt::format("{}: the file has no records", path));
  use(name, sequence);
}

}  // namespace basesweep
