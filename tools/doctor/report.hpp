// The report of `basesweep doctor`, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "lib/isa.hpp"
#include "lib/matcher.hpp"
#include "lib/versions.hpp"
#include "tools/doctor/choices.hpp"
#include "tools/doctor/self_test.hpp"
#include "tools/machine.hpp"

namespace basesweep {

struct DoctorReport {
  std::vector<LibraryVersion> libraries;
  Machine machine;
  std::vector<std::pair<std::string, std::string>> environment;  // variables that are set, of those that bear on runs
  std::vector<Isa> isas;                                         // that the processor has
  std::optional<std::string> processor_fault = {};               // why basesweep cannot run on it
  int threads = 1;                                               // that runs take
  cuda::CudaInfo cuda;
  std::vector<std::string> gpu_troubles;
  bool gpu_required = false;
  std::optional<std::string> gpu_fault = {};  // where a GPU is required: why it is not usable
  bool self_tested = false;
  std::uint64_t seed = 1;
  std::vector<TestRow> rows;
  double test_seconds = 0;
  std::vector<Choice> choices;
};

// What is the matter, in sentences.
std::vector<std::string> problems(const DoctorReport& report);

// 1 where a test failed or the processor lacks what it must have, else 75 where a GPU is required and is not usable or
// could not do a test, else 0.
int exit_code(const DoctorReport& report);

// The text in three parts, so that what is known stands there if the test does not come back: before the test, the
// test, and what follows.
std::string text_before_test(const DoctorReport& report);
std::string text_of_test(const DoctorReport& report);
std::string text_after_test(const DoctorReport& report);

// Schema "basesweep-doctor/1"; see docs/report.md.
std::string to_json(const DoctorReport& report);

}  // namespace basesweep
