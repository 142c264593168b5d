#include "lib/pipeline/read_totals.hpp"

#include <array>
#include <cstdint>
#include <span>

#include "lib/base/count_lists.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "lib/parts/part.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostEdits = std::size_t{1} << 16;

// All counts of each kind of totals, but for lists.
template <class Counts>
auto numbers_of(Counts& counts) {
  return std::array{&counts.reads,      &counts.turned,    &counts.by_both, &counts.by_overlap,
                    &counts.by_adapter, &counts.differing, &counts.dimers};
}
template <class Mate>
auto numbers_of_mate(Mate& mate) {
  return std::array{&mate.with_adapter,  &mate.bases,        &mate.quality_bases,
                    &mate.adapter_bases, &mate.poly_a_bases, &mate.written_bases};
}

void write_summary(const ReadSummary& summary, FieldWriter& to) {
  to.number(summary.reads);
  to.number(summary.bases);
}

template <class Numbers>
void write_numbers(const Numbers& numbers, FieldWriter& to) {
  for (const std::uint64_t number : numbers) to.number(number);
}

// Reads the numbers of a part and adds them to sums.
class TotalsReader {
 public:
  TotalsReader(std::string_view bytes, const std::string& path) : from_(std::as_bytes(std::span(bytes))), path_(path) {}

  std::uint64_t number() { return from_.number<std::uint64_t>(); }
  std::uint32_t small() { return from_.number<std::uint32_t>(); }
  void add(std::uint64_t& sum) { sum += number(); }
  template <class Numbers>
  void add_all(Numbers& sums) {
    for (std::uint64_t& sum : sums) add(sum);
  }
  void add(ReadSummary& summary) {
    add(summary.reads);
    add(summary.bases);
  }
  void add(Histogram& sum) { sum.add_counts(from_.numbers(Histogram::kMostBins)); }
  // A list of any length up to `most`.
  void add_list(std::size_t most, std::vector<std::uint64_t>& sum) { add_counts(from_.numbers(most), sum); }
  // Refuses the part unless its totals have so many of something.
  void expect(std::size_t count) {
    if (number() != count) refuse();
  }
  void expect_end() const {
    if (!from_.at_end()) refuse();
  }
  [[noreturn]] void refuse() const { throw damaged_part(path_, "its totals are not those of this run"); }
  bool ok() const { return from_.ok(); }

 private:
  FieldReader from_;
  const std::string& path_;
};

}  // namespace

std::string print_totals(const ReadSummary& summary, const DemuxTotals& totals) {
  FieldWriter to;
  write_summary(summary, to);
  to.number(std::uint64_t{totals.samples.size()});
  for (const DemuxTotals::Sample& sample : totals.samples) {
    write_numbers(std::array{sample.reads, sample.written, sample.bases, sample.edits}, to);
  }
  write_numbers(totals.reasons, to);
  to.number(std::uint64_t{totals.pairs.size()});
  for (const auto& [pair, reads] : totals.pairs) {
    to.number(pair.first);
    to.number(pair.second);
    to.number(reads);
  }
  to.number(std::uint64_t{totals.fits.size()});
  for (const FitCounts& fits : totals.fits) write_numbers(fits, to);
  to.numbers(totals.edits);
  to.numbers(totals.lengths_before.counts());
  to.numbers(totals.lengths_after.counts());
  return to.bytes();
}

void add_totals(std::string_view bytes, const std::string& path, std::size_t first, std::size_t second,
                ReadSummary& summary, DemuxTotals& sum) {
  TotalsReader from(bytes, path);
  from.add(summary);
  from.expect(sum.samples.size());
  for (DemuxTotals::Sample& sample : sum.samples) {
    for (std::uint64_t* const number : {&sample.reads, &sample.written, &sample.bases, &sample.edits})
      from.add(*number);
  }
  from.add_all(sum.reasons);
  const std::uint64_t pairs = from.number();
  for (std::uint64_t i = 0; i < pairs && from.ok(); ++i) {
    const std::uint32_t one = from.small();
    const std::uint32_t other = from.small();
    if (one >= first || other >= second) from.refuse();
    from.add(sum.pairs[{one, other}]);
  }
  from.expect(sum.fits.size());
  for (FitCounts& fits : sum.fits) from.add_all(fits);
  from.add_list(kMostEdits, sum.edits);
  from.add(sum.lengths_before);
  from.add(sum.lengths_after);
  from.expect_end();
}

std::string print_totals(const ReadSummary& summary, const TrimCounts& counts) {
  FieldWriter to;
  write_summary(summary, to);
  for (const std::uint64_t* const number : numbers_of(counts)) to.number(*number);
  write_numbers(counts.reasons, to);
  for (const TrimCounts::Mate& mate : counts.mates) {
    for (const std::uint64_t* const number : numbers_of_mate(mate)) to.number(*number);
    to.number(std::uint64_t{mate.adapters.size()});
    write_numbers(mate.adapters, to);
    to.numbers(mate.lengths_before.counts());
    to.numbers(mate.lengths_after.counts());
  }
  return to.bytes();
}

void add_totals(std::string_view bytes, const std::string& path, ReadSummary& summary, TrimCounts& sum) {
  TotalsReader from(bytes, path);
  from.add(summary);
  for (std::uint64_t* const number : numbers_of(sum)) from.add(*number);
  from.add_all(sum.reasons);
  for (TrimCounts::Mate& mate : sum.mates) {
    for (std::uint64_t* const number : numbers_of_mate(mate)) from.add(*number);
    from.expect(mate.adapters.size());
    from.add_all(mate.adapters);
    from.add(mate.lengths_before);
    from.add(mate.lengths_after);
  }
  from.expect_end();
}

std::string print_totals(const ReadSummary& summary, const std::vector<SampleCounts>& samples) {
  FieldWriter to;
  write_summary(summary, to);
  to.number(std::uint64_t{samples.size()});
  for (const SampleCounts& sample : samples) {
    write_numbers(std::array{sample.reads, sample.exact, sample.edited, sample.ambiguous, sample.unread_umis}, to);
    to.number(std::uint64_t{sample.guides.size()});
    write_numbers(sample.guides, to);
  }
  return to.bytes();
}

void add_totals(std::string_view bytes, const std::string& path, ReadSummary& summary, std::vector<SampleCounts>& sum) {
  TotalsReader from(bytes, path);
  from.add(summary);
  from.expect(sum.size());
  for (SampleCounts& sample : sum) {
    for (std::uint64_t* const number :
         {&sample.reads, &sample.exact, &sample.edited, &sample.ambiguous, &sample.unread_umis}) {
      from.add(*number);
    }
    from.expect(sample.guides.size());
    from.add_all(sample.guides);
  }
  from.expect_end();
}

}  // namespace basesweep
