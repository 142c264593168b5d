#include <fmt/format.h>

#include <basesweep/guides.hpp>
#include <cstring>
#include <set>

#include "lib/api/call.hpp"
#include "lib/api/memory_source.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/base/upper_case.hpp"
#include "lib/guides/scores.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/reader.hpp"

namespace basesweep {
namespace {

GuideLimits limits_of(const GuideOptions& o) {
  const auto at_most = [](const char* option, std::uint32_t value, std::uint32_t most) {
    if (value > most) throw UsageError(fmt::format("{}: expected 0 to {}", option, most));
  };
  at_most("mismatches", o.mismatches, kMaxGuideLength);
  at_most("max_dna_bulges", o.max_dna_bulges, kMaxBulge);
  at_most("max_rna_bulges", o.max_rna_bulges, kMaxBulge);
  at_most("seed", o.seed, kMaxGuideLength);
  if (o.seed_mismatches != 0 && o.seed == 0) throw UsageError("seed_mismatches needs seed");
  return {o.mismatches, o.max_dna_bulges, o.max_rna_bulges, o.seed, o.seed_mismatches};
}

PamChoice pam_choice(const GuideOptions& o) {
  if (o.pams.empty()) throw UsageError("no PAM given");
  PamChoice choice;
  for (const std::string& pam : o.pams) choice.pams.push_back(upper_case(pam));
  choice.side = o.pam_5prime ? PamSide::five_prime : PamSide::three_prime;
  if (o.pam_in_guide) choice.in_guide = *o.pam_in_guide ? PamInGuide::yes : PamInGuide::no;
  return choice;
}

GuideSet guide_set(const std::vector<NamedGuide>& given, const GuideOptions& o) {
  if (given.empty()) throw UsageError("no guide given");
  std::vector<Pattern> patterns;
  std::set<std::string_view> names;
  for (const NamedGuide& guide : given) {
    const std::string fault = letters_fault(guide.bases);
    if (!fault.empty()) throw UsageError(fmt::format("guide '{}': {}", guide.name, fault));
    if (!names.insert(guide.name).second) throw UsageError(fmt::format("guide '{}' is given twice", guide.name));
    patterns.push_back({guide.name, upper_case(guide.bases)});
  }
  return {patterns, pam_choice(o), limits_of(o)};
}

GuideFinderOptions finder_options(const GuideOptions& o, int threads) {
  if (o.text_bases && *o.text_bases < 0) throw UsageError("text_bases must be at least 0");
  DeviceChoice device = parse_device(o.device, fmt::format("device '{}'", o.device));
  return {.device = device.device, .gpus = std::move(device.gpus), .expected_bases = o.text_bases, .threads = threads};
}

double fraction(std::uint64_t score) { return static_cast<double>(score) / kFullScore; }

// Stands for a place between append() and the caller's function; the name of its record and the two rows follow.
struct Frame {
  std::int64_t record;
  std::int64_t start;
  std::int64_t end;
  std::optional<PlaceScores> scores;
  std::uint32_t guide;
  Shape shape;
  char strand;
  std::uint64_t name_bytes;
  std::uint64_t row_bytes;  // of each row
};

class Frames final : public Formatter {
 public:
  explicit Frames(const GuideSet& guides) : guides_(guides) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return need::letters | need::scores; }

  void append(const Row& row, RowText& text) const override {
    const auto& placed = static_cast<const PlacedGuide&>(row);
    const GuidePlace& place = placed.place;
    auto& drawn = per_thread<AlignedLetters>();
    draw_place(guides_, placed, drawn);
    lower_mismatches(guides_, place, drawn);
    const Frame frame{placed.record,
                      placed.start,
                      placed.end,
                      placed.scores,
                      place.guide,
                      place.shape,
                      strand_letter(place.strand),
                      placed.record_name.size(),
                      drawn.pattern.size()};
    char* const to = text.reserve(sizeof frame);
    std::memcpy(to, &frame, sizeof frame);
    text.advance(to + sizeof frame);
    text.append(placed.record_name);
    text.append(drawn.pattern);
    text.append(drawn.text);
  }

 private:
  const GuideSet& guides_;
};

// Gives the places to the caller.
class Giver final : public ByteSink {
 public:
  explicit Giver(const std::function<void(OffTarget&)>& take) : take_(take) {}

