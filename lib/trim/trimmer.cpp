#include "lib/trim/trimmer.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/base/reverse_complement.hpp"
#include "lib/trim/read_filters.hpp"
#include "lib/trim/read_steps.hpp"
#include "lib/trim/trim_row.hpp"

namespace basesweep {
Trimmer::Trimmer(TrimSettings settings) : settings_(std::move(settings)) { size_counts(counts_); }

// A count for each adapter of each mate, and for each primer.
void Trimmer::size_counts(TrimCounts& counts) const {
  for (std::size_t mate = 0; mate < 2; ++mate) {
    const std::shared_ptr<const AdapterSet>& adapters = settings_.mates[mate].adapters;
    counts.mates[mate].adapters.resize(adapters ? adapters->adapters().size() : 0, 0);
  }
  if (!settings_.primers) return;
  for (std::vector<std::uint64_t>& primers : counts.primers) primers.resize(settings_.primers->names().size(), 0);
}

void Trimmer::take(const ReadCounts& counts) { counts_.add(static_cast<const TrimCounts&>(counts)); }

ProcessedReads Trimmer::process(const ReadList& reads) const {
  struct Scratch {
    ReadState states[2];
  };
  ReadState* const states = per_thread<Scratch>().states;
  ProcessedReads results;
  auto counts = std::make_unique<TrimCounts>();
  size_counts(*counts);
  Batch batch{results, *counts};
  const std::size_t together = settings_.paired ? 2 : 1;
  results.written.resize(reads.reads.size());
  for (std::size_t i = 0; i + together <= reads.reads.size(); i += together) {
    ++counts->reads;
    for (std::size_t mate = 0; mate < together; ++mate) {
      states[mate].start(reads.reads[i + mate], mate);
      cut_ends(reads, states[mate], counts->mates[mate]);
      if (!settings_.cuts_pairs()) cut_adapters(states[mate], batch);
    }
    if (settings_.cuts_pairs()) cut_pair(states[0], states[1], batch);
    for (std::size_t mate = 0; mate < together; ++mate) {
      if (settings_.primers) cut_primers(states[mate], batch);
      finish(states[mate], counts->mates[mate]);
    }
    const FilteredRead trimmed[2] = {states[0].trimmed(), states[together - 1].trimmed()};
    const TrimReason reason = judge(settings_, {trimmed, together});
    ++counts->reasons[static_cast<std::size_t>(reason)];
    for (std::size_t mate = 0; mate < together; ++mate) {
      results.written[i + (states[mate].exchanged ? 1 - mate : mate)] = write(states[mate], reason, *counts);
      if (settings_.rows) append_trim_row(settings_, states[mate], reason, results.rows);
    }
  }
  results.counts = std::move(counts);
  return results;
}

WrittenRead Trimmer::write(const ReadState& state, TrimReason reason, TrimCounts& counts) const {
  const ReadRange range = state.input_range();
  WrittenRead written;
  written.file = settings_.files[static_cast<std::size_t>(reason)];
  written.begin = range.begin;
  written.end = range.end;
  written.turned = state.turned;
  written.exchanged = state.exchanged;
  written.bases = state.replaced;
  if (state.turned || state.exchanged) {
    written.title_tail = "rc";
    counts.turned += state.mate == 0 ? 1 : 0;
  }
  if (reason == TrimReason::written) {
    counts.mates[state.mate].written_bases += range.size();
    counts.mates[state.mate].lengths_after.add(range.size());
  }
  return written;
}

// Cuts fixed numbers of bases, then by quality.
void Trimmer::cut_ends(const ReadList& list, ReadState& state, TrimCounts::Mate& counts) const {
  const MateSettings& settings = settings_.mates[state.mate];
  ReadRange& range = state.range;
  counts.bases += range.size();
  counts.lengths_before.add(range.size());
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
std::int32_t Trimmer::find_adapters(const ReadState& state, bool turned, std::vector<FoundAdapter>& found) const {
  struct Scratch {
    std::vector<LetterSet> sets, turned;
  };
  auto& scratch = per_thread<Scratch>();
  found.clear();
  if (!settings_.mates[state.mate].adapters) return 0;
  scratch.sets.clear();
  append_read_sets(state.read->bases.substr(state.range.begin, state.range.size()), settings_.read_wildcards,
                   scratch.sets);
  if (turned) {
    scratch.turned.clear();
    append_turned(scratch.sets, scratch.turned);
  }
  std::span<const LetterSet> read = turned ? scratch.turned : scratch.sets;
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

void Trimmer::cut_adapters(ReadState& state, Batch& batch) const {
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
  if (settings_.mates[state.mate].adapters) cut_found(state, batch);
}

// Cuts the adapters that were found.
void Trimmer::cut_found(ReadState& state, Batch& batch) const {
  TrimCounts::Mate& counts = batch.counts.mates[state.mate];
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
void Trimmer::replace(ReadState& state, ReadRange within, ReadRange kept, Batch& batch) const {
  const std::size_t size = state.read->bases.size();
  char* const letters = batch.results.texts.take(size);
  if (state.turned) {
    within = turned_range(within, size);
    kept = turned_range(kept, size);
  }
  const std::string_view before = state.letters();
  std::copy(before.begin(), before.end(), letters);
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

// Cuts the primers of an amplicon.
void Trimmer::cut_primers(ReadState& state, Batch& batch) const {
  struct Scratch {
    std::vector<LetterSet> sets;
  };
  std::vector<LetterSet>& sets = per_thread<Scratch>().sets;
  sets.clear();
  append_read_sets(state.read->bases.substr(state.range.begin, state.range.size()), settings_.read_wildcards, sets);
  state.primers = settings_.primers->find(sets);
  if (!state.primers) return;
  TrimCounts::Mate& counts = batch.counts.mates[state.mate];
  ++counts.with_primer;
  ++batch.counts.primers[0][state.primers->first];
  if (state.primers->last) ++batch.counts.primers[1][*state.primers->last];
  const ReadRange before = state.range;
  const ReadRange kept = shifted(state.primers->kept, before.begin);
  if (settings_.action == AdapterAction::trim) state.range = kept;
  if (settings_.action == AdapterAction::mask) replace(state, before, kept, batch);
  counts.primer_bases += before.size() - state.range.size();
}

// The steps after adapters and primers.
void Trimmer::finish(ReadState& state, TrimCounts::Mate& counts) const {
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

}  // namespace basesweep
