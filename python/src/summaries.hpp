// What a search tells besides its rows, as Python gets it: Table.totals and Table.warnings.
#pragma once

#include <nanobind/nanobind.h>

#include <basesweep/basesweep.hpp>
#include <basesweep/guides.hpp>
#include <basesweep/map.hpp>
#include <basesweep/pcr.hpp>

namespace basesweep::python {

nanobind::dict summary_of(const SearchSummary& summary);
nanobind::dict summary_of(const PcrSummary& summary);
nanobind::dict summary_of(const MapperSummary& summary);
nanobind::dict summary_of(const GuidesResult& result);

}  // namespace basesweep::python
