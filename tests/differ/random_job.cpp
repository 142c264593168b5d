#include "tests/differ/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "tests/support/circles.hpp"

namespace differ {
namespace {

using namespace basesweep;
using trial::Random;
using Letters = std::vector<std::string>;

constexpr std::size_t kMegabase = 1'000'000;

void lower_some(Random& random, std::string& record) {
  if (record.empty()) return;
  const std::size_t begin = random.below(record.size());
  for (std::size_t i = begin; i < std::min(record.size(), begin + 50); ++i) {
    record[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(record[i])));
  }
}

// Cheap random letters for long texts: 32 bases from each random number.
std::string many_bases(Random& random, std::size_t length) {
  std::string letters(length, 'A');
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (i % 32 == 0) bits = random.bits();
    letters[i] = "ACGT"[bits >> 2 * (i % 32) & 3U];
  }
  return letters;
}

// Low-complexity stretches yield many hits, so such texts are short. `repetitive` says that the text is one.
Letters random_text(Random& random, Size size, bool& repetitive) {
  Letters records;
  if (size == Size::small) {
    repetitive = random.chance(30);
    const std::string alphabet = repetitive          ? random.pick(Letters{"AC", "A", "AAAAC"})
                                 : random.chance(25) ? "ACGTacgtNRU-"
                                                     : "ACGT";
    for (std::size_t r = random.between(1, random.chance(30) ? 12 : 3); r-- != 0;) {
      records.push_back(trial::random_letters(random, random.below(random.chance(50) ? 150 : 30), alphabet));
    }
  } else if (size == Size::large) {
    std::size_t left = 8 * kMegabase + random.below(8 * kMegabase);
    while (left != 0) {
      const std::size_t length =
          random.chance(30) ? left : std::min<std::size_t>(left, random.below(4 * kMegabase) + 1);
      records.push_back(many_bases(random, length));
      left -= length;
    }
  } else {
    repetitive = random.chance(12);
    if (repetitive) return trial::random_records(random, trial::TextShape::repeats);
    const std::size_t factor = size == Size::wide ? 10 : 1;
    if (random.chance(15)) return trial::random_records(random, trial::TextShape::tiny_records);
    for (std::size_t r = random.chance(60) ? 1 : random.between(1, 12); r-- != 0;) {
      const std::size_t length = factor * random.between(1, random.chance(85) ? 500 : 5000);
      records.push_back(many_bases(random, records.empty() ? length : length / 4));
    }
    if (random.chance(20)) {
      const Letters others =
          trial::random_records(random, random.chance(50) ? trial::TextShape::n_runs : trial::TextShape::iupac_text);
      records.insert(records.begin() + static_cast<std::ptrdiff_t>(random.below(records.size() + 1)), others.begin(),
                     others.end());
    }
  }
  for (std::string& record : records) {
    if (random.chance(25)) {
      const std::size_t run = random.chance(50) ? random.between(1, 12) : random.between(200, 600);
      record.insert(random.below(record.size() + 1), std::string(run, random.chance(80) ? 'N' : 'n'));
    }
    if (random.chance(25)) lower_some(random, record);
  }
  return records;
}

// Overwrites a place of a record, often at one of its ends.
void plant(Random& random, const std::string& letters, Letters& records) {
  std::string& record = records[random.below(records.size())];
  if (record.size() < letters.size()) return;
  const std::size_t last = record.size() - letters.size();
  record.replace(random.chance(15) ? 0 : random.chance(15) ? last : random.below(last + 1), letters.size(), letters);
}

// A pattern for `edits`, some of it planted in the records with about as many edits.
std::string random_pattern(Random& random, std::size_t edits, Size size, bool repetitive, bool iupac,
                           Letters& records) {
  const bool specific = size != Size::small && !repetitive;  // few hits by chance
  std::size_t length = specific            ? random.between(8 + 4 * edits, random.chance(85) ? 14 + 6 * edits : 80)
                       : random.chance(80) ? random.between(3, 16)
                                           : random.between(1, 40);
  length = std::max(length, edits + 1);
  std::string pattern = trial::random_letters(random, length, !specific && random.chance(20) ? "AC" : "ACGT");
  if (random.chance(15)) {
    pattern.resize((length + 1) / 2);
    pattern += oracle::reverse_complement(pattern);
  }
  if (random.chance(20)) {
    const std::string& record = random.pick(records);
    if (record.size() > length) {
      std::string cut = record.substr(random.below(record.size() - length), length);
      for (char& letter : cut) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      if (cut.find_first_not_of("ACGTU") == std::string::npos) pattern = cut;
    }
  }
  const std::size_t plants = size == Size::small || size == Size::large ? 1 : random.chance(40) ? 1 : 0;
  for (std::size_t i = 0; i < plants; ++i) {
    plant(random,
          trial::mutate(random, random.chance(50) ? pattern : oracle::reverse_complement(pattern),
                        random.below(edits + 2), "ACGTN"),
          records);
  }
  if (iupac && random.chance(40)) {
    for (std::size_t i = specific ? 1 : random.between(1, 3); i-- != 0;) {
      pattern[random.below(pattern.size())] = "RYSWKMBDHVN"[random.below(11)];
    }
  }
  return pattern;
}

