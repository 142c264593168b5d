#include "lib/packer/kept_text.hpp"

#include <vector>

#include "lib/search/append_bits.hpp"

namespace basesweep {
namespace {

bool continues(const Interval& last, const Interval& next) { return last.end == next.begin; }
bool continues(const LetterRun& last, const LetterRun& next) {
  return last.end == next.begin && last.letter == next.letter;
}

// Appends what lies in positions [begin, end) of the block that `runs` are of; `begin` becomes position `to`.
template <class Run>
void append_runs(const std::vector<Run>& runs, std::uint32_t begin, std::uint32_t end, std::uint32_t to,
                 std::vector<Run>& kept) {
  for (auto run = std::partition_point(runs.begin(), runs.end(), [begin](const Run& r) { return r.end <= begin; });
       run != runs.end() && run->begin < end; ++run) {
    Run moved = *run;
    moved.begin = std::max(run->begin, begin) - begin + to;
    moved.end = std::min(run->end, end) - begin + to;
    if (!kept.empty() && continues(kept.back(), moved)) {
      kept.back().end = moved.end;
    } else {
      kept.push_back(moved);
    }
  }
}

}  // namespace

void KeptText::clear() {
  block_.positions = 0;
  block_.lo.clear();
  block_.hi.clear();
  block_.not_acgt.clear();
  block_.soft_masked.clear();
  block_.letters.clear();
}

void KeptText::keep(const RecordBases& bases, std::uint32_t max) {
  const std::uint32_t to = block_.positions;
  const std::uint32_t count = std::min(bases.end - bases.begin, max - std::min(to, max));
  if (count == 0) return;
  const std::uint32_t end = bases.begin + count;
  block_.positions += count;
  block_.lo.resize(words_for(block_.positions));
  block_.hi.resize(words_for(block_.positions));
  append_bits(block_.lo.data(), to, bases.block.lo.data(), bases.begin, count);
  append_bits(block_.hi.data(), to, bases.block.hi.data(), bases.begin, count);
  append_runs(bases.block.not_acgt, bases.begin, end, to, block_.not_acgt);
  append_runs(bases.block.soft_masked, bases.begin, end, to, block_.soft_masked);
  append_runs(bases.block.letters, bases.begin, end, to, block_.letters);
}

}  // namespace basesweep
