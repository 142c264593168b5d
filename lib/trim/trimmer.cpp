#include "lib/trim/trimmer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/trim/mate_overlap.hpp"
#include "lib/trim/read_filters.hpp"
#include "lib/trim/read_steps.hpp"

namespace basesweep {
namespace {

// An adapter with this score is one also where nothing else speaks for it: the end of a read has it by chance once in
// millions.
constexpr std::int32_t kSureScore = 12;
// The evidence of overlaps and of adapters agrees up to this distance.
constexpr std::uint32_t kSameLength = 2;

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

ReadRange turned_range(ReadRange range, std::size_t size) {
  const auto all = static_cast<std::uint32_t>(size);
  return {all - range.end, all - range.begin};
}

ReadRange shifted(ReadRange range, std::uint32_t by) { return {range.begin + by, range.end + by}; }

}  // namespace

const char* const kTrimColumns = "read\tmate\tadapter\tedits\tstrand\tcut_start\tcut_end\treason\n";

// A read on its way through the steps. Ranges are of the whole read, of its reverse complement if `turned`.
struct Trimmer::State {
  const InputRead* read = nullptr;
  std::size_t mate = 0;
  ReadRange range;
  bool turned = false;
  bool by_overlap = false;      // the overlap of mates says where it ends
  std::string_view replaced{};  // bases to write in place of the read's, in its own orientation
  std::vector<FoundAdapter> found;

