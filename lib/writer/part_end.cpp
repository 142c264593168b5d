#include "lib/writer/part_end.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include "lib/base/fields.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kHits = "hits=";

char last_byte(EndForm form) { return form == EndForm::bam ? '\0' : '\n'; }

// `number`: the digits to print.
std::string print_end(EndForm form, std::string_view number) {
  if (form == EndForm::line) return fmt::format("{}\t{}{}\n", kEndMark, kHits, number);
  std::string tag = fmt::format("{}{}{}", form == EndForm::bam ? "COZ" : "\tCO:Z:", kHits, number);
  if (form == EndForm::bam) tag += last_byte(form);
  SamRecord record;
  record.name = kEndMark.substr(1);
  record.flag = BAM_FUNMAP;
  record.last_tags = tag;
  Text text;
  form == EndForm::bam ? append_bam(record, text) : append_sam(record, text);
  return std::string(text.view());
}

}  // namespace

EndForm end_form(OutputFormat format) {
  if (format == OutputFormat::sam) return EndForm::sam;
  return format == OutputFormat::bam ? EndForm::bam : EndForm::line;
}

PartEnd::PartEnd(EndForm form) : form_(form), before_(print_end(form, "")) {
  before_.pop_back();
  if (form == EndForm::bam) before_.erase(0, sizeof(std::int32_t));
}

std::string PartEnd::print(std::uint64_t hits) const { return print_end(form_, fmt::format("{}", hits)); }

std::optional<std::uint64_t> PartEnd::parse(std::string_view text) const {
  if (!text.starts_with(before_) || text.back() != last_byte(form_)) return std::nullopt;
  text.remove_prefix(before_.size());
  text.remove_suffix(1);
  std::uint64_t hits = 0;
  if (!parse_number(text, hits)) return std::nullopt;
  return hits;
}

}  // namespace basesweep
