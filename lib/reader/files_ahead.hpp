// The next inputs, decompressed by helpers while the reader is still at those before. Private to the reader.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "lib/reader/input_file.hpp"

namespace basesweep {

class FileAhead;

class FilesAhead {
 public:
  // Opens a file, by its number. Called by several threads at once.
  using Open = std::function<std::shared_ptr<InputFile>(std::size_t)>;

  // Begins with the first of `files`, the numbers of those to read ahead in increasing order. Each of `threads` helpers
  // has one of them open at a time; at most twice as many wait to be taken, each with at most 8 MiB of its text.
  FilesAhead(std::vector<std::size_t> files, int threads, Open open);
  ~FilesAhead();
  FilesAhead(const FilesAhead&) = delete;
  FilesAhead& operator=(const FilesAhead&) = delete;

  // The file of this number, if a helper has begun with it; otherwise null, and no helper will. Numbers must increase.
  // Throws what opening it threw. The file must not outlive this object.
  std::shared_ptr<InputFile> take(std::size_t number);

 private:
  void help();
  // The next file to begin with; null when there is none. Waits until there is room for it.
  std::shared_ptr<FileAhead> begin_next();

  std::vector<std::size_t> files_;
  std::size_t max_waiting_;
  Open open_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<FileAhead>> begun_;  // in the order of files_; null when taken
  std::size_t next_ = 0;                           // of files_, to begin with
  std::size_t taken_ = 0;                          // of files_, taken or passed over
  bool over_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
