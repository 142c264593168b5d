// A compressed temporary file of hits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/rows/compressed_block.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/rows/row_block.hpp"

namespace basesweep {

// Keeps hits that can only be written when all input was read. They are added and replayed in output order. The file
// never has a name, or loses it at once, so no file remains however the program ends. A hit comes back as it was,
// except that its position in its batch is 0.
//
// After the last add() comes rewind(), then next() or next_block() for all.
class HitSpool {
 public:
  // Makes the file in `directory`; `threads` compress and decompress it. Throws IoError.
  HitSpool(const std::string& directory, int threads);
  ~HitSpool();
  HitSpool(const HitSpool&) = delete;
  HitSpool& operator=(const HitSpool&) = delete;

  // Throws IoError.
  void add(const PlacedHit& hit);
  // Goes to the first hit. To be called once, after the last add(). Throws IoError.
  void rewind();
  // Sets `hit` to the next hit that was added; false after the last. The hit's pointers are valid until the next call.
  // Throws IoError.
  bool next(PlacedHit& hit);
  // Sets `block` to the next block of hits; false after the last. Throws IoError.
  bool next_block(CompressedBlock& block);
  // The hits of a block. Thread-safe. Throws IoError.
  DecodedRows<PlacedHit> decode(const CompressedBlock& block) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
