#include "lib/parts/part.hpp"

#include <fmt/format.h>

#include "lib/base/fields.hpp"
#include "lib/parts/plan.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kMagic = "basesweep-part";

}  // namespace

std::string print_part(const PartLabel& label) {
  return fmt::format("{}\t{}\t{}\t{}\t{}/{}", kMagic, label.version, label.parameters, label.plan, label.chunk,
                     label.chunks);
}

std::optional<PartLabel> parse_part(std::string_view text) {
  if (take_to(text, '\t') != kMagic) return std::nullopt;
  PartLabel label;
  label.version = take_to(text, '\t');
  label.parameters = take_to(text, '\t');
  label.plan = take_to(text, '\t');
  const std::string_view chunk = take_to(text, '/');
  if (!parse_number(chunk, label.chunk) || !parse_number(text, label.chunks) || label.chunk < 1 ||
      label.chunk > label.chunks || label.chunks > kMaxChunks) {
    return std::nullopt;
  }
  return label;
}

DataError damaged_part(const std::string& path, std::string_view why) {
  return DataError(fmt::format("{}: the part is damaged: {}", path, why));
}

std::string parameter(const PartLabel& label, std::string_view key) {
  std::string_view rest = label.parameters;
  while (!rest.empty()) {
    std::string_view value = take_to(rest, ' ');
    if (take_to(value, '=') == key) return std::string(value);
  }
  return "";
}

}  // namespace basesweep
