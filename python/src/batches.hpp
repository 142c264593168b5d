// Batches of rows, and what Python knows of their columns.
#pragma once

#include <nanobind/nanobind.h>

#include <basesweep/batch.hpp>
#include <vector>

namespace basesweep::python {

// Columns as a list of (name, kind, meaning, usual).
nanobind::list described(const std::vector<ColumnInfo>& columns);
// Adds the class Batch and arrow_stream() to the module.
void bind_batches(nanobind::module_& module);

}  // namespace basesweep::python
