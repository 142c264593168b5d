#include "lib/reader/files_ahead.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <utility>

namespace basesweep {

// The text of one file on its way from the helper that decompresses it to the reader.
class FileAhead {
 public:
  explicit FileAhead(std::size_t number) : number_(number) {}

  std::size_t number() const { return number_; }

  // The helper's part: reads the file to its end, or until nobody wants more.
  void fill(const FilesAhead::Open& open) {
    try {
      const std::shared_ptr<InputFile> file = open(number_);
      {
        const std::lock_guard lock(mutex_);
        path_ = file->path();
        compression_ = file->compression();
        opened_ = true;
      }
      changed_.notify_all();
      while (put(*file)) {
      }
    } catch (...) {
      fault_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  // The reader's part. Waits until the file is open; throws what opening it threw.
  void wait_until_open() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return opened_ || ended_; });
    if (!opened_) std::rethrow_exception(fault_);
  }
  const std::string& path() const { return path_; }
  Compression compression() const { return compression_; }
  std::int64_t stored_bytes_read() const { return stored_bytes_read_; }

  std::size_t read(char* to, std::size_t size) {
    if (at_ == part_.bytes.size() && !get()) {
      if (fault_) std::rethrow_exception(fault_);
      return 0;
    }
    const std::size_t got = std::min(size, part_.bytes.size() - at_);
    std::copy_n(part_.bytes.data() + at_, got, to);
    at_ += got;
    return got;
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t kPartBytes = std::size_t{1} << 18;
  static constexpr std::size_t kMaxParts = 32;

  struct TextAhead {
    std::vector<char> bytes;
    std::int64_t stored_bytes_read = 0;
  };

  // Reads a part of the text, and hands it over; false at the end.
  bool put(InputFile& file) {
    TextAhead part;
    part.bytes.resize(kPartBytes);
    std::size_t size = 0;
    bool more = true;
    try {
      while (size < kPartBytes && more) {
        const std::size_t got = file.read(part.bytes.data() + size, kPartBytes - size);
        size += got;
        more = got != 0;
      }
    } catch (...) {
      fault_ = std::current_exception();
      more = false;
    }
    part.bytes.resize(size);
    part.stored_bytes_read = file.stored_bytes_read();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return parts_.size() < kMaxParts || cancelled_; });
    if (size != 0) parts_.push_back(std::move(part));
    changed_.notify_all();
    return more && !cancelled_;
  }

  // Takes the next part; false at the end.
  bool get() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !parts_.empty() || ended_; });
    if (parts_.empty()) return false;
    part_ = std::move(parts_.front());
    parts_.pop_front();
    at_ = 0;
    stored_bytes_read_ = part_.stored_bytes_read;
    changed_.notify_all();
    return true;
  }

  const std::size_t number_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string path_;
  Compression compression_ = Compression::none;
  bool opened_ = false;
  std::deque<TextAhead> parts_;  // not read yet
  std::exception_ptr fault_;     // comes after them; read when ended_ is set
  bool ended_ = false;
  bool cancelled_ = false;
  // The reader's own.
  TextAhead part_;
  std::size_t at_ = 0;  // in part_
  std::int64_t stored_bytes_read_ = 0;
};

namespace {

class FileOfHelper final : public InputFile {
 public:
  explicit FileOfHelper(std::shared_ptr<FileAhead> file) : InputFile(file->path()), file_(std::move(file)) {}
  ~FileOfHelper() override { file_->cancel(); }
  std::size_t read(char* to, std::size_t size) override { return file_->read(to, size); }
  Compression compression() const override { return file_->compression(); }
  std::int64_t stored_bytes_read() const override { return file_->stored_bytes_read(); }

 private:
  std::shared_ptr<FileAhead> file_;
};

}  // namespace

FilesAhead::FilesAhead(std::vector<std::size_t> files, int threads, Open open)
    : files_(std::move(files)),
      max_waiting_(2 * static_cast<std::size_t>(threads)),
      open_(std::move(open)),
      begun_(files_.size()) {
  const std::size_t count = std::min(static_cast<std::size_t>(threads), files_.size());
  helpers_.reserve(count);
  try {
    while (helpers_.size() < count) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception&) {
    // The system allows no more threads, or has no memory for them. The started threads and the reader do the
    // work. No destructor would end them if the exception left this constructor.
  }
}

FilesAhead::~FilesAhead() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  for (const auto& file : begun_) {
    if (file != nullptr) file->cancel();
  }
  changed_.notify_all();
}

void FilesAhead::help() {
  while (const std::shared_ptr<FileAhead> file = begin_next()) file->fill(open_);
}

std::shared_ptr<FileAhead> FilesAhead::begin_next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return over_ || next_ == files_.size() || next_ - taken_ < max_waiting_; });
  if (over_ || next_ == files_.size()) return nullptr;
  auto file = std::make_shared<FileAhead>(files_[next_]);
  begun_[next_++] = file;
  return file;
}

std::shared_ptr<InputFile> FilesAhead::take(std::size_t number) {
  std::shared_ptr<FileAhead> file;
  {
    const std::lock_guard lock(mutex_);
    while (taken_ < files_.size() && files_[taken_] < number) ++taken_;
    if (taken_ == files_.size() || files_[taken_] != number) return nullptr;
    file = std::exchange(begun_[taken_++], nullptr);
    next_ = std::max(next_, taken_);
    changed_.notify_all();
  }
  if (file == nullptr) return nullptr;
  try {
    file->wait_until_open();
    return std::make_shared<FileOfHelper>(file);
  } catch (...) {  // memory may give out, and the helper must not wait for a reader of the file
    file->cancel();
    throw;
  }
}

}  // namespace basesweep
