// Texts of the library as those of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

namespace basesweep::python {

// Text of files may be anything; what is not UTF-8 becomes U+FFFD.
inline nanobind::object str_of(std::string_view text) {
  PyObject* const one = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (one == nullptr) throw nanobind::python_error();
  return nanobind::steal(one);
}

inline nanobind::list list_of(const std::vector<std::string>& texts) {
  nanobind::list all;
  for (const std::string& text : texts) all.append(str_of(text));
  return all;
}

}  // namespace basesweep::python
