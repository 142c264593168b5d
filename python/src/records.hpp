// Sequences of Python objects, as the library takes them: without copies.
#pragma once

#include <nanobind/nanobind.h>

#include <basesweep/basesweep.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace basesweep::python {

// Keeps the memory of the objects from changing its place until it is destroyed, which needs Python's lock.
class Records {
 public:
  // `records`: pairs of a name (str) and bases: ASCII str, bytes, or another contiguous buffer of one-byte items, such
  // as a numpy array of uint8. Throws TypeError for others.
  explicit Records(const nanobind::list& records);
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  std::span<const NamedSequence> sequences() const { return sequences_; }
  std::size_t letters() const { return letters_; }  // of all sequences

 private:
  void add(nanobind::handle name, nanobind::handle bases);
  void release();

  nanobind::list held_;
  std::vector<Py_buffer> buffers_;
  std::vector<NamedSequence> sequences_;
  std::size_t letters_ = 0;
};

}  // namespace basesweep::python
