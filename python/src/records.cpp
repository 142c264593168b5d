#include "records.hpp"

namespace nb = nanobind;

namespace basesweep::python {
namespace {

std::string_view utf8_of(nb::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error((std::string(what) + " must be str").c_str());
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

Records::Records(const nb::list& records) {
  try {
    for (const nb::handle record : records) {
      const auto pair = nb::cast<nb::tuple>(record);
      add(pair[0], pair[1]);
      letters_ += sequences_.back().bases.size();
    }
  } catch (...) {
    release();
    throw;
  }
}

Records::~Records() { release(); }

void Records::release() {
  for (Py_buffer& buffer : buffers_) PyBuffer_Release(&buffer);
  buffers_.clear();
}

void Records::add(nb::handle name, nb::handle bases) {
  held_.append(name);
  held_.append(bases);
  const std::string_view own_name = utf8_of(name, "the name of a sequence");
  if (PyUnicode_Check(bases.ptr())) {
    sequences_.push_back({own_name, utf8_of(bases, "a sequence")});
    return;
  }
  Py_buffer buffer;
  if (PyObject_GetBuffer(bases.ptr(), &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
  buffers_.push_back(buffer);
  if (buffer.itemsize != 1 || buffer.ndim != 1) {
    throw nb::type_error(("an array of bases must have one dimension and items of one byte (uint8); this one has " +
                          std::to_string(buffer.ndim) + " and items of " + std::to_string(buffer.itemsize))
                             .c_str());
  }
  if (PyBuffer_IsContiguous(&buffer, 'C') == 0) {
    throw nb::value_error("an array of bases must be contiguous: give numpy.ascontiguousarray(array)");
  }
  sequences_.push_back({own_name, {static_cast<const char*>(buffer.buf), static_cast<std::size_t>(buffer.len)}});
}

}  // namespace basesweep::python
