// How messages and reports name a path that may be "-".
#pragma once

#include <string>
#include <vector>

namespace basesweep {

// "<stdin>" for "-", any other path as it is.
inline std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

inline std::vector<std::string> input_names(std::vector<std::string> paths) {
  for (std::string& path : paths) path = input_name(path);
  return paths;
}

// "<stdout>" for "-", any other path as it is.
inline std::string output_name(const std::string& path) { return path == "-" ? "<stdout>" : path; }

}  // namespace basesweep
