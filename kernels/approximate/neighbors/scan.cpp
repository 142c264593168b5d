// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/neighbors/scan.hpp"

#include "kernels/approximate/neighbors/step.hpp"
#include "kernels/cpu/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using neighbors::IndexView;

using Entries = std::uint32_t __attribute__((vector_size(kWordBytes)));
constexpr std::uint32_t kEntries = kWordBytes / sizeof(std::uint32_t);
static_assert(kEntries <= neighbors::kEntriesAtOnce);

// Positions of text that are worked on at a time, so that tables have come from memory when they are needed.
constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kStep = 32;

// The number of ones in each lane, of which the lowest 16 bits may be set.
Entries count_ones_of(Entries x) {
  x -= x >> 1 & 0x5555;
  x = (x & 0x3333) + (x >> 2 & 0x3333);
  x = (x + (x >> 4)) & 0x0f0f;
  return (x + (x >> 8)) & 0x1f;
}

// kSparse: the index has IndexView::present.
template <bool kSparse>
class Scan {
 public:
  Scan(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink)
      : index_(index), text_(text), searched_(scratch), sink_(sink) {}

  void run() {
    for (std::size_t seed = 0; seed < neighbors::scratch_words(index_); ++seed) searched_[seed] = 0;
    for (std::uint32_t place = 0; place < index_.before; ++place) {
      const std::uint32_t key = look_at(index_, text_, place).key;
      check_edits(place, {0, index_.starts[key], index_.starts[key + 1]});
    }
    for (std::uint64_t begin = 0; begin < text_.positions; begin += kBlock) {
      const auto at = static_cast<std::uint32_t>(begin);
      const std::uint32_t positions = text_.positions - at < kBlock ? text_.positions - at : kBlock;
      looked_up_ = 0;
      for (std::uint32_t table = 0; table < index_.tables; ++table) {
        if (index_.gates[table].count == 0) {
          look_up(at, positions);
        } else {
          look_up_gated(at, positions, table);
        }
      }
      const std::uint32_t count = find_lists(at);
      for (std::uint32_t i = 0; i < count; ++i) {
        const List& list = lists_[i];
        if (index_.edits()) {
          check_edits(std::uint64_t{list.position} + index_.before, list);
        } else {
          check(list);
        }
      }
    }
    check_waiting();
  }

 private:
  // The entries of the gram at a position.
  struct List {
    std::uint32_t position, begin, end;
  };

  // Looks up all positions, in the first table.
  void look_up(std::uint32_t at, std::uint32_t positions) {
    const std::uint32_t low_mask = (1U << index_.gram) - 1;
    const std::uint32_t high_mask = low_mask << index_.gram;
    const std::uint64_t* const present = index_.present;
    const std::uint32_t* const starts = index_.starts;
    std::uint32_t count = 0;
    for (std::uint32_t done = 0; done < positions; done += kStep) {
      const std::uint64_t lo = positions_at(text_.lo, at + done);
      const std::uint64_t hi = positions_at(text_.hi, at + done) << index_.gram;
      const std::uint32_t step = positions - done < kStep ? positions - done : kStep;
      for (std::uint32_t i = 0; i < step; ++i) {
        const auto key = static_cast<std::uint32_t>((lo >> i & low_mask) | (hi >> i & high_mask));
        count += put(present, starts, key, done + i, count);
      }
    }
    looked_up_ = count;
  }

  // Looks up those of a table's positions that its gate lets through.
  void look_up_gated(std::uint32_t at, std::uint32_t positions, std::uint32_t table) {
    const std::uint32_t first_key = table << 2 * index_.gram;
    for (std::uint32_t done = 0; done < positions; done += 64) {
      std::uint64_t open = neighbors::open_positions(index_.gates[table], text_, at + done);
      if (positions - done < 64) open &= (std::uint64_t{1} << (positions - done)) - 1;
      for (; open != 0; open &= open - 1) {
        const std::uint32_t place = done + static_cast<std::uint32_t>(__builtin_ctzll(open));
        const std::uint32_t key = qgram(static_cast<std::uint32_t>(positions_at(text_.lo, at + place)),
                                        static_cast<std::uint32_t>(positions_at(text_.hi, at + place)), index_.gram);
        looked_up_ += put(index_.present, index_.starts, first_key | key, place, looked_up_);
      }
    }
  }

  // Puts a key at index `count` of those that are looked up. Returns whether it stays: in a sparse table, one bit says
  // that a key has no entries. The bits are more often in the cache than the table.
  std::uint32_t put(const std::uint64_t* present, const std::uint32_t* starts, std::uint32_t key, std::uint32_t place,
                    std::uint32_t count) {
    keys_[count] = key;
    places_[count] = static_cast<std::uint8_t>(place);
    if constexpr (kSparse) return present[key / 64] >> (key % 64) & 1;
    __builtin_prefetch(starts + key);
    return 1;
  }

