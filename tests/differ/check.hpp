// Makes trials, checks them and shrinks those that fail.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tests/differ/job.hpp"
#include "tests/differ/way.hpp"

namespace differ {

// A job and a way to run it.
struct Trial {
  Job job;
  Way way;
};

// The jobs of a run are numbered; a seed and a number make a job. `gpu`: whether the run uses a GPU.
Size size_of(std::uint64_t number, bool gpu);
Job make_job(std::uint64_t seed, std::uint64_t number, bool gpu);
// A job runs in some ways, from 0.
unsigned ways_of(std::uint64_t seed, std::uint64_t number);
Trial make_trial(const Job& job, std::uint64_t seed, std::uint64_t number, unsigned way, bool gpu);

enum class Outcome { right, wrong, declined };

struct Verdict {
  Outcome outcome = Outcome::right;
  std::string message{};  // what is wrong, or why the algorithm declined
};

// Compares the fast oracle with the plain one, on a job that is small enough.
bool plain_enough(const Job& job);
Verdict check_oracle(const Job& job);

// A hit that ends at a multiple of this is dropped from what the program finds, to show that the runs find faults; 0:
// none is.
extern std::int64_t planted_fault;

// The path of basesweep to run in place of the library; empty: the library.
extern std::string program;

// Runs the trial and compares its answers with those of the oracle. `folder`: for files.
Verdict check(const Trial& trial, const Expected& expected, const std::string& folder);

// Makes a failing trial smaller for as long as `fails` is true of it, for at most `seconds`.
Trial shrunk(Trial trial, const std::function<bool(const Trial&)>& fails, double seconds);

// Writes the text, the patterns and the expected hits to a folder, and the command that shows the fault to `command`.
// Returns the command.
std::string write_case(const Trial& trial, const std::string& folder);

}  // namespace differ
