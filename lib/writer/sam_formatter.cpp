#include "lib/writer/sam_formatter.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/writer/alignment_order.hpp"
#include "lib/writer/sam_header.hpp"

namespace basesweep {
namespace {

// Stands before each alignment between append() and the gatherer, where rows have two.
struct Frame {
  AlignmentPlace place;
  std::uint64_t bytes;  // of the alignment
  std::uint64_t waits;  // 1: the second of its row
};

class Alignments final : public Gatherer {
 public:
  Alignments(std::string directory, AlignmentOrder::Write write) : order_(std::move(directory), std::move(write)) {}

  void add(std::string_view text) override {
    while (!text.empty()) {
      Frame frame;
      std::memcpy(&frame, text.data(), sizeof frame);
      const std::string_view bytes = text.substr(sizeof frame, frame.bytes);
      text.remove_prefix(sizeof frame + bytes.size());
      frame.waits != 0 ? order_.add_right(frame.place, bytes) : order_.add_left(frame.place, bytes);
    }
  }
  void finish() override { order_.finish(); }

 private:
  AlignmentOrder order_;
};

class SamFormatter final : public Formatter {
 public:
  SamFormatter(std::shared_ptr<const SamRows> rows, const SamOptions& options)
      : rows_(std::move(rows)), options_(options), read_group_(parse_read_group(options.read_group)) {}

  bool needs_records() const override { return true; }
  unsigned needs() const override { return need::letters | need::scores; }

  std::string header(std::span<const RecordInfo> records) const override {
    return sam_file_header(options_, read_group_, records);
  }

  std::unique_ptr<Gatherer> gatherer(const std::string& directory, Write write) const override {
    return rows_->alignments() == 1 ? nullptr : std::make_unique<Alignments>(directory, std::move(write));
  }

  void append(const Row& row, RowText& text) const override {
    if (rows_->alignments() == 1) {
      append_one(row, 0, text);
      return;
    }
    for (int i = 0; i < rows_->alignments(); ++i) {
      const std::size_t begin = text.view().size();
      text.advance(text.reserve(sizeof(Frame)) + sizeof(Frame));
      const AlignmentPlace place = append_one(row, i, text);
      const std::size_t bytes = text.view().size() - begin;
      const Frame frame{place, bytes - sizeof(Frame), i == 0 ? 0U : 1U};
      std::memcpy(text.reserve(0) - bytes, &frame, sizeof frame);
    }
  }

 private:
  AlignmentPlace append_one(const Row& row, int alignment, RowText& text) const {
    SamRecord record;
    rows_->describe(row, alignment, options_.binary, per_thread<SamScratch>(), record);
    record.read_group = read_group_.id;
    options_.binary ? append_bam(record, text) : append_sam(record, text);
    return {record.place.reference, record.place.start};
  }

  const std::shared_ptr<const SamRows> rows_;
  const SamOptions options_;
  const ReadGroup read_group_;
};

}  // namespace

std::string sam_file_header(const SamOptions& options, const ReadGroup& read_group,
                            std::span<const RecordInfo> records) {
  check_sam_records(records, options.path);
  const std::string text = sam_header_text({.order = "SO:coordinate",
                                            .records = records,
                                            .circular = &options.circular,
                                            .read_group_lines = read_group.line,
                                            .program = options.program,
                                            .command_line = options.command_line,
                                            .comment = options.comment});
  return options.binary ? bam_header(text, records) : text;
}

std::unique_ptr<Formatter> make_sam_formatter(std::shared_ptr<const SamRows> rows, const SamOptions& options) {
  return std::make_unique<SamFormatter>(std::move(rows), options);
}

}  // namespace basesweep
