#include "tools/doctor/self_test.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/registry/declined.hpp"
#include "lib/matrices/matrix_matcher.hpp"
#include "lib/oracle/trial/compare_hits.hpp"
#include "tools/doctor/file_test.hpp"
#include "tools/doctor/questions.hpp"

namespace basesweep {
namespace {

// Tests set number `i`; returns the fault, or "". Throws what making and searching throw.
using Attempt = std::function<std::string(std::size_t i)>;

// The reason in "algorithm planes cannot take pattern 'p0': REASON".
std::string bare(const std::string& declined) {
  const std::size_t colon = declined.find(": ");
  return colon == std::string::npos ? declined : declined.substr(colon + 2);
}

std::string repeat_command(const SelfTest& test, const TestedDevice& where) {
  const bool cpu = where.device == Device::cpu;
  return fmt::format("{}basesweep doctor --device {} --seed {}",
                     cpu ? fmt::format("BASESWEEP_ISA={} ", to_string(where.isa)) : "",
                     device_name(where.device, where.gpu), test.seed);
}

// Whether the GPU could not run the test, such as for lack of memory. A failed CUDA call (kernels/cuda/check.hpp), such
// as an illegal address, is a fault of the algorithm instead.
bool lacks_device(const DeviceError& error) { return !std::string(error.what()).starts_with("CUDA: "); }

// Completes a row by testing all sets, whose names are in `names`, up to the first fault. Throws UsageError.
TestRow try_sets(TestRow row, const std::vector<std::string>& names, const Attempt& attempt,
                 const std::string& repeat) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string fault;
    try {
      fault = attempt(i);
    } catch (const Declined& declined) {
      if (!row.algorithm.starts_with(to_string(Algorithm::automatic))) {
        row.reason = bare(declined.what());
        continue;
      }
      fault = fmt::format("declined, which auto must not: {}", declined.what());
    } catch (const UsageError&) {  // a wrong setting, which affects all tests
      throw;
    } catch (const DeviceError& error) {
      if (lacks_device(error)) {
        row.verdict = Verdict::not_run;
        row.lacks_device = true;
        row.reason = error.what();
        return row;
      }
      fault = fmt::format("exception: {}", error.what());
    } catch (const std::exception& error) {
      fault = fmt::format("exception: {}", error.what());
    }
    ++row.sets;
    if (fault.empty()) continue;
    row.verdict = Verdict::failed;
    row.reason = fmt::format("{}: {}", names[i], fault);
    row.repeat = repeat;
    return row;
  }
  row.verdict = row.sets == 0 ? Verdict::declined : Verdict::ok;
  return row;
}

SearcherOptions searcher_options(const TestedDevice& where) {
  SearcherOptions options;
  options.device = where.device;
  options.gpus = {where.gpu};
  options.isa = where.isa;
  return options;
}

MatcherOptions matching(Algorithm algorithm, const TestedDevice& where, Output output) {
  MatcherOptions options{searcher_options(where)};
  options.algorithm = algorithm;
  options.output = output;
  return options;
}

std::vector<Algorithm> with_automatic(std::vector<Algorithm> algorithms) {
  algorithms.insert(algorithms.begin(), Algorithm::automatic);
  return algorithms;
}

template <class Set>
std::vector<std::string> names_of(const std::vector<Set>& sets) {
  std::vector<std::string> names;
  names.reserve(sets.size());
  for (const Set& set : sets) names.push_back(set.name);
  return names;
}

