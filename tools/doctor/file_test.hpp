// What `motif` and `match` write for files, beside what the oracle says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/writer/temporaries.hpp"
#include "tests/oracle/approximate.hpp"
#include "tests/oracle/naive.hpp"
#include "tests/support/random.hpp"
#include "tools/doctor/self_test.hpp"

namespace basesweep {

class FileTest {
 public:
  // Writes the files to a temporary folder, which goes with the object. Throws IoError.
  explicit FileTest(support::Random& random);

  // "motif of a gzip file"; of each file
  static std::vector<std::string> names();
  // What differs in what is written for a file, in words; "" where nothing does. Throws what the run threw.
  std::string fault(std::size_t file, const SelfTest& test, const TestedDevice& where) const;

 private:
  void write_motifs(support::Random& random);
  void write_primers(support::Random& random);

  TemporaryFolder folder_;
  oracle::Question motifs_;
  std::string expected_motifs_;  // BED
  oracle::ApproximateQuestion primers_;
  std::string expected_primers_;  // TSV
};

}  // namespace basesweep
