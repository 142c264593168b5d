#include "lib/pipeline/late_output.hpp"

#include <tbb/parallel_for.h>

#include <string_view>

namespace basesweep {
namespace {

constexpr std::size_t kBytesInPart = 1U << 18;
constexpr std::size_t kPartsAtOnce = 64;

}  // namespace

// Hits, with a copy of the names and letters that they point to.
struct LateOutput::Part {
  void add(const PlacedHit& hit) {
    hits.push_back(hit);
    bytes += hit.record_name;
    bytes += hit.letters;
    bytes += hit.left;
    bytes += hit.right;
  }

  Text format(const Formatter& formatter) const {
    Text text;
    std::string_view rest = bytes;
    for (PlacedHit hit : hits) {
      const auto take = [&rest](std::string_view& held) {
        held = rest.substr(0, held.size());
        rest.remove_prefix(held.size());
      };
      take(hit.record_name);
      take(hit.letters);
      take(hit.left);
      take(hit.right);
      formatter.append(hit, text);
    }
    return text;
  }

  std::vector<PlacedHit> hits;  // only the sizes of their views count: the letters are in `bytes`
  std::string bytes;            // record name and texts of each hit, one after another
};

LateOutput::LateOutput(const Options& options, const PatternSet& patterns, const Formatter* formatter, ByteSink* sink,
                       HitSelector& selector)
    : spool_(options.directory, options.threads),
      formatter_(formatter),
      sink_(sink),
      selector_(selector),
      select_again_(options.select_again) {
  if (options.split) split_.emplace(options.directory, options.threads, patterns);
}

void LateOutput::add(const PackedBatch& batch, std::span<const Hit> hits) {
  const bool letters = formatter_ != nullptr && formatter_->needs_letters();
  const std::uint32_t flank = formatter_ != nullptr ? formatter_->flank() : 0;
  const bool split = split_ && !select_again_;
  const auto keep = [&](const PlacedHit& hit) { split ? split_->add(hit) : spool_.add(hit); };
  for_each_hit(batch, hits, letters, keep, flank);
}

// Calls `use` with the hits that are written, in the order of the output. Selects them again if that is to be done.
template <class Use>
void LateOutput::for_each_written(Use use) {
  if (split_ && !select_again_) return split_->replay(use);
  spool_.replay([&](const PlacedHit& spooled) {
    PlacedHit hit = spooled;
    if (select_again_ && !selector_.keep(hit.record, hit.start, hit.hit, hit.source, hit.circular_length)) return;
    split_ ? split_->add(hit) : use(hit);
  });
  if (split_) split_->replay(use);
}

void LateOutput::print(std::span<const RecordInfo> references, NameCheck& names) {
  if (formatter_ != nullptr) sink_->write(formatter_->header(references));
  std::vector<Part> parts(1);
  for_each_written([&](const PlacedHit& hit) {
    if (formatter_ == nullptr) return;
    names.check(hit.record, hit.record_name, hit.source);
    parts.back().add(hit);
    if (parts.back().bytes.size() + parts.back().hits.size() * sizeof(PlacedHit) < kBytesInPart) return;
    if (parts.size() == kPartsAtOnce) flush(parts);
    parts.emplace_back();
  });
  if (formatter_ != nullptr) flush(parts);
}

void LateOutput::flush(std::vector<Part>& parts) {
  std::vector<Text> texts(parts.size());
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) { texts[i] = parts[i].format(*formatter_); });
  for (const Text& text : texts) sink_->write(text.view());
  parts.clear();
}

}  // namespace basesweep
