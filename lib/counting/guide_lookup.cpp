#include "lib/counting/guide_lookup.hpp"

#include <array>
#include <bit>
#include <map>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/counting/packed_read.hpp"
#include "lib/counting/word_index.hpp"

namespace basesweep {

// The best guides of a read so far. A longer guide of as many edits explains more of the read.
class GuideLookup::BestGuide {
 public:
  void add(std::uint32_t guide, std::uint32_t edits, std::size_t length) {
    if (call_.guide != GuideCall::kNone) {
      if (edits > call_.edits || (edits == call_.edits && length < length_)) return;
      if (edits == call_.edits && length == length_) {
        if (guide != call_.guide) call_.guide = GuideCall::kSeveral;
        return;
      }
    }
    call_ = {guide, edits};
    length_ = length;
  }
  const GuideCall& call() const { return call_; }

 private:
  GuideCall call_;
  std::size_t length_ = 0;
};

namespace {

// Whether one edit turns a guide of `length` bases into `bases` bases of a read. Bases of the read may be unknown. The
// lengths differ by one at most, and the words are not equal.
template <class Word>
bool is_one_edit(Word guide, std::size_t length, Word read, Word unknown, std::size_t bases) {
  const std::size_t both = std::min(length, bases);
  const Word other = (differing(guide, read) | unknown) & first_bases<Word>(both);
  if (length == bases) return count_bases(other) == 1;
  // The edit comes where the first bases differ, if anywhere.
  const std::size_t at = other == 0 ? both : first_base(other);
  if (at == both) return true;
  if (bases < length) {
    return differing<Word>(guide >> (2 * (at + 1)), read >> (2 * at)) == 0 && unknown >> (2 * at) == 0;
  }
  return differing<Word>(guide >> (2 * at), read >> (2 * (at + 1))) == 0 && unknown >> (2 * (at + 1)) == 0;
}

// For each length of a part, how many of the sorted words share their first bases up to that length with a word, on
// average.
template <class Word>
std::vector<double> shared_parts(const std::vector<Word>& sorted, std::size_t length) {
  std::vector<std::uint64_t> sums(length + 1, 0);
  std::vector<std::size_t> since(length + 1, 0);  // the first word that shares a part of this length with the last
  const auto close = [&](std::size_t part, std::size_t end) {
    const std::uint64_t count = end - std::exchange(since[part], end);
    sums[part] += count * count;
  };
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    for (std::size_t part = equal_at_end(sorted[i - 1], sorted[i], length) + 1; part <= length; ++part) close(part, i);
  }
  std::vector<double> shared(length + 1, 0);
  for (std::size_t part = 1; part <= length; ++part) {
    close(part, sorted.size());
    shared[part] = static_cast<double>(sums[part]) / static_cast<double>(sorted.size());
  }
  return shared;
}

}  // namespace

// Guides of one length on one strand.
class GuideLookup::Group {
 public:
  Group(std::size_t length, std::size_t strand) : length_(length), strand_(strand) {}
  virtual ~Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  std::size_t length() const { return length_; }
  std::size_t strand() const { return strand_; }
  virtual void find_exact(const PackedRead& read, StartWindow window, const UseExact& use) const = 0;
  // Adds to best[i] the guides of reads[i].
  virtual void add_exact(std::span<const PackedRead> reads, StartWindow window, std::span<BestGuide> best) const = 0;
  // For reads without an exact match.
  virtual void add_mismatched(const PackedRead& read, StartWindow window, BestGuide& best) const = 0;
  virtual void add_edited(const PackedRead& read, StartWindow window, BestGuide& best) const = 0;

 protected:
  const std::size_t length_;
  const std::size_t strand_;
};

