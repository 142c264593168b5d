// Hits that are kept in memory, apart from their batch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/writer/formatter.hpp"

namespace basesweep {

// Hits with copies of the names and texts that they point to.
class HitCopies {
 public:
  void add(const PlacedHit& hit) {
    hits_.push_back(hit);
    bytes_ += hit.record_name;
    bytes_ += hit.letters;
    bytes_ += hit.left;
    bytes_ += hit.right;
  }

  // Calls use(PlacedHit) for each hit, in the order of add(). What a hit points to lives as long as this object.
  template <class Use>
  void for_each(Use use) const {
    std::string_view rest = bytes_;
    for (PlacedHit hit : hits_) {
      const auto take = [&rest](std::string_view& held) {
        held = rest.substr(0, held.size());
        rest.remove_prefix(held.size());
      };
      take(hit.record_name);
      take(hit.letters);
      take(hit.left);
      take(hit.right);
      use(hit);
    }
  }

  std::size_t memory_bytes() const { return bytes_.size() + hits_.size() * sizeof(PlacedHit); }

 private:
  std::vector<PlacedHit> hits_;  // of their views only the sizes count: the texts are in bytes_
  std::string bytes_;            // record name and texts of each hit, one after another
};

}  // namespace basesweep
