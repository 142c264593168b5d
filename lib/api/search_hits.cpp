#include "lib/api/search_hits.hpp"

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "lib/api/cell_cache.hpp"
#include "lib/api/cells.hpp"

namespace basesweep {
namespace {

// Sets what hits with edits have.
class EditFields {
 public:
  explicit EditFields(const Batch& batch)
      : batch_(batch),
        edits_(integers_if(batch, "edits")),
        indels_(integers_if(batch, "indels")),
        insertions_(integers_if(batch, "insertions")),
        starts_(integers_if(batch, "pattern_start")),
        ends_(integers_if(batch, "pattern_end")),
        best_(integers_if(batch, "best")),
        next_edits_(integers_if(batch, "next_edits")) {}

  void set(std::size_t i, SearchHit& hit) const {
    if (!edits_.empty()) {
      hit.edits = static_cast<std::uint16_t>(edits_[i]);
      hit.indels = static_cast<std::uint16_t>(indels_[i]);
      hit.insertions = static_cast<std::uint16_t>(insertions_[i]);
      hit.mismatches = static_cast<std::uint16_t>(hit.edits - hit.indels);
      hit.deletions = static_cast<std::uint16_t>(hit.indels - hit.insertions);
    }
    // A pattern that does not hang over is inside the record as a whole.
    hit.pattern_start = starts_.empty() ? 0 : static_cast<std::uint32_t>(starts_[i]);
    hit.pattern_end =
        static_cast<std::uint32_t>(ends_.empty() ? hit.end - hit.start + hit.insertions - hit.deletions : ends_[i]);
    if (best_.empty()) return;
    hit.best = static_cast<std::uint64_t>(best_[i]);
    hit.next_edits.reset();
    if (batch_.has("next_edits", i)) hit.next_edits = static_cast<std::uint32_t>(next_edits_[i]);
  }

 private:
  const Batch& batch_;
  std::span<const std::int64_t> edits_, indels_, insertions_, starts_, ends_, best_, next_edits_;
};

// Sets the texts of hits.
class TextFields {
 public:
  explicit TextFields(const Batch& batch) {
    const std::array<std::pair<const char*, std::string_view SearchHit::*>, 6> all{
        {{"matched", &SearchHit::text},
         {"cigar", &SearchHit::cigar},
         {"aligned_pattern", &SearchHit::aligned_pattern},
         {"aligned_text", &SearchHit::aligned_text},
         {"upstream", &SearchHit::upstream},
         {"downstream", &SearchHit::downstream}}};
    for (const auto& [column, field] : all) {
      if (const Texts texts = texts_if(batch, column); texts.size() != 0) fields_.emplace_back(texts, field);
    }
  }

  void set(std::size_t i, SearchHit& hit) const {
    for (const auto& [texts, field] : fields_) hit.*field = texts[i];
  }

 private:
  std::vector<std::pair<Texts, std::string_view SearchHit::*>> fields_;
};

}  // namespace

std::vector<std::string> hit_columns(const SearchOptions& o, bool approximate) {
  std::vector<std::string> columns{std::string(kRecordNumber), "record", "start", "end", "pattern", "strand"};
  const auto add = [&columns](bool wanted, std::initializer_list<const char*> names) {
    if (wanted) columns.insert(columns.end(), names.begin(), names.end());
  };
  add(approximate, {"edits", "indels", "insertions"});
  add(o.overhang_5prime || o.overhang_3prime, {"pattern_start", "pattern_end"});
  add(o.report == SearchOptions::Report::best_per_record, {"best", "next_edits"});
  add(o.alignments, {"matched", "cigar"});
  add(o.aligned, {"aligned_pattern", "aligned_text"});
  add(o.flank != 0, {"upstream", "downstream"});
  return columns;
}

void give_hits(const Batch& batch, const std::function<void(const SearchHit&)>& take) {
  const auto records = batch.integers(kRecordNumber), starts = batch.integers("start"), ends = batch.integers("end");
  const auto names = batch.codes("record"), patterns = batch.codes("pattern"), strands = batch.codes("strand");
  const Texts table = batch.table("record");
  const EditFields edits(batch);
  const TextFields texts(batch);
  SearchHit hit;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    hit.record = records[i];
    hit.start = starts[i];
    hit.end = ends[i];
    hit.pattern = static_cast<std::uint32_t>(patterns[i]);
    hit.strand = strands[i] == 0 ? '+' : '-';
    hit.record_name = table[static_cast<std::size_t>(names[i])];
    edits.set(i, hit);
    texts.set(i, hit);
    take(hit);
  }
}

}  // namespace basesweep