template <class Word>
class GuideLookup::GroupOf final : public Group {
 public:
  GroupOf(std::size_t length, std::size_t strand, std::span<const std::string> all, std::vector<std::uint32_t> guides,
          std::uint32_t edits)
      : Group(length, strand), guides_(std::move(guides)) {
    words_.reserve(guides_.size());
    for (const std::uint32_t guide : guides_) {
      words_.push_back(word_of_bases<Word>(strand == 0 ? all[guide] : reverse_complement(all[guide])));
    }
    whole_.emplace(words_, guides_);
    if (edits == 0) return;
    first_ = choose_split();
    last_ = length - first_;
    by_first_ = WordIndex(words_.size(), [this](std::size_t i) { return first_part(words_[i]); });
    by_last_ = WordIndex(words_.size(), [this](std::size_t i) { return last_part(words_[i]); });
  }

  void find_exact(const PackedRead& read, StartWindow window, const UseExact& use) const override {
    for_each_exact({&read, 1}, window,
                   [&](std::uint32_t guide, const Candidate& at) { use(guide, strand_, at.start); });
  }

  void add_exact(std::span<const PackedRead> reads, StartWindow window, std::span<BestGuide> best) const override {
    for_each_exact(reads, window,
                   [&](std::uint32_t guide, const Candidate& at) { best[at.read].add(guide, 0, length_); });
  }

  void add_mismatched(const PackedRead& read, StartWindow window, BestGuide& best) const override {
    if (read.size() < length_) return;
    const std::size_t end = std::min<std::size_t>(window.last, read.size() - length_);
    for (std::size_t start = window.first; start <= end; ++start) {
      const Word unknown = read.unknown<Word>(start, length_);
      const int unknown_bases = count_bases(unknown);
      if (unknown_bases > 1) continue;
      const Word word = read.bases<Word>(start, length_);
      const auto check = [&](std::span<const std::uint32_t> candidates) {
        for (const std::uint32_t number : candidates) {
          if (count_bases(Word{differing(words_[number], word) | unknown}) == 1) {
            best.add(guides_[number], 1, length_);
          }
        }
      };
      if (first_part(unknown) == 0) check(by_first_.candidates(first_part(word)));
      if (last_part(unknown) == 0) check(by_last_.candidates(last_part(word)));
    }
  }

  void add_edited(const PackedRead& read, StartWindow window, BestGuide& best) const override {
    for (std::size_t start = window.first; start <= window.last && start + first_ <= read.size(); ++start) {
      check_ends(read, start, best);
    }
    const std::size_t least = window.first + first_ - 1;
    const std::size_t most = std::size_t{window.last} + first_ + 1;
    for (std::size_t middle = least; middle <= most && middle + last_ <= read.size(); ++middle) {
      check_begins(read, middle, window, best);
    }
  }

 private:
  // Starts that are tried at a time: of those, a LongWord has all bases of guides that fit a ShortWord.
  static constexpr std::size_t kStarts = kBasesOfWord<ShortWord>;
  // Candidates are looked up once there are this many.
  static constexpr std::size_t kEnough = 256;

  // A place where a guide may begin.
  struct Candidate {
    Word word;           // the bases that would be the guide
    std::uint32_t read;  // among those that are looked up together
    std::uint32_t start;
  };

  Word first_part(Word word) const { return word & bits_of(first_bases<Word>(first_)); }
  Word last_part(Word word) const { return word >> (2 * first_); }

