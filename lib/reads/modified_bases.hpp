// SAM tags that speak of the bases of a read, when only some of these bases are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace basesweep {

// What is written of a read: bases [begin, end), turned or not.
struct WrittenBases {
  std::string_view bases;  // of the whole read
  std::size_t begin;
  std::size_t end;
  bool turned;
  std::string_view replaced{};  // as many bases, which are written in place of these; empty: these themselves

  bool whole() const { return begin == 0 && end == bases.size() && !turned; }
};

// Appends the tags of a read, each after a tab ("\tMM:Z:C+m,0;\tML:B:C,200"), as they are true of the written bases:
// - MM and ML name the same modified bases as before, except masked ones, by their places in the written bases, and MN
//   says how many bases are written (SAM tags specification, 1.7). OQ is cut like QUAL.
// - Fields that are no tags stay.
// - mv, ns, ts and pt (signal), ip, pw, fi, fp, ri and rp (kinetics), E2 and U2 speak of all bases, so they are left
// out
//   unless the read is written whole. Returns whether one was left out.
// Throws std::runtime_error with the fault, as part of a message: MM that does not fit the read's bases, ML of another
// number of values than MM has, or MN other than the read's length.
bool append_cut_tags(std::string_view tags, const WrittenBases& written, std::string& to);

}  // namespace basesweep
