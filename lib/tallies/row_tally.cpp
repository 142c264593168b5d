#include "lib/tallies/row_tally.hpp"

#include <string>

namespace basesweep {
namespace {

class CountingFormatter final : public Formatter {
 public:
  CountingFormatter(const Formatter& formatter, RowTally& tally) : formatter_(formatter), tally_(tally) {}

  bool needs_records() const override { return formatter_.needs_records(); }
  bool lists_records() const override { return formatter_.lists_records(); }
  std::string header(std::span<const RecordInfo> records) const override { return formatter_.header(records); }
  bool splits_at_origin() const override { return formatter_.splits_at_origin(); }
  NameRule names() const override { return formatter_.names(); }
  unsigned needs() const override { return formatter_.needs() | tally_.needs(); }
  std::uint32_t flank() const override { return formatter_.flank(); }
  void append(const Row& row, RowText& text) const override {
    formatter_.append(row, text);
    tally_.count(RowSpan(&row, 1));
  }
  void append_rows(RowSpan rows, RowText& text) const override {
    formatter_.append_rows(rows, text);
    tally_.count(rows);
  }
  void append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                   RowText& text) const override {
    formatter_.append_hits(batch, hits, standings, text);
    tally_.count(batch, hits);
  }
  void finish(RowText& text) const override { formatter_.finish(text); }
  bool makes_blocks() const override { return formatter_.makes_blocks(); }
  std::unique_ptr<Gatherer> gatherer(const std::string& directory, Write write) const override {
    return formatter_.gatherer(directory, std::move(write));
  }

 private:
  const Formatter& formatter_;
  RowTally& tally_;
};

}  // namespace

std::unique_ptr<Formatter> counting_formatter(const Formatter& formatter, RowTally& tally) {
  return std::make_unique<CountingFormatter>(formatter, tally);
}

}  // namespace basesweep
