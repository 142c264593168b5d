// Checks that CRAM data are whole. Private to the reader.
#pragma once

#include <string>

struct hFILE;

namespace basesweep {

// Reads a stream of CRAM 3 through, compares the checksums of all containers and blocks, and sets the stream back to
// its start. HTSlib 1.16 does not compare the checksums of blocks that are not compressed, and does not always notice
// that a file ends early. Throws IoError, and DataError for damaged data and another version.
void check_cram(hFILE* stream, const std::string& path);

}  // namespace basesweep
