// The windows in which ends of entries are looked for, on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/seeds/step.hpp"
#include "kernels/windows.hpp"
#include "lib/finder.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::seeds {

class CandidateFinder {
 public:
  // Begins with entry `first`. `index`: not looked at where all entries are swept.
  CandidateFinder(const SoughtView& reads, std::uint32_t first, const PackedView& text, const IndexView& index,
                  Candidates candidates)
      : reads_(reads), text_(text), index_(index), candidates_(candidates), first_entry_(first), end_entry_(first) {}

  // Appends the windows of the next entries, sorted and disjoint, until there are at least `enough` windows, or many
  // columns in them, or no more entries: then false.
  bool next(std::vector<SoughtWindow>& windows, std::size_t enough);
  // The entries before this one are done.
  std::uint32_t end_entry() const { return end_entry_; }

 private:
  struct LookUp {
    Piece piece;
    std::uint32_t first;  // at first of keys, then of positions
    std::uint32_t last;
  };

  bool swept(const SoughtEntry& entry);
  void take_entries();
  void look_up();
  void add_stretches(std::uint32_t entry, std::vector<SoughtWindow>& windows) const;
  void add_found(std::uint32_t entry, const LookUp* look_ups, std::vector<SoughtWindow>& windows);
  void add(const Ends& ends);
  void merge();

  const SoughtView reads_;
  const PackedView text_;
  const IndexView index_;
  const Candidates candidates_;
  std::uint32_t first_entry_;  // those at hand are [first_entry_, end_entry_)
  std::uint32_t end_entry_;
  SoughtEntry last_{};  // that was asked about
  bool last_swept_ = false;
  std::vector<bool> swept_;       // of those
  std::vector<LookUp> look_ups_;  // likewise, of those not swept, edits + 1 each
  std::vector<Ends> found_;       // of one entry
  std::size_t most_found_ = 0;    // when they are merged
};

}  // namespace basesweep::seeds
