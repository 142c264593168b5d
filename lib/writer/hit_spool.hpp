// Keeps hits for later in a compressed temporary file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "lib/writer/formatter.hpp"

namespace basesweep {

// For hits that can only be printed when all input was seen. Written in output order, read back in that order. The file
// has no name from the start (or loses it at once), so nothing stays behind, whatever ends the program.
class HitSpool {
 public:
  // The file is made in `directory`. Throws IoError.
  HitSpool(const std::string& directory, int threads);
  ~HitSpool();
  HitSpool(const HitSpool&) = delete;
  HitSpool& operator=(const HitSpool&) = delete;

  void add(const PlacedHit& hit);
  // Calls `use` with every hit that was added; what the hit points to lives until the next call. Once, after the last
  // add.
  void replay(const std::function<void(const PlacedHit&)>& use);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
