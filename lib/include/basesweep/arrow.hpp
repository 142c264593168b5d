// Batches as Apache Arrow arrays, by Arrow's C data interface
// (https://arrow.apache.org/docs/format/CDataInterface.html), which needs no library: pyarrow, polars, DuckDB, R and
// others take the two structs.
#pragma once

#include <basesweep/batch.hpp>
#include <cstdint>

// The definitions of the specification, which tells every header to give them in this form.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}

#endif  // ARROW_C_DATA_INTERFACE

namespace basesweep {

// Fills in both structs: the batch as a struct array with a child for each column. Integers are int64 (format "l"),
// reals float64 ("g"), texts utf8 ("u"), dictionaries int32 codes ("i") of utf8. The arrays share the memory of the
// batch, which lives until their owner calls release of both. Nothing is filled in when this throws, which it
// only does for lack of memory.
BASESWEEP_API void export_batch(const Batch& batch, ArrowSchema* schema, ArrowArray* array);

}  // namespace basesweep
