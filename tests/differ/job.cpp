#include "tests/differ/job.hpp"

#include <fmt/format.h>

#include "lib/oracle/trial/batches.hpp"
#include "tests/support/circles.hpp"

namespace differ {

using namespace basesweep;

Job with_records(const Job& job, const std::vector<bool>& keep) {
  Job less = job;
  oracle::Question& exact = less.question.exact;
  exact.records.clear();
  exact.circular.clear();
  less.regions.clear();
  for (std::size_t r = 0; r < keep.size(); ++r) {
    if (!keep[r]) continue;
    for (support::RegionOfRecord region : job.regions) {
      if (region.record != r) continue;
      region.record = exact.records.size();
      less.regions.push_back(region);
    }
    exact.records.push_back(job.question.exact.records[r]);
    if (!job.question.exact.circular.empty()) exact.circular.push_back(job.question.exact.circular[r]);
  }
  return less;
}

Job with_patterns(const Job& job, const std::vector<bool>& keep) {
  Job less = job;
  const auto filter = [&](auto& all) {
    if (all.empty()) return;
    std::size_t kept = 0;
    for (std::size_t p = 0; p < keep.size(); ++p) {
      if (keep[p]) all[kept++] = all[p];
    }
    all.resize(kept);
  };
  filter(less.patterns);
  filter(less.question.exact.patterns);
  filter(less.question.edits);
  filter(less.question.own_clamps_5prime);
  filter(less.question.own_clamps_3prime);
  filter(less.question.has_own_edits);
  for (std::size_t p = 0; p < less.patterns.size(); ++p) less.patterns[p].name = fmt::format("p{}", p);
  return less;
}

PatternSet pattern_set(const Job& job) {
  const auto strands = static_cast<StrandChoice>(job.question.exact.strands);
  const auto palindromes = job.question.exact.palindromes_twice ? PalindromeChoice::both : PalindromeChoice::once;
  if (!job.approximate) return {job.patterns, strands, palindromes};
  return {job.patterns, strands, palindromes, job.edits};
}

std::size_t bases(const Job& job) {
  std::size_t bases = 0;
  for (const std::string& record : job.question.exact.records) bases += record.size();
  return bases;
}

std::size_t cases(const Job& job) {
  std::size_t cases = 0;
  for (std::size_t p = 0; p < job.patterns.size(); ++p) {
    for (const char strand : {'+', '-'}) {
      cases +=
          (job.approximate ? is_searched(job.question, p, strand) : is_searched(job.question.exact, p, strand)) ? 1 : 0;
    }
  }
  return cases;
}

std::string choice_options(const Job& job) {
  std::string options;
  if (job.approximate && job.question.report == oracle::Report::best) options += " --report best";
  if (job.approximate && job.question.report == oracle::Report::best_per_record) {
    options += " --report best-per-record";
    if (job.question.patterns_compete) options += " --best-of record";
  }
  if (job.non_overlapping) options += " --non-overlapping";
  if (job.max_hits) options += fmt::format(" --max-hits {}", *job.max_hits);
  return options;
}

std::string search_options(const Job& job) {
  std::string options;
  const auto add = [&](const char* option, const auto& value) {
    if (value) options += fmt::format(" {} {}", option, *value);
  };
  if (job.approximate) {
    add("-k", job.edits.edits);
    add("-e", job.edits.rate);
    add("--max-mismatches", job.edits.max_mismatches);
    add("--max-indels", job.edits.max_indels);
    add("--max-dna-bulges", job.edits.max_dna_bulges);
    add("--max-rna-bulges", job.edits.max_rna_bulges);
    if (job.edits.clamp_5prime != 0) options += fmt::format(" --clamp-5prime {}", job.edits.clamp_5prime);
    if (job.edits.clamp_3prime != 0) options += fmt::format(" --clamp-3prime {}", job.edits.clamp_3prime);
    add("--overhang-5prime", job.edits.overhang_5prime);
    add("--overhang-3prime", job.edits.overhang_3prime);
    if (job.question.report == oracle::Report::minima) options += " --report minima";
    if (job.question.report == oracle::Report::all) options += " --report all";
  }
  const oracle::Question& exact = job.question.exact;
  const char* strands[] = {"both", "plus", "minus"};
  options += fmt::format(" --strand {}", strands[static_cast<int>(exact.strands)]);
  if (exact.palindromes_twice) options += " --palindromes both";
  if (exact.skip_soft_masked) options += " --soft-masked skip";
  const bool all_circular = support::circular_records(exact.circular).all;
  if (all_circular) options += " --circular";
  for (std::size_t r = 0; r < exact.circular.size() && !all_circular; ++r) {
    if (exact.circular[r]) options += " --circular=" + trial::record_name(r);
  }
  for (const auto& [record, region] : job.regions) {
    options += fmt::format(" --region {}:{}-{}", trial::record_name(record), region.begin + 1, region.end);
  }
  return options;
}

std::string pattern_table(const Job& job) {
  std::string text = "name\tsequence\tedits\tclamp_5prime\tclamp_3prime\n";
  const auto number = [](const auto& limit) { return limit ? std::to_string(*limit) : std::string(); };
  for (const Pattern& pattern : job.patterns) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", pattern.name, pattern.sequence, number(pattern.edits),
                        number(pattern.clamp_5prime), number(pattern.clamp_3prime));
  }
  return text;
}

}  // namespace differ
