// The index that `samtools faidx` makes of a FASTA file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/record_info.hpp"

namespace basesweep {

// Names and lengths of the records of a FASTA file, from PATH.fai where that is there and not older than the file (by
// time of modification); nothing else. samtools lists no record without bases, and of those with the same name only the
// first. Throws DataError naming file and line when a line is not five columns, tabs between: name, number of bases,
// three more numbers.
std::optional<std::vector<RecordInfo>> read_fai(const std::string& path);

}  // namespace basesweep