  void write(std::string_view text) override {
    while (!text.empty()) {
      Frame frame;
      std::memcpy(&frame, text.data(), sizeof frame);
      text.remove_prefix(sizeof frame);
      OffTarget place{.record = frame.record,
                      .start = frame.start,
                      .end = frame.end,
                      .guide = frame.guide,
                      .strand = frame.strand,
                      .bulge = frame.shape.bulge == Bulge::dna   ? BulgeKind::dna
                               : frame.shape.bulge == Bulge::rna ? BulgeKind::rna
                                                                 : BulgeKind::none,
                      .bulge_size = frame.shape.size,
                      .mismatches = frame.shape.mismatches,
                      .record_name = text.substr(0, frame.name_bytes),
                      .aligned_guide = text.substr(frame.name_bytes, frame.row_bytes),
                      .aligned_text = text.substr(frame.name_bytes + frame.row_bytes, frame.row_bytes)};
      if (frame.scores) {
        place.cfd = fraction(frame.scores->cfd);
        if (frame.scores->mit) place.mit = fraction(*frame.scores->mit);
      }
      text.remove_prefix(frame.name_bytes + 2 * frame.row_bytes);
      take_(place);
    }
  }

 private:
  const std::function<void(OffTarget&)>& take_;
};

GuideRow row_of(const GuideTotals& totals, bool scored) {
  constexpr double kPercent = 100;
  GuideRow row;
  row.places = totals.places();
  row.counts = totals.counts;
  if (const auto mit = totals.mit_specificity(scored)) row.mit_specificity = kPercent * fraction(*mit);
  if (const auto cfd = totals.cfd_specificity(scored)) row.cfd_specificity = kPercent * fraction(*cfd);
  row.unique = totals.places() == 1 && totals.nearest.front().exact();
  return row;
}

}  // namespace

struct Guides::State {
  State(std::vector<NamedGuide> guides, GuideOptions o)
      : given(std::move(guides)),
        options(std::move(o)),
        threads(threads_of(options)),
        set(guide_set(given, options)),
        finder(make_guide_finder(set, finder_options(options, threads))),
        method(finder->describe()) {}

  // `take`: may be empty.
  GuidesResult search(BlockSource& source, const std::function<void(OffTarget&)>& take, int max_threads,
                      Warnings& warnings) const {
    const Frames frames(set);
    Giver giver(take);
    GuidePipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.threads = max_threads;
    pipeline.warn = [&warnings](const std::string& text) { warnings.add(text); };
    GuideOutput output;
    if (take) output = {&frames, &giver, std::nullopt, temporary_folder()};
    GuideTable table(set);
    run_guide_pipeline(pipeline, source, set, *finder, table, output);
    GuidesResult result;
    for (std::size_t i = 0; i < given.size(); ++i) {
      result.rows.push_back(row_of(table.totals(i), is_scored(set, set.guides()[i])));
    }
    result.warnings = warnings.take();
    return result;
  }

  const std::vector<NamedGuide> given;
  const GuideOptions options;
  const int threads;
  const GuideSet set;
  const std::unique_ptr<GuideFinder> finder;
  const std::string method;
};

Guides::Guides(std::vector<NamedGuide> guides, GuideOptions options)
    : state_(std::make_unique<State>(std::move(guides), std::move(options))) {}
Guides::~Guides() = default;
Guides::Guides(Guides&&) noexcept = default;
Guides& Guides::operator=(Guides&&) noexcept = default;

std::vector<OffTarget> Guides::find(std::string_view bases) const {
  std::vector<OffTarget> places;
  const NamedSequence record{"", bases};
  search({&record, 1}, [&places](const OffTarget& place) {
    OffTarget& kept = places.emplace_back(place);
    kept.record_name = kept.aligned_guide = kept.aligned_text = {};
  });
  return places;
}

GuidesResult Guides::search(std::span<const NamedSequence> records, const Take& take) const {
  MemorySource source(records, ReaderOptions().block_bytes);
  std::function<void(OffTarget&)> give;
  if (take) {
    give = [&](OffTarget& place) {
      place.record = source.index_of(place.record);
      place.record_name = records[static_cast<std::size_t>(place.record)].name;
      take(place);
    };
  }
  Warnings dropped;  // warnings about names: records in memory may share one
  GuidesResult result = state_->search(source, give, threads_for(records, state_->threads), dropped);
  result.warnings.clear();
  return result;
}

GuidesResult Guides::search_files(const std::vector<std::string>& paths, const Take& take) const {
  Warnings warnings;
  Reader reader = open_files(paths, ReaderOptions().block_bytes, state_->threads, warnings);
  std::function<void(OffTarget&)> give;
  if (take) give = [&take](OffTarget& place) { take(place); };
  return state_->search(reader, give, state_->threads, warnings);
}

const std::vector<NamedGuide>& Guides::guides() const noexcept { return state_->given; }
const std::string& Guides::method() const noexcept { return state_->method; }

}  // namespace basesweep