std::string try_motifs(const SelfTest& test, const MotifSet& set, Algorithm algorithm, const TestedDevice& where) {
  const std::unique_ptr<Matcher> hits = test.matcher(set.patterns, matching(algorithm, where, Output::occurrences));
  const std::unique_ptr<Matcher> counts = test.matcher(set.patterns, matching(algorithm, where, Output::counts));
  for (const MotifText& text : set.texts) {
    const auto batches = [&](const trial::Cuts& cut, Matcher& matcher) {
      return trial::make_batches(text.question.records, cut,
                                 {.isa = where.isa, .soft_masked = text.question.skip_soft_masked},
                                 set.patterns.max_length(), matcher.memory());
    };
    for (const trial::Cuts& cut : {trial::Cuts(), text.cut}) {
      const trial::Batches all = batches(cut, *hits);
      std::string fault = trial::compare_hits(*hits, all, set.patterns, text.expected);
      if (!fault.empty()) return fault;
    }
    const trial::Batches all = batches(text.cut, *counts);
    std::string fault = trial::compare_counts(*counts, all, set.patterns, text.expected);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string try_matrices(const MatrixTexts& set, MatrixAlgorithm algorithm, const TestedDevice& where) {
  const PatternSet& patterns = set.matrices.patterns();
  for (const Output output : {Output::occurrences, Output::counts}) {
    const auto matcher = make_matrix_matcher(set.matrices, {searcher_options(where), algorithm, output});
    const trial::Batches batches = trial::make_batches(set.question.records, set.cut,
                                                       {.isa = where.isa, .soft_masked = set.question.skip_soft_masked},
                                                       patterns.max_length(), matcher->memory());
    std::string fault = output == Output::occurrences
                            ? trial::compare_hits(*matcher, batches, patterns, set.expected)
                            : trial::compare_counts(*matcher, batches, patterns, set.expected);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string try_edits(const SelfTest& test, const EditSet& set, Algorithm algorithm, const TestedDevice& where) {
  const std::unique_ptr<Matcher> matcher = test.matcher(set.patterns, matching(algorithm, where, Output::occurrences));
  const auto batch = trial::text_batch(set.text, set.patterns, matcher->memory());
  return trial::compare_ends(*matcher, algorithm, *batch, set.patterns, set.expected);
}

std::string try_reads(const SelfTest& test, const ReadSet& set, Algorithm algorithm, Candidates candidates,
                      const TestedDevice& where) {
  FinderOptions options{searcher_options(where)};
  options.algorithm = algorithm;
  options.candidates = candidates;
  const auto reference = trial::reads_reference(set.records);
  const std::unique_ptr<Finder> finder = test.finder(*reference, options);
  std::vector<ReadBatch> batches;
  batches.push_back(trial::make_reads(set.reads));
  const std::vector<ReadEnd> found = trial::find_all(*finder, batches).front();
  return trial::compare_read_ends(found, set.expected, 0, set.reads.size(), candidates == Candidates::sweep);
}

void test_algorithms(const SelfTest& test, const Questions& questions, std::vector<TestRow>& rows) {
  const auto add = [&](const std::string& command, const std::string& algorithm, const auto& sets,
                       const auto& attempt) {
    for (const TestedDevice& where : test.devices) {
      rows.push_back(try_sets(
          {command, algorithm, where.name()}, names_of(sets), [&](std::size_t i) { return attempt(sets[i], where); },
          repeat_command(test, where)));
    }
  };
  for (const Algorithm algorithm : with_automatic(exact_algorithms())) {
    add("motif", to_string(algorithm), questions.motifs,
        [&](const MotifSet& set, const TestedDevice& where) { return try_motifs(test, set, algorithm, where); });
  }
  for (const Algorithm algorithm : with_automatic(approximate_algorithms())) {
    add("match", to_string(algorithm), questions.edits,
        [&](const EditSet& set, const TestedDevice& where) { return try_edits(test, set, algorithm, where); });
  }
  std::vector<MatrixAlgorithm> for_matrices = matrix_algorithms();
  for_matrices.insert(for_matrices.begin(), MatrixAlgorithm::automatic);
  for (const MatrixAlgorithm algorithm : for_matrices) {
    add("pwm", to_string(algorithm), questions.matrices,
        [&](const MatrixTexts& set, const TestedDevice& where) { return try_matrices(set, algorithm, where); });
  }
  for (const GuideWay way : {GuideWay::automatic, GuideWay::words, GuideWay::sites, GuideWay::patterns}) {
    for (const TestedDevice& where : test.devices) {
      rows.push_back(try_sets(
          {"guides", to_string(way), where.name()}, names_of(questions.guides),
          [&](std::size_t i) {
            const GuideTexts& texts = questions.guides[i];
            return try_guides(texts, *test.guide_finder(texts.guides, {searcher_options(where), way}));
          },
          repeat_command(test, where)));
    }
  }
  for (const Algorithm algorithm : with_automatic(read_algorithms())) {
    for (const auto& [by, name] : {std::pair(Candidates::index, "index"), {Candidates::sweep, "sweep"}}) {
      add("map", fmt::format("{}, {}", to_string(algorithm), name), questions.reads,
          [&, candidates = by](const ReadSet& set, const TestedDevice& where) {
            return try_reads(test, set, algorithm, candidates, where);
          });
    }
  }
}

// The commands that write reads. Adapters and guides are looked for on the CPU alone, by code without instruction sets
// of its own.
void test_reads(const SelfTest& test, const Questions& questions, std::vector<TestRow>& rows) {
  const auto add = [&](const char* command, const char* algorithm, const auto& sets, const auto& attempt) {
    const bool on_gpus = std::string_view(command) == "demux";
    for (const TestedDevice& where : test.devices) {
      if (where.device != Device::cpu && !on_gpus) continue;
      rows.push_back(try_sets(
          {command, algorithm, where.name()}, names_of(sets), [&](std::size_t i) { return attempt(sets[i], where); },
          repeat_command(test, where)));
    }
  };
  add("demux", "barcodes", questions.barcodes, [&](const BarcodeTexts& texts, const TestedDevice& where) {
    return try_barcodes(texts, *test.barcode_scorer(texts.barcodes, {searcher_options(where)}));
  });
  add("trim", "adapters", questions.adapters,
      [](const AdapterTexts& texts, const TestedDevice& /*where*/) { return try_adapters(texts); });
  add("count", "guides", questions.counts,
      [](const CountTexts& texts, const TestedDevice& /*where*/) { return try_counts(texts); });
}

void test_files(const SelfTest& test, trial::Random& random, std::vector<TestRow>& rows) {
  std::optional<FileTest> files;
  std::string no_files;
  try {
    files.emplace(random);
  } catch (const IoError& error) {
    no_files = error.what();
  }
  for (const TestedDevice& where : test.devices) {
    TestRow row{"files", to_string(Algorithm::automatic), where.name()};
    if (files) {
      row = try_sets(
          std::move(row), FileTest::names(), [&](std::size_t i) { return files->fault(i, test, where); },
          repeat_command(test, where));
    } else {
      row.verdict = Verdict::not_run;
      row.reason = no_files;
    }
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::string TestedDevice::name() const {
  return device == Device::cpu ? fmt::format("cpu {}", to_string(isa)) : fmt::format("gpu {}", gpu);
}

std::vector<TestedDevice> tested_devices(const DeviceChoice& chosen, const std::vector<Isa>& isas,
                                         const std::vector<cuda::GpuInfo>& gpus) {
  std::vector<TestedDevice> devices;
  if (chosen.device != Device::gpu) {
    for (const Isa isa : isas) devices.push_back({Device::cpu, isa});
  }
  if (chosen.device == Device::cpu) return devices;
  const bool all = chosen.device == Device::automatic || chosen.gpus.empty();
  for (const cuda::GpuInfo& one : gpus) {
    const bool requested = all || std::find(chosen.gpus.begin(), chosen.gpus.end(), one.index) != chosen.gpus.end();
    if (requested && !one.unusable) devices.push_back({Device::gpu, isas.back(), one.index});
  }
  return devices;
}

std::vector<TestRow> run_self_test(const SelfTest& test) {
  trial::Random random(test.seed);
  const Questions questions(random);
  std::vector<TestRow> rows;
  test_algorithms(test, questions, rows);
  test_reads(test, questions, rows);
  test_files(test, random, rows);
  return rows;
}

}  // namespace basesweep