  // Calls use(guide, candidate) for each guide in a read. The table of guides may be larger than the nearer caches, so
  // candidates of several reads are listed before the first is looked up, and their slots come side by side.
  template <class Use>
  void for_each_exact(std::span<const PackedRead> reads, StartWindow window, Use use) const {
    std::array<Candidate, kEnough + kStarts> candidates;
    Candidate* listed = candidates.data();
    const auto look_up = [&] {
      const std::span<const Candidate> all(candidates.data(), std::exchange(listed, candidates.data()));
      for (const Candidate& one : all) whole_->prefetch(one.word);
      for (const Candidate& one : all) {
        const std::uint32_t guide = whole_->find(one.word);
        if (guide != WordTable<Word>::kNone && reads[one.read].template unknown<Word>(one.start, length_) == 0)
          use(guide, one);
      }
    };
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      if (reads[i].size() < length_) continue;
      const std::size_t end = std::min<std::size_t>(window.last, reads[i].size() - length_) + 1;
      for (std::size_t first = window.first; first < end; first += kStarts) {
        listed = list_candidates(reads[i], i, first, std::min(end, first + kStarts), listed);
        if (listed >= candidates.data() + kEnough) look_up();
      }
    }
    look_up();
  }

  // Writes the candidates among starts [first, end) of a read, and returns where the next is written. Without a branch
  // for each start, since that would be guessed wrong once a read.
  Candidate* list_candidates(const PackedRead& read, std::uint32_t number, std::size_t first, std::size_t end,
                             Candidate* next) const {
    const auto add = [&](Word word, std::size_t start) {
      *next = {word, number, static_cast<std::uint32_t>(start)};
      next += whole_->may_have(word);
    };
    if constexpr (sizeof(Word) == sizeof(ShortWord)) {
      const auto mask = bits_of(first_bases<Word>(length_));
      auto bases = read.bases<LongWord>(first, kBasesOfWord<LongWord>);
      for (std::size_t start = first; start < end; ++start, bases >>= 2) add(static_cast<Word>(bases) & mask, start);
    } else {
      for (std::size_t start = first; start < end; ++start) add(read.bases<Word>(start, length_), start);
    }
    return next;
  }

  // Adds the guides that begin at `start` with an exact first part and have an edit in the other.
  void check_ends(const PackedRead& read, std::size_t start, BestGuide& best) const {
    if (read.unknown<Word>(start, first_) != 0) return;
    const Word first = read.bases<Word>(start, first_);
    const std::size_t middle = start + first_;
    for (const std::uint32_t number : by_first_.candidates(first)) {
      if (first_part(words_[number]) != first) continue;
      for (std::size_t bases = last_ - 1; bases <= last_ + 1 && middle + bases <= read.size(); ++bases) {
        if (!is_one_edit<Word>(last_part(words_[number]), last_, read.bases<Word>(middle, bases),
                               read.unknown<Word>(middle, bases), bases)) {
          continue;
        }
        best.add(guides_[number], 1, length_);
        break;
      }
    }
  }

  // The same for an exact last part that begins at `middle`.
  void check_begins(const PackedRead& read, std::size_t middle, StartWindow window, BestGuide& best) const {
    if (read.unknown<Word>(middle, last_) != 0) return;
    const Word last = read.bases<Word>(middle, last_);
    for (const std::uint32_t number : by_last_.candidates(last)) {
      if (last_part(words_[number]) != last) continue;
      for (std::size_t bases = first_ - 1; bases <= first_ + 1 && bases <= middle; ++bases) {
        const std::size_t start = middle - bases;
        if (start < window.first || start > window.last) continue;
        if (!is_one_edit<Word>(first_part(words_[number]), first_, read.bases<Word>(start, bases),
                               read.unknown<Word>(start, bases), bases)) {
          continue;
        }
        best.add(guides_[number], 1, length_);
        break;
      }
    }
  }

  // The length of the first part for which the fewest guides share a part with another one. In the middle all may do
  // so, as where guides come with a constant stretch of the vector.
  std::size_t choose_split() const {
    std::vector<Word> sorted = words_;
    std::sort(sorted.begin(), sorted.end());  // by their last bases
    const std::vector<double> last = shared_parts(sorted, length_);
    for (Word& word : sorted) word = reversed(word);
    std::sort(sorted.begin(), sorted.end());
    const std::vector<double> first = shared_parts(sorted, length_);
    std::size_t best = length_ / 2;
    for (std::size_t split = 1; split < length_; ++split) {
      if (first[split] + last[length_ - split] < first[best] + last[length_ - best]) best = split;
    }
    return best;
  }

  Word reversed(Word word) const {
    Word turned = 0;
    for (std::size_t i = 0; i < length_; ++i, word >>= 2) turned = turned << 2 | (word & 3);
    return turned;
  }

  const std::vector<std::uint32_t> guides_;  // their indices in the library, by number
  std::vector<Word> words_;
  std::size_t first_ = 0;  // bases of the parts
  std::size_t last_ = 0;
  std::optional<WordTable<Word>> whole_;
  WordIndex by_first_, by_last_;
};

