#include "lib/writer/sam_formatter.hpp"

#include <htslib/sam.h>

#include <string>
#include <vector>

#include "lib/base/per_thread.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_header.hpp"
#include "lib/writer/sam_query.hpp"
#include "lib/writer/sam_record.hpp"
#include "lib/writer/standing_tags.hpp"

namespace basesweep {
namespace {

class SamFormatter final : public Formatter {
 public:
  SamFormatter(const PatternSet& patterns, const SamOptions& options)
      : patterns_(patterns),
        options_(options),
        read_group_(parse_read_group(options.read_group)),
        queries_(patterns, options.distinguish) {
    SamQueryNames names("pattern");
    for (const Pattern& pattern : patterns.patterns()) names_.push_back(names.add(pattern.name));
  }

  bool needs_records() const override { return true; }
  bool needs_letters() const override { return true; }

  std::string header(std::span<const RecordInfo> records) const override {
    return sam_file_header(options_, read_group_, records);
  }

  void append(const PlacedHit& hit, Text& text) const override {
    SamRecord record;
    record.name = names_[patterns_.queries()[hit.hit.query].pattern];
    if (hit.hit.first == 0) record.flag = BAM_FSECONDARY;
    record.place = {static_cast<std::int32_t>(hit.record), hit.record_name, hit.start};
    record.end = hit.end();
    queries_.describe(hit.hit, hit.letters, per_thread<SamScratch>(), record);
    record.read_group = read_group_.id;
    const std::string tags = standing_tags(hit.standing, options_.binary);
    record.last_tags = tags;
    options_.binary ? append_bam(record, text) : append_sam(record, text);
  }

 private:
  const PatternSet& patterns_;
  SamOptions options_;
  ReadGroup read_group_;
  SamQueries queries_;
  std::vector<std::string> names_;  // QNAME of each pattern
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

std::unique_ptr<Formatter> make_sam_formatter(const PatternSet& patterns, const SamOptions& options) {
  return std::make_unique<SamFormatter>(patterns, options);
}

}  // namespace basesweep
