// Names of files, and paths that are none: "-" and URLs.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// The path without its folders.
inline std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "<stdin>" for "-", any other path as it is.
inline std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

inline std::vector<std::string> input_names(std::vector<std::string> paths) {
  for (std::string& path : paths) path = input_name(path);
  return paths;
}

// The name of all inputs together in messages: the name of the only one, or "the input".
inline std::string name_of_all(const std::vector<std::string>& paths) {
  return paths.size() == 1 ? input_name(paths.front()) : "the input";
}

// Whether an input is read by HTSlib over the network.
inline bool is_url(std::string_view path) {
  constexpr std::array<std::string_view, 10> kSchemes{"http://",    "https://",   "ftp://",     "ftps://",
                                                      "s3://",      "gs://",      "s3+http://", "s3+https://",
                                                      "gs+http://", "gs+https://"};
  const auto same = [](char scheme, char c) { return scheme == (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); };
  return std::any_of(kSchemes.begin(), kSchemes.end(), [&](std::string_view start) {
    return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin(), same);
  });
}

// The name of an index: the path and its ending, which comes before the '?' of a URL.
inline std::string index_name(const std::string& path, const std::string& ending) {
  const std::size_t end = is_url(path) ? std::min(path.find('?'), path.size()) : path.size();
  return path.substr(0, end) + ending + path.substr(end);
}

// "<stdout>" for "-", any other path as it is.
inline std::string output_name(const std::string& path) { return path == "-" ? "<stdout>" : path; }

}  // namespace basesweep
