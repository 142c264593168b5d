// Says why HTSlib cannot index a file. It is asked after HTSlib has refused, so it may take as long as reading the
// file.
#pragma once

#include <cstddef>
#include <string>

namespace basesweep {

// The line of FASTA, plain or compressed, that is not as an index needs it: "line 3: record 'chr1': ...". "" if all
// are. Throws like InputFile.
std::string fasta_index_fault(const std::string& path);

// The line of a text file of hits that is out of order. `record_column`, `start_column`: from 0. "" if all are in
// order. Throws like InputFile.
std::string hit_index_fault(const std::string& path, std::size_t record_column, std::size_t start_column);

}  // namespace basesweep
