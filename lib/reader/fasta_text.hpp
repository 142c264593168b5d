// Small FASTA files, read in one go.
#pragma once

#include <functional>
#include <string>

namespace basesweep {

// Calls use(name, sequence) for each record of a FASTA file; the sequence is as it is in the file, without line ends.
// Throws like read_all(), and DataError for a file without records and for text before the first title.
void for_each_fasta_record(const std::string& path,
                           const std::function<void(const std::string& name, const std::string& sequence)>& use);

}  // namespace basesweep
