// The program: one subcommand per job.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "kernels/registry/shared_matcher.hpp"
#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/temporaries.hpp"
#include "tools/print.hpp"
#include "tools/program.hpp"
#include "tools/run.hpp"
#include "tools/run_options.hpp"

namespace {

using namespace basesweep;

// For an exception that nothing can catch: one in a thread or a destructor of a library, mostly for lack of memory or
// threads. Allocates nothing, since there may be no memory.
[[noreturn]] void end_at_once() noexcept {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread came first, and ends the process
  remove_temporaries();
  const char* what = "stopped by an error in a library";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    what = "out of memory";
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
  }
  for (const char* text : {"basesweep: ", what, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(kExitFailure);
}

// Returns the exit code.
int run_and_tell(int argc, char** argv) {
  try {
    set_url_timeout(kUrlSeconds);
    keep_command_line({argv, argv + argc});
    return run_words({argv + 1, argv + argc});
  } catch (const Error& error) {
    tell(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    tell("out of memory");
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return kExitFailure;
}

}  // namespace

int main(int argc, char** argv) {
  // Blocks and batches of about a megabyte are freed and allocated all the time. The default mallopt settings would
  // return their pages to the system and map fresh ones each time, so the heap keeps them.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  remove_temporaries_on_signals();
  std::set_terminate(end_at_once);
  const int code = run_and_tell(argc, argv);
  if (!gpu_start_unfinished()) return code;
  std::fflush(nullptr);
  std::_Exit(code);  // does not wait for the GPU, which nobody needs any more
}
