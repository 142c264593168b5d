// The extension module of the Python package: searches, and their results as batches. What users see is written in
// Python on top of it (basesweep/*.py).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <basesweep/basesweep.hpp>
#include <basesweep/guides.hpp>
#include <basesweep/map.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batches.hpp"
#include "options.hpp"
#include "records.hpp"
#include "summaries.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace basesweep::python {
namespace {

// Throws what the handler of a signal, such as Ctrl-C, raised.
void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A search of less than this many letters is over soon: to look for signals would take longer.
constexpr std::size_t kShort = std::size_t{1} << 17;

// Looks for signals, and tells a function of Python how far a search has come; None: there is no function.
ProgressFunction told(const nb::object& function) {
  return [&function](const Progress& progress) {
    const nb::gil_scoped_acquire with_python;
    look_for_signals();
    if (function.is_none()) return true;
    const nb::object bytes = progress.bytes ? nb::cast(*progress.bytes) : nb::none();
    function(progress.bases, progress.hits, bytes, progress.bytes_read);
    return true;
  };
}

// How a search is run: columns, rows of a batch, a function that takes batches, and one that takes the progress.
struct Run {
  std::vector<std::string> columns;
  std::size_t batch_rows;
  nb::object take;      // None: batches are returned
  nb::object progress;  // None: signals are looked for all the same
};

// Lets other Python threads run, and calls search(columns, take) of the library, which Ctrl-C ends unless it is short.
// Returns the batches, unless they were taken, and the summary.
template <class Search>
nb::tuple run_search(const Run& run, bool is_short, const Search& search) {
  std::vector<Batch> batches;
  ColumnOptions columns{.columns = run.columns, .batch_rows = run.batch_rows};
  if (!is_short || !run.progress.is_none()) columns.progress = told(run.progress);
  const TakeBatch take = [&](const Batch& batch) {
    if (run.take.is_none()) {
      batches.push_back(batch);
      return;
    }
    const nb::gil_scoped_acquire with_python;
    run.take(batch);
  };
  auto summary = [&] {
    const nb::gil_scoped_release without_python;
    return search(columns, take);
  }();
  return nb::make_tuple(std::move(batches), summary_of(summary));
}

// A search of any kind, which may be run for any number of texts, by several threads at once.
class Search {
 public:
  virtual ~Search() = default;
  virtual nb::tuple records(const Records& records, const Run& run) const = 0;
  virtual nb::tuple files(const std::vector<std::string>& paths, const Run& run) const = 0;
  // Writes the results to a file instead, and returns the summary. `records`: null: `paths` are searched.
  virtual nb::dict write(const Records* records, const std::vector<std::string>& paths, const std::string& path,
                         const FileOptions& options) const = 0;
  virtual std::vector<ColumnInfo> columns() const = 0;
  virtual std::string method() const = 0;
  virtual std::vector<std::string> names() const = 0;
};

template <class Engine>
auto search_records(const Engine& engine, std::span<const NamedSequence> records, const ColumnOptions& columns,
                    const TakeBatch& take) {
  return engine.search(records, columns, take);
}
template <class Engine>
auto search_files(const Engine& engine, const std::vector<std::string>& paths, const ColumnOptions& columns,
                  const TakeBatch& take) {
  return engine.search_files(paths, columns, take);
}
// The mapper's texts are reads, so its functions have names of their own.
MapperSummary search_records(const Mapper& mapper, std::span<const NamedSequence> reads, const ColumnOptions& columns,
                             const TakeBatch& take) {
  return mapper.map(reads, columns, take);
}
MapperSummary search_files(const Mapper& mapper, const std::vector<std::string>& paths, const ColumnOptions& columns,
                           const TakeBatch& take) {
  return mapper.map_files(paths, columns, take);
}

// The names of what is searched for.
template <class List, class Name>
std::vector<std::string> names_in(const List& list, Name name) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.*name);
  return names;
}
std::vector<std::string> names_of(const Searcher& searcher) {
  return names_in(searcher.patterns(), &NamedPattern::name);
}
std::vector<std::string> names_of(const Pcr& pcr) { return names_in(pcr.pairs(), &NamedPair::name); }
std::vector<std::string> names_of(const Guides& guides) { return names_in(guides.guides(), &NamedGuide::name); }
std::vector<std::string> names_of(const Pwm& pwm) { return names_in(pwm.matrices(), &WeightMatrix::id); }
std::vector<std::string> names_of(const Mapper& mapper) { return names_in(mapper.records(), &ReferenceRecord::name); }

