#include "tools/pwm_parts.hpp"

#include <cmath>
#include <cstdint>
#include <span>

#include "lib/base/stream_names.hpp"
#include "lib/compiled/field_bytes.hpp"

namespace basesweep {

std::string print_query(const MatrixSource& source) {
  FieldWriter to;
  to.number(static_cast<std::uint32_t>(source.files.size()));
  for (const FileMatrix& matrix : source.files) {
    to.text(matrix.id);
    to.text(matrix.name);
    to.text(file_name(matrix.file));  // jobs may have it in other folders
    to.number(static_cast<std::uint8_t>(matrix.format));
    to.number(static_cast<std::uint32_t>(matrix.columns.size()));
    for (const PerBase& column : matrix.columns) {
      for (const double number : column) to.number(number);
    }
    to.number(static_cast<std::uint8_t>(matrix.probabilities));
    to.number(matrix.sites);
    to.maybe(matrix.threshold);
    to.number(static_cast<std::uint8_t>(matrix.background.has_value()));
    for (const double rate : matrix.background.value_or(PerBase())) to.number(rate);
  }
  to.number(static_cast<std::uint8_t>(source.background.has_value()));
  for (const double rate : source.background.value_or(PerBase())) to.number(rate);
  return to.bytes();
}

MatrixSource matrices_of(const PartSet& parts) {
  MatrixSource source;
  FieldReader from(std::as_bytes(std::span(parts.head().query)));
  const auto rates = [&from]() -> std::optional<PerBase> {
    const bool has = from.number<std::uint8_t>() != 0;
    PerBase all{};
    for (double& rate : all) rate = from.number<double>();
    return has ? std::optional(all) : std::nullopt;
  };
  const auto count = from.number<std::uint32_t>();
  bool valid = count != 0;
  for (std::uint32_t i = 0; i < count && valid && from.ok(); ++i) {
    FileMatrix& matrix = source.files.emplace_back();
    matrix.id = from.text();
    matrix.name = from.text();
    matrix.file = from.text();
    matrix.format = from.choice(MatrixFormat::cis_bp);
    const auto width = from.number<std::uint32_t>();
    valid = valid && width >= 1 && width <= kMaxMatrixWidth;
    for (std::uint32_t at = 0; at < width && valid; ++at) {
      for (double& number : matrix.columns.emplace_back()) number = from.number<double>();
    }
    matrix.probabilities = from.number<std::uint8_t>() != 0;
    matrix.sites = from.number<double>();
    matrix.threshold = from.maybe<double>();
    valid = valid && std::isfinite(matrix.threshold.value_or(0));
    matrix.background = rates();
  }
  source.background = rates();
  if (!valid || !from.at_end()) {
    throw damaged_part(parts.paths().front(), "its matrices are not complete");
  }
  return source;
}

}  // namespace basesweep