GuideLookup::GuideLookup(std::span<const std::string> guides, GuideLookupOptions options) : options_(options) {
  std::map<std::size_t, std::vector<std::uint32_t>> by_length;
  for (std::size_t i = 0; i < guides.size(); ++i) by_length[guides[i].size()].push_back(static_cast<std::uint32_t>(i));
  for (const auto& [length, of_length] : by_length) {
    longest_ = length;
    for (const std::size_t strand : {0, 1}) {
      if (options.strands == (strand == 0 ? StrandChoice::minus : StrandChoice::plus)) continue;
      if (length <= kBasesOfWord<ShortWord>) {
        groups_.push_back(std::make_unique<GroupOf<ShortWord>>(length, strand, guides, of_length, options.edits));
      } else {
        groups_.push_back(std::make_unique<GroupOf<LongWord>>(length, strand, guides, of_length, options.edits));
      }
    }
  }
}

GuideLookup::~GuideLookup() = default;

namespace {

// Reads whose guides are looked for together.
constexpr std::size_t kTogether = 32;

// Packs as much of the reads as guides in the windows of these strands can touch.
std::span<const PackedRead> pack(std::span<const std::string_view> reads, const StrandWindows& windows,
                                 StrandChoice strands, std::size_t longest) {
  auto& packed = per_thread<std::array<PackedRead, kTogether>>();
  const StartWindow& one = windows[strands == StrandChoice::minus ? 1 : 0];
  const StartWindow& other = windows[strands == StrandChoice::plus ? 0 : 1];
  const std::size_t first = std::min(one.first, other.first);
  const std::size_t last = std::max(one.last, other.last);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::size_t size = reads[i].size();
    const std::size_t begin = std::min(first, size);
    packed[i].pack(reads[i], begin, std::min(size, std::max(begin, last + longest + 1)));
  }
  return std::span(packed).first(reads.size());
}

}  // namespace

void GuideLookup::find(std::span<const std::string_view> reads, const StrandWindows& windows,
                       std::span<GuideCall> calls) const {
  for (; reads.size() > kTogether; reads = reads.subspan(kTogether), calls = calls.subspan(kTogether))
    find_together(reads.first(kTogether), windows, calls);
  find_together(reads, windows, calls);
}

GuideCall GuideLookup::find(std::string_view read, const StrandWindows& windows) const {
  GuideCall call;
  find_together({&read, 1}, windows, {&call, 1});
  return call;
}

void GuideLookup::find_together(std::span<const std::string_view> reads, const StrandWindows& windows,
                                std::span<GuideCall> calls) const {
  const std::span<const PackedRead> packed = pack(reads, windows, options_.strands, longest_);
  std::array<BestGuide, kTogether> best{};
  for (const auto& group : groups_) group->add_exact(packed, windows[group->strand()], best);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (best[i].call().guide == GuideCall::kNone && options_.edits != 0) add_edited(packed[i], windows, best[i]);
    calls[i] = best[i].call();
  }
}

void GuideLookup::add_edited(const PackedRead& read, const StrandWindows& windows, BestGuide& best) const {
  for (const auto& group : groups_) {
    if (options_.indels) {
      group->add_edited(read, windows[group->strand()], best);
    } else {
      group->add_mismatched(read, windows[group->strand()], best);
    }
  }
}

void GuideLookup::find_exact(std::string_view read, const StrandWindows& windows, const UseExact& use) const {
  const PackedRead& packed = pack({&read, 1}, windows, options_.strands, longest_).front();
  for (const auto& group : groups_) group->find_exact(packed, windows[group->strand()], use);
}

}  // namespace basesweep
