// Batches as Apache Arrow's C structs in capsules
// (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html).
#pragma once

#include <nanobind/nanobind.h>

#include <basesweep/batch.hpp>
#include <vector>

namespace basesweep::python {

// A pair of capsules: arrow_schema and arrow_array.
nanobind::tuple arrow_array(const Batch& batch);
// A capsule arrow_array_stream. All batches have the same columns; there is at least one.
nanobind::object arrow_stream(std::vector<Batch> batches);

}  // namespace basesweep::python
