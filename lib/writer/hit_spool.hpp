// A compressed temporary file of hits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "lib/writer/formatter.hpp"

namespace basesweep {

// Keeps hits that can only be written when all input was read. They are added and replayed in output order. The file
// never has a name, or loses it at once, so nothing stays behind however the program ends.
class HitSpool {
 public:
  // Makes the file in `directory`; `threads` compress it. Throws IoError.
  HitSpool(const std::string& directory, int threads);
  ~HitSpool();
  HitSpool(const HitSpool&) = delete;
  HitSpool& operator=(const HitSpool&) = delete;

  // Throws IoError.
  void add(const PlacedHit& hit);
  // Goes to the first hit. To be called once, after the last add(). Throws IoError.
  void rewind();
  // Sets `hit` to the next hit that was added; false after the last. What the hit points to lives until the next call.
  // Only after rewind(). Throws IoError.
  bool next(PlacedHit& hit);
  // Calls `use` with every hit that was added. In place of rewind(). Throws IoError.
  void replay(const std::function<void(const PlacedHit&)>& use);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
