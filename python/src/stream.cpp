#include "stream.hpp"

#include <basesweep/arrow.hpp>
#include <cerrno>
#include <memory>
#include <new>
#include <utility>

namespace nb = nanobind;

extern "C" {
// The definition of the specification.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}

namespace basesweep::python {
namespace {

// A consumer that takes the struct out of a capsule marks it as released; else this releases it.
template <class Struct>
void free_capsule(PyObject* capsule) {
  auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (held->release != nullptr) held->release(held);
  delete held;
}

template <class Struct>
nb::object capsule_of(std::unique_ptr<Struct> held, const char* name) {
  PyObject* const capsule = PyCapsule_New(held.get(), name, free_capsule<Struct>);
  if (capsule == nullptr) {
    if (held->release != nullptr) held->release(held.get());
    throw nb::python_error();
  }
  static_cast<void>(held.release());
  return nb::steal(capsule);
}

struct Stream {
  std::vector<Batch> batches;
  std::size_t next = 0;
  const char* error = nullptr;
};

Stream& stream_of(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

// Fills in both structs, and drops the one that is not wanted.
int give(Stream& stream, const Batch& batch, ArrowSchema* schema, ArrowArray* array) {
  ArrowSchema other_schema{};
  ArrowArray other_array{};
  try {
    export_batch(batch, schema != nullptr ? schema : &other_schema, array != nullptr ? array : &other_array);
  } catch (const std::bad_alloc&) {
    stream.error = "there is not enough memory";
    return ENOMEM;
  }
  if (other_schema.release != nullptr) other_schema.release(&other_schema);
  if (other_array.release != nullptr) other_array.release(&other_array);
  return 0;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  Stream& own = stream_of(stream);
  return give(own, own.batches.front(), out, nullptr);
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Stream& own = stream_of(stream);
  if (own.next == own.batches.size()) {
    *out = {};  // the end
    return 0;
  }
  return give(own, own.batches[own.next++], nullptr, out);
}

const char* get_last_error(ArrowArrayStream* stream) { return stream_of(stream).error; }

void release(ArrowArrayStream* stream) {
  delete &stream_of(stream);
  stream->release = nullptr;
}

}  // namespace

nb::tuple arrow_array(const Batch& batch) {
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  export_batch(batch, schema.get(), array.get());
  nb::object of_schema = capsule_of(std::move(schema), "arrow_schema");
  return nb::make_tuple(std::move(of_schema), capsule_of(std::move(array), "arrow_array"));
}

nb::object arrow_stream(std::vector<Batch> batches) {
  if (batches.empty()) throw nb::value_error("a stream needs a batch, which has the columns");
  auto own = std::make_unique<Stream>(Stream{std::move(batches)});
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{get_schema, get_next, get_last_error, release, own.release()});
  return capsule_of(std::move(stream), "arrow_array_stream");
}

}  // namespace basesweep::python
