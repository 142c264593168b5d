#include "lib/oracle/trial/compare_read_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "lib/base/dna.hpp"
#include "lib/oracle/ends.hpp"

namespace trial {

using namespace basesweep;

namespace {

// The text as planes hold it: each letter or filler becomes the base that its code stands for.
std::string plane_letters(std::string text) {
  for (char& c : text) c = c == '.' ? base_letter(0) : base_letter(base_code(c));
  return text;
}

EditsByPosition ends_of(const TestRead& read, const std::string& text) {
  EditsByPosition ends;
  if (read.letters.empty()) return ends;
  std::string letters = read.letters;
  for (char& c : letters) {
    if (!is_base(c)) c = '-';
  }
  const std::vector<std::size_t> edits = oracle::fewest_edits(letters, text);
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (edits[position] <= read.edits) {
      ends[static_cast<std::uint32_t>(position)] = static_cast<std::uint32_t>(edits[position]);
    }
  }
  return ends;
}

// Submits all batches and collects their ends, see find_all().
class Answers {
 public:
  Answers(Finder& finder, const std::vector<ReadBatch>& batches)
      : finder_(finder), batches_(batches), ends_(batches.size()), done_(batches.size()), left_(batches.size()) {
    for (std::size_t i = 0; i < batches.size(); ++i) ask(i);
  }

  std::vector<std::vector<ReadEnd>> wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return left_ == 0; });
    if (error_) std::rethrow_exception(error_);
    return std::move(ends_);
  }

 private:
  void ask(std::size_t i) {
    finder_.submit(batches_[i].view(), done_[i],
                   [this, i](std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error) {
                     take(i, ends, end_read, error);
                   });
  }

  void take(std::size_t i, const std::vector<ReadEnd>& ends, std::uint32_t end_read, std::exception_ptr error) {
    const auto reads = static_cast<std::uint32_t>(batches_[i].queries.size() / 2);
    {
      const std::lock_guard lock(mutex_);
      const bool moved = end_read > done_[i] || reads == 0;
      if (!error && (!moved || end_read > reads))
        error = std::make_exception_ptr(std::logic_error("an answer without progress"));
      for (const ReadEnd end : ends) {
        if (end_query(end) < 2 * done_[i] || end_query(end) >= 2 * end_read) {
          error = std::make_exception_ptr(std::logic_error("an end of a read that the answer does not cover"));
        }
      }
      ends_[i].insert(ends_[i].end(), ends.begin(), ends.end());
      done_[i] = end_read;
      if (error && !error_) error_ = error;
      if (error || end_read == reads) {
        if (--left_ == 0) all_done_.notify_all();
        return;
      }
    }
    ask(i);
  }

  Finder& finder_;
  const std::vector<ReadBatch>& batches_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::vector<std::vector<ReadEnd>> ends_;
  std::vector<std::uint32_t> done_;
  std::size_t left_;
  std::exception_ptr error_;
};

}  // namespace

bool is_base(char letter) { return is_single_base(iupac_set(letter)); }

std::string join(const std::vector<std::string>& records) {
  std::string text;
  for (const std::string& record : records) text += (text.empty() ? "" : ".") + record;
  return text;
}

std::unique_ptr<PackedBatch> reads_reference(const std::vector<std::string>& records) {
  std::size_t positions = records.size();
  for (const std::string& record : records) positions += record.size();
  auto batch = std::make_unique<PackedBatch>(static_cast<std::uint32_t>(positions), kMaxReadLength,
                                             std::pmr::get_default_resource());
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (r != 0) batch->append_filler(1);
    const std::string& record = records[r];
    std::vector<std::uint64_t> lo(record.size() / 64 + 1);
    std::vector<std::uint64_t> hi(record.size() / 64 + 1);
    const std::uint32_t begin = batch->positions();
    for (std::uint32_t i = 0; i < record.size(); ++i) {
      lo[i / 64] |= std::uint64_t{base_code(record[i]) & 1} << (i % 64);
      hi[i / 64] |= std::uint64_t{base_code(record[i]) >> 1} << (i % 64);
      if (!is_base(record[i])) batch->add_letters({begin + i, begin + i + 1, record[i]});
    }
    batch->begin_segment(fmt::format("r{}", r), static_cast<std::int64_t>(r), 0, static_cast<std::int64_t>(r));
    batch->append(lo.data(), hi.data(), 0, static_cast<std::uint32_t>(record.size()));
  }
  batch->finish(0, batch->positions());
  return batch;
}

ReadBatch make_reads(const std::vector<TestRead>& reads) {
  ReadBatch batch;
  for (const TestRead& read : reads) {
    const auto length = static_cast<std::uint32_t>(read.letters.size());
    const auto begin_word = static_cast<std::uint32_t>(batch.lo.size());
    batch.queries.push_back({begin_word, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(read.edits)});
    const std::uint32_t words = batch.queries.back().words();
    for (auto* plane : {&batch.lo, &batch.hi, &batch.known}) plane->resize(begin_word + words);
    for (std::uint32_t i = 0; i < length; ++i) {
      if (!is_base(read.letters[i])) continue;
      const std::uint32_t bit = 64 * words - length + i;
      const std::uint32_t word = begin_word + bit / 64;
      batch.lo[word] |= std::uint64_t{base_code(read.letters[i]) & 1} << (bit % 64);
      batch.hi[word] |= std::uint64_t{base_code(read.letters[i]) >> 1} << (bit % 64);
      batch.known[word] |= std::uint64_t{1} << (bit % 64);
    }
  }
  if (batch.queries.size() % 2 != 0) batch.queries.push_back({static_cast<std::uint32_t>(batch.lo.size()), 0, 0});
  for (auto* plane : {&batch.lo, &batch.hi, &batch.known}) plane->push_back(0);
  return batch;
}

ReadEnds expected_read_ends(const std::vector<std::string>& records, const std::vector<TestRead>& reads) {
  const std::string text = join(records);
  const std::string planes = plane_letters(text);
  ReadEnds expected;
  expected.letters = !std::all_of(text.begin(), text.end(), is_base);
  for (const TestRead& read : reads) {
    expected.all.push_back(ends_of(read, planes));
    expected.needed.push_back(expected.letters ? ends_of(read, text) : expected.all.back());
  }
  return expected;
}

std::vector<std::vector<ReadEnd>> find_all(Finder& finder, const std::vector<ReadBatch>& batches) {
  return Answers(finder, batches).wait();
}

std::string compare_read_ends(const std::vector<ReadEnd>& found, const ReadEnds& expected, std::size_t first,
                              std::size_t count, bool exactly) {
  if (!std::is_sorted(found.begin(), found.end())) return "not sorted";
  std::vector<EditsByPosition> ends(count);
  for (const ReadEnd end : found) {
    if (end_query(end) >= count) return "an end of a query that does not exist";
    if (!ends[end_query(end)].emplace(end_position(end), end_edits(end)).second) return "an end is listed twice";
  }
  for (std::size_t e = 0; e < count; ++e) {
    const EditsByPosition& all = expected.all[first + e];
    for (const auto& [position, edits] : ends[e]) {
      const auto right = all.find(position);
      if (right == all.end()) return fmt::format("read {}: position {} is not an end", first + e, position);
      if (right->second != edits) {
        return fmt::format("read {}: position {} has {} edits, not {}", first + e, position, right->second, edits);
      }
    }
    for (const auto& [position, edits] : exactly ? all : expected.needed[first + e]) {
      if (ends[e].count(position) == 0) return fmt::format("read {}: missing: position {}", first + e, position);
    }
  }
  return "";
}

}  // namespace trial
