#include <fmt/format.h>

#include <algorithm>
#include <basesweep/reads.hpp>
#include <utility>

#include "lib/api/call.hpp"
#include "lib/api/read_calls.hpp"
#include "lib/counting/guide_lookup.hpp"
#include "lib/counting/library.hpp"
#include "lib/counting/start_finder.hpp"

namespace basesweep {
namespace {

// A library with these guides.
std::string library_text(const std::vector<CountedGuide>& guides) {
  std::string text = "id\tsequence\tgene\n";
  for (const CountedGuide& guide : guides) {
    for (const std::string* cell : {&guide.name, &guide.bases, &guide.gene}) {
      if (cell->find_first_of("\t\r\n") != std::string::npos)
        throw DataError(fmt::format("guide '{}': a tab or a line end", guide.name));
    }
    text += fmt::format("{}\t{}\t{}\n", guide.name, guide.bases, guide.gene);
  }
  return text;
}

GuideLookupOptions lookup_options(const GuideReadOptions& o) {
  if (o.edits > 1) throw UsageError("edits: expected 0 or 1");
  return {.edits = o.edits, .indels = o.indels, .strands = strand_choice(o.strands)};
}

}  // namespace

struct GuideReadCounter::State {
  State(std::vector<CountedGuide> guides, GuideReadOptions o)
      : given(std::move(guides)),
        options(std::move(o)),
        threads(threads_of(options)),
        library(parse_library(library_text(given), kReadsInMemory, EqualSequences::refused)),
        lookup(sequences_of(library), lookup_options(options)) {
    if (options.starts && options.starts->last < options.starts->first) throw UsageError("starts: last before first");
  }

  const std::vector<CountedGuide> given;
  const GuideReadOptions options;
  const int threads;
  const GuideLibrary library;
  const GuideLookup lookup;
};

GuideReadCounter::GuideReadCounter(std::vector<CountedGuide> guides, GuideReadOptions options)
    : state_(std::make_unique<State>(std::move(guides), std::move(options))) {}
GuideReadCounter::~GuideReadCounter() = default;
GuideReadCounter::GuideReadCounter(GuideReadCounter&&) noexcept = default;
GuideReadCounter& GuideReadCounter::operator=(GuideReadCounter&&) noexcept = default;

std::optional<GuideStarts> GuideReadCounter::find_starts(std::span<const NamedRead> reads) const {
  StartFinder finder(state_->library);
  for (const NamedRead& read : reads) {
    if (finder.is_done()) break;
    finder.add(read.bases);
  }
  const FoundStarts found = finder.result();
  std::optional<GuideStarts> starts;
  for (const std::size_t strand : {0, 1}) {
    const auto other = strand == 0 ? GuideReadOptions::Strands::minus : GuideReadOptions::Strands::plus;
    if (state_->options.strands == other || !found.windows[strand]) continue;
    const StartWindow& window = *found.windows[strand];
    if (!starts) starts = GuideStarts{window.first, window.last};
    starts->first = std::min(starts->first, window.first);
    starts->last = std::max(starts->last, window.last);
  }
  return starts;
}

GuideReads GuideReadCounter::count(std::span<const NamedRead> reads) const {
  return count(reads, state_->options.starts ? state_->options.starts : find_starts(reads));
}

GuideReads GuideReadCounter::count(std::span<const NamedRead> reads, const std::optional<GuideStarts>& starts) const {
  const StartWindow window = starts ? StartWindow{starts->first, starts->last} : StartWindow();
  std::vector<GuideCall> calls(reads.size());
  over_reads(reads, false, state_->threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) calls[i] = state_->lookup.find(reads[i].bases, {window, window});
  });
  GuideReads counts;
  counts.reads = reads.size();
  counts.guides.assign(state_->given.size(), 0);
  for (const GuideCall& call : calls) {
    if (call.guide == GuideCall::kSeveral) ++counts.ambiguous;
    if (call.guide == GuideCall::kNone || call.guide == GuideCall::kSeveral) continue;
    ++(call.edits == 0 ? counts.exact : counts.edited);
    ++counts.guides[call.guide];
  }
  return counts;
}

const std::vector<CountedGuide>& GuideReadCounter::guides() const noexcept { return state_->given; }

std::vector<CountedGuide> load_library(const std::string& path) {
  std::vector<CountedGuide> guides;
  for (LibraryGuide& guide : read_library(path).guides)
    guides.push_back({std::move(guide.name), std::move(guide.sequence), std::move(guide.gene)});
  return guides;
}

}  // namespace basesweep
