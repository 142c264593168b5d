// Compares the output of `motif` and `match` for files with the oracle's answer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/oracle/approximate.hpp"
#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/writer/temporaries.hpp"
#include "tools/doctor/self_test.hpp"

namespace basesweep {

class FileTest {
 public:
  // Writes the files to a temporary folder, which the destructor removes. Throws IoError.
  explicit FileTest(trial::Random& random);

  // A name for each file, such as "motif of a gzip file".
  static std::vector<std::string> names();
  // The first difference in the output for a file, in words; "" if there is none. Throws what the run throws.
  std::string fault(std::size_t file, const SelfTest& test, const TestedDevice& where) const;

 private:
  void write_motifs(trial::Random& random);
  void write_primers(trial::Random& random);

  TemporaryFolder folder_;
  oracle::Question motifs_;
  std::string expected_motifs_;  // BED
  oracle::ApproximateQuestion primers_;
  std::string expected_primers_;  // TSV
};

}  // namespace basesweep