template <class Engine>
class SearchOf : public Search {
 public:
  explicit SearchOf(Engine engine) : engine_(std::move(engine)) {}

  nb::tuple records(const Records& records, const Run& run) const override {
    return run_search(run, records.letters() < kShort, [&](const ColumnOptions& columns, const TakeBatch& take) {
      return search_records(engine_, records.sequences(), columns, take);
    });
  }
  nb::tuple files(const std::vector<std::string>& paths, const Run& run) const override {
    return run_search(run, false, [&](const ColumnOptions& columns, const TakeBatch& take) {
      return search_files(engine_, paths, columns, take);
    });
  }
  nb::dict write(const Records* records, const std::vector<std::string>& paths, const std::string& path,
                 const FileOptions& options) const override {
    const auto summary = [&] {
      const nb::gil_scoped_release without_python;
      return records != nullptr ? engine_.write(records->sequences(), path, options)
                                : engine_.write_files(paths, path, options);
    }();
    return summary_of(summary);
  }
  std::vector<ColumnInfo> columns() const override { return engine_.columns(); }
  std::string method() const override { return engine_.method(); }
  std::vector<std::string> names() const override { return python::names_of(engine_); }

  const Engine& engine() const { return engine_; }

 private:
  const Engine engine_;
};

std::unique_ptr<Search> make_searcher(const std::vector<std::pair<std::string, std::string>>& patterns,
                                      const nb::dict& options) {
  std::vector<NamedPattern> named;
  for (const auto& [name, bases] : patterns) named.push_back({name, bases});
  SearchOptions own = search_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Searcher>>(Searcher(std::move(named), std::move(own)));
}

std::unique_ptr<Search> make_searcher_of_file(const std::string& path, const nb::dict& options,
                                              const std::string& name_column, const std::string& pattern_column) {
  SearchOptions own = search_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Searcher>>(
      Searcher(load_patterns(path, {.name_column = name_column, .pattern_column = pattern_column}), std::move(own)));
}

std::unique_ptr<Search> load_set(const std::string& path, const nb::dict& options) {
  SearchOptions own = search_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Searcher>>(Searcher::load(path, std::move(own)));
}

std::unique_ptr<Search> make_pcr(const std::vector<std::vector<std::string>>& pairs, const nb::dict& options) {
  std::vector<NamedPair> named;
  for (const std::vector<std::string>& pair : pairs) named.push_back({pair.at(0), pair.at(1), pair.at(2)});
  PcrOptions own = pcr_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Pcr>>(Pcr(std::move(named), std::move(own)));
}

std::unique_ptr<Search> make_pcr_of_file(const std::string& path, const nb::dict& options) {
  PcrOptions own = pcr_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Pcr>>(Pcr(load_pairs(path), std::move(own)));
}

std::unique_ptr<Search> make_pwm_of_file(const std::string& path, const nb::dict& options) {
  PwmOptions own = pwm_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Pwm>>(Pwm(load_matrices(path), std::move(own)));
}

std::unique_ptr<Search> make_pwm(const std::vector<std::pair<std::string, std::vector<std::vector<double>>>>& matrices,
                                 const nb::dict& options) {
  std::vector<WeightMatrix> own;
  for (const auto& [name, rows] : matrices) {
    WeightMatrix matrix{.id = name};
    for (const std::vector<double>& row : rows) {
      if (row.size() != 4) throw UsageError("matrix " + name + " has a position without 4 numbers (A, C, G, T)");
      matrix.columns.push_back({row[0], row[1], row[2], row[3]});
    }
    own.push_back(std::move(matrix));
  }
  PwmOptions limits = pwm_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Pwm>>(Pwm(std::move(own), std::move(limits)));
}

std::unique_ptr<Search> make_guides(const std::vector<std::pair<std::string, std::string>>& guides,
                                    const nb::dict& options) {
  std::vector<NamedGuide> named;
  for (const auto& [name, bases] : guides) named.push_back({name, bases});
  GuideOptions own = guide_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Guides>>(Guides(std::move(named), std::move(own)));
}

std::unique_ptr<Search> make_mapper(const std::string& reference, const nb::dict& options) {
  MapperOptions own = mapper_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Mapper>>(Mapper(reference, std::move(own)));
}

std::unique_ptr<Search> make_mapper_of_records(const nb::list& reference, const nb::dict& options) {
  const Records records(reference);
  MapperOptions own = mapper_options(options);
  const nb::gil_scoped_release without_python;
  return std::make_unique<SearchOf<Mapper>>(Mapper(records.sequences(), std::move(own)));
}