  void start(const InputRead& of, std::size_t mate_number) {
    read = &of;
    mate = mate_number;
    range = {0, static_cast<std::uint32_t>(of.bases.size())};
    turned = by_overlap = false;
    replaced = {};
    found.clear();
  }
  std::string_view letters() const { return replaced.data() != nullptr ? replaced : read->bases; }
  bool has_adapter() const { return by_overlap || !found.empty(); }
  ReadRange input_range() const { return turned ? turned_range(range, read->bases.size()) : range; }
  TrimmedRead trimmed() const {
    const ReadRange kept = input_range();
    const std::string_view quality = read->quality.substr(std::min<std::size_t>(kept.begin, read->quality.size()));
    return {mate, letters().substr(kept.begin, kept.size()), quality.substr(0, kept.size()), has_adapter()};
  }
};

// What a list of reads fills.
struct Trimmer::Batch {
  ProcessedReads& results;
  TrimCounts& counts;
};

Trimmer::Trimmer(TrimSettings settings) : settings_(std::move(settings)) { size_adapters(counts_); }

// A count for each adapter of each mate.
void Trimmer::size_adapters(TrimCounts& counts) const {
  for (std::size_t mate = 0; mate < 2; ++mate) {
    const std::shared_ptr<const AdapterSet>& adapters = settings_.mates[mate].adapters;
    counts.mates[mate].adapters.resize(adapters ? adapters->adapters().size() : 0, 0);
  }
}

void Trimmer::take(const ReadCounts& counts) { counts_.add(static_cast<const TrimCounts&>(counts)); }

ProcessedReads Trimmer::process(const ReadList& reads) const {
  struct Scratch {
    State states[2];
  };
  State* const states = per_thread<Scratch>().states;
  ProcessedReads results;
  auto counts = std::make_unique<TrimCounts>();
  size_adapters(*counts);
  Batch batch{results, *counts};
  const std::size_t together = settings_.paired ? 2 : 1;
  results.written.resize(reads.reads.size());
  for (std::size_t i = 0; i + together <= reads.reads.size(); i += together) {
    ++counts->reads;
    for (std::size_t mate = 0; mate < together; ++mate) {
      states[mate].start(reads.reads[i + mate], mate);
      cut_ends(reads, states[mate], counts->mates[mate]);
      if (!settings_.by_overlap) cut_adapters(states[mate], batch);
    }
    if (settings_.by_overlap) cut_pair(states[0], states[1], batch);
    for (std::size_t mate = 0; mate < together; ++mate) finish(states[mate], counts->mates[mate]);
    const TrimmedRead trimmed[2] = {states[0].trimmed(), states[together - 1].trimmed()};
    const TrimReason reason = judge(settings_, {trimmed, together});
    ++counts->reasons[static_cast<std::size_t>(reason)];
    for (std::size_t mate = 0; mate < together; ++mate) {
      results.written[i + mate] = write(states[mate], reason, *counts);
      if (settings_.rows) append_row(states[mate], reason, results.rows);
    }
  }
  results.counts = std::move(counts);
  return results;
}

WrittenRead Trimmer::write(const State& state, TrimReason reason, TrimCounts& counts) const {
  const ReadRange range = state.input_range();
  WrittenRead written;
  written.file = settings_.files[static_cast<std::size_t>(reason)];
  written.begin = range.begin;
  written.end = range.end;
  written.turned = state.turned;
  written.bases = state.replaced;
  if (state.turned) {
    written.title_tail = "rc";
    ++counts.turned;
  }
  if (reason == TrimReason::written) counts.mates[state.mate].written_bases += range.size();
  return written;
}

// Cuts fixed numbers of bases, then by quality.
void Trimmer::cut_ends(const ReadList& list, State& state, TrimCounts::Mate& counts) const {
  const MateSettings& settings = settings_.mates[state.mate];
  ReadRange& range = state.range;
  counts.bases += range.size();
  range.begin = std::min(range.begin + settings.cut_front, range.end);
  range.end -= std::min(settings.cut_back, range.size());
  const bool needs_quality =
      settings_.nextseq || settings.quality || settings_.max_expected_errors || settings_.max_error_rate;
  if (!needs_quality || state.read->bases.empty()) return;
  if (state.read->quality.empty())
    throw list.fault(*state.read, "it has no qualities, which trimming or filtering by quality needs");
  const std::uint32_t before = range.size();
  const auto part = [&range](std::string_view text) { return text.substr(range.begin, range.size()); };
  const int shift = settings_.quality_base - kQualityBase;
  if (settings_.nextseq) {
    range.end =
        range.begin + nextseq_end(part(state.read->bases), part(state.read->quality), *settings_.nextseq + shift);
  }
  if (settings.quality) {
    const ReadRange kept =
        quality_range(part(state.read->quality), settings.quality->front + shift, settings.quality->back + shift);
    range = shifted(kept, range.begin);
  }
  counts.quality_bases += before - range.size();
}

// Finds adapters by turns in the read's range, or in its reverse complement. Ranges that are found count from the start
// of the range. Returns the sum of their scores.
std::int32_t Trimmer::find_adapters(const State& state, bool turned, std::vector<FoundAdapter>& found) const {
  struct Scratch {
    std::vector<ReadSet> sets, turned;
  };
  auto& scratch = per_thread<Scratch>();
  found.clear();
  scratch.sets.clear();
  append_read_sets(state.read->bases.substr(state.range.begin, state.range.size()), settings_.read_wildcards,
                   scratch.sets);
  if (turned) {
    scratch.turned.clear();
    append_turned(scratch.sets, scratch.turned);
  }
  std::span<const ReadSet> read = turned ? scratch.turned : scratch.sets;
  const AdapterSet& adapters = *settings_.mates[state.mate].adapters;
  std::int32_t score = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t time = 0; time < settings_.times; ++time) {
    std::optional<FoundAdapter> one = adapters.find(read);
    if (!one) break;
    read = read.subspan(one->kept.begin, one->kept.size());
    const std::uint32_t next = begin + one->kept.begin;
    for (ReadRange* range : {&one->kept, &one->with_adapter, &one->cropped}) *range = shifted(*range, begin);
    begin = next;
    score += one->score;
    found.push_back(*one);
  }
  return score;
}

