// Compares the titles of a FASTA file with its index.
#pragma once

#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/fasta_windows.hpp"
#include "lib/reader/input_file.hpp"

namespace basesweep {

// The error for a record that is not where the index says.
DataError not_as_indexed(const std::string& path, const std::string& record);

// Reads the text in which windows_of() expects titles, and the text after the last indexed base. Throws DataError if a
// title is missing or has another name, and if there is a record that the index lacks: samtools lists only the first
// record of a name. `file`: can be read at any position; its position changes.
void check_titles(InputFile& file, const FastaWindows& windows);

// The same for a whole file on this machine. `records`: those of its index that have bases; `gzi`: the index of its
// BGZF compression.
void check_titles(const std::string& path, const std::vector<FaiRecord>& records, const std::string& gzi);

}  // namespace basesweep