// Patterns of a file as [(name, bases)].
nb::list patterns_of_file(const std::string& path, const std::string& name_column, const std::string& pattern_column) {
  std::vector<NamedPattern> patterns;
  {
    const nb::gil_scoped_release without_python;
    patterns = load_patterns(path, {.name_column = name_column, .pattern_column = pattern_column});
  }
  nb::list all;
  for (const NamedPattern& pattern : patterns) all.append(nb::make_tuple(str_of(pattern.name), pattern.bases));
  return all;
}

// [(pattern, strand, hits)]
nb::list count(const Search& search, const std::optional<nb::list>& records, const std::vector<std::string>& paths) {
  const auto* const own = dynamic_cast<const SearchOf<Searcher>*>(&search);
  if (own == nullptr) throw UsageError("only motif and match count");
  const nb::object nobody = nb::none();
  const ProgressFunction signals = told(nobody);
  std::vector<HitCount> counts;
  if (records) {
    const Records sequences(*records);
    const nb::gil_scoped_release without_python;
    counts = own->engine().count(sequences.sequences(), sequences.letters() < kShort ? ProgressFunction() : signals);
  } else {
    const nb::gil_scoped_release without_python;
    counts = own->engine().count_files(paths, signals);
  }
  nb::list all;
  for (const HitCount& one : counts) {
    all.append(
        nb::make_tuple(str_of(own->engine().patterns()[one.pattern].name), std::string(1, one.strand), one.hits));
  }
  return all;
}

// Raises the class of errors.py that this error has there.
void raise(const Error& error, const char* name) {
  const nb::object type = nb::module_::import_("basesweep.errors").attr(name);
  nb::object made = type(str_of(error.what()));
  made.attr("exit_code") = error.exit_code();
  PyErr_SetObject(type.ptr(), made.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    raise(error, "UsageError");
  } catch (const DataError& error) {
    raise(error, "InputError");
  } catch (const IoError& error) {
    raise(error, "IoError");
  } catch (const DeviceError& error) {
    raise(error, "DeviceError");
  } catch (const Error& error) {
    raise(error, "Error");
  }
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // nothing is printed unasked
  module.attr("__version__") = version();
  nb::register_exception_translator(translate);

  bind_batches(module);

  nb::class_<Search>(module, "Search")
      .def(
          "records",
          [](const Search& search, const nb::list& records, std::vector<std::string> columns, std::size_t batch_rows,
             nb::object take, nb::object progress) {
            return search.records(Records(records), {std::move(columns), batch_rows, take, progress});
          },
          "records"_a, "columns"_a, "batch_rows"_a, "take"_a.none(), "progress"_a.none())
      .def(
          "files",
          [](const Search& search, const std::vector<std::string>& paths, std::vector<std::string> columns,
             std::size_t batch_rows, nb::object take, nb::object progress) {
            return search.files(paths, {std::move(columns), batch_rows, take, progress});
          },
          "paths"_a, "columns"_a, "batch_rows"_a, "take"_a.none(), "progress"_a.none())
      .def(
          "write",
          [](const Search& search, const std::optional<nb::list>& records, const std::vector<std::string>& paths,
             const std::string& path, std::string format, std::vector<std::string> columns, std::string cram_reference,
             const nb::object& progress) {
            std::optional<Records> own;
            if (records) own.emplace(*records);
            return search.write(own ? &*own : nullptr, paths, path,
                                {std::move(format), std::move(columns), std::move(cram_reference), told(progress)});
          },
          "records"_a.none(), "paths"_a, "path"_a, "format"_a, "columns"_a, "cram_reference"_a, "progress"_a.none())
      .def("columns", [](const Search& search) { return described(search.columns()); })
      .def("method", &Search::method)
      .def("names", [](const Search& search) { return list_of(search.names()); });
  module.def("searcher", &make_searcher);
  module.def("searcher_of_file", &make_searcher_of_file);
  module.def("load_set", &load_set);
  module.def("pcr", &make_pcr);
  module.def("pcr_of_file", &make_pcr_of_file);
  module.def("pwm", &make_pwm);
  module.def("pwm_of_file", &make_pwm_of_file);
  module.def("guides", &make_guides);
  module.def("mapper", &make_mapper);
  module.def("mapper_of_records", &make_mapper_of_records);
  module.def("patterns_of_file", &patterns_of_file);
  module.def("count", &count, "search"_a, "records"_a.none(), "paths"_a);
  module.def("options", &option_names);
}

}  // namespace basesweep::python
