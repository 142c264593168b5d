#include "lib/writer/alignment_order.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "lib/writer/nameless_file.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
// Every run has an open file, so more of them are joined to one.
constexpr std::size_t kMaxRuns = 16;

}  // namespace

// Alignments that wait in a temporary file, sorted. First all are added, then they are taken.
class AlignmentOrder::Run {
 public:
  explicit Run(const std::string& directory) : file_(directory) {}

  void add(const Key& key, std::string_view bytes) {
    const Head head{key, bytes.size()};
    char raw[sizeof head];
    std::memcpy(raw, &head, sizeof head);
    buffer_.append(raw, sizeof raw);
    buffer_ += bytes;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  // To be called behind the last add(): the first alignment can be taken then.
  void begin() {
    flush();
    std::string().swap(buffer_);
    reader_.emplace(file_, kBufferBytes);
    take();
  }

  // The next alignment, unless the run is empty().
  bool empty() const { return empty_; }
  const Key& key() const { return head_.key; }
  std::string_view bytes() const { return bytes_; }
  void take() {
    empty_ = reader_->at_end();
    if (empty_) return;
    reader_->read(reinterpret_cast<char*>(&head_), sizeof head_);
    bytes_.resize(head_.bytes);
    reader_->read(bytes_.data(), bytes_.size());
  }

 private:
  struct Head {
    Key key;
    std::uint64_t bytes;
  };

  void flush() {
    file_.append(buffer_);
    buffer_.clear();
  }

  NamelessFile file_;
  std::string buffer_;                    // not yet in the file
  std::optional<NamelessReader> reader_;  // behind begin()
  bool empty_ = true;
  Head head_{};
  std::string bytes_;
};

AlignmentOrder::AlignmentOrder(std::string directory, Write write, std::size_t memory_bytes)
    : directory_(std::move(directory)), write_(std::move(write)), memory_bytes_(memory_bytes) {}

AlignmentOrder::~AlignmentOrder() = default;

void AlignmentOrder::add_left(AlignmentPlace place, std::string_view bytes) {
  release(&place);
  ++added_;
  put(bytes);
}

void AlignmentOrder::add_right(AlignmentPlace place, std::string_view bytes) {
  waiting_.push_back({{place, added_++}, std::string(bytes)});
  std::push_heap(waiting_.begin(), waiting_.end(), later);
  waiting_bytes_ += sizeof(Waiting) + bytes.size();
  if (waiting_bytes_ > memory_bytes_) spill();
}

void AlignmentOrder::finish() {
  release(nullptr);
  flush();
}

// The run whose next alignment comes first; null if there are no runs.
AlignmentOrder::Run* AlignmentOrder::nearest_run() {
  std::erase_if(runs_, [](const auto& run) { return run->empty(); });
  const auto nearest =
      std::min_element(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) { return a->key() < b->key(); });
  return nearest == runs_.end() ? nullptr : nearest->get();
}

// Writes what waits up to this place, all of it without one.
void AlignmentOrder::release(const AlignmentPlace* last) {
  while (true) {
    Run* const run = nearest_run();
    const bool in_memory = !waiting_.empty() && (run == nullptr || waiting_.front().key < run->key());
    if (!in_memory && run == nullptr) return;
    if (last != nullptr && (in_memory ? waiting_.front().key : run->key()).place > *last) return;
    if (!in_memory) {
      put(run->bytes());
      run->take();
      continue;
    }
    std::pop_heap(waiting_.begin(), waiting_.end(), later);
    put(waiting_.back().bytes);
    waiting_bytes_ -= sizeof(Waiting) + waiting_.back().bytes.size();
    waiting_.pop_back();
  }
}

// Moves what waits in memory to a temporary file.
void AlignmentOrder::spill() {
  auto run = std::make_unique<Run>(directory_);
  std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) { return a.key < b.key; });
  const bool join = runs_.size() == kMaxRuns;
  Run* other = join ? nearest_run() : nullptr;
  for (const Waiting& one : waiting_) {
    for (; other != nullptr && other->key() < one.key; other = nearest_run()) {
      run->add(other->key(), other->bytes());
      other->take();
    }
    run->add(one.key, one.bytes);
  }
  for (; other != nullptr; other = nearest_run()) {
    run->add(other->key(), other->bytes());
    other->take();
  }
  std::vector<Waiting>().swap(waiting_);
  waiting_bytes_ = 0;
  run->begin();
  runs_.push_back(std::move(run));
}

void AlignmentOrder::put(std::string_view bytes) {
  text_ += bytes;
  if (text_.size() >= kBufferBytes) flush();
}

void AlignmentOrder::flush() {
  if (!text_.empty()) write_(text_);
  text_.clear();
}

}  // namespace basesweep
