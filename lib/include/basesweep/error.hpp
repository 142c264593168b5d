// The errors that basesweep throws. Each holds the exit code that the program ends with.
#pragma once

#include <stdexcept>
#include <string>

#define BASESWEEP_API __attribute__((visibility("default")))

namespace basesweep {

inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitData = 3;
inline constexpr int kExitIo = 4;
inline constexpr int kExitNoDevice = 75;

// Names of files and records stand in messages. Control characters in them are shown as \x1b and the like, so that no
// message can steer a terminal.
class BASESWEEP_API Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message);
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

// Options that are wrong or conflict, or that need more than the algorithm can do.
class BASESWEEP_API UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(kExitUsage, message) {}
};

// Input that is not valid. The message names path, record and place.
class BASESWEEP_API DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(kExitData, message) {}
};

// The operating system refused to open, read or write. `code` is an errno value, or 0.
class BASESWEEP_API IoError : public Error {
 public:
  IoError(const std::string& path, const std::string& what, int code = 0);
};

// The caller's progress function returned false, see ProgressFunction.
class BASESWEEP_API Cancelled : public Error {
 public:
  Cancelled() : Error(kExitFailure, "cancelled") {}
};

// A GPU was required and none is usable, or its memory does not suffice.
class BASESWEEP_API DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& message) : Error(kExitNoDevice, message) {}
};

}  // namespace basesweep