// Puts parts of patterns to the ends of records, and adds records that patterns are longer than.
void cut_off_patterns(Random& random, oracle::Question& exact) {
  const auto planted = [&] {
    const std::string& pattern = random.pick(exact.patterns);
    std::string letters = random.chance(50) ? pattern : oracle::reverse_complement(pattern);
    for (char& letter : letters) letter = oracle::members(letter)[0];
    letters.insert(letters.begin(), 'C');
    return trial::mutate(random, letters, random.below(2), "ACGT");
  };
  for (std::size_t i = random.below(5); i-- != 0;) {
    const std::string letters = planted();
    exact.records.push_back(letters.substr(random.between(1, letters.size() / 2 + 1)));
  }
  for (std::string& record : exact.records) {
    const std::string letters = planted();
    const std::size_t inside = std::min<std::size_t>(record.size(), random.between(1, letters.size()));
    if (random.chance(40)) record.replace(0, inside, letters.substr(letters.size() - inside));
    if (random.chance(40)) record.replace(record.size() - inside, inside, letters, 0, inside);
  }
}

// Sets a limit in the question and in the options.
template <class Limit>
void set(std::size_t& of_question, Limit& of_options, std::size_t value) {
  of_question = value;
  of_options = static_cast<std::uint32_t>(value);
}

void add_own_limits(Random& random, Job& job) {
  oracle::ApproximateQuestion& question = job.question;
  question.own_clamps_5prime.assign(job.patterns.size(), question.clamp_5prime);
  question.own_clamps_3prime.assign(job.patterns.size(), question.clamp_3prime);
  question.has_own_edits.assign(job.patterns.size(), false);
  bool all = true;
  for (std::size_t p = 0; p < job.patterns.size(); ++p) {
    Pattern& pattern = job.patterns[p];
    const std::size_t length = pattern.sequence.size();
    if (random.chance(60)) {
      pattern.edits = static_cast<std::uint32_t>(random.below(std::min<std::size_t>(length, question.edits[p] + 1)));
      question.edits[p] = *pattern.edits;
      question.has_own_edits[p] = true;
    }
    all = all && pattern.edits;
    const auto clamp = [&](std::optional<std::uint32_t>& own, std::size_t& asked) {
      if (!random.chance(40)) return;
      own = static_cast<std::uint32_t>(random.below(length / 2 + 1));
      asked = *own;
    };
    clamp(pattern.clamp_5prime, question.own_clamps_5prime[p]);
    clamp(pattern.clamp_3prime, question.own_clamps_3prime[p]);
  }
  if (all) job.edits.edits.reset();
  if (all) job.edits.rate.reset();
}

void add_limits(Random& random, Job& job) {
  oracle::ApproximateQuestion& question = job.question;
  if (random.chance(20)) set(question.max_mismatches, job.edits.max_mismatches, random.below(3));
  if (random.chance(30)) set(question.max_indels, job.edits.max_indels, random.chance(60) ? 0 : random.below(3));
  if (random.chance(15)) set(question.max_dna_bulges, job.edits.max_dna_bulges, random.below(3));
  if (random.chance(15)) set(question.max_rna_bulges, job.edits.max_rna_bulges, random.below(3));
  std::size_t shortest = job.patterns.front().sequence.size();
  for (const Pattern& pattern : job.patterns) shortest = std::min(shortest, pattern.sequence.size());
  if (random.chance(20)) {
    set(question.clamp_5prime, job.edits.clamp_5prime, random.below(shortest / 2 + 1));
    set(question.clamp_3prime, job.edits.clamp_3prime, random.below(shortest / 2 + 1));
  }
}

std::size_t random_edits(Random& random, Size size) {
  if (size == Size::small && random.chance(3)) return random.between(4, 10);
  if (random.chance(75)) return random.below(3);
  return random.below(size == Size::large ? 4 : 6);
}

std::size_t random_count(Random& random, Size size, bool repetitive) {
  switch (size) {
    case Size::small: return random.between(1, 4);
    case Size::large: return random.between(1, 12);
    default: break;
  }
  if (repetitive) return random.between(1, 20);
  if (size == Size::wide) return random.between(200, 4000);
  return random.chance(90) ? random.between(300, 3000) : random.between(1, 30);
}