  // Lists what was looked up and has entries. Returns how many there are.
  std::uint32_t find_lists(std::uint32_t at) {
    std::uint32_t count = 0;
    if constexpr (kSparse) {
      for (std::uint32_t i = 0; i < looked_up_; ++i) __builtin_prefetch(index_.starts + keys_[i]);
    }
    for (std::uint32_t i = 0; i < looked_up_; ++i) {
      const List list{at + places_[i], index_.starts[keys_[i]], index_.starts[keys_[i] + 1]};
      lists_[count] = list;
      __builtin_prefetch(index_.entries + list.begin);
      __builtin_prefetch(index_.entries + list.end - 1);
      count += list.begin != list.end ? 1 : 0;
    }
    return count;
  }

  void check(const List& list) {
    const std::uint32_t position = list.position;
    const std::uint32_t near = index_.near;
    const std::uint32_t left = neighbors::near_text_before(text_, position, near);
    const std::uint32_t right = neighbors::near_text(positions_at(text_.lo, position) >> index_.gram,
                                                     positions_at(text_.hi, position) >> index_.gram, near);
    const Entries left_side = Entries{} + neighbors::kLeftSide;
    for (std::uint32_t i = list.begin; i < list.end; i += kEntries) {
      Entries entries;
      __builtin_memcpy(&entries, index_.entries + i, sizeof entries);
      const Entries text = (entries & left_side) != 0 ? Entries{} + left : Entries{} + right;
      const Entries mismatches = count_ones_of(neighbors::near_mismatches(entries, text, near));
      const auto pass = mismatches < entries >> neighbors::kBudgetShift;
      if (!any(reinterpret_cast<Word>(pass))) continue;
      const std::uint32_t lanes = list.end - i < kEntries ? list.end - i : kEntries;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (pass[lane] != 0) verify(i + lane, position);
      }
    }
  }

  // Compares entries for edits in vectors, each with text of its own, since most lists of entries are short.
  void check_edits(std::uint64_t place, const List& list) {
    const neighbors::Sides sides = look_at(index_, text_, place);
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      const std::uint32_t entry = index_.entries[i];
      waiting_entries_[waiting_] = entry;
      waiting_texts_[waiting_] = (entry & neighbors::kLeftSideOfEdits) != 0 ? sides.left : sides.right;
      waiting_places_[waiting_] = {place, i};
      if (++waiting_ == kWaiting) check_waiting();
    }
  }

  void check_waiting() {
    for (std::uint32_t begin = 0; begin < waiting_; begin += kEntries) {
      Entries entries;
      Entries texts;
      __builtin_memcpy(&entries, waiting_entries_ + begin, sizeof entries);
      __builtin_memcpy(&texts, waiting_texts_ + begin, sizeof texts);
      const Entries pass = neighbors::passes(entries, texts, index_.columns);
      if (!any(reinterpret_cast<Word>(pass))) continue;
      const std::uint32_t lanes = waiting_ - begin < kEntries ? waiting_ - begin : kEntries;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (pass[lane] != 0) verify(waiting_places_[begin + lane].entry, waiting_places_[begin + lane].place);
      }
    }
    waiting_ = 0;
  }

  void verify(std::uint32_t entry, std::uint64_t place) {
    neighbors::verify(
        index_, text_, entry, place,
        [&](std::uint32_t seed, const VerifyQuery& query, VerifyWindow& window) {
          return leave_out_searched(searched_[seed], query, text_.positions, window);
        },
        [&](std::uint32_t last, std::uint32_t query) { sink_.send(last, query); });
  }

  const IndexView& index_;
  const PackedView& text_;
  std::uint64_t* searched_;  // for each seed, see leave_out_searched()
  OccurrenceSink& sink_;
  std::uint32_t looked_up_ = 0;
  std::uint32_t keys_[kBlock * neighbors::kMaxTables];
  std::uint8_t places_[kBlock * neighbors::kMaxTables];  // positions in the block
  List lists_[kBlock * neighbors::kMaxTables + 1];

  // Entries for edits that wait for their comparison, the text beside them, and where they are from.
  struct Waiting {
    std::uint64_t place;
    std::uint32_t entry;
  };
  static constexpr std::uint32_t kWaiting = 64;
  static_assert(kWaiting % kEntries == 0);
  std::uint32_t waiting_ = 0;
  std::uint32_t waiting_entries_[kWaiting] = {};
  std::uint32_t waiting_texts_[kWaiting] = {};
  Waiting waiting_places_[kWaiting];
};

}  // namespace

void neighbors_scan(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  if (index.present != nullptr) {
    Scan<true>(index, text, scratch, sink).run();
  } else {
    Scan<false>(index, text, scratch, sink).run();
  }
}

}  // namespace basesweep::BASESWEEP_ISA