void Trimmer::cut_adapters(State& state, Batch& batch) const {
  const std::shared_ptr<const AdapterSet>& adapters = settings_.mates[state.mate].adapters;
  if (!adapters || adapters->empty()) return;
  TrimCounts::Mate& counts = batch.counts.mates[state.mate];
  const std::int32_t score = find_adapters(state, false, state.found);
  if (settings_.revcomp) {
    struct Scratch {
      std::vector<FoundAdapter> found;
    };
    std::vector<FoundAdapter>& found = per_thread<Scratch>().found;
    if (find_adapters(state, true, found) > score) {
      std::swap(found, state.found);
      state.turned = true;
      state.range = turned_range(state.range, state.read->bases.size());
    }
  }
  const ReadRange before = state.range;
  if (state.found.empty()) {
    if (settings_.action == AdapterAction::lowercase) replace(state, before, before, batch);
    return;
  }
  ++counts.with_adapter;
  for (const FoundAdapter& one : state.found) ++counts.adapters[one.adapter];
  const FoundAdapter& last = state.found.back();
  const ReadRange kept = shifted(last.kept, before.begin);
  switch (settings_.action) {
    case AdapterAction::trim: state.range = kept; break;
    case AdapterAction::retain: state.range = shifted(last.with_adapter, before.begin); break;
    case AdapterAction::crop: state.range = shifted(last.cropped, before.begin); break;
    case AdapterAction::mask:
    case AdapterAction::lowercase: replace(state, before, kept, batch); break;
    case AdapterAction::none: break;
  }
  counts.adapter_bases += before.size() - state.range.size();
}

// Masks the bases of `within` that are not in `kept`, or writes them in lower case.
void Trimmer::replace(State& state, ReadRange within, ReadRange kept, Batch& batch) const {
  const std::size_t size = state.read->bases.size();
  char* const letters = batch.results.texts.take(size);
  if (state.turned) {
    within = turned_range(within, size);
    kept = turned_range(kept, size);
  }
  std::copy(state.read->bases.begin(), state.read->bases.end(), letters);
  const bool lower = settings_.action == AdapterAction::lowercase;
  for (std::uint32_t i = within.begin; i < within.end; ++i) {
    const bool is_kept = i >= kept.begin && i < kept.end;
    char& letter = letters[i];
    if (lower) {
      const bool is_letter = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
      if (is_letter) letter = static_cast<char>(is_kept ? letter & ~0x20 : letter | 0x20);
    } else if (!is_kept) {
      letter = 'N';
    }
  }
  state.replaced = {letters, size};
}

// Where the mates of a pair end: nothing where that is not known.
struct Trimmer::FragmentEnds {
  std::optional<std::uint32_t> of_mates[2];
  bool by_adapter = false;  // an adapter that was found says so too
};

// Adapters are looked for in whole mates, so that the place does not depend on qualities.
Trimmer::FragmentEnds Trimmer::find_ends(State& first, State& second, TrimCounts& counts) const {
  State* const states[2] = {&first, &second};
  std::optional<std::uint32_t> ends[2];
  std::int32_t scores[2] = {0, 0};
  for (State* const state : states) {
    const std::shared_ptr<const AdapterSet>& adapters = settings_.mates[state->mate].adapters;
    if (!adapters || adapters->empty()) continue;
    const ReadRange range = std::exchange(state->range, {0, static_cast<std::uint32_t>(state->read->bases.size())});
    scores[state->mate] = find_adapters(*state, false, state->found);
    state->range = range;
    if (!state->found.empty()) ends[state->mate] = state->found.back().kept.end;
  }
  const std::optional<std::uint32_t> overlap = fragment_length(first.read->bases, second.read->bases);
  const std::size_t best = scores[1] > scores[0] ? 1 : 0;
  if (scores[best] >= kSureScore) {
    const bool agrees = overlap && distance(*overlap, *ends[best]) <= kSameLength;
    ++(agrees ? counts.by_both : overlap ? counts.differing : counts.by_adapter);
    const std::optional<std::uint32_t> length = agrees ? overlap : ends[best];
    return {{length, length}, true};
  }
  if (overlap) {
    if (*overlap >= std::max(first.read->bases.size(), second.read->bases.size())) return {{overlap, overlap}};
    const bool agrees = ends[best] && distance(*overlap, *ends[best]) <= kSameLength;
    ++(agrees ? counts.by_both : counts.by_overlap);
    return {{overlap, overlap}, agrees};
  }
  if (!ends[0] || !ends[1] || distance(*ends[0], *ends[1]) > 1) return {};
  // Two short ends of adapters at the same place.
  ++counts.by_adapter;
  return {{ends[0], ends[1]}, true};
}

