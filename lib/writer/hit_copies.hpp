// Hits that are kept in memory, apart from their batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/writer/formatter.hpp"

namespace basesweep {

// Hits with copies of the names and texts that they point to.
class HitCopies {
 public:
  void add(const PlacedHit& hit) {
    hits_.push_back({hit, bytes_.size()});
    bytes_ += hit.record_name;
    bytes_ += hit.letters;
    bytes_ += hit.left;
    bytes_ += hit.right;
  }

  bool empty() const { return hits_.empty(); }
  // The hit that was added last, without its texts.
  const PlacedHit& back() const { return hits_.back().hit; }
  // Drops all hits, and keeps the memory.
  void clear() {
    hits_.clear();
    bytes_.clear();
  }

  // `before`: compares two hits, without their texts. Keeps the order of equal ones.
  template <class Before>
  void sort(Before before) {
    std::stable_sort(hits_.begin(), hits_.end(), [&](const Copy& a, const Copy& b) { return before(a.hit, b.hit); });
  }

  // Calls use(PlacedHit) for each hit, in the order of add() or sort(). The data of a hit live as long as this
  // object, until clear().
  template <class Use>
  void for_each(Use use) const {
    for (const Copy& copy : hits_) {
      PlacedHit hit = copy.hit;
      std::string_view rest = std::string_view(bytes_).substr(copy.begin);
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

  std::size_t memory_bytes() const { return bytes_.size() + hits_.size() * sizeof(Copy); }

 private:
  struct Copy {
    PlacedHit hit;      // of its views only the sizes count: the texts are in bytes_
    std::size_t begin;  // of its texts in bytes_
  };

  std::vector<Copy> hits_;
  std::string bytes_;  // record name and texts of each hit, one after another
};

}  // namespace basesweep