void make_approximate(Random& random, Job& job, Size size, bool repetitive) {
  const std::size_t edits = random_edits(random, size);
  const bool iupac = random.chance(50);
  Letters& records = job.question.exact.records;
  for (std::size_t i = edits > 5 ? 1 : random_count(random, size, repetitive); i-- != 0;) {
    job.question.exact.patterns.push_back(random_pattern(random, edits, size, repetitive, iupac, records));
  }
  if (random.chance(85)) {
    job.edits.edits = static_cast<std::uint32_t>(edits);
  } else {
    job.edits.rate = static_cast<double>(random.below(size == Size::small ? 30 : 12)) / 100;
  }
  for (const std::string& pattern : job.question.exact.patterns) {
    const std::size_t of_rate = job.edits.rate ? std::lround(*job.edits.rate * 100) * pattern.size() / 100 : 0;
    job.question.edits.push_back(job.edits.edits ? edits : of_rate);
    job.patterns.push_back({fmt::format("p{}", job.patterns.size()), pattern});
  }
  add_limits(random, job);
  // Each way to hang over costs the oracle as much as the rest.
  const bool overhang = size != Size::large && random.chance(job.patterns.size() < 60 ? 35 : 1);
  if (overhang) {
    const auto least = [&] { return static_cast<std::uint32_t>(random.chance(80) ? random.between(1, 5) : 100); };
    if (random.chance(80)) job.question.overhang_5prime = *(job.edits.overhang_5prime = least());
    if (random.chance(80)) job.question.overhang_3prime = *(job.edits.overhang_3prime = least());
    job.question.rate = job.edits.rate;
    cut_off_patterns(random, job.question.exact);
  }
  if (random.chance(30)) add_own_limits(random, job);
  job.question.report = static_cast<oracle::Report>(random.below(5));
  job.question.patterns_compete = job.question.report == oracle::Report::best_per_record && random.chance(50);
}

void make_exact(Random& random, Job& job, Size size, bool repetitive) {
  Letters& records = job.question.exact.records;
  Letters& patterns = job.question.exact.patterns;
  if (size == Size::small || (size == Size::medium && random.chance(25))) {
    const auto kind = static_cast<trial::PatternKind>(random.below(6));
    patterns = trial::random_patterns(random, kind, records);
    trial::plant(random, patterns, records);
  } else {
    const bool iupac = random.chance(30);  // most algorithms decline them
    for (std::size_t i = random_count(random, size, repetitive); i-- != 0;) {
      patterns.push_back(random_pattern(random, 0, size, repetitive, iupac, records));
    }
  }
  for (const std::string& pattern : patterns)
    job.patterns.push_back({fmt::format("p{}", job.patterns.size()), pattern});
}

// Plants patterns around multiples of 2^14, where batches, tiles and the work of threads begin and end.
void plant_at_borders(Random& random, oracle::Question& exact, std::size_t edits) {
  constexpr std::size_t kStep = std::size_t{1} << 14U;
  for (std::string& record : exact.records) {
    for (std::size_t border = kStep; border < record.size(); border += kStep) {
      std::string letters = random.pick(exact.patterns);
      for (char& letter : letters) letter = oracle::members(letter)[0];
      if (random.chance(50)) letters = oracle::reverse_complement(letters);
      letters = trial::mutate(random, letters, random.below(edits + 2), "ACGT");
      const std::size_t at = border - random.below(2 * letters.size() + 1);
      if (at + letters.size() <= record.size()) record.replace(at, letters.size(), letters);
    }
  }
}

}  // namespace

Job random_job(Random& random, Size size) {
  Job job;
  bool repetitive = false;
  oracle::Question& exact = job.question.exact;
  exact = trial::random_question(random, random_text(random, size, repetitive), {});
  if (exact.records.empty()) exact.records.emplace_back();
  job.approximate = random.chance(60);
  if (job.approximate) {
    make_approximate(random, job, size, repetitive);
  } else {
    make_exact(random, job, size, repetitive);
  }
  if (size == Size::large || size == Size::wide) plant_at_borders(random, exact, job.edits.edits.value_or(0));
  job.non_overlapping = random.chance(15);
  if (random.chance(15)) job.max_hits = random.between(1, size == Size::small ? 10 : 200);
  if (random.chance(30)) job.regions = support::random_regions(random, exact.records);
  job.planned = random.chance(50);
  const bool overhang = job.question.overhang_5prime || job.question.overhang_3prime;
  const bool best_per_record = job.approximate && job.question.report == oracle::Report::best_per_record;
  if (!overhang && !best_per_record && random.chance(30)) {
    exact.circular = support::random_circles(random, exact.records);
  }
  return job;
}

}  // namespace differ
