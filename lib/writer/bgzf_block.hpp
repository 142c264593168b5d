// Compresses the blocks of BGZF files.
#pragma once

#include <cstddef>
#include <string_view>

namespace basesweep {

// Makes a block of text, of at most CompressionPool::kTextBytes bytes, in `packed`, which has room for `room` bytes.
// `level`: 0 to 9, -1 for the default of HTSlib. At level 1, that of text files, ISA-L compresses: it takes 40 to 50 %
// of the time that HTSlib takes at this level, and blocks are 3 to 4 % larger. All others, and those of less than 64
// bytes, are HTSlib's. Returns the bytes of the block; 0 if there is no memory. Thread-safe.
std::size_t compress_bgzf_block(std::string_view text, int level, char* packed, std::size_t room);

}  // namespace basesweep
