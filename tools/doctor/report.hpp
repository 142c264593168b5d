// The report of `basesweep doctor`, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "lib/base/isa.hpp"
#include "lib/reader/versions.hpp"
#include "tools/doctor/choices.hpp"
#include "tools/doctor/machine.hpp"
#include "tools/doctor/self_test.hpp"

namespace basesweep {

struct DoctorReport {
  std::vector<LibraryVersion> libraries;
  Machine machine;
  std::vector<std::pair<std::string, std::string>> environment;  // set variables that affect runs
  std::vector<Isa> isas;                                         // those of the processor
  std::optional<std::string> processor_fault = {};               // why basesweep cannot run on the processor
  int threads = 1;                                               // number that runs use
  cuda::CudaInfo cuda;
  std::vector<std::string> gpu_troubles;
  bool gpu_required = false;
  std::optional<std::string> gpu_fault = {};  // if a GPU is required: why it is not usable
  bool self_tested = false;
  std::uint64_t seed = 1;
  std::vector<TestRow> rows;
  double test_seconds = 0;
  std::vector<Choice> choices;
};

// The problems found, one sentence each.
std::vector<std::string> problems(const DoctorReport& report);

// 1 if a test failed or basesweep cannot run on the processor; else 75 if a required GPU is not usable or could not run
// a test; else 0.
int exit_code(const DoctorReport& report);

// The text in three parts: before the test, the test, and after it. The first part is printed before the test runs, so
// it is there even if the test hangs or crashes.
std::string text_before_test(const DoctorReport& report);
std::string text_of_test(const DoctorReport& report);
std::string text_after_test(const DoctorReport& report);

// Schema "basesweep-doctor/1"; see docs/report.md.
std::string to_json(const DoctorReport& report);

}  // namespace basesweep