// Cuts both mates at the end of their fragment.
void Trimmer::cut_pair(State& first, State& second, Batch& batch) const {
  const FragmentEnds ends = find_ends(first, second, batch.counts);
  if (ends.of_mates[0] && *ends.of_mates[0] == 0) ++batch.counts.dimers;
  for (State* const state : {&first, &second}) {
    if (!ends.by_adapter) state->found.clear();
    const std::optional<std::uint32_t> length = ends.of_mates[state->mate];
    if (!length || *length >= state->read->bases.size()) {
      state->found.clear();
      continue;
    }
    state->by_overlap = true;
    TrimCounts::Mate& counts = batch.counts.mates[state->mate];
    ++counts.with_adapter;
    for (const FoundAdapter& one : state->found) ++counts.adapters[one.adapter];
    const ReadRange before = state->range;
    const std::uint32_t end = std::clamp(*length, before.begin, before.end);
    switch (settings_.action) {
      case AdapterAction::mask:
      case AdapterAction::lowercase: replace(*state, before, {before.begin, end}, batch); break;
      case AdapterAction::none: break;
      default: state->range.end = end; break;
    }
    counts.adapter_bases += before.size() - state->range.size();
  }
}

// The steps after adapters.
void Trimmer::finish(State& state, TrimCounts::Mate& counts) const {
  const std::optional<std::int64_t>& length = settings_.mates[state.mate].length;
  ReadRange& range = state.range;
  std::string_view letters = state.letters();
  if (state.turned && (settings_.poly_a || settings_.trim_n)) {
    struct Scratch {
      std::string letters;
    };
    std::string& turned = per_thread<Scratch>().letters;
    turned.resize(letters.size());
    put_reverse_complement(turned.data(), letters);
    letters = turned;
  }
  const auto part = [&] { return letters.substr(range.begin, range.size()); };
  if (settings_.poly_a) {
    const std::uint32_t before = range.size();
    if (state.mate == 0) {
      range.end = range.begin + poly_a_begin(part());
    } else {
      range.begin += poly_t_end(part());
    }
    counts.poly_a_bases += before - range.size();
  }
  if (length && std::abs(*length) < static_cast<std::int64_t>(range.size())) {
    if (*length >= 0) {
      range.end = range.begin + static_cast<std::uint32_t>(*length);
    } else {
      range.begin = range.end - static_cast<std::uint32_t>(-*length);
    }
  }
  if (settings_.trim_n) range = shifted(known_range(part()), range.begin);
}

void Trimmer::append_row(const State& state, TrimReason reason, std::string& rows) const {
  const auto to = std::back_inserter(rows);
  fmt::format_to(to, "{}\t", state.read->name);
  if (settings_.paired) {
    fmt::format_to(to, "{}\t", state.mate + 1);
  } else {
    rows += ".\t";
  }
  if (!state.found.empty()) {
    std::uint32_t edits = 0;
    for (const FoundAdapter& one : state.found) {
      if (&one != &state.found.front()) rows += ',';
      rows += settings_.mates[state.mate].adapters->adapters()[one.adapter].name;
      edits += one.errors;
    }
    fmt::format_to(to, "\t{}\t", edits);
  } else {
    rows += state.by_overlap ? "overlap\t.\t" : ".\t.\t";
  }
  const ReadRange range = state.input_range();
  fmt::format_to(to, "{}\t{}\t{}\t{}\n", state.turned ? '-' : '+', range.begin, range.end, word_of(reason));
}

}  // namespace basesweep
