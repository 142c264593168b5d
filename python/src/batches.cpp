#include "batches.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>

#include "stream.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace basesweep::python {
namespace {

const char* to_string(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::integer: return "integer";
    case ColumnKind::real: return "real";
    case ColumnKind::text: return "text";
    case ColumnKind::dictionary: return "dictionary";
  }
  return "";
}

// The values of a column as an array that shares the batch's memory and keeps it alive.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> shared(std::span<const T> values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, owner);
}

nb::list texts(const Texts& of) {
  nb::list all;
  for (std::size_t i = 0; i < of.size(); ++i) all.append(str_of(of[i]));
  return all;
}

// The values of a column as a list, which needs no NumPy.
template <class T>
nb::list listed(std::span<const T> values) {
  nb::list all;
  for (const T value : values) all.append(value);
  return all;
}

nb::list numbers(const Batch& batch, const std::string& column, bool real) {
  return real ? listed(batch.reals(column)) : listed(batch.integers(column));
}

// The rows without a value.
std::vector<std::size_t> missing(const Batch& batch, const std::string& column) {
  const std::span<const std::uint8_t> validity = batch.validity(column);
  std::vector<std::size_t> rows;
  if (validity.empty()) return rows;
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    if ((validity[row / 8] >> (row % 8) & 1) == 0) rows.push_back(row);
  }
  return rows;
}

}  // namespace

nb::list described(const std::vector<ColumnInfo>& columns) {
  nb::list all;
  for (const ColumnInfo& column : columns) {
    all.append(nb::make_tuple(column.name, to_string(column.kind), column.meaning, column.usual));
  }
  return all;
}

void bind_batches(nb::module_& module) {
  nb::class_<Batch>(module, "Batch")
      .def("__len__", &Batch::rows)
      .def("columns", [](const Batch& batch) { return described(batch.columns()); })
      .def("integers",
           [](nb::handle_t<Batch> self, const std::string& column) {
             return shared(nb::cast<const Batch&>(self).integers(column), self);
           })
      .def("reals", [](nb::handle_t<Batch> self,
                       const std::string& column) { return shared(nb::cast<const Batch&>(self).reals(column), self); })
      .def("numbers", &numbers, "column"_a, "real"_a)
      .def("codes", [](const Batch& batch, const std::string& column) { return listed(batch.codes(column)); })
      .def("texts", [](const Batch& batch, const std::string& column) { return texts(batch.texts(column)); })
      .def("missing", &missing)
      .def("table", [](const Batch& batch, const std::string& column) { return texts(batch.table(column)); })
      .def(
          "__arrow_c_array__", [](const Batch& batch, const nb::object&) { return arrow_array(batch); },
          "requested_schema"_a.none() = nb::none());
  module.def("arrow_stream", &arrow_stream, "batches"_a);
}

}  // namespace basesweep::python
