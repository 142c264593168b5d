#include "lib/writer/formatter.hpp"

#include "lib/rows/hits_of_batch.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

std::unique_ptr<Gatherer> Formatter::gatherer(const std::string& /*directory*/, Write /*write*/) const {
  return nullptr;
}

void Formatter::append_rows(RowSpan rows, RowText& text) const {
  for (std::size_t i = 0; i < rows.size(); ++i) append(rows[i], text);
}

void Formatter::append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                            RowText& text) const {
  constexpr std::size_t kSpareBytes = 16;  // per hit
  const auto append_hit = [&](const PlacedHit& hit) {
    const bool first = text.view().empty();
    append(hit, text);
    // Growing the buffer costs more than formatting. Most hits take about as many bytes as the first, so room for all
    // of them is made after it.
    if (first) text.reserve(hits.size() * (text.view().size() + kSpareBytes));
  };
  for_each_hit(batch, hits, needs_letters(), append_hit, flank(), standings);
}

void Formatter::finish(RowText& /*text*/) const {}

RowText format_hits(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                    const BatchStandings* standings) {
  RowText text;
  formatter.append_hits(batch, hits, standings, text);
  formatter.finish(text);
  return text;
}

}  // namespace basesweep
