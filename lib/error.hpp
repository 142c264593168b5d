// Errors a user can cause or meet. Each carries the exit code the tools end with.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace basesweep {

inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitData = 3;
inline constexpr int kExitIo = 4;
inline constexpr int kExitNoDevice = 75;

class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

// Options that are wrong, conflict, or ask an algorithm for what it cannot do.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(kExitUsage, message) {}
};

// Input whose content is not what it should be. The message names path, record and place.
class DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(kExitData, message) {}
};

// The operating system refused to open, read or write. `code` is an errno value, or 0.
class IoError : public Error {
 public:
  IoError(const std::string& path, const std::string& what, int code = 0);
};

// A GPU was required and none is usable, or its memory does not suffice.
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& message) : Error(kExitNoDevice, message) {}
};

// A byte as a message shows it: 'X' when printable, 0x07 else.
std::string printable(char byte);

}  // namespace basesweep
