// Times Hyperscan's literal search beside ours, in turn on one core: the same random patterns, on both strands, in the
// same random text in memory. Usage: bench_hyperscan [COUNT LENGTH]...
#include <fmt/format.h>
#include <hs/hs.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/bench/support.hpp"

namespace {

using namespace basesweep;
constexpr std::uint32_t kPositions = 1U << 20;  // size of our batches and of Hyperscan's blocks
constexpr int kBatches = 16;
constexpr int kRuns = 7;

void check(hs_error_t error, const char* what) {
  if (error != HS_SUCCESS) throw std::runtime_error(fmt::format("{}: error {}", what, error));
}

// Owns a compiled database of all queries and its scratch memory.
class Hyperscan {
 public:
  explicit Hyperscan(const PatternSet& set) {
    std::vector<std::string> words;
    for (const Query& query : set.queries()) {
      std::string word;
      for (const BaseSet base : query.sets) word += base_letter(single_base(base));
      words.push_back(std::move(word));
    }
    std::vector<const char*> letters;
    std::vector<unsigned> flags(words.size(), 0);
    std::vector<unsigned> ids;
    std::vector<std::size_t> lengths;
    for (const std::string& word : words) {
      ids.push_back(static_cast<unsigned>(ids.size()));
      letters.push_back(word.c_str());
      lengths.push_back(word.size());
    }
    hs_compile_error_t* error = nullptr;
    check(hs_compile_lit_multi(letters.data(), flags.data(), ids.data(), lengths.data(),
                               static_cast<unsigned>(words.size()), HS_MODE_BLOCK, nullptr, &database_, &error),
          "hs_compile_lit_multi");
    check(hs_alloc_scratch(database_, &scratch_), "hs_alloc_scratch");
  }
  ~Hyperscan() {
    hs_free_scratch(scratch_);
    hs_free_database(database_);
  }
  Hyperscan(const Hyperscan&) = delete;
  Hyperscan& operator=(const Hyperscan&) = delete;

  std::size_t count(const std::string& text) {
    std::size_t found = 0;
    const auto add = [](unsigned, unsigned long long, unsigned long long, unsigned, void* sum) {
      ++*static_cast<std::size_t*>(sum);
      return 0;
    };
    check(hs_scan(database_, text.data(), static_cast<unsigned>(text.size()), 0, scratch_, add, &found), "hs_scan");
    return found;
  }

 private:
  hs_database_t* database_ = nullptr;
  hs_scratch_t* scratch_ = nullptr;
};

void compare(int count, int length) {
  const PatternSet set(random_patterns(count, length), StrandChoice::both, PalindromeChoice::both);
  std::vector<std::unique_ptr<PackedBatch>> batches;
  std::vector<std::string> texts;
  for (std::uint64_t seed = 1; seed <= kBatches; ++seed) {
    batches.push_back(random_batch(kPositions, seed));
    texts.emplace_back(kPositions, ' ');
    batches.back()->copy_letters(0, kPositions, texts.back().data());
  }
  MatcherOptions options;
  options.device = Device::cpu;
  const auto matcher = make_matcher(set, options);
  Hyperscan peer(set);
  std::vector<double> ours;
  std::vector<double> theirs;
  std::size_t our_hits = 0;
  std::size_t their_hits = 0;
  for (int run = 0; run < kRuns; ++run) {
    our_hits = their_hits = 0;
    BenchClock::time_point begin = BenchClock::now();
    for (const auto& batch : batches) {
      matcher->submit(*batch, [&](MatchResult&& result, std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
        our_hits += result.occurrences.size();
      });
    }
    ours.push_back(seconds_since(begin));
    begin = BenchClock::now();
    for (const std::string& letters : texts) their_hits += peer.count(letters);
    theirs.push_back(seconds_since(begin));
  }
  const double bases = double{kPositions} * kBatches;
  fmt::print(
      "{:>6} x {:<3} both strands  basesweep {:6.3f} Gbase/s ({}, {} hits)   Hyperscan {:6.3f} ({} hits)   {:.1f} "
      "times\n",
      count, length, bases / median(ours) / 1e9, matcher->describe(), our_hits, bases / median(theirs) / 1e9,
      their_hits, median(theirs) / median(ours));
  if (our_hits != their_hits) throw std::runtime_error("the two find different numbers of hits");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    fmt::print("Hyperscan {}; one core, in memory, runs in turn, median of {}\n", hs_version(), kRuns);
    if (argc < 3) {
      for (const auto& [count, length] : {std::pair{10, 12}, {1000, 12}, {1000, 32}, {8000, 12}})
        compare(count, length);
    }
    for (int i = 1; i + 1 < argc; i += 2) compare(std::atoi(argv[i]), std::atoi(argv[i + 1]));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_hyperscan: {}\n", error.what());
    return 1;
  }
}
